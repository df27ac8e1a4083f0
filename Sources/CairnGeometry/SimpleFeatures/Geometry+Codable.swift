/// The GeoJSON encoding of a geometry: `{"type": "LineString", "coordinates": [[8, 47], [9, 47]]}`.
///
/// Third numbers are altitudes. Empty geometries have empty coordinates.
extension Geometry: Codable {
  /// Decodes a GeoJSON geometry object of any of the seven types.
  ///
  /// - Throws: `DecodingError` with the coding path if the object is not a geometry, a ring is not
  ///   closed, or a coordinate is not on the earth.
  public init(from decoder: any Decoder) throws {
    var builder = GeometryBuilder()
    try builder.append(from: decoder)
    do {
      try self.init(builder)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }

  /// Encodes the geometry as a GeoJSON geometry object.
  public func encode(to encoder: any Encoder) throws {
    var cursor = GeometryView.Cursor()
    try withView { view -> Result<Void, any Error> in
      Result { try view.encodeGeometry(to: encoder, at: &cursor) }
    }.get()
  }
}

private enum GeometryKeys: CodingKey {
  case type
  case coordinates
  case geometries
}

extension GeometryBuilder {
  /// Adds a GeoJSON geometry object.
  fileprivate mutating func append(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: GeometryKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    guard let kind = Geometry.Kind(geoJSONName: type) else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container,
        debugDescription: "expected a geometry such as 'Polygon', found '\(type)'")
    }
    guard depth < GeometryView.maxNestingDepth else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: GeometryView.nestingError.message,
          underlyingError: GeometryView.nestingError))
    }
    begin(kind)
    if kind == .geometryCollection {
      var members = try container.nestedUnkeyedContainer(forKey: .geometries)
      while !members.isAtEnd { try append(from: members.superDecoder()) }
    } else {
      var coordinates = try container.nestedUnkeyedContainer(forKey: .coordinates)
      try addCoordinates(of: kind, from: &coordinates)
    }
    end()
  }

  /// Adds the coordinates of the open geometry, which is not a collection.
  private mutating func addCoordinates(
    of kind: Geometry.Kind, from container: inout any UnkeyedDecodingContainer
  ) throws {
    switch kind {
    case .point: if !container.isAtEnd { try addPosition(from: &container) }
    case .lineString: try addPath(from: &container)
    case .polygon:
      while !container.isAtEnd {
        var ring = try container.nestedUnkeyedContainer()
        beginRing()
        try addPath(from: &ring)
        endRing()
      }
    default:
      let memberKind = kind.memberKind ?? .point
      while !container.isAtEnd {
        var member = try container.nestedUnkeyedContainer()
        begin(memberKind)
        try addCoordinates(of: memberKind, from: &member)
        end()
      }
    }
  }

  private mutating func addPath(from container: inout any UnkeyedDecodingContainer) throws {
    while !container.isAtEnd {
      var position = try container.nestedUnkeyedContainer()
      try addPosition(from: &position)
    }
  }

  /// Adds a position. Numbers after the third have no meaning in GeoJSON.
  private mutating func addPosition(from container: inout any UnkeyedDecodingContainer) throws {
    let longitude = try container.decode(Double.self)
    let latitude = try container.decode(Double.self)
    let altitude = container.isAtEnd ? nil : try container.decode(Double.self)
    add(longitude: longitude, latitude: latitude, altitude: altitude)
  }
}

extension GeometryView {
  /// Encodes the geometry at a cursor, and moves the cursor to its end.
  fileprivate func encodeGeometry(to encoder: any Encoder, at cursor: inout Cursor) throws {
    let kind =
      Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: structure(cursor.word)))
      ?? .geometryCollection
    var container = encoder.container(keyedBy: GeometryKeys.self)
    try container.encode(kind.geoJSONName, forKey: .type)
    if kind == .geometryCollection {
      var members = container.nestedUnkeyedContainer(forKey: .geometries)
      let count = structure(cursor.word + 1)
      cursor.word += 2
      for _ in 0..<count { try encodeGeometry(to: members.superEncoder(), at: &cursor) }
    } else {
      var coordinates = container.nestedUnkeyedContainer(forKey: .coordinates)
      try encodeCoordinates(of: kind, to: &coordinates, at: &cursor)
    }
  }

  private func encodeCoordinates(
    of kind: Geometry.Kind, to container: inout any UnkeyedEncodingContainer,
    at cursor: inout Cursor
  ) throws {
    let count = structure(cursor.word + 1)
    cursor.word += 2
    switch kind {
    case .point: if count > 0 { try encodePosition(to: &container, at: &cursor) }
    case .lineString: try encodePath(count, to: &container, at: &cursor)
    case .polygon:
      for _ in 0..<count {
        var ring = container.nestedUnkeyedContainer()
        let vertices = structure(cursor.word)
        cursor.word += 1
        try encodePath(vertices, to: &ring, at: &cursor)
      }
    default:
      for _ in 0..<count {
        var member = container.nestedUnkeyedContainer()
        try encodeCoordinates(of: kind.memberKind ?? .point, to: &member, at: &cursor)
      }
    }
  }

  private func encodePath(
    _ count: Int, to container: inout any UnkeyedEncodingContainer, at cursor: inout Cursor
  ) throws {
    for _ in 0..<count {
      var position = container.nestedUnkeyedContainer()
      try encodePosition(to: &position, at: &cursor)
    }
  }

  private func encodePosition(
    to container: inout any UnkeyedEncodingContainer, at cursor: inout Cursor
  ) throws {
    try container.encode(longitude(cursor.vertex))
    try container.encode(latitude(cursor.vertex))
    if let altitude = altitude(cursor.vertex) { try container.encode(altitude) }
    cursor.vertex += 1
  }
}
