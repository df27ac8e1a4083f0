/// Words, spaces and errors.
extension WKTParser {
  /// The kinds of geometries of well-known text.
  enum Name: Equatable {
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
  mutating func takeName() throws(GeometryError) -> (name: Name, dimensions: Dimensions) {
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
  mutating func takeEmpty(orName: Bool = false) throws(GeometryError) -> Bool {
    skipSpace()
    guard isLetter else { return false }
    guard isWord("EMPTY") else {
      if orName { return false }
      throw unexpected("'(' or EMPTY")
    }
    takeWord()
    return true
  }

  var isLetter: Bool { isLetter(at: index) }

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
  func isWord(_ name: StaticString) -> Bool {
    isPrefix(name) && !isLetter(at: index + name.utf8CodeUnitCount)
  }

  mutating func takeWord() { while isLetter { index += 1 } }

  /// Skips white space, that beyond ASCII included, which comes with texts from pages and documents.
  @inline(__always)
  mutating func skipSpace() {
    while index < text.count {
      let byte = text[index]
      if byte > 0x20 {
        guard byte >= 0x80, skipWideSpace() else { return }
      } else {
        // Other control characters are not spaces.
        guard byte == 0x20 || byte &- 9 < 5 else { return }
        index += 1
      }
    }
  }

  /// Skips a space beyond ASCII, such as a no-break space. Returns false for anything else.
  @inline(never)
  private mutating func skipWideSpace() -> Bool {
    for count in 2...3 where index + count <= text.count {
      let bytes = text[index..<index + count]
      guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
        continue
      }
      guard scalar.properties.isWhitespace else { return false }
      index += count
      return true
    }
    return false
  }

  @inline(__always)
  func isNext(_ byte: Unicode.Scalar) -> Bool {
    index < text.count && text[index] == UInt8(ascii: byte)
  }

  @inline(__always)
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard isNext(byte) else { return false }
    index += 1
    return true
  }

  mutating func takeByte(_ byte: Unicode.Scalar) throws(GeometryError) {
    skipSpace()
    guard take(byte) else { throw unexpected("'\(byte)'") }
  }

  /// The error of something other than what was expected at the index.
  func unexpected(_ expected: String, found: String? = nil) -> GeometryError {
    let offset = text[..<index].count { $0 & 0xC0 != 0x80 }
    let rest = String(decoding: text[index...].prefix(64), as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber }.prefix(20)
    let name = found ?? (word.isEmpty ? rest.first.map { "'\($0)'" } : "'\(word)'")
    return GeometryError(
      .encoding,
      message: "expected \(expected) at character offset \(offset), found \(name ?? "the end")")
  }
}
