extension Geometry {
  /// Creates a geometry from well-known text, such as `POLYGON ((8 47, 9 47, 9 48, 8 47))`.
  ///
  /// Names may be in any case. Third numbers of positions are altitudes in metres, unless the kind is
  /// marked with `M`; measures are not kept. `SRID=4326;` may come first.
  ///
  /// Arcs become chords of at most one degree of their circle, which are nowhere farther from them
  /// than 0.004 % of the radius. A `LINEARRING` becomes a line, a `TRIANGLE` a polygon, a `TIN` or a
  /// `POLYHEDRALSURFACE` a collection of polygons.
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
  /// The number of numbers in the positions of the geometry; 0 before the first position.
  private var positionSize = 0

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
    let (name, dimensions) = try takeName()
    positionSize = 0
    builder.begin(name.kind)
    if try !takeEmpty() {
      switch name {
      case .simple(.point):
        try takeByte("(")
        try takePosition(dimensions, into: &builder)
        try takeByte(")")
      case .simple(.lineString): try takePath(dimensions, into: &builder)
      case .simple(let kind): try takeParts(of: kind, dimensions, into: &builder)
      case .circularString: builder.add(try takeArcs(dimensions))
      case .compoundCurve: builder.add(try takeCompound(dimensions))
      case .curvePolygon, .multiCurve, .multiSurface, .surface:
        try takeCurves(of: name, dimensions, into: &builder)
      }
    }
    builder.end()
  }

  /// Takes the parts of a polygon, a multipoint and so on, in parentheses.
  private mutating func takeParts(
    of kind: Geometry.Kind, _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    try takeByte("(")
    var isFirst = true
    repeat {
      defer { isFirst = false }
      switch kind {
      case .polygon:
        let isEmpty = try takeEmpty()
        // An empty hole takes nothing away.
        if isEmpty, !isFirst { break }
        builder.beginRing()
        if !isEmpty { try takePath(dimensions, into: &builder) }
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

  @inline(__always)
  private mutating func takePosition(
    _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    let position = try takePosition(dimensions)
    builder.add(
      longitude: position.longitude, latitude: position.latitude, altitude: position.altitude)
  }

  /// Takes a position and the space after it.
  @inline(__always)
  private mutating func takePosition(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> CurvePosition {
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
    guard dimensions.counts.contains(count), positionSize == 0 || positionSize == count else {
      index = start
      let expected = positionSize == 0 ? dimensions.counts.lowerBound : positionSize
      throw unexpected("a position of \(expected) numbers", found: "\(count)")
    }
    positionSize = count
    return CurvePosition(longitude: x, latitude: y, altitude: altitude)
  }

  /// Takes a number and the space after it.
  @inline(__always)
  private mutating func takeNumber() -> Double? {
    guard let value = CoordinateText.parse(text, at: &index) else { return nil }
    skipSpace()
    return value
  }
}

// Curves and surfaces.
extension WKTParser {
  /// Takes the parts of a curve polygon, a multicurve and so on, in parentheses.
  private mutating func takeCurves(
    of name: Name, _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    try takeByte("(")
    var isFirst = true
    repeat {
      defer { isFirst = false }
      if name == .curvePolygon, !isFirst, try takeEmpty(orName: true) {
        skipSpace()
        continue
      }
      if name == .curvePolygon { builder.beginRing() } else { builder.begin(name.memberKind) }
      if try !takeEmpty(orName: true) {
        switch name {
        case .curvePolygon, .multiCurve: builder.add(try takeCurve(dimensions))
        default: try takeSurface(of: name, dimensions, into: &builder)
        }
      }
      if name == .curvePolygon { builder.endRing() } else { builder.end() }
      skipSpace()
    } while take(",")
    guard take(")") else { throw unexpected("',' or ')'") }
  }

  /// Takes a polygon of a multisurface or of a polyhedral surface.
  private mutating func takeSurface(
    of name: Name, _ dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    guard name == .multiSurface, isLetter else {
      return try takeParts(of: .polygon, dimensions, into: &builder)
    }
    let start = index
    let member = try takeName()
    guard try !takeEmpty() else { return }
    switch member.name {
    case .curvePolygon: try takeCurves(of: .curvePolygon, member.dimensions, into: &builder)
    case .simple(.polygon): try takeParts(of: .polygon, member.dimensions, into: &builder)
    default:
      index = start
      throw unexpected("'(', POLYGON or CURVEPOLYGON")
    }
  }

  /// Takes a curve: positions in parentheses, or one with a name.
  private mutating func takeCurve(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> [CurvePosition] {
    skipSpace()
    guard isLetter else { return try takePositions(dimensions) }
    let start = index
    let (name, dimensions) = try takeName()
    guard try !takeEmpty() else { return [] }
    switch name {
    case .simple(.lineString): return try takePositions(dimensions)
    case .circularString: return try takeArcs(dimensions)
    case .compoundCurve: return try takeCompound(dimensions)
    default:
      index = start
      throw unexpected("'(', LINESTRING, CIRCULARSTRING or COMPOUNDCURVE")
    }
  }

  /// Takes the curves of a compound curve. A curve begins where the one before it ends.
  private mutating func takeCompound(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> [CurvePosition] {
    try takeByte("(")
    var line: [CurvePosition] = []
    repeat {
      skipSpace()
      guard !isWord("COMPOUNDCURVE") else {
        throw unexpected("'(', LINESTRING or CIRCULARSTRING")
      }
      line.join(try takeCurve(dimensions))
      skipSpace()
    } while take(",")
    guard take(")") else { throw unexpected("',' or ')'") }
    return line
  }

  private mutating func takeArcs(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> [CurvePosition] {
    skipSpace()
    let start = index
    let positions = try takePositions(dimensions)
    guard let line = CircularArc.line(through: positions) else {
      index = start
      throw unexpected("3, 5, 7, … positions of arcs", found: "\(positions.count)")
    }
    return line
  }

  private mutating func takePositions(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> [CurvePosition] {
    var positions: [CurvePosition] = []
    try takeByte("(")
    repeat {
      positions.append(try takePosition(dimensions))
    } while take(",")
    guard take(")") else { throw unexpected("a number, ',' or ')'") }
    return positions
  }
}

// Words.
extension WKTParser {
  /// The kinds of geometries of well-known text.
  private enum Name: Equatable {
    case simple(Geometry.Kind)
    case circularString
    case compoundCurve
    case curvePolygon
    case multiCurve
    case multiSurface
    /// A polyhedral surface, or one of triangles.
    case surface

    /// The kind of geometry that it becomes.
    var kind: Geometry.Kind {
      switch self {
      case .simple(let kind): kind
      case .circularString, .compoundCurve: .lineString
      case .curvePolygon: .polygon
      case .multiCurve: .multiLineString
      case .multiSurface: .multiPolygon
      case .surface: .geometryCollection
      }
    }

    /// The kind of its members.
    var memberKind: Geometry.Kind { self == .multiCurve ? .lineString : .polygon }
  }

  private static let names: [(text: StaticString, name: Name)] = [
    ("POINT", .simple(.point)), ("LINESTRING", .simple(.lineString)),
    ("POLYGON", .simple(.polygon)), ("MULTIPOINT", .simple(.multiPoint)),
    ("MULTILINESTRING", .simple(.multiLineString)), ("MULTIPOLYGON", .simple(.multiPolygon)),
    ("GEOMETRYCOLLECTION", .simple(.geometryCollection)), ("LINEARRING", .simple(.lineString)),
    ("TRIANGLE", .simple(.polygon)), ("TIN", .surface), ("POLYHEDRALSURFACE", .surface),
    ("CIRCULARSTRING", .circularString), ("COMPOUNDCURVE", .compoundCurve),
    ("CURVEPOLYGON", .curvePolygon), ("MULTICURVE", .multiCurve), ("MULTISURFACE", .multiSurface),
  ]
  private static let marks: [(name: StaticString, dimensions: Dimensions)] = [
    ("Z", .z), ("M", .m), ("ZM", .zm),
  ]

  /// Takes `POINT`, `POINT Z` or `POINTZ`.
  private mutating func takeName() throws(GeometryError) -> (name: Name, dimensions: Dimensions) {
    skipSpace()
    for (text, name) in Self.names where isPrefix(text) {
      let start = index
      index += text.utf8CodeUnitCount
      if !isLetter { skipSpace() }
      for (mark, dimensions) in Self.marks where isWord(mark) {
        takeWord()
        return (name, dimensions)
      }
      if index > start + text.utf8CodeUnitCount || !isLetter { return (name, .any) }
      index = start
    }
    throw unexpected("a kind of geometry, such as POINT")
  }

  /// Takes the word `EMPTY`, or nothing.
  ///
  /// - Parameter orName: Whether the name of a geometry may be there instead.
  private mutating func takeEmpty(orName: Bool = false) throws(GeometryError) -> Bool {
    skipSpace()
    guard isLetter else { return false }
    guard isWord("EMPTY") else {
      if orName { return false }
      throw unexpected("'(' or EMPTY")
    }
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
