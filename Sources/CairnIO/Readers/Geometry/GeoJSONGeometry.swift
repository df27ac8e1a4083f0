internal import CairnGeometry

/// Reads a GeoJSON geometry straight from its text into a builder, and checks its syntax.
///
/// The text must be padded as input blocks are: nothing in the padding continues a value.
struct GeoJSONGeometry {
  private let text: UnsafePointer<UInt8>
  private let count: Int
  private let axes: (x: CoordinateAxis, y: CoordinateAxis)
  private var index = 0
  private var depth = 0
  /// Whether some position has more than three numbers.
  private(set) var hasFurtherNumbers = false

  /// Creates a reader of the object that begins at `text` and ends within `count` bytes.
  init(
    _ text: UnsafePointer<UInt8>, count: Int, axes: (x: CoordinateAxis, y: CoordinateAxis)
  ) {
    assert(count >= 0, "the object ends after its start")
    self.text = text
    self.count = count
    self.axes = axes
  }

  /// Reads a geometry that is a whole text.
  static func read(
    _ text: UnsafeBufferPointer<UInt8>, into builder: inout GeometryBuilder
  ) throws(GeometryRefusal) {
    guard let base = text.baseAddress else { throw .malformed("the geometry is empty") }
    var geometry = GeoJSONGeometry(base, count: text.count, axes: (.x, .y))
    try geometry.read(into: &builder)
    guard text[geometry.index...].allSatisfy(JSONScan.isSpace) else {
      throw .malformed("there is more text behind the geometry", offset: geometry.index)
    }
  }

  /// Reads the geometry.
  mutating func read(into builder: inout GeometryBuilder) throws(GeometryRefusal) {
    builder.reset()
    try readObject(into: &builder)
  }

  // MARK: Objects

  /// Reads an object whose opening brace is at the index.
  private mutating func readObject(into builder: inout GeometryBuilder) throws(GeometryRefusal) {
    depth += 1
    guard depth <= GeometryView.maxNestingDepth else {
      throw .malformed(
        "more than \(GeometryView.maxNestingDepth) geometries are nested", offset: index)
    }
    guard take("{") else { throw unexpected("a geometry, which is an object") }
    var kind: Geometry.Kind?
    // The name of the content, if it came before the type.
    var waiting: Range<Int>?
    var isRead = false
    if !take("}") {
      repeat {
        let name = try takeName()
        if matches(name, word: "type") {
          guard kind == nil else { throw repeated(name) }
          kind = try takeKind()
        } else if let kind, isContent(name, of: kind) {
          guard !isRead, waiting == nil else { throw repeated(name) }
          try readContent(of: kind, into: &builder)
          isRead = true
        } else {
          if matches(name, word: "coordinates") || matches(name, word: "geometries") {
            waiting = name
          }
          try skipValue()
        }
      } while take(",")
      guard take("}") else { throw unexpected("`,` or `}`") }
    }
    depth -= 1
    guard let kind else { throw .malformed("the geometry has no type", offset: nil) }
    guard !isRead else { return }
    guard let waiting, isContent(waiting, of: kind) else { throw missing(kind) }
    let end = index
    index = waiting.upperBound + 1
    _ = take(":")
    try readContent(of: kind, into: &builder)
    index = end
  }

  private func repeated(_ name: Range<Int>) -> GeometryRefusal {
    let text = JSONScan(bytes: text, count: count).text(name.lowerBound, end: name.upperBound)
    return .malformed("the member `\(text)` of the geometry appears twice", offset: name.lowerBound)
  }

  private func isContent(_ name: Range<Int>, of kind: Geometry.Kind) -> Bool {
    matches(name, word: kind == .geometryCollection ? "geometries" : "coordinates")
  }

  private func missing(_ kind: Geometry.Kind) -> GeometryRefusal {
    let member = kind == .geometryCollection ? "geometries" : "coordinates"
    return .malformed("the \(kind.geoJSONName) has no member `\(member)`")
  }

  private mutating func takeName() throws(GeometryRefusal) -> Range<Int> {
    skipSpace()
    let start = index
    guard index < count, text[index] == UInt8(ascii: "\""),
      let end = JSONScan(bytes: text, count: count).skipString(index)
    else { throw unexpected("the name of a member") }
    index = end
    guard take(":") else { throw unexpected("`:`") }
    return start + 1..<end - 1
  }

  private mutating func takeKind() throws(GeometryRefusal) -> Geometry.Kind {
    skipSpace()
    let start = index
    guard index < count, text[index] == UInt8(ascii: "\""),
      let end = JSONScan(bytes: text, count: count).skipString(index)
    else { throw unexpected("the type of a geometry") }
    index = end
    let name = UnsafeBufferPointer(start: text + start + 1, count: end - start - 2)
    guard let kind = Geometry.Kind(name) else {
      throw .unknownType(String(decoding: name.prefix(40), as: UTF8.self), offset: start)
    }
    return kind
  }

  private func matches(_ name: Range<Int>, word: StaticString) -> Bool {
    guard name.count == word.utf8CodeUnitCount else { return false }
    return name.indices.allSatisfy { text[$0] == word.utf8Start[$0 - name.lowerBound] }
  }

  /// Skips a member that is not needed, and checks its syntax.
  private mutating func skipValue() throws(GeometryRefusal) {
    skipSpace()
    guard index < count, let end = JSONScan(bytes: text, count: count).skipValue(index) else {
      throw unexpected("a value")
    }
    if let wrong = JSONCheck.firstError(text + index, count: end - index) {
      throw GeometryRefusal(
        reason: "malformed JSON",
        detail: "malformed JSON, or more than \(JSONCheck.deepest) objects and arrays nested",
        offset: index + wrong)
    }
    index = end
  }

