internal import CairnGeometry

/// A geometry in a text field: WKT, hexadecimal WKB as PostGIS writes it, or GeoJSON.
struct GeometryText {
  /// The content of the geometry.
  enum Content: Equatable {
    case point(x: Double, y: Double, z: Double?)
    /// A geometry without coordinates.
    case empty
    /// Any other geometry, with its type in GeoJSON.
    case other(String)
    case malformed
  }

  /// The SRID that the text itself names.
  var system: Int?
  var content: Content
  var notation = PointConverter.Notation.wkt
  /// The offset of the geometry, after its SRID.
  var start = 0

  /// Parses a text.
  ///
  /// - Parameter text: Must be padded as input blocks are.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    if let binary = BinaryGeometry(text) {
      (system, content, notation) = (binary.system, binary.content, .hexWKB)
      return
    }
    if text.first == UInt8(ascii: "{") {
      (content, notation) = (Self.content(ofGeoJSON: text), .geoJSON)
      return
    }
    var scan = WKTScan(text)
    system = scan.takeSystem()
    start = scan.index
    content = scan.takeGeometry()
  }

  private static func content(ofGeoJSON text: UnsafeBufferPointer<UInt8>) -> Content {
    var builder = GeometryBuilder()
    guard (try? GeoJSONGeometry.read(text, into: &builder)) != nil else { return .malformed }
    let geometry = builder.geometry()
    guard !geometry.isEmpty else { return .empty }
    guard geometry.kind == .point else { return .other(geometry.kind.geoJSONName) }
    return geometry.withView { view in
      .point(x: view.longitude(0), y: view.latitude(0), z: view.altitude(0))
    }
  }

  /// Whether a text can hardly be anything other than a geometry.
  static func looksLikeOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: InputBlock.padding)
    return bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes.dropLast(InputBlock.padding))
      return GeometryText(text).content != .malformed
    }
  }
}

/// Reads the head of a geometry in WKT, and points completely.
struct WKTScan {
  private let text: UnsafeBufferPointer<UInt8>
  private(set) var index = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The name in GeoJSON of the geometry that each type becomes.
  private static let types = [
    "POINT": "Point", "LINESTRING": "LineString", "POLYGON": "Polygon", "MULTIPOINT": "MultiPoint",
    "MULTILINESTRING": "MultiLineString", "MULTIPOLYGON": "MultiPolygon",
    "GEOMETRYCOLLECTION": "GeometryCollection", "LINEARRING": "LineString",
    "CIRCULARSTRING": "LineString", "COMPOUNDCURVE": "LineString", "CURVEPOLYGON": "Polygon",
    "MULTICURVE": "MultiLineString", "MULTISURFACE": "MultiPolygon",
    "POLYHEDRALSURFACE": "GeometryCollection", "TIN": "GeometryCollection", "TRIANGLE": "Polygon",
  ]

  /// Skips `SRID=4326;` and returns the number.
  mutating func takeSystem() -> Int? {
    let before = index
    skipSpace()
    guard takeWord() == "SRID", take("=") else {
      index = before
      return nil
    }
    guard let number = takeDigits(), take(";") else {
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

  /// Splits the dimensions off a type: `POINTZ` occurs as well as `POINT Z`.
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
    let value = CoordinateText.parse(text, at: &index)
    // A letter that follows directly would be a part of the number.
    guard value?.isNaN == false, takeToken().isEmpty else {
      index = start
      return nil
    }
    return value
  }

  /// Skips the bytes up to white space, a comma or a parenthesis and returns them. Valid as long as
  /// the text.
  mutating func takeToken() -> UnsafeBufferPointer<UInt8> {
    let start = index
    while index < text.count, !isSpace(text[index]), text[index] != UInt8(ascii: ")"),
      text[index] != UInt8(ascii: ","), text[index] != UInt8(ascii: "(")
    { index += 1 }
    return UnsafeBufferPointer(rebasing: text[start..<index])
  }

  /// Skips decimal digits and returns their value. Returns nil, and skips nothing, without digits
  /// or if the value is too large.
  mutating func takeDigits() -> Int? {
    let start = index
    while index < text.count, Digits.isDigit(text[index]) { index += 1 }
    let number = Int(String(decoding: text[start..<index], as: UTF8.self))
    if number == nil { index = start }
    return number
  }

  /// The number of characters before the index, as Unicode scalars.
  var characterCount: Int { text[..<index].count { $0 & 0xC0 != 0x80 } }

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

/// Reads the points of a MultiPoint in a text field.
package enum MultiPointText {
  package typealias Point = (x: Double, y: Double, z: Double?)

  /// Returns nil when the text is malformed or one of the points is empty.
  ///
  /// - Parameter text: A geometry whose head names MultiPoint, without its SRID.
  package static func points(
    of text: UnsafeBufferPointer<UInt8>, _ notation: PointConverter.Notation
  ) -> [Point]? {
    switch notation {
    case .wkt:
      var scan = WKTScan(text)
      return scan.takeMultiPoint()
    case .hexWKB: return BinaryGeometry.points(of: text)
    case .geoJSON: return points(ofGeoJSON: text)
    }
  }

  private static func points(ofGeoJSON text: UnsafeBufferPointer<UInt8>) -> [Point]? {
    var builder = GeometryBuilder()
    guard (try? GeoJSONGeometry.read(text, into: &builder)) != nil else { return nil }
    let geometry = builder.geometry()
    let points = geometry.withView { view in
      (0..<view.vertexCount).map { (view.longitude($0), view.latitude($0), view.altitude($0)) }
    }
    // An empty point has no vertex.
    return points.count == geometry.withView { $0.structure(1) } ? points : nil
  }
}

extension WKTScan {
  /// Reads `MULTIPOINT ((1 2), (3 4))`, or the same without the inner parentheses as older programs
  /// write it.
  mutating func takeMultiPoint() -> [MultiPointText.Point]? {
    skipSpace()
    let word = takeWord().dropFirst("MULTIPOINT".count)
    skipSpace()
    let isMeasured = (word.isEmpty ? takeWord()[...] : word) == "M"
    skipSpace()
    guard take("(") else { return nil }
    var points: [MultiPointText.Point] = []
    repeat {
      guard let point = takePosition(isMeasured: isMeasured) else { return nil }
      points.append(point)
    } while take(",")
    return take(")") && isAtEnd ? points : nil
  }

  private mutating func takePosition(isMeasured: Bool) -> MultiPointText.Point? {
    skipSpace()
    let isEnclosed = take("(")
    var values: [Double] = []
    skipSpace()
    while let value = takeNumber() {
      values.append(value)
      skipSpace()
    }
    guard (2...4).contains(values.count), !isEnclosed || take(")") else { return nil }
    skipSpace()
    return (values[0], values[1], values.count > 2 && !isMeasured ? values[2] : nil)
  }
}
