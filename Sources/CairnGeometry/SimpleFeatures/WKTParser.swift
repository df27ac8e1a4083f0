extension Geometry {
  /// Creates a geometry from well-known text, such as `POLYGON ((8 47, 9 47, 9 48, 8 47))`.
  ///
  /// Names may be in any case. Third numbers of positions are altitudes in metres, unless the kind is
  /// marked with `M`; measures are not kept. `SRID=4326;` may come first.
  ///
  /// - Throws: ``GeometryError`` with the character offset and what was expected there, or with the
  ///   rule that is broken: a ring is not closed, a coordinate is not on the earth.
  public init(wkt: some StringProtocol) throws(GeometryError) {
    var text = String(wkt)
    let parsed = text.withUTF8 { bytes -> Result<GeometryBuilder, GeometryError> in
      do throws(GeometryError) {
        var builder = GeometryBuilder()
        try Self.check(system: builder.appendWKT(bytes))
        return .success(builder)
      } catch {
        return .failure(error)
      }
    }
    try self.init(parsed.get())
  }

  /// Throws if an encoding names a coordinate system that is not WGS 84.
  static func check(system: Int?) throws(GeometryError) {
    guard let system, system != 4326 else { return }
    throw GeometryError(
      .coordinateSystem,
      message: "the geometry is in EPSG:\(system), expected longitude and latitude in EPSG:4326;"
        + " transform it first, in PostGIS with ST_Transform(geometry, 4326)")
  }
}

extension GeometryBuilder {
  /// Adds the geometry of a well-known text, as a member of the open one. Its rules are not checked.
  ///
  /// - Returns: The number of the coordinate system that the text names, as in `SRID=4326;`.
  /// - Throws: ``GeometryError`` with the character offset and what was expected there. The builder
  ///   must then be reset.
  @discardableResult
  package mutating func appendWKT(
    _ text: UnsafeBufferPointer<UInt8>
  ) throws(GeometryError) -> Int? {
    var parser = WKTParser(text)
    return try parser.parse(into: &self)
  }
}

/// Parses well-known text.
private struct WKTParser {
  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The third and fourth numbers that the positions of a geometry have.
  private enum Dimensions {
    case any
    case z
    case m
    case zm

    /// The numbers of a position.
    var counts: ClosedRange<Int> {
      switch self {
      case .any: 2...4
      case .z, .m: 3...3
      case .zm: 4...4
      }
    }
  }

  mutating func parse(into builder: inout GeometryBuilder) throws(GeometryError) -> Int? {
    let system = try takeSystem()
    try takeGeometry(into: &builder)
    skipSpace()
    guard index == text.count else { throw unexpected("the end of the text") }
    return system
  }

  private mutating func takeSystem() throws(GeometryError) -> Int? {
    skipSpace()
    guard isWord("SRID") else { return nil }
    takeWord()
    skipSpace()
    guard take("=") else { throw unexpected("'='") }
    skipSpace()
    var number = 0
    let first = index
    while index < text.count, text[index] &- 48 < 10, index - first < 9 {
      number = number * 10 + Int(text[index] &- 48)
      index += 1
    }
    guard index > first else { throw unexpected("the number of a coordinate system") }
    skipSpace()
    guard take(";") else { throw unexpected("';'") }
    return number
  }

  private mutating func takeGeometry(
    into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    guard builder.depth < GeometryView.maxNestingDepth else { throw GeometryView.nestingError }
    let (kind, dimensions) = try takeKind()
    builder.begin(kind)
    if try !takeEmpty() {
      switch kind {
      case .point:
        try takeByte("(")
        try takePosition(dimensions, into: &builder)
        try takeByte(")")
      case .lineString: try takePath(dimensions, into: &builder)
      default: try takeParts(of: kind, dimensions, into: &builder)
      }
    }
    builder.end()
  }

  /// Takes the parts of a polygon, a multipoint and so on, in parentheses.
  private mutating func takeParts(
    of kind: Geometry.Kind, _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    try takeByte("(")
    repeat {
      switch kind {
      case .polygon:
        builder.beginRing()
        if try !takeEmpty() { try takePath(dimensions, into: &builder) }
        builder.endRing()
      case .geometryCollection: try takeGeometry(into: &builder)
      default: try takeMember(of: kind, dimensions, into: &builder)
      }
      skipSpace()
    } while take(",")
    guard take(")") else { throw unexpected("',' or ')'") }
  }

  private mutating func takeMember(
    of kind: Geometry.Kind, _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    builder.begin(kind.memberKind ?? .point)
    if try !takeEmpty() {
      switch kind {
      case .multiPolygon: try takeParts(of: .polygon, dimensions, into: &builder)
      case .multiLineString: try takePath(dimensions, into: &builder)
      default:
        let isEnclosed = take("(")
        try takePosition(dimensions, into: &builder)
        if isEnclosed { try takeByte(")") }
      }
    }
    builder.end()
  }