  // MARK: Coordinates

  private mutating func readContent(
    of kind: Geometry.Kind, into builder: inout GeometryBuilder
  ) throws(GeometryRefusal) {
    builder.begin(kind)
    switch kind {
    case .point: try readPoint(into: &builder)
    case .lineString: try readPositions(into: &builder)
    case .polygon: try readRings(into: &builder)
    case .multiPoint:
      try readList(into: &builder) { (reader, builder) throws(GeometryRefusal) in
        builder.begin(.point)
        try reader.readPosition(into: &builder)
        builder.end()
      }
    case .multiLineString:
      try readList(into: &builder) { (reader, builder) throws(GeometryRefusal) in
        builder.begin(.lineString)
        try reader.readPositions(into: &builder)
        builder.end()
      }
    case .multiPolygon:
      try readList(into: &builder) { (reader, builder) throws(GeometryRefusal) in
        builder.begin(.polygon)
        try reader.readRings(into: &builder)
        builder.end()
      }
    case .geometryCollection:
      try readList(into: &builder) { (reader, builder) throws(GeometryRefusal) in
        try reader.readObject(into: &builder)
      }
    }
    builder.end()
  }

  private mutating func readRings(into builder: inout GeometryBuilder) throws(GeometryRefusal) {
    try readList(into: &builder) { (reader, builder) throws(GeometryRefusal) in
      builder.beginRing()
      try reader.readPositions(into: &builder)
      builder.endRing()
    }
  }

  private mutating func readPositions(
    into builder: inout GeometryBuilder
  ) throws(GeometryRefusal) {
    try readList(into: &builder) { (reader, builder) throws(GeometryRefusal) in
      try reader.readPosition(into: &builder)
    }
  }

  /// Reads a position, or an empty array, which makes an empty point.
  private mutating func readPoint(into builder: inout GeometryBuilder) throws(GeometryRefusal) {
    let start = index
    guard take("[") else { throw unexpected("an array of coordinates") }
    if take("]") { return }
    index = start
    try readPosition(into: &builder)
  }

  /// Reads an array, each element with `element`.
  @inline(__always)
  private mutating func readList(
    into builder: inout GeometryBuilder,
    element: (inout GeoJSONGeometry, inout GeometryBuilder) throws(GeometryRefusal) -> Void
  ) throws(GeometryRefusal) {
    guard take("[") else { throw unexpected("an array") }
    if take("]") { return }
    repeat {
      skipSpace()
      try element(&self, &builder)
    } while take(",")
    guard take("]") else { throw unexpected("`,` or `]`") }
  }

  private mutating func readPosition(into builder: inout GeometryBuilder) throws(GeometryRefusal) {
    guard take("[") else { throw unexpected("a position, as in [11.5, 48.1]") }
    let start = index
    let x = try readNumber()
    guard take(",") else { throw wrongLength(start) }
    let y = try readNumber()
    var z: Double?
    if take(",") {
      z = try readNumber()
      while take(",") {
        _ = try readNumber()
        hasFurtherNumbers = true
      }
    }
    guard take("]") else { throw unexpected("`,` or `]`") }
    try CoordinateRange.check(x, y: y, axes: axes, offset: start)
    builder.add(longitude: x, latitude: y, altitude: z)
  }

  private func wrongLength(_ start: Int) -> GeometryRefusal {
    GeometryRefusal(
      reason: "wrong number of coordinates",
      detail: "a position needs two coordinates, or three with an altitude", offset: start)
  }

  @inline(__always)
  private mutating func readNumber() throws(GeometryRefusal) -> Double {
    skipSpace()
    let start = index
    while NumberSpelling.isPart(text[index]) { index &+= 1 }
    if let value = DoubleText.parseNearest(text + start, count: index &- start),
      JSONNumber.begins(text + start)
    {
      return value
    }
    throw badNumber(start)
  }

  @inline(never)
  private func badNumber(_ start: Int) -> GeometryRefusal {
    let scan = JSONScan(bytes: text, count: count)
    let end = max(start, scan.skipValue(start) ?? index)
    let shown = scan.text(start, end: min(end, start + 40))
    if JSONNumber.isValid(text + start, count: end - start) {
      return GeometryRefusal(
        reason: "a coordinate is out of range",
        detail: "the coordinate \(shown) is out of range: it does not fit a double", offset: start)
    }
    return .malformed("the coordinate `\(shown)` is not a number", offset: start)
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func skipSpace() {
    while JSONScan.isSpace(text[index]) { index &+= 1 }
  }

  /// Skips white space, and the byte if it follows.
  @inline(__always)
  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard text[index] == UInt8(truncatingIfNeeded: byte.value) else { return false }
    index &+= 1
    return true
  }

  @inline(never)
  private func unexpected(_ wanted: String) -> GeometryRefusal {
    let scan = JSONScan(bytes: text, count: count)
    let end = index < count ? scan.skipValue(index) ?? index : index
    let shown = scan.text(index, end: max(index, min(end, index + 20)))
    return .malformed(
      "the coordinates of the geometry are malformed: expected \(wanted)"
        + (shown.isEmpty ? "" : ", found `\(shown)`"), offset: index)
  }
}

extension GeometryRefusal {
  /// The refusal of a type that GeoJSON does not have.
  static func unknownType(_ name: String, offset: Int? = nil) -> GeometryRefusal {
    GeometryRefusal(
      reason: "unknown type of geometry",
      detail: "`\(name)` is not a type of geometry; the types are "
        + "\(Geometry.Kind.allCases.map(\.geoJSONName).joined(separator: ", "))", offset: offset)
  }
}
