/// The GeoJSON encoding of a line: `{"type": "LineString", "coordinates": [[8, 47], [9, 47]]}`.
extension GeoLineString: Codable {
  /// Decodes a GeoJSON line.
  ///
  /// - Throws: `DecodingError` if it is not a line of two or more locations on the earth.
  public init(from decoder: any Decoder) throws {
    let geometry = try Geometry(from: decoder)
    guard let line = geometry.lineString else {
      throw DecodingError.mismatch("a 'LineString' of two or more positions", geometry, decoder)
    }
    self = line
  }

  /// Encodes the line as GeoJSON.
  public func encode(to encoder: any Encoder) throws { try Geometry(self).encode(to: encoder) }
}

/// The GeoJSON encoding of a polygon: a `Polygon`, or a `MultiPolygon` of several.
///
/// GeoJSON does not say what joins the vertices. A member `"edges": "planar"` is written beside the
/// coordinates of a polygon with planar edges. Edges are geodesic without it, as in the
/// initializers.
extension GeoPolygon: Codable {
  private enum CodingKeys: CodingKey {
    case edges
  }

  /// Decodes a GeoJSON polygon or multipolygon.
  ///
  /// - Throws: `DecodingError` if it is not a polygon, a ring is too short or not closed, or a
  ///   location is not on the earth.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decodeIfPresent(String.self, forKey: .edges)
    guard let edges = Edges(codingName: name ?? "geodesic") else {
      throw DecodingError.dataCorruptedError(
        forKey: .edges, in: container,
        debugDescription: "expected 'planar' or 'geodesic', found '\(name ?? "")'")
    }
    let geometry = try Geometry(from: decoder)
    guard let polygon = geometry.polygon(edges: edges) else {
      throw DecodingError.mismatch("a 'Polygon' or 'MultiPolygon' with rings", geometry, decoder)
    }
    try self.init(polygons: polygon.polygons, edges: edges)
  }

  /// Encodes the polygon as GeoJSON, with a member `edges` if they are planar.
  public func encode(to encoder: any Encoder) throws {
    try Geometry(self).encode(to: encoder)
    guard edges == .planar else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(edges.codingName, forKey: .edges)
  }
}

extension GeoPolygon.Edges {
  fileprivate var codingName: String { self == .planar ? "planar" : "geodesic" }

  fileprivate init?(codingName: String) {
    switch codingName {
    case "planar": self = .planar
    case "geodesic": self = .geodesic
    default: return nil
    }
  }
}

extension DecodingError {
  fileprivate static func mismatch(
    _ expected: String, _ geometry: Geometry, _ decoder: any Decoder
  ) -> DecodingError {
    let found = geometry.isEmpty ? "an empty" : "a"
    return .dataCorrupted(
      Context(
        codingPath: decoder.codingPath,
        debugDescription: "expected \(expected), found \(found) '\(geometry.kind.geoJSONName)'"))
  }
}

/// The encoding of a box as the `bbox` of GeoJSON: `[west, south, east, north]`, or `[west, south,
/// lowest, east, north, highest]` if a corner has an altitude.
extension GeoBox: Codable {
  /// Decodes four or six numbers.
  ///
  /// - Throws: `DecodingError` if a corner is not on the earth.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let numbers = try container.decode([Double].self)
    let half = numbers.count / 2
    guard numbers.count == 4 || numbers.count == 6,
      let low = GeoPoint(
        latitude: numbers[1], longitude: numbers[0], altitude: half == 3 ? numbers[2] : 0),
      let high = GeoPoint(
        latitude: numbers[half + 1], longitude: numbers[half], altitude: half == 3 ? numbers[5] : 0)
    else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected west, south, east and north in degrees, found \(numbers)")
    }
    self.init(bottomLeft: low, topRight: high)
  }

  /// Encodes four numbers, or six if a corner has an altitude.
  public func encode(to encoder: any Encoder) throws {
    let hasAltitude = bottomLeft.altitude != 0 || topRight.altitude != 0
    var container = encoder.singleValueContainer()
    try container.encode(
      [bottomLeft, topRight].flatMap {
        [$0.longitude, $0.latitude] + (hasAltitude ? [$0.altitude] : [])
      })
  }
}

/// The encoding of a circle: `{"center": {"type": "Point", "coordinates": [8, 47]}, "radius":
/// {"radians": 0.001}}`.
extension GeoCircle: Codable {
  private enum CodingKeys: CodingKey {
    case center
    case radius
  }

  /// Decodes a circle.
  ///
  /// - Throws: `DecodingError` if the centre is not on the earth, or the radius is negative.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      center: try container.decode(GeoPoint.self, forKey: .center),
      radius: try container.decode(Distance.self, forKey: .radius))
  }

  /// Encodes the centre and the radius.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(center, forKey: .center)
    try container.encode(radius, forKey: .radius)
  }
}

/// The encoding of a distance: `{"radians": 0.001}`, which keeps its value exactly. The units
/// `degrees`, `meters`, `kilometers` and `miles` are decoded too.
extension Distance: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case radians
    case degrees
    case meters
    case kilometers
    case miles

    func distance(_ number: Double) -> Distance? {
      switch self {
      case .radians: .radians(number)
      case .degrees: .degrees(number)
      case .meters: .meters(number)
      case .kilometers: .kilometers(number)
      case .miles: .miles(number)
      }
    }
  }

  /// Decodes a distance in one of the units.
  ///
  /// - Throws: `DecodingError` if there is not exactly one unit, or its number is negative.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let unit = container.allKeys.first, container.allKeys.count == 1 else {
      let names = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "expected one of \(names)"))
    }
    let number = try container.decode(Double.self, forKey: unit)
    guard let distance = unit.distance(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: unit, in: container, debugDescription: "expected 0 or more, found \(number)")
    }
    self = distance
  }

  /// Encodes the distance in radians.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(radians, forKey: .radians)
  }
}
