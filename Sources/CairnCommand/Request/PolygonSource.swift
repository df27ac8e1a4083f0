import CairnGeometry
import CairnIO
import CairnStorage

/// The polygons of a shape on the command line.
struct PolygonSource {
  /// The name of the file, or of the option whose value the text is.
  let name: String
  let edges: GeoPolygon.Edges
  let allowances: PolygonBuilder.Allowances

  /// Checks polygons. Repairs are reported on standard error.
  ///
  /// - Throws: `badData` if the polygons are not valid.
  func polygon(_ parsed: ParsedPolygons) throws -> GeoPolygon {
    if allowances.contains(.wrapping), parsed.system != .wgs84 {
      throw Failure(
        .usage,
        message: "--wrap-longitude is for degrees of WGS 84, and \(name) uses another system")
    }
    return try polygon(of: degrees(parsed))
  }

  private func degrees(_ parsed: ParsedPolygons) throws -> [ParsedPolygon] {
    if case .unclear(let text) = parsed.system {
      throw Failure(
        .badData,
        message: "\(name): the member `crs` does not name a known coordinate system (\(text))")
    }
    do throws(GeometryError) { return try parsed.inDegrees() } catch {
      throw Failure(Failure(error).code, message: "\(name): \(error.message)")
    }
  }

  // MARK: From polygon builders to a polygon

  private func polygon(of parsed: [ParsedPolygon]) throws -> GeoPolygon {
    var parsed = parsed
    var polygons: [[[GeoPoint]]] = []
    // For each of `polygons`, the index in `parsed` of the one it comes from.
    var sources: [Int] = []
    for index in parsed.indices {
      let made = try made(&parsed, at: index)
      polygons += made
      sources += Array(repeating: index, count: made.count)
    }
    do throws(GeometryError) {
      let polygon = try GeoPolygon(polygons: polygons, edges: edges)
      try polygon.validate()
      return polygon
    } catch {
      throw failure(error, parsed: parsed, at: error.polygon.map { sources[$0] } ?? 0)
    }
  }

  private func made(_ parsed: inout [ParsedPolygon], at index: Int) throws -> [[[GeoPoint]]] {
    do throws(GeometryError) {
      let made = try parsed[index].builder.polygons(edges: edges, allowing: allowances)
      for change in parsed[index].builder.changes {
        Console.printMessage("\(heading(parsed, at: index)): \(change)")
      }
      return made
    } catch {
      throw failure(error, parsed: parsed, at: index)
    }
  }

  private func heading(_ parsed: [ParsedPolygon], at index: Int) -> String {
    let position = parsed.name(of: index)
    return position.isEmpty ? name : "\(name), \(position)"
  }

  private func failure(
    _ error: GeometryError, parsed: [ParsedPolygon], at index: Int
  ) -> Failure {
    let advice = advice(for: error, isBeyond: parsed[index].builder.isBeyondAntimeridian)
    return Failure(
      Failure(error).code, message: "\(heading(parsed, at: index)): \(error.message)\(advice)")
  }

  /// The option that would avoid the error.
  private func advice(for error: GeometryError, isBeyond: Bool) -> String {
    switch error.kind {
    case .antimeridian:
      "; or use --edges geodesic, with which each edge is the shortest path"
    case .outOfRange where isBeyond && !allowances.contains(.wrapping):
      "; use --wrap-longitude to wrap longitudes beyond ±180 and cut at the antimeridian"
    case .selfIntersection, .duplicateVertex, .holeOutsideOuterRing, .holesCross, .sharedEdge,
      .nesting, .emptyHole, .closed, .disconnectedInterior:
      allowances.contains(.repairing) ? "" : "; or use --repair"
    default: ""
    }
  }
}
