/// A geometry in a field of text: WKT, or WKB in hexadecimal digits, as PostGIS writes it.
struct GeometryText {
  enum Content: Equatable {
    case point(x: Double, y: Double, z: Double?)
    /// A geometry without a place.
    case empty
    /// Any other type, by its name in GeoJSON.
    case other(String)
    case malformed
  }

  /// The number of the system that the text itself names.
  var system: Int?
  var content: Content
  var notation = ShapeReader.Notation.wkt
  /// Where the geometry begins, behind the number of its system.
  var start = 0

  /// - Parameter text: padded as sections are.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    if let binary = BinaryGeometry(text) {
      (system, content, notation) = (binary.system, binary.content, .hexWKB)
      return
    }
    var scan = WKTScan(text)
    system = scan.takeSystem()
    start = scan.index
    content = scan.takeGeometry()
  }

  /// Whether a text can hardly be anything but a geometry.
  static func looksLikeOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: InputSection.padding)
    return bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes.dropLast(InputSection.padding))
      return GeometryText(text).content != .malformed
    }
  }
}

/// Reads the head of a text in WKT, and the whole of a point.
struct WKTScan {
  private let text: UnsafeBufferPointer<UInt8>
  private(set) var index = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  private static let types = [
    "POINT": "Point", "LINESTRING": "LineString", "POLYGON": "Polygon", "MULTIPOINT": "MultiPoint",
    "MULTILINESTRING": "MultiLineString", "MULTIPOLYGON": "MultiPolygon",
    "GEOMETRYCOLLECTION": "GeometryCollection", "LINEARRING": "LinearRing",
    "CIRCULARSTRING": "CircularString",
    "COMPOUNDCURVE": "CompoundCurve", "CURVEPOLYGON": "CurvePolygon", "MULTICURVE": "MultiCurve",
    "MULTISURFACE": "MultiSurface", "POLYHEDRALSURFACE": "PolyhedralSurface", "TIN": "TIN",
    "TRIANGLE": "Triangle",
  ]

  /// Passes `SRID=4326;`.
  mutating func takeSystem() -> Int? {
    let before = index
    skipSpace()
    guard takeWord() == "SRID", take("=") else {
      index = before
      return nil
    }
    let start = index
    while index < text.count, Digits.isDigit(text[index]) { index += 1 }
    let number = Int(String(decoding: text[start..<index], as: UTF8.self))
    guard let number, take(";") else {
      index = before
      return nil
    }
    return number
  }

  mutating func takeGeometry() -> GeometryText.Content {
    skipSpace()
    var (type, dimensions) = Self.split(takeWord())
    guard let name = Self.types[type] else { return .malformed }
    skipSpace()
    var word = takeWord()
    if dimensions.isEmpty, ["Z", "M", "ZM"].contains(word) {
      dimensions = word
      skipSpace()
      word = takeWord()
    }
    if word == "EMPTY" { return isAtEnd ? .empty : .malformed }
    guard word.isEmpty, index < text.count, text[index] == UInt8(ascii: "(") else {
      return .malformed
    }
    return type == "POINT" ? takePoint(dimensions) : .other(name)
  }

  /// `POINTZ` is written as well as `POINT Z`.
  private static func split(_ word: String) -> (type: String, dimensions: String) {
    if types[word] != nil { return (word, "") }
    for ending in ["ZM", "Z", "M"] where word.hasSuffix(ending) {
      return (String(word.dropLast(ending.count)), ending)
    }
    return (word, "")
  }

  private mutating func takePoint(_ dimensions: String) -> GeometryText.Content {
    index += 1
    var values: [Double] = []
    while true {
      skipSpace()
      guard let value = takeNumber() else { break }
      values.append(value)
    }
    guard take(")"), isAtEnd else { return .malformed }
    let expected = dimensions.isEmpty ? 2...3 : 2 + dimensions.count...2 + dimensions.count
    guard expected.contains(values.count) else { return .malformed }
    let hasAltitude = values.count > 2 && dimensions != "M"
    return .point(x: values[0], y: values[1], z: hasAltitude ? values[2] : nil)
  }

  mutating func takeNumber() -> Double? {
    let start = index
    while index < text.count, !isSpace(text[index]), text[index] != UInt8(ascii: ")"),
      text[index] != UInt8(ascii: ",")
    { index += 1 }
    guard index > start, let base = text.baseAddress else { return nil }
    guard let value = DoubleText.parseNearest(base + start, index - start) else {
      index = start
      return nil
    }
    return value
  }

  var isAtEnd: Bool { text[index...].allSatisfy(isSpace) }

  private func isSpace(_ byte: UInt8) -> Bool { JSONScan.isSpace(byte) }

  mutating func skipSpace() {
    while index < text.count, isSpace(text[index]) { index += 1 }
  }

  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  mutating func takeWord() -> String {
    let start = index
    while index < text.count, (0x41...0x5A).contains(text[index] & 0xDF) { index += 1 }
    return String(decoding: text[start..<index], as: UTF8.self).uppercased()
  }
}
