import CairnGeometry

/// Conversions of Swift and JSON values to geometries.
enum GeometryValue {
  /// Returns the geometry of a `Geometry`, `GeoPoint`, `GeoLineString` or `GeoPolygon`, or of a
  /// GeoJSON geometry as JSON represents it; nil for other values.
  ///
  /// - Throws: `GeometryError` for a GeoJSON geometry that breaks a rule.
  static func geometry(_ any: Any) throws(GeometryError) -> Geometry? {
    switch any {
    case let geometry as Geometry: return geometry
    case let point as GeoPoint: return Geometry(point)
    case let line as GeoLineString: return Geometry(line)
    case let polygon as GeoPolygon: return Geometry(polygon)
    default: break
    }
    var builder = GeometryBuilder()
    guard try builder.append(json: any) else { return nil }
    return try Geometry(builder)
  }
}

extension GeometryBuilder {
  /// Adds a GeoJSON geometry, and returns whether the value is one.
  ///
  /// - Throws: `GeometryError` if collections are nested too deeply.
  fileprivate mutating func append(json any: Any) throws(GeometryError) -> Bool {
    guard let members = any as? [String: Any], let name = members["type"] as? String,
      let kind = Geometry.Kind.allCases.first(where: {
        $0.geoJSONName.lowercased() == name.lowercased()
      })
    else { return false }
    guard depth < GeometryView.maxNestingDepth else { throw GeometryView.nestingError }
    begin(kind)
    defer { end() }
    if kind != .geometryCollection {
      return (members["coordinates"] as? [Any]).map { add($0, of: kind) } ?? false
    }
    guard let geometries = members["geometries"] as? [Any] else { return false }
    for geometry in geometries {
      guard try append(json: geometry) else { return false }
    }
    return true
  }

  /// Adds the coordinates of the open geometry, and returns whether they have the right form.
  private mutating func add(_ coordinates: [Any], of kind: Geometry.Kind) -> Bool {
    switch kind {
    case .point: return coordinates.isEmpty || addPosition(coordinates)
    case .lineString: return addPath(coordinates)
    case .polygon:
      for ring in coordinates {
        beginRing()
        guard let ring = ring as? [Any], addPath(ring) else { return false }
        endRing()
      }
      return true
    default:
      for member in coordinates {
        guard let member = member as? [Any], let kind = kind.memberKind else { return false }
        begin(kind)
        defer { end() }
        guard add(member, of: kind) else { return false }
      }
      return true
    }
  }

  private mutating func addPath(_ positions: [Any]) -> Bool {
    for position in positions {
      guard let position = position as? [Any], addPosition(position) else { return false }
    }
    return true
  }

  /// Adds a position. Numbers after the third have no meaning in GeoJSON.
  private mutating func addPosition(_ position: [Any]) -> Bool {
    let numbers = position.prefix(3).compactMap { AnyScalar.double($0) }
    guard numbers.count == min(3, position.count), numbers.count >= 2 else { return false }
    add(
      longitude: numbers[0], latitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
    return true
  }
}
