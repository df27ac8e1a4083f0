extension Geometry {
  /// Creates a geometry from well-known binary, as ISO 13249-3 or PostGIS (EWKB) defines it, in
  /// either byte order.
  ///
  /// Third numbers are altitudes in metres; measures are not kept. A point whose numbers are NaN is
  /// empty. Curves and surfaces become lines and polygons as in ``init(wkt:)``.
  ///
  /// - Throws: ``GeometryError`` with the byte offset and what was expected there, or with the rule
  ///   that is broken: a ring is not closed, a coordinate is not on the earth.
  public init(wkb: [UInt8]) throws(GeometryError) {
    let parsed = wkb.withUnsafeBytes { bytes -> Result<GeometryBuilder, GeometryError> in
      do throws(GeometryError) {
        var builder = GeometryBuilder()
        try Self.check(system: builder.appendWKB(bytes))
        return .success(builder)
      } catch {
        return .failure(error)
      }
    }
    try self.init(parsed.get())
  }

  /// Creates a geometry from the bytes of well-known binary.
  ///
  /// - Throws: ``GeometryError``, as the initializer of an array does.
  @_disfavoredOverload
  public init(wkb: some Sequence<UInt8>) throws(GeometryError) {
    try self.init(wkb: Array(wkb))
  }
}

extension GeometryBuilder {
  /// Adds the geometry of well-known binary, as a member of the open one. Its rules are not checked.
  ///
  /// - Returns: The number of the coordinate system that the header names.
  /// - Throws: ``GeometryError`` with the byte offset and what was expected there. The builder must
  ///   then be reset.
  @discardableResult
  package mutating func appendWKB(
    _ bytes: UnsafeRawBufferPointer
  ) throws(GeometryError) -> Int? {
    var parser = WKBParser(bytes)
    try parser.takeGeometry(into: &self)
    try parser.checkEnd()
    return parser.system
  }
}

/// Parses well-known binary.
struct WKBParser {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  /// Whether the byte order of the geometry is not that of the machine.
  private var isSwapped = false
  /// The number of the coordinate system of the last header that has one.
  private(set) var system: Int?

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The numbers of the kinds of geometries.
  private enum Code: Int {
    case point = 1
    case lineString = 2
    case polygon = 3
    case multiPoint = 4
    case multiLineString = 5
    case multiPolygon = 6
    case collection = 7
    case circularString = 8
    case compoundCurve = 9
    case curvePolygon = 10
    case multiCurve = 11
    case multiSurface = 12
    case polyhedralSurface = 15
    case tin = 16
    case triangle = 17

    /// The kind of geometry that it becomes.
    var kind: Geometry.Kind {
      switch self {
      case .point: .point
      case .lineString, .circularString, .compoundCurve: .lineString
      case .polygon, .curvePolygon, .triangle: .polygon
      case .multiPoint: .multiPoint
      case .multiLineString, .multiCurve: .multiLineString
      case .multiPolygon, .multiSurface: .multiPolygon
      case .collection, .polyhedralSurface, .tin: .geometryCollection
      }
    }

    /// The members that it may have; nil for any.
    var members: [Code]? {
      switch self {
      case .multiPoint: [.point]
      case .multiLineString: [.lineString]
      case .multiPolygon, .polyhedralSurface: [.polygon]
      case .tin: [.triangle]
      case .multiCurve, .curvePolygon: [.lineString, .circularString, .compoundCurve]
      case .compoundCurve: [.lineString, .circularString]
      case .multiSurface: [.polygon, .curvePolygon]
      default: nil
      }
    }

