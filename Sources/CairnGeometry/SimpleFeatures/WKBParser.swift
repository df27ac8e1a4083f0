extension Geometry {
  /// Creates a geometry from well-known binary, as ISO 13249-3 or PostGIS (EWKB) defines it, in
  /// either byte order.
  ///
  /// Third numbers are altitudes in metres; measures are not kept. A point whose numbers are NaN is
  /// empty.
  ///
  /// - Throws: ``GeometryError`` with the byte offset and what was expected there, or with the rule
  ///   that is broken: a ring is not closed, a coordinate is not on the earth.
  public init(wkb: [UInt8]) throws(GeometryError) {
    let parsed = wkb.withUnsafeBufferPointer { bytes -> Result<GeometryBuilder, GeometryError> in
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
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(GeometryError) -> Int? {
    var parser = WKBParser(UnsafeRawBufferPointer(bytes))
    try parser.takeGeometry(into: &self)
    try parser.checkEnd()
    return parser.system
  }
}

/// Parses well-known binary.
private struct WKBParser {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0
  /// Whether the byte order of the geometry is not that of the machine.
  private var isSwapped = false
  /// The number of the coordinate system of the last header that has one.
  private(set) var system: Int?

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private struct Header {
    let kind: Geometry.Kind
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

  func checkEnd() throws(GeometryError) {
    guard index == bytes.count else { throw unexpected("the end of the geometry") }
  }

  mutating func takeGeometry(
    into builder: inout GeometryBuilder, as required: Geometry.Kind? = nil
  ) throws(GeometryError) {
    guard builder.depth < GeometryView.maxNestingDepth else { throw GeometryView.nestingError }
    let header = try takeHeader(required)
    builder.begin(header.kind)
    switch header.kind {
    case .point: try takePoint(header, into: &builder)
    case .lineString: try takePath(header, into: &builder)
    case .polygon:
      for _ in 0..<(try takeCount(ofSize: 4)) {
        builder.beginRing()
        try takePath(header, into: &builder)
        builder.endRing()
      }
    default:
      for _ in 0..<(try takeCount(ofSize: Self.smallestSize)) {
        try takeGeometry(into: &builder, as: header.kind.memberKind)
      }
    }
    builder.end()
  }

  private mutating func takeHeader(_ required: Geometry.Kind?) throws(GeometryError) -> Header {
    guard index < bytes.count, bytes[index] <= 1 else {
      throw unexpected("a byte order of 0 or 1")
    }
    isSwapped = (bytes[index] == 1) != (1.littleEndian == 1)
    index += 1
    let start = index
    let code = try takeWord()
    let plain = code & 0x0FFF_FFFF
    guard plain < 4000, code & 0x1000_0000 == 0,
      let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: plain % 1000)),
      plain % 1000 <= 7, required == nil || required == kind
    else {
      index = start
      throw unexpected(
        required.map { "a \($0.geoJSONName)" } ?? "the number of a kind of geometry, 1 to 7",
        found: "\(code)")
    }
    if code & Self.systemFlag != 0 { system = Int(try takeWord()) }
    return Header(
      kind: kind, hasZ: code & Self.zFlag != 0 || plain / 1000 == 1 || plain / 1000 == 3,
      hasM: code & Self.mFlag != 0 || plain / 1000 >= 2)
  }

  private mutating func takePoint(
    _ header: Header, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    try check(header.positionSize)
    if double(at: index).isNaN, double(at: index + 8).isNaN {
      index += header.positionSize
    } else {
      addPosition(header, to: &builder)
    }
  }

  private mutating func takePath(
    _ header: Header, into builder: inout GeometryBuilder
  ) throws(GeometryError) {
    for _ in 0..<(try takeCount(ofSize: header.positionSize)) { addPosition(header, to: &builder) }
  }

  /// Takes a position whose bytes are known to be there.
  @inline(__always)
  private mutating func addPosition(_ header: Header, to builder: inout GeometryBuilder) {
    assert(header.positionSize <= bytes.count - index, "a position is outside of the bytes")
    builder.add(
      longitude: double(at: index), latitude: double(at: index + 8),
      altitude: header.hasZ ? double(at: index + 16) : nil)
    index += header.positionSize
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
