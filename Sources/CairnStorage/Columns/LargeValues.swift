import CairnGeometry

/// A reference to a geometry that is stored under a key of its own, in place of the geometry.
///
/// A geometry begins with its kind, so that no geometry begins like a reference.
struct LargeReference {
  /// The size of the value in bytes.
  let size: Int
  /// The XXH64 of the value.
  let checksum: UInt64

  /// Values of more bytes are stored under keys of their own, so that an edit of one row does not
  /// rewrite its large neighbours.
  static let threshold = 16 << 10
  /// The maximum size of a value in bytes.
  static let maxSize = 1 << 30

  private static let tag: UInt64 = 255
  private static let byteCount = 24

  /// Makes the reference to a value.
  init(to value: UnsafeRawBufferPointer) {
    size = value.count
    checksum = Checksum.xxh64(value)
  }

  /// Returns nil if the bytes of a row are not a reference.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount, bytes.loadUnaligned(as: UInt64.self) == Self.tag else {
      return nil
    }
    size = Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    checksum = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
  }

  /// Calls `body` with the bytes of the row.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafeBytes(of: (Self.tag, UInt64(size), checksum), body)
  }

  /// Returns whether the bytes are the value.
  func matches(_ value: UnsafeRawBufferPointer) -> Bool {
    value.count == size && Checksum.xxh64(value) == checksum
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

/// The rows of a chunk with large values, as addresses and lengths.
final class ResolvedRows {
  private let rows = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(
    capacity: ChunkShape.rows)

  /// The chunk that was made last.
  private(set) var latest: Chunk?

  deinit { rows.deallocate() }

  /// Returns a chunk with the same rows, in which large values replace their references.
  ///
  /// The chunk is valid until the next call, and while the source and the values are.
  ///
  /// - Parameter value: Returns the value of a row; nil if the store has lost it, or if the row was
  ///   deleted.
  func chunk(
    of source: Chunk, value: (Int) -> UnsafeRawBufferPointer?
  ) -> Chunk {
    assert(source.count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    assert(source.codes != UnsafeRawPointer(rows), "the source is the result")
    for row in 0..<source.count {
      var bytes = source.bytes(at: row)
      if let reference = LargeReference(bytes), !source.isNull(row) {
        let found = value(row)
        bytes =
          found?.count == reference.size
          ? found ?? bytes : UnsafeRawBufferPointer(start: nil, count: 0)
      }
      (rows + row).initialize(to: bytes)
    }
    let chunk = Chunk(
      base: UnsafeRawPointer(rows), encoding: .spans, count: source.count, nulls: source.nulls,
      codes: UnsafeRawPointer(rows), heap: UnsafeRawPointer(rows), heapSize: 0)
    latest = chunk
    return chunk
  }
}

extension ChunkMemory {
  /// Sets a row to a reference to a large value.
  func setReference(_ reference: LargeReference, at row: Int) {
    setNull(false, at: row)
    hasReferences = true
    reference.withBytes { replaceBytes($0, at: row) }
  }
}

extension StorageKey {
  /// Returns the key of a value that lies outside of its chunk.
  static func largeValue(
    _ table: UInt32, column: UInt16, extent: UInt32, chunk: Int, row: Int
  ) -> StorageKey {
    StorageKey(
      kind: .largeValue, table: table, column: column, group: extent,
      number: UInt64(RowAddress.firstKey(ofChunk: chunk) + row))
  }
}