  private mutating func takePath(
    _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    try takeByte("(")
    repeat {
      try takePosition(dimensions, into: &builder)
    } while take(",")
    guard take(")") else { throw unexpected("a number, ',' or ')'") }
  }

  /// Takes a position and the space after it.
  @inline(__always)
  private mutating func takePosition(
    _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    skipSpace()
    let start = index
    guard let x = takeNumber(), let y = takeNumber() else { throw unexpected("a number") }
    var altitude: Double?
    var count = 2
    if index < text.count, text[index] != UInt8(ascii: ","), text[index] != UInt8(ascii: ")"),
      let third = takeNumber()
    {
      count = 3
      if dimensions != .m { altitude = third }
      if takeNumber() != nil { count = 4 }
    }
    guard dimensions.counts.contains(count) else {
      index = start
      throw unexpected("a position of \(dimensions.counts.lowerBound) numbers", found: "\(count)")
    }
    builder.add(longitude: x, latitude: y, altitude: altitude)
  }

  /// Takes a number and the space after it.
  @inline(__always)
  private mutating func takeNumber() -> Double? {
    guard let value = CoordinateText.parse(text, at: &index) else { return nil }
    skipSpace()
    return value
  }
}

extension WKTParser {
  private static let kinds: [(name: StaticString, kind: Geometry.Kind)] = [
    ("POINT", .point), ("LINESTRING", .lineString), ("POLYGON", .polygon),
    ("MULTIPOINT", .multiPoint), ("MULTILINESTRING", .multiLineString),
    ("MULTIPOLYGON", .multiPolygon), ("GEOMETRYCOLLECTION", .geometryCollection),
  ]
  private static let marks: [(name: StaticString, dimensions: Dimensions)] = [
    ("Z", .z), ("M", .m), ("ZM", .zm),
  ]
  private static let curves: [StaticString] = [
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE",
    "POLYHEDRALSURFACE", "TIN", "TRIANGLE",
  ]

  /// Takes `POINT`, `POINT Z` or `POINTZ`.
  private mutating func takeKind() throws(GeometryError) -> (Geometry.Kind, Dimensions) {
    skipSpace()
    for (name, kind) in Self.kinds where isPrefix(name) {
      let start = index
      index += name.utf8CodeUnitCount
      if !isLetter { skipSpace() }
      for (mark, dimensions) in Self.marks where isWord(mark) {
        takeWord()
        return (kind, dimensions)
      }
      if index > start + name.utf8CodeUnitCount || !isLetter { return (kind, .any) }
      index = start
    }
    if Self.curves.contains(where: { isPrefix($0) }) {
      throw unexpected(
        "one of the seven kinds of geometry; convert curves and surfaces, in PostGIS with"
          + " ST_CurveToLine")
    }
    throw unexpected("a kind of geometry, such as POINT")
  }

  /// Takes the word `EMPTY`, or nothing.
  private mutating func takeEmpty() throws(GeometryError) -> Bool {
    skipSpace()
    guard isLetter else { return false }
    guard isWord("EMPTY") else { throw unexpected("'(' or EMPTY") }
    takeWord()
    return true
  }

  private var isLetter: Bool { isLetter(at: index) }

  private func isLetter(at index: Int) -> Bool {
    index < text.count && (text[index] | 0x20) &- 97 < 26
  }

  /// Whether the text goes on with capital letters, in any case.
  private func isPrefix(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard index + count <= text.count else { return false }
    for offset in 0..<count where text[index + offset] & 0xDF != name.utf8Start[offset] {
      return false
    }
    return true
  }

  /// Whether the text goes on with a word in capital letters, in any case.
  private func isWord(_ name: StaticString) -> Bool {
    isPrefix(name) && !isLetter(at: index + name.utf8CodeUnitCount)
  }

  private mutating func takeWord() { while isLetter { index += 1 } }

  @inline(__always)
  private mutating func skipSpace() {
    while index < text.count, text[index] <= 32 { index += 1 }
  }

  @inline(__always)
  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  private mutating func takeByte(_ byte: Unicode.Scalar) throws(GeometryError) {
    skipSpace()
    guard take(byte) else { throw unexpected("'\(byte)'") }
  }

  /// The error of something other than what was expected at the index.
  private func unexpected(_ expected: String, found: String? = nil) -> GeometryError {
    let offset = text[..<index].count { $0 & 0xC0 != 0x80 }
    let rest = String(decoding: text[index...].prefix(64), as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber }.prefix(20)
    let name = found ?? (word.isEmpty ? rest.first.map { "'\($0)'" } : "'\(word)'")
    return GeometryError(
      .encoding,
      message: "expected \(expected) at character offset \(offset), found \(name ?? "the end")")
  }
}
