/// The head of a geometry in WKB, as PostGIS and ISO have it, written in hexadecimal digits.
struct BinaryGeometry {
  private(set) var system: Int?
  private(set) var content = GeometryText.Content.malformed

  private static let types = [
    "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
    "GeometryCollection", "CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve",
    "MultiSurface", "Curve", "Surface", "PolyhedralSurface", "TIN", "Triangle",
  ]
  /// What PostGIS adds to the number of the type.
  private static let (zFlag, mFlag, systemFlag): (UInt32, UInt32, UInt32) =
    (0x8000_0000, 0x4000_0000, 0x2000_0000)

  /// Nil when the text is no such thing.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= 18, text.count.isMultiple(of: 2), text[0] == 0x30,
      text[1] == 0x30 || text[1] == 0x31,
      text.allSatisfy({ Digits.isDigit($0) || ($0 | 0x20) &- 97 < 6 })
    else { return nil }
    var reader = HexReader(text, isLittleEndian: text[1] == 0x31)
    guard let code = reader.number(UInt32.self) else { return nil }
    let plain = code & 0x1FFF_FFFF
    guard plain % 1000 > 0, plain % 1000 <= Self.types.count, plain / 1000 <= 3 else { return nil }
    if code & Self.systemFlag != 0 {
      guard let number = reader.number(UInt32.self) else { return }
      system = Int(number)
    }
    let hasZ = code & Self.zFlag != 0 || plain / 1000 == 1 || plain / 1000 == 3
    let hasM = code & Self.mFlag != 0 || plain / 1000 >= 2
    let name = Self.types[Int(plain % 1000) - 1]
    content = name == "Point" ? Self.point(&reader, hasZ, hasM) : .other(name)
  }

  private static func point(
    _ reader: inout HexReader, _ hasZ: Bool, _ hasM: Bool
  ) -> GeometryText.Content {
    guard let point = position(&reader, hasZ, hasM), reader.isAtEnd else { return .malformed }
    return point.x.isNaN || point.y.isNaN ? .empty : .point(x: point.x, y: point.y, z: point.z)
  }

  private static func position(
    _ reader: inout HexReader, _ hasZ: Bool, _ hasM: Bool
  ) -> MultiPointText.Point? {
    let count = 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0)
    let values = (0..<count).compactMap { _ in
      reader.number(UInt64.self).map(Double.init(bitPattern:))
    }
    guard values.count == count else { return nil }
    return (values[0], values[1], hasZ && !values[2].isNaN ? values[2] : nil)
  }

  /// The points of a MultiPoint; nil when it is malformed, or one of them has no place.
  static func points(of text: UnsafeBufferPointer<UInt8>) -> [MultiPointText.Point]? {
    var reader = HexReader(text, isLittleEndian: text[1] == 0x31)
    guard let code = reader.number(UInt32.self),
      code & systemFlag == 0 || reader.number(UInt32.self) != nil,
      let count = reader.number(UInt32.self)
    else { return nil }
    var points: [MultiPointText.Point] = []
    for _ in 0..<count {
      guard reader.takeOrder(), let code = reader.number(UInt32.self),
        (code & 0x1FFF_FFFF) % 1000 == 1
      else { return nil }
      let kind = (code & 0x1FFF_FFFF) / 1000
      let hasZ = code & zFlag != 0 || kind == 1 || kind == 3
      guard let point = position(&reader, hasZ, code & mFlag != 0 || kind >= 2),
        !point.x.isNaN, !point.y.isNaN
      else { return nil }
      points.append(point)
    }
    return reader.isAtEnd ? points : nil
  }
}

/// Numbers in hexadecimal digits, behind the byte that tells their order.
private struct HexReader {
  private let text: UnsafeBufferPointer<UInt8>
  private var isLittleEndian: Bool
  private var index = 2

  init(_ text: UnsafeBufferPointer<UInt8>, isLittleEndian: Bool) {
    self.text = text
    self.isLittleEndian = isLittleEndian
  }

  var isAtEnd: Bool { index == text.count }

  /// The byte that tells the order of those behind it; false where there is none.
  mutating func takeOrder() -> Bool {
    guard let order = number(UInt8.self), order <= 1 else { return false }
    isLittleEndian = order == 1
    return true
  }

  mutating func number<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    let size = MemoryLayout<T>.size
    guard index + 2 * size <= text.count else { return nil }
    var value: T = 0
    for place in 0..<size {
      let byte = T(Self.digit(text[index])) << 4 | T(Self.digit(text[index + 1]))
      value |= byte << (8 * (isLittleEndian ? place : size - 1 - place))
      index += 2
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt8 {
    Digits.isDigit(byte) ? byte - 48 : (byte | 0x20) - 87
  }
}
