import CairnTestSupport

@testable import CairnGeometry

/// A random geometry on a coarse grid, where vertices, edges and whole geometries often coincide.
struct GridGeometry {
  /// The points, lines and polygons as positions on the grid, each polygon as its rings.
  enum Part {
    case point((Int, Int))
    case line([(Int, Int)])
    case polygon([[(Int, Int)]])
  }

  let kind: Geometry.Kind
  let parts: [Part]
  /// The degrees of a step of the grid.
  let scale: Double

  /// The geometry in Cairn's own form.
  var geometry: Geometry {
    var builder = GeometryBuilder()
    if isMultiple { builder.begin(kind) }
    for part in parts {
      switch part {
      case .point(let point):
        builder.begin(.point)
        add(point, to: &builder)
      case .line(let line):
        builder.begin(.lineString)
        for point in line { add(point, to: &builder) }
      case .polygon(let rings):
        builder.begin(.polygon)
        for ring in rings {
          builder.beginRing()
          for point in ring { add(point, to: &builder) }
          builder.endRing()
        }
      }
      builder.end()
    }
    if isMultiple { builder.end() }
    return builder.geometry()
  }

  var isMultiple: Bool { kind.rawValue >= 4 }

  private func add(_ point: (Int, Int), to builder: inout GeometryBuilder) {
    builder.add(longitude: Double(point.0) * scale, latitude: Double(point.1) * scale)
  }

  /// The well-known text of a part.
  func text(_ part: Part) -> String {
    switch part {
    case .point(let point): "POINT (\(text(point)))"
    case .line(let line): "LINESTRING \(text(line))"
    case .polygon(let rings): "POLYGON (\(rings.map { text($0) }.joined(separator: ", ")))"
    }
  }

  private func text(_ point: (Int, Int)) -> String {
    "\(Double(point.0) * scale) \(Double(point.1) * scale)"
  }

  private func text(_ points: [(Int, Int)]) -> String {
    "(" + points.map { text($0) }.joined(separator: ", ") + ")"
  }

  /// The well-known text of all parts.
  var text: String { "GEOMETRYCOLLECTION (\(parts.map(text).joined(separator: ", ")))" }

  /// The well-known text of the parts, which are of one kind.
  var textOfKind: String {
    guard kind.rawValue >= 4, kind != .geometryCollection else {
      return parts.first.map(text) ?? ""
    }
    let (name, word) =
      switch kind {
      case .multiPoint: ("MULTIPOINT", "POINT ")
      case .multiLineString: ("MULTILINESTRING", "LINESTRING ")
      default: ("MULTIPOLYGON", "POLYGON ")
      }
    return
      "\(name) (\(parts.map { String(text($0).dropFirst(word.count)) }.joined(separator: ", ")))"
  }
}

extension SplitMix64 {
  /// A valid geometry of a kind on a grid of `size` steps.
  mutating func gridGeometry(
    _ kind: Geometry.Kind, size: Int, scale: Double, _ geos: GEOSRelations
  ) throws -> GridGeometry {
    while true {
      let count = kind.rawValue >= 4 ? int(1...4) : 1
      let parts = (0..<count).map { _ -> GridGeometry.Part in
        switch kind {
        case .point, .multiPoint: gridPoint(size)
        case .lineString, .multiLineString: gridLine(size)
        case .polygon, .multiPolygon: gridPolygon(size)
        case .geometryCollection:
          [gridPoint(size), gridLine(size), gridPolygon(size), gridPolygon(size)][int(0...3)]
        }
      }
      let made = GridGeometry(kind: kind, parts: parts, scale: scale)
      if kind == .geometryCollection {
        if try parts.allSatisfy({ try geos.isValid(made.text($0)) }) { return made }
      } else if try geos.isValid(made.textOfKind) {
        return made
      }
    }
  }

  private mutating func gridPoint(_ size: Int) -> GridGeometry.Part {
    .point((int(0...size), int(0...size)))
  }

  private mutating func gridLine(_ size: Int) -> GridGeometry.Part {
    .line(gridPath(size, count: int(2...5)))
  }

  /// Points with no repeated neighbours.
  private mutating func gridPath(_ size: Int, count: Int) -> [(Int, Int)] {
    var path: [(Int, Int)] = []
    while path.count < count {
      let point = (int(0...size), int(0...size))
      if let last = path.last, last == point { continue }
      path.append(point)
    }
    return path
  }

  private mutating func gridPolygon(_ size: Int) -> GridGeometry.Part {
    var rings = [gridRing(size)]
    if int(0...2) == 0 { rings.append(gridRing(size)) }
    return .polygon(rings)
  }

  private mutating func gridRing(_ size: Int) -> [(Int, Int)] {
    if int(0...1) == 0 {
      let (west, south) = (int(0...size - 1), int(0...size - 1))
      let (east, north) = (int(west + 1...size), int(south + 1...size))
      return [(west, south), (east, south), (east, north), (west, north), (west, south)]
    }
    let path = gridPath(size, count: int(3...6))
    return path + [path[0]]
  }
}
