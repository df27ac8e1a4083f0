import CairnStorage

/// A set of keys of one class that can find the rank of each key. It keeps one bit per row.
struct KeyBitSet {
  /// The bits by chunk; nil if no row of the chunk is a member.
  private var chunks: [ChunkBitmap?] = []
  /// The number of members in each chunk.
  private(set) var counts: [Int] = []
  private(set) var count = 0

  /// The rows of an unordered query.
  init(_ execution: Execution) {
    for sink in execution.gather(execution.plan.scan, make: { MemberSink() }) {
      for (chunk, bits, count) in sink.found { adopt(chunk, bits: bits, count: count) }
    }
  }

  /// Creates a set of keys, in any order.
  init(_ keys: some Sequence<Int>) {
    for key in keys { insert(key) }
  }

  /// Adds the rows of a chunk. Several parts of a scan can each deliver rows of the same chunk.
  private mutating func adopt(_ chunk: Int, bits: ChunkBitmap, count: Int) {
    grow(to: chunk)
    if let existing = chunks[chunk] {
      for word in 0..<ChunkShape.words { existing.words[word] |= bits.words[word] }
    } else {
      chunks[chunk] = bits
    }
    counts[chunk] += count
    self.count += count
  }

  private mutating func grow(to chunk: Int) {
    guard chunk >= chunks.count else { return }
    let more = chunk + 1 - chunks.count
    chunks.append(contentsOf: repeatElement(nil, count: more))
    counts.append(contentsOf: repeatElement(0, count: more))
  }

  func contains(_ key: Int) -> Bool {
    let chunk = RowAddress(key).chunk
    guard chunk < chunks.count, let bits = chunks[chunk] else { return false }
    let row = RowAddress(key).row
    return bits.words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Inserts a key that is not a member.
  mutating func insert(_ key: Int) {
    let chunk = RowAddress(key).chunk
    grow(to: chunk)
    let bits = chunks[chunk] ?? ChunkBitmap()
    chunks[chunk] = bits
    let row = RowAddress(key).row
    bits.words[row >> 6] |= 1 << UInt64(row & 63)
    counts[chunk] += 1
    count += 1
  }

  /// Removes a member.
  mutating func remove(_ key: Int) {
    let chunk = RowAddress(key).chunk
    guard let bits = chunks[chunk] else { return }
    let row = RowAddress(key).row
    bits.words[row >> 6] &= ~(1 << UInt64(row & 63))
    counts[chunk] -= 1
    count -= 1
    if counts[chunk] == 0 { chunks[chunk] = nil }
  }

  /// The members among these keys.
  func members(among keys: KeyRangeSet) -> [Int] {
    var found: [Int] = []
    for run in keys.runs {
      for key in run.clamped(to: 0..<RowAddress.firstKey(ofChunk: chunks.count)) where contains(key)
      {
        found.append(key)
      }
    }
    return found
  }

  /// All members, in ascending order.
  var keys: [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(count)
    for (chunk, bits) in chunks.enumerated() {
      guard let bits else { continue }
      var rows = Selection(bits.words)
      rows.upper = ChunkShape.words
      rows.forEachRow { row -> Void in keys.append(RowAddress.key(ofRow: row, inChunk: chunk)) }
    }
    return keys
  }

  /// The member of that rank.
  func key(at index: Int) -> Int {
    assert(index >= 0 && index < count, "the index is beyond the members")
    var left = index
    var chunk = 0
    while left >= counts[chunk] {
      left -= counts[chunk]
      chunk += 1
    }
    guard let words = chunks[chunk]?.words else {
      preconditionFailure("the index is beyond the members")
    }
    var word = 0
    while left >= words[word].nonzeroBitCount {
      left -= words[word].nonzeroBitCount
      word += 1
    }
    var bits = words[word]
    for _ in 0..<left { bits &= bits &- 1 }
    return RowAddress.firstKey(ofChunk: chunk) | word << 6 | bits.trailingZeroBitCount
  }

  /// The ranks of these keys, whether they are members or not. The keys must be sorted.
  func ranks(of keys: [Int]) -> [Int] {
    var cursor = Cursor()
    return keys.map { rank(of: $0, &cursor) }
  }

  /// The state of counting members in key order.
  private struct Cursor {
    var chunk = 0
    /// The number of members in the chunks before.
    var before = 0
    var word = 0
    /// The number of members in the words before.
    var within = 0
  }

  private func rank(of key: Int, _ cursor: inout Cursor) -> Int {
    let chunk = RowAddress(key).chunk
    if chunk != cursor.chunk {
      let end = min(chunk, counts.count)
      if cursor.chunk < end {
        for passed in cursor.chunk..<end { cursor.before += counts[passed] }
      }
      cursor.chunk = chunk
      cursor.word = 0
      cursor.within = 0
    }
    guard chunk < chunks.count, let words = chunks[chunk]?.words else { return cursor.before }
    let row = RowAddress(key).row
    while cursor.word < row >> 6 {
      cursor.within += words[cursor.word].nonzeroBitCount
      cursor.word += 1
    }
    let below = words[cursor.word] & (1 << UInt64(row & 63) &- 1)
    return cursor.before + cursor.within + below.nonzeroBitCount
  }
}

/// A sink that gathers rows as bits.
private final class MemberSink: Sink {
  private(set) var found: [(chunk: Int, bits: ChunkBitmap, count: Int)] = []

  func prepare(_ chunks: [Int]) {}

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let bits = ChunkBitmap()
    for word in selection.wordRange {
      bits.words[word] = selection.words[word]
    }
    let count = selection.count
    if count > 0 { found.append((chunk, bits, count)) }
    return true
  }
}
