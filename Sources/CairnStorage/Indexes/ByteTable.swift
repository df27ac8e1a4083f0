/// A stored list of byte strings, which is read in place.
///
/// Header: number of entries (UInt32), end of the last one (UInt32), 8 unused bytes. Then one more
/// offset than entries, UInt32 each, and the entries.
struct ByteTable {
  private let base: UnsafeRawPointer
  let count: Int
  private let end: Int
  private let heap: UnsafeRawPointer

  static let headerSize = 16

  /// Reads the header; nil if it leads outside of the bytes, which outlive the table, or if they are
  /// not aligned.
  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes, let base = bytes.baseAddress, bytes.count >= Self.headerSize + 8,
      Int(bitPattern: base) & 3 == 0
    else { return nil }
    count = Int(base.load(as: UInt32.self))
    end = Int(base.load(fromByteOffset: 4, as: UInt32.self))
    let start = Self.headerSize + (count + 1) * 4
    guard count > 0, start <= bytes.count, end <= bytes.count - start else { return nil }
    self.base = base
    heap = base + start
  }

  /// Whether the entries follow each other without gaps. A damaged table that fails this check leads
  /// nowhere outside of its bytes either.
  var isSound: Bool {
    offset(0) == 0 && offset(count) == end
      && (0..<count).allSatisfy { offset($0) <= offset($0 + 1) }
  }

  private func offset(_ index: Int) -> Int {
    assert(index >= 0 && index <= count, "the table does not have the entry")
    return min(end, Int(base.load(fromByteOffset: Self.headerSize + index * 4, as: UInt32.self)))
  }

  /// Returns the bytes of an entry, valid like those of the table.
  @inline(__always)
  func entry(_ index: Int) -> UnsafeRawBufferPointer {
    let start = offset(index)
    return UnsafeRawBufferPointer(start: heap + start, count: max(0, offset(index + 1) - start))
  }
}

/// Gathers the entries of a ``ByteTable``.
struct ByteTableWriter {
  private(set) var heap: [UInt8] = []
  private var offsets: [UInt32] = [0]

  /// The number of entries.
  var count: Int { offsets.count - 1 }

  /// Begins another table.
  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    offsets.append(0)
  }

  /// Adds bytes to the entry that `endEntry` ends.
  mutating func append(_ bytes: some Collection<UInt8>) { heap.append(contentsOf: bytes) }

  /// Ends an entry.
  mutating func endEntry() { offsets.append(UInt32(truncatingIfNeeded: heap.count)) }

  /// The table, padded so that LMDB aligns it.
  var encoded: [UInt8] {
    let start = ByteTable.headerSize + offsets.count * 4
    var bytes = [UInt8](repeating: 0, count: start)
    bytes.reserveCapacity(max(start + heap.count, ChunkShape.minimumSize))
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: UInt32(offsets.count - 1), as: UInt32.self)
      buffer.storeBytes(
        of: UInt32(truncatingIfNeeded: heap.count), toByteOffset: 4, as: UInt32.self)
      for (index, offset) in offsets.enumerated() {
        buffer.storeBytes(
          of: offset, toByteOffset: ByteTable.headerSize + index * 4, as: UInt32.self)
      }
    }
    bytes += heap
    if bytes.count < ChunkShape.minimumSize {
      bytes += repeatElement(0, count: ChunkShape.minimumSize - bytes.count)
    }
    return bytes
  }
}