    /// The name in messages.
    var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }
  }

  private struct Header {
    let code: Code
    let hasZ: Bool
    let hasM: Bool

    /// The size of a position in bytes.
    var positionSize: Int { 16 + (hasZ ? 8 : 0) + (hasM ? 8 : 0) }
  }

  /// The flags that PostGIS adds to the number of the kind.
  private static let (zFlag, mFlag, systemFlag): (UInt32, UInt32, UInt32) =
    (0x8000_0000, 0x4000_0000, 0x2000_0000)
  /// The size of the smallest geometry: byte order, kind and a count.
  private static let smallestSize = 9

  /// Reads the system and the kind, and the whole geometry if it is a point.
  mutating func takeHead() throws(GeometryError) -> GeometryHead {
    let header = try takeHeader(nil)
    guard header.code == .point else {
      return GeometryHead(system: system, content: .other(header.code.kind))
    }
    let position = try takePoint(header)
    try checkEnd()
    return GeometryHead(system: system, content: position.map { .point($0) } ?? .empty)
  }

  func checkEnd() throws(GeometryError) {
    guard index == bytes.count else { throw unexpected("the end of the geometry") }
  }

  mutating func takeGeometry(into builder: inout GeometryBuilder) throws(GeometryError) {
    try takeGeometry(into: &builder, as: nil)
  }

  private mutating func takeGeometry(
    into builder: inout GeometryBuilder, as allowed: [Code]?
  ) throws(GeometryError) {
    guard builder.depth < GeometryView.maxNestingDepth else { throw GeometryView.nestingError }
    let header = try takeHeader(allowed)
    builder.begin(header.code.kind)
    switch header.code {
    case .point: if let position = try takePoint(header) { builder.add(position) }
    case .lineString: try takePath(header, into: &builder)
    case .circularString, .compoundCurve: builder.add(try takeCurve(header))
    case .polygon, .triangle:
      for _ in 0..<(try takeCount(ofSize: 4)) {
        builder.beginRing()
        try takePath(header, into: &builder)
        builder.endRing()
      }
    case .curvePolygon:
      for _ in 0..<(try takeCount(ofSize: Self.smallestSize)) {
        builder.beginRing()
        builder.add(try takeCurve(try takeHeader(header.code.members)))
        builder.endRing()
      }
    default:
      let members = header.code.members
      for _ in 0..<(try takeCount(ofSize: Self.smallestSize)) {
        try takeGeometry(into: &builder, as: members)
      }
    }
    builder.end()
  }

  /// Takes the positions of a curve behind its header. A compound curve has no compound members.
  private mutating func takeCurve(_ header: Header) throws(GeometryError) -> [EncodedPosition] {
    var line: [EncodedPosition] = []
    guard header.code == .compoundCurve else {
      let start = index
      for _ in 0..<(try takeCount(ofSize: header.positionSize)) {
        line.append(takePosition(header))
      }
      guard header.code == .circularString else { return line }
      guard let arcs = CircularArc.line(through: line) else {
        index = start
        throw unexpected("3, 5, 7, … positions of arcs", found: "\(line.count)")
      }
      return arcs
    }
    for _ in 0..<(try takeCount(ofSize: Self.smallestSize)) {
      line.join(try takeCurve(try takeHeader(header.code.members)))
    }
    return line
  }

  private mutating func takeHeader(_ allowed: [Code]?) throws(GeometryError) -> Header {
    guard index < bytes.count, bytes[index] <= 1 else {
      throw unexpected("a byte order of 0 or 1")
    }
    isSwapped = (bytes[index] == 1) != (1.littleEndian == 1)
    index += 1
    let start = index
    let code = try takeWord()
    let plain = code & 0x0FFF_FFFF
    guard plain < 4000, code & 0x1000_0000 == 0, let known = Code(rawValue: Int(plain % 1000)),
      allowed?.contains(known) ?? true
    else {
      index = start
      let names = allowed.map { "a \($0.map(\.name).joined(separator: " or a "))" }
      throw unexpected(
        names ?? "the number of a kind of geometry, 1 to 12 or 15 to 17", found: "\(code)")
    }
    if code & Self.systemFlag != 0 { system = Int(try takeWord()) }
    return Header(
      code: known, hasZ: code & Self.zFlag != 0 || plain / 1000 == 1 || plain / 1000 == 3,
      hasM: code & Self.mFlag != 0 || plain / 1000 >= 2)
  }

  /// Takes the position of a point; nil if the point is empty.
  private mutating func takePoint(_ header: Header) throws(GeometryError) -> EncodedPosition? {
    try check(header.positionSize)
    let position = takePosition(header)
    return position.longitude.isNaN && position.latitude.isNaN ? nil : position
  }

  private mutating func takePath(
    _ header: Header, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    for _ in 0..<(try takeCount(ofSize: header.positionSize)) {
      builder.add(takePosition(header))
    }
  }

  /// Takes a position whose bytes are known to be there.
  @inline(__always)
  private mutating func takePosition(_ header: Header) -> EncodedPosition {
    assert(header.positionSize <= bytes.count - index, "a position is outside of the bytes")
    defer { index += header.positionSize }
    return EncodedPosition(
      longitude: double(at: index), latitude: double(at: index + 8),
      altitude: header.hasZ ? double(at: index + 16) : nil)
  }

  /// Takes the number of the parts that follow. Throws if they are larger than what is left.
  private mutating func takeCount(ofSize size: Int) throws(GeometryError) -> Int {
    let start = index
    let count = Int(try takeWord())
    guard count <= (bytes.count - index) / size else {
      let found = "\(count)"
      let most = (bytes.count - index) / size
      index = start
      throw unexpected("a count of at most \(most), because the bytes end", found: found)
    }
    return count
  }

  private func check(_ size: Int) throws(GeometryError) {
    guard size <= bytes.count - index else {
      throw unexpected("\(size) more bytes", found: "\(bytes.count - index)")
    }
  }

  private mutating func takeWord() throws(GeometryError) -> UInt32 {
    try check(4)
    let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
    index += 4
    return isSwapped ? word.byteSwapped : word
  }

  @inline(__always)
  private func double(at offset: Int) -> Double {
    let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Double(bitPattern: isSwapped ? bits.byteSwapped : bits)
  }

  /// The error of something other than what was expected at the index.
  private func unexpected(_ expected: String, found: String? = nil) -> GeometryError {
    let value = found ?? (index < bytes.count ? "\(bytes[index])" : "the end")
    return GeometryError(
      .encoding, message: "expected \(expected) at byte offset \(index) of the WKB, found \(value)")
  }
}
