/// A reference to a value that lies outside of its chunk, in place of the value.
///
/// A geometry begins with its kind, so that none begins like a reference. Other values that resemble a
/// reference lie outside of their chunk as well, so that in a chunk with references every row that
/// looks like one is one.
struct LargeReference {
  /// The size of the value in bytes.
  let size: Int
  /// The XXH64 of the value.
  let checksum: UInt64
  /// The first eight bytes of the value as a number, for the zone of the chunk; nil for a geometry, which
  /// has no order.
  let prefix: UInt64?

  /// The maximum size of a value in bytes.
  static let maxSize = 1 << 30

  private static let tag: UInt64 = 255
  private static let sizeOfGeometry = 24
  private static let sizeOfOthers = 32

  /// Makes the reference to a value.
  init(to value: UnsafeRawBufferPointer, isGeometry: Bool) {
    size = value.count
    checksum = Checksum.xxh64(value)
    prefix = isGeometry ? nil : value.prefixNumber
  }

  /// Returns nil if the bytes of a row are not a reference.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard Self.resembles(bytes) else { return nil }
    size = Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    checksum = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    prefix =
      bytes.count == Self.sizeOfGeometry
      ? nil : bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
  }

  /// Returns whether the bytes of a row look like a reference.
  static func resembles(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (bytes.count == sizeOfOthers || bytes.count == sizeOfGeometry)
      && bytes.loadUnaligned(as: UInt64.self) == tag
  }

  /// Calls `body` with the bytes of the row.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafeBytes(of: (Self.tag, UInt64(size), checksum, prefix ?? 0)) { bytes in
      try body(
        UnsafeRawBufferPointer(
          rebasing: bytes[..<(prefix == nil ? Self.sizeOfGeometry : Self.sizeOfOthers)]))
    }
  }

  /// Returns whether the bytes are the value.
  func matches(_ value: UnsafeRawBufferPointer) -> Bool {
    value.count == size && Checksum.xxh64(value) == checksum
      && (prefix == nil || prefix == value.prefixNumber)
  }
}

/// The rule by which values of a column lie outside of their chunks, so that an edit of one row does not
/// rewrite its large neighbours.
struct LargeValueRule: Sendable {
  /// Whether the values are geometries.
  let isGeometry: Bool
  /// The maximum size in bytes of a value in a chunk.
  let inlineSize: Int

  private static let inlineGeometry = 16 << 10
  /// Below this size, a group of values would waste too much of its last page.
  private static let inlineOthers = 768

  /// Returns nil for a column whose values always lie in chunks, as all but geometries do in stores of
  /// the formats that earlier versions write.
  init?(_ layout: ChunkLayout, isGeometry: Bool, format: UInt32) {
    guard layout == .bytes, isGeometry || format >= StoreHeader.inventoryVersion else { return nil }
    self.isGeometry = isGeometry
    inlineSize = isGeometry ? Self.inlineGeometry : Self.inlineOthers
  }

  /// Returns whether a value lies outside of its chunk.
  @inline(__always)
  func isLarge(_ value: UnsafeRawBufferPointer) -> Bool {
    value.count > inlineSize || !isGeometry && LargeReference.resembles(value)
  }

  /// Returns the reference to a value; nil if it lies in the chunk.
  func reference(to value: UnsafeRawBufferPointer) -> LargeReference? {
    isLarge(value) ? LargeReference(to: value, isGeometry: isGeometry) : nil
  }
}

extension Chunk {
  /// Whether rows of an encoded chunk may be references to large values.
  var hasReferences: Bool {
    (encoding == .bytes || encoding == .dictionary)
      && base.load(fromByteOffset: 2, as: UInt8.self) & ChunkHeader.hasReferences != 0
  }

  /// Returns the reference to a large value in a row of a chunk that may have some; nil for other
  /// rows.
  func reference(at row: Int) -> LargeReference? {
    isNull(row) ? nil : LargeReference(bytes(at: row))
  }

  /// The rows with a reference to a large value.
  var references: [(row: Int, reference: LargeReference)] {
    guard hasReferences else { return [] }
    return (0..<count).compactMap { row in reference(at: row).map { (row, $0) } }
  }
}

extension ChunkMemory {
  /// Sets a row to a reference to a large value.
  func setReference(_ reference: LargeReference, at row: Int) {
    setNull(false, at: row)
    hasReferences = true
    reference.withBytes { replaceBytes($0, at: row) }
  }

  /// Replaces the large values by references and returns them in row order. The chunk must not have
  /// references yet.
  func takeLargeValues(_ rule: LargeValueRule) -> [(row: Int, value: OwnedBytes)] {
    assert(!hasReferences, "a row may be a reference or a value that looks like one")
    var taken: [(row: Int, value: OwnedBytes)] = []
    for row in 0..<count {
      let bytes = bytes(at: row)
      guard let reference = rule.reference(to: bytes) else { continue }
      taken.append((row, OwnedBytes(bytes)))
      setReference(reference, at: row)
    }
    return taken
  }
}

extension UnsafeRawBufferPointer {
  /// The first eight bytes as a number that is ordered like them, with zeros behind a shorter value.
  var prefixNumber: UInt64 {
    if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
    var number: UInt64 = 0
    for (index, byte) in enumerated() { number |= UInt64(byte) << UInt64(56 - 8 * index) }
    return number
  }
}
