/// A geometry in WKB as PostGIS and ISO define it, written in hexadecimal digits: its SRID, and its
/// content if it is a point.
struct BinaryGeometry {
  private(set) var system: Int?
  private(set) var content = GeometryText.Content.malformed

  /// The name in GeoJSON of the geometry that each type becomes.
  private static let types = [
    "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
    "GeometryCollection", "LineString", "LineString", "Polygon", "MultiLineString",
    "MultiPolygon", "Curve", "Surface", "GeometryCollection", "GeometryCollection", "Polygon",
  ]

  /// Returns nil when the text is not hexadecimal WKB.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count.isMultiple(of: 2), var reader = WKBReader(text), text[0] == 0x30,
      text.allSatisfy({ Digits.isDigit($0) || ($0 | 0x20) &- 97 < 6 }),
      let header = reader.header(), header.isKnown, header.type <= Self.types.count
    else { return nil }
    system = header.system
    let name = Self.types[header.type - 1]
    content = name == "Point" ? Self.point(&reader, header: header) : .other(name)
  }

  private static func point(
    _ reader: inout WKBReader, header: WKBHeader
  ) -> GeometryText.Content {
    guard let point = reader.position(header), reader.isAtEnd else { return .malformed }
    return point.x.isNaN || point.y.isNaN ? .empty : .point(x: point.x, y: point.y, z: point.z)
  }

  /// Returns the points of a MultiPoint, or nil when it is malformed or one of its points is empty.
  static func points(of text: UnsafeBufferPointer<UInt8>) -> [MultiPointText.Point]? {
    guard var reader = WKBReader(text), reader.header() != nil, let count = reader.count() else {
      return nil
    }
    var points: [MultiPointText.Point] = []
    for _ in 0..<count {
      guard let header = reader.header(), header.type == 1, let point = reader.position(header),
        !point.x.isNaN, !point.y.isNaN
      else { return nil }
      points.append(point)
    }
    return reader.isAtEnd ? points : nil
  }
}

/// The header of a geometry in WKB.
struct WKBHeader {
  /// The number of the type: 1 for a point, 2 for a line, 3 for a polygon, and so on.
  let type: Int
  let hasZ: Bool
  let hasM: Bool
  /// Whether the number of the type is one that ISO or PostGIS defines.
  let isKnown: Bool
  /// The SRID, if the header has one.
  let system: Int?

  /// The number of coordinates in a position.
  var dimensions: Int { 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0) }

  /// The flags that PostGIS adds to the number of the type.
  fileprivate static let (zFlag, mFlag, systemFlag): (UInt32, UInt32, UInt32) =
    (0x8000_0000, 0x4000_0000, 0x2000_0000)

  fileprivate init(code: UInt32, system: Int?) {
    let plain = code & 0x1FFF_FFFF
    let isoDimensions = plain / 1000
    type = Int(plain % 1000)
    hasZ = code & Self.zFlag != 0 || isoDimensions == 1 || isoDimensions == 3
    hasM = code & Self.mFlag != 0 || isoDimensions >= 2
    isKnown = type > 0 && isoDimensions <= 3
    self.system = system
  }
}

/// Reads consecutive parts of WKB in hexadecimal digits.
struct WKBReader {
  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var isLittleEndian = true

  /// Returns nil for a text that is too short for a header.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= 18 else { return nil }
    self.text = text
  }

  var isAtEnd: Bool { index == text.count }

  /// Reads the header of a geometry, which sets the byte order of what follows.
  mutating func header() -> WKBHeader? {
    guard let order = number(UInt8.self), order <= 1 else { return nil }
    isLittleEndian = order == 1
    guard let code = number(UInt32.self) else { return nil }
    guard code & WKBHeader.systemFlag != 0 else { return WKBHeader(code: code, system: nil) }
    return number(UInt32.self).map { WKBHeader(code: code, system: Int($0)) }
  }

  /// Reads the number of parts that follow.
  mutating func count() -> Int? { number(UInt32.self).map { Int($0) } }

  /// Reads a position; `z` is nil without a third coordinate.
  mutating func position(_ header: WKBHeader) -> MultiPointText.Point? {
    let values = (0..<header.dimensions).compactMap { _ in
      number(UInt64.self).map(Double.init(bitPattern:))
    }
    guard values.count == header.dimensions else { return nil }
    return (values[0], values[1], header.hasZ && !values[2].isNaN ? values[2] : nil)
  }

  private mutating func number<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    let size = MemoryLayout<T>.size
    guard index + 2 * size <= text.count else { return nil }
    var value: T = 0
    for offset in 0..<size {
      guard let high = HexDigit.value(text[index]), let low = HexDigit.value(text[index + 1]) else {
        return nil
      }
      value |= T(high << 4 | low) << (8 * (isLittleEndian ? offset : size - 1 - offset))
      index += 2
    }
    return value
  }
}
