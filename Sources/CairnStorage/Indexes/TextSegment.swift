import CairnSystem
import CairnValues

/// One stored segment of a run of a text index: words in the order of their bytes, each with its
/// rows.
///
/// A ``ByteTable`` of words: the length of the word in one byte, its bytes, and its groups of rows. A
/// word whose groups do not fit continues in the next segment. The empty word has the rows that the
/// run covers. A run may have a second table for each segment, with the positions of the words in
/// their texts (``PositionList``).
struct TextSegment {
  private let words: ByteTable
  private let positions: ByteTable?

  /// The number of bytes of words at which a segment ends.
  static let capacity = 1 << 16
  /// The number of bytes of positions at which a segment ends.
  static let positionCapacity = 1 << 19

  /// Reads the header; nil if it leads outside of the bytes, which outlive the segment.
  ///
  /// - Parameter positions: The table of positions; nil for a caller that needs none.
  init?(_ bytes: UnsafeRawBufferPointer?, positions: UnsafeRawBufferPointer? = nil) {
    guard let words = ByteTable(bytes) else { return nil }
    self.words = words
    self.positions = ByteTable(positions)
  }

  /// The number of words.
  var count: Int { words.count }

  /// Whether the words follow each other without gaps. A damaged segment that fails this check leads
  /// nowhere outside of its bytes either.
  var isSound: Bool {
    words.isSound
      && (0..<count).allSatisfy { index in
        let entry = words.entry(index)
        return entry.count > 1 && Int(entry[0]) < entry.count - 1
      }
  }

  /// Whether there is a list of positions for each word.
  var hasSoundPositions: Bool {
    positions.map { $0.isSound && $0.count == words.count } ?? false
  }

  /// Returns a word, valid like the bytes of the segment.
  func word(_ index: Int) -> UnsafeRawBufferPointer {
    let entry = words.entry(index)
    guard let first = entry.first else { return entry }
    return UnsafeRawBufferPointer(rebasing: entry[1..<min(entry.count, 1 + Int(first))])
  }

  /// Returns the groups of a word's rows.
  func groups(_ index: Int, firstChunk: Int) -> RowGroupReader {
    RowGroupReader(
      groupBytes(index), firstChunk: firstChunk,
      positions: positions.flatMap { index < $0.count ? PositionList($0.entry(index)) : nil })
  }

  /// Returns the bytes of a word's groups, valid like the bytes of the segment.
  private func groupBytes(_ index: Int) -> UnsafeRawBufferPointer {
    let entry = words.entry(index)
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

/// The values of a segment.
struct StoredTextSegment: Sendable {
  let words: OwnedBytes
  /// The positions; nil for a run without.
  let positions: OwnedBytes?
}

/// Packs the words of a run into segments. Words arrive in order.
struct TextSegmentWriter {
  private var words = ByteTableWriter()
  private var positions: ByteTableWriter?
  /// The number of segments that were completed.
  private(set) var segmentCount = 0
  /// The number of rows that the run covers.
  private(set) var rowCount = 0

  /// Receives a completed segment.
  typealias Emit = (StoredTextSegment) throws(StoreError) -> Void

  /// - Parameter hasPositions: Whether the run stores positions.
  init(hasPositions: Bool) { positions = hasPositions ? ByteTableWriter() : nil }

  /// Adds a word and its groups, which may complete segments.
  mutating func append(
    _ word: UnsafeRawBufferPointer, groups: RowGroupWriter, emit: Emit
  ) throws(StoreError) {
    if word.isEmpty { rowCount += groups.rowCount }
    if fits(word, groups) { return add(word, groups) }
    let result: Result<Void, StoreError> = groups.withGroups { reader in
      do throws(StoreError) {
        return .success(try append(word, parts: reader, emit: emit))
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private func fits(
    _ word: UnsafeRawBufferPointer, _ groups: RowGroupWriter, and next: RowGroup? = nil
  ) -> Bool {
    let size = words.heap.count + groups.bytes.count + word.count
    let positionSize = (positions?.heap.count ?? 0) + groups.positions.count
    // The header of a group takes at most 16 bytes.
    return size + (next.map { $0.bytes.count + 16 } ?? 0) <= TextSegment.capacity
      && positionSize + (next?.positions.count ?? 0) <= TextSegment.positionCapacity
  }

  /// Adds a word whose groups may need several segments.
  private mutating func append(
    _ word: UnsafeRawBufferPointer, parts: RowGroupReader, emit: Emit
  ) throws(StoreError) {
    var part = RowGroupWriter()
    for group in parts {
      if words.count > 0 || !part.isEmpty, !fits(word, part, and: group) {
        if !part.isEmpty { add(word, part) }
        part.removeAll()
        try finish(emit)
      }
      part.append(group, at: group.chunk)
    }
    add(word, part)
  }

  private mutating func add(_ word: UnsafeRawBufferPointer, _ groups: RowGroupWriter) {
    assert(word.count <= Int(UInt8.max), "the length of a word takes more than a byte")
    words.append(CollectionOfOne(UInt8(truncatingIfNeeded: word.count)))
    words.append(word)
    words.append(groups.bytes)
    words.endEntry()
    guard positions != nil else { return }
    if !groups.positions.isEmpty { positions?.append(groups.positionList) }
    positions?.endEntry()
  }

  /// Completes the last segment.
  mutating func finish(_ emit: Emit) throws(StoreError) {
    guard words.count > 0 else { return }
    let segment = StoredTextSegment(
      words: words.encoded.withUnsafeBytes(OwnedBytes.init),
      positions: positions?.encoded.withUnsafeBytes(OwnedBytes.init))
    words.removeAll()
    positions?.removeAll()
    segmentCount += 1
    try emit(segment)
  }
}
