import CairnSystem
import CairnValues

/// One stored segment of a run of a text index: words in the order of their bytes, each with its
/// rows.
///
/// Header: number of words (UInt32), end of the last one (UInt32), 8 unused bytes. Then one more
/// offset than words, UInt32 each, and the words: the length of the word in one byte, its bytes, and
/// its groups of rows. A word whose groups do not fit continues in the next segment. The empty word
/// has the rows that the run covers.
struct TextSegment {
  private let base: UnsafeRawPointer
  let count: Int
  private let end: Int
  private let heap: UnsafeRawPointer

  static let headerSize = 16
  /// The number of bytes at which a segment ends.
  static let capacity = 1 << 16

  /// Reads the header; nil if it leads outside of the bytes.
  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes, let base = bytes.baseAddress, bytes.count >= Self.headerSize + 8 else {
      return nil
    }
    count = Int(base.load(as: UInt32.self))
    end = Int(base.load(fromByteOffset: 4, as: UInt32.self))
    let start = Self.headerSize + (count + 1) * 4
    guard count > 0, start <= bytes.count, end <= bytes.count - start else { return nil }
    self.base = base
    heap = base + start
  }

  /// Whether the words follow each other without gaps. A damaged segment that fails this check leads
  /// nowhere outside of its bytes either.
  var isSound: Bool {
    offset(0) == 0 && offset(count) == end
      && (0..<count).allSatisfy { index in
        let size = offset(index + 1) - offset(index)
        return size > 1 && Int((heap + offset(index)).load(as: UInt8.self)) < size - 1
      }
  }

  private func offset(_ index: Int) -> Int {
    min(end, Int(base.load(fromByteOffset: Self.headerSize + index * 4, as: UInt32.self)))
  }

  /// The bytes of a word, its length and its groups.
  @inline(__always)
  private func entry(_ index: Int) -> UnsafeRawBufferPointer {
    let start = offset(index)
    return UnsafeRawBufferPointer(
      start: heap + start, count: max(0, offset(index + 1) - start))
  }

  /// Returns a word.
  func word(_ index: Int) -> UnsafeRawBufferPointer {
    let entry = entry(index)
    guard let first = entry.first else { return entry }
    return UnsafeRawBufferPointer(rebasing: entry[1..<min(entry.count, 1 + Int(first))])
  }

  /// Returns the groups of a word's rows, as bytes.
  func groups(_ index: Int) -> UnsafeRawBufferPointer {
    let entry = entry(index)
    guard let first = entry.first else { return entry }
    return UnsafeRawBufferPointer(rebasing: entry[min(entry.count, 1 + Int(first))...])
  }

  /// Returns the index of the first word that is not before `word`.
  func firstIndex(notBefore word: UnsafeRawBufferPointer) -> Int {
    partitionPoint(count) { self.word($0).isBefore(word) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes come before others.
  @inline(__always)
  func isBefore(_ other: UnsafeRawBufferPointer) -> Bool { order(to: other) < 0 }

  /// A negative number if these bytes come before others, 0 if they are the same.
  @inline(__always)
  func order(to other: UnsafeRawBufferPointer) -> Int {
    let shared = Swift.min(count, other.count)
    if shared > 0, let a = baseAddress, let b = other.baseAddress {
      let order = memcmp(a, b, shared)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }
}

/// Packs the words of a run into segments. Words arrive in order.
struct TextSegmentWriter {
  private var heap: [UInt8] = []
  private var offsets: [UInt32] = [0]
  /// The number of segments that were completed.
  private(set) var segmentCount = 0
  /// The number of rows that the run covers.
  private(set) var rowCount = 0

  /// Adds a word and its groups, which may complete segments.
  mutating func append(
    _ word: UnsafeRawBufferPointer, groups: RowGroupWriter,
    emit: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let result: Result<Void, StoreError> = groups.bytes.withUnsafeBytes { bytes in
      do throws(StoreError) {
        return .success(try append(word, bytes: bytes, emit: emit))
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private mutating func append(
    _ word: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer,
    emit: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    if word.isEmpty {
      rowCount += RowGroupReader(bytes, firstChunk: 0).reduce(0) { $0 + $1.count }
    }
    if heap.count + bytes.count + word.count <= TextSegment.capacity {
      return add(word, bytes: bytes)
    }
    var part = RowGroupWriter()
    for group in RowGroupReader(bytes, firstChunk: 0) {
      let size = heap.count + word.count + part.bytes.count + group.bytes.count + 16
      if size > TextSegment.capacity, !heap.isEmpty || !part.isEmpty {
        if !part.isEmpty { part.bytes.withUnsafeBytes { add(word, bytes: $0) } }
        part.removeAll()
        try finish(emit)
      }
      part.append(group, at: group.chunk)
    }
    part.bytes.withUnsafeBytes { add(word, bytes: $0) }
  }

  private mutating func add(_ word: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer) {
    heap.append(UInt8(truncatingIfNeeded: word.count))
    heap.append(contentsOf: word)
    heap.append(contentsOf: bytes)
    offsets.append(UInt32(heap.count))
  }

  /// Completes the last segment.
  mutating func finish(_ emit: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    guard offsets.count > 1 else { return }
    let start = TextSegment.headerSize + offsets.count * 4
    var bytes = [UInt8](repeating: 0, count: start)
    bytes.reserveCapacity(max(start + heap.count, ChunkShape.minimumSize))
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: UInt32(offsets.count - 1), as: UInt32.self)
      buffer.storeBytes(of: UInt32(heap.count), toByteOffset: 4, as: UInt32.self)
      for (index, offset) in offsets.enumerated() {
        buffer.storeBytes(
          of: offset, toByteOffset: TextSegment.headerSize + index * 4, as: UInt32.self)
      }
    }
    bytes += heap
    if bytes.count < ChunkShape.minimumSize {
      bytes += repeatElement(0, count: ChunkShape.minimumSize - bytes.count)
    }
    heap.removeAll(keepingCapacity: true)
    offsets = [0]
    segmentCount += 1
    try emit(bytes)
  }
}
