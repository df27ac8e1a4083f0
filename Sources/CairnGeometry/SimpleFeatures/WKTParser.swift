extension Geometry {
  /// Creates a geometry from well-known text, such as `POLYGON ((8 47, 9 47, 9 48, 8 47))`.
  ///
  /// Names may be in any case. Third numbers of positions are altitudes in metres, unless the kind is
  /// marked with `M`; measures are not kept. `SRID=4326;` or `SRID=0;` may come first.
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

  /// Throws if an encoding names a coordinate system that is not WGS 84. 0 means that none is named.
  static func check(system: Int?) throws(GeometryError) {
    guard let system, system != 4326, system != 0 else { return }
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

/// Parses well-known text in UTF-8.
struct WKTParser {
  let text: UnsafeBufferPointer<UInt8>
  var index = 0
  /// The number of numbers in the positions of the geometry; 0 before the first position.
  private var positionSize = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The third and fourth numbers that the positions of a geometry have.
  enum Dimensions {
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
    try checkEnd()
    return system
  }

  /// Reads the system and the kind, and the whole geometry if it is a point.
  mutating func takeHead() throws(GeometryError) -> GeometryHead {
    let system = try takeSystem()
    let (name, dimensions) = try takeName()
    if try takeEmpty() {
      try checkEnd()
      return GeometryHead(system: system, content: .empty)
    }
    guard name == .simple(.point) else {
      guard isNext("(") else { throw unexpected("'('") }
      return GeometryHead(system: system, content: .other(name.kind))
    }
    let position = try takePoint(dimensions)
    try checkEnd()
    return GeometryHead(system: system, content: .point(position))
  }

  /// The kind that the text names, whatever follows; nil if it names none.
  mutating func takeKind() -> Geometry.Kind? {
    skipSpace()
    if isWord("SRID"), let end = text[index...].firstIndex(of: UInt8(ascii: ";")) {
      index = end + 1
    }
    guard let name = try? takeName().name else { return nil }
    skipSpace()
    return isNext("(") || isWord("EMPTY") ? name.kind : nil
  }

  private mutating func checkEnd() throws(GeometryError) {
    skipSpace()
    guard index == text.count else { throw unexpected("the end of the text") }
  }

  private mutating func takeSystem() throws(GeometryError) -> Int? {
    skipSpace()
    guard isWord("SRID") else { return nil }
    takeWord()
    skipSpace()
    guard take("=") else { throw unexpected("'=' after SRID") }
    skipSpace()
    var number = 0
    let first = index
    while index < text.count, text[index] &- 48 < 10, index - first < 9 {
      number = number * 10 + Int(text[index] &- 48)
      index += 1
    }
    guard index > first else { throw unexpected("a number after SRID=") }
    skipSpace()
    guard take(";") else { throw unexpected("';' after SRID=\(number)") }
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
      case .simple(.point): builder.add(try takePoint(dimensions))
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

  private mutating func takePoint(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> EncodedPosition {
    try takeByte("(")
    let position = try takePosition(dimensions)
    try takeByte(")")
    return position
  }

  /// Takes the parts of a polygon, a multipoint and so on, in parentheses.
  mutating func takeParts(
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
        builder.add(try takePosition(dimensions))
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
      builder.add(try takePosition(dimensions))
    } while take(",")
    guard take(")") else { throw unexpected("a number, ',' or ')'") }
  }

  /// Takes a position and the space after it.
  @inline(__always)
  mutating func takePosition(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> EncodedPosition {
    skipSpace()
    let start = index
    guard let x = takeNumber(), !x.isNaN else { throw notANumber(since: start) }
    let second = index
    guard let y = takeNumber(), !y.isNaN else { throw notANumber(since: second) }
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
    return EncodedPosition(longitude: x, latitude: y, altitude: altitude)
  }

  /// Takes a number and the space after it. Takes nothing if something else follows directly, as in
  /// `1.5.5`.
  @inline(__always)
  private mutating func takeNumber() -> Double? {
    let start = index
    guard let value = CoordinateText.parse(text, at: &index) else { return nil }
    let end = index
    skipSpace()
    guard index > end || index == text.count || isNext(",") || isNext(")") || isNext("(") else {
      index = start
      return nil
    }
    return value
  }

  /// The error of a longitude or latitude that is missing, or is NaN.
  @inline(never)
  private mutating func notANumber(since start: Int) -> GeometryError {
    index = start
    let token = text[index...].prefix { $0 > 32 && !"(),".utf8.contains($0) }
    let found = String(decoding: token.prefix(64), as: UTF8.self).prefix(20)
    return unexpected("a number", found: found.isEmpty ? nil : "'\(found)'")
  }
}
