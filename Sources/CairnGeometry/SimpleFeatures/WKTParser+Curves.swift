/// Curves and surfaces.
extension WKTParser {
  /// Takes the parts of a curve polygon, a multicurve and so on, in parentheses.
  mutating func takeCurves(
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
  ) throws(GeometryError) -> [EncodedPosition] {
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
  mutating func takeCompound(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> [EncodedPosition] {
    try takeByte("(")
    var line: [EncodedPosition] = []
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

  mutating func takeArcs(
    _ dimensions: Dimensions
  ) throws(GeometryError) -> [EncodedPosition] {
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
  ) throws(GeometryError) -> [EncodedPosition] {
    var positions: [EncodedPosition] = []
    try takeByte("(")
    repeat {
      positions.append(try takePosition(dimensions))
    } while take(",")
    guard take(")") else { throw unexpected("a number, ',' or ')'") }
    return positions
  }
}
