import CairnStorage

/// Keys of one class that say at which place each of them stands in rising order: a bit for every row.
struct MemberSet {
  /// By chunk; nil: none of its rows is a member.
  private var chunks: [ChunkBits?] = []
  /// Members of each chunk.
  private(set) var counts: [Int] = []
  private(set) var count = 0

  /// The bits of one chunk.
  final class ChunkBits {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.words)

    init() { words.initialize(repeating: 0, count: ChunkShape.words) }

    deinit { words.deallocate() }
  }

  /// The rows of an unordered query.
  init(_ execution: Execution) {
    for sink in execution.gather(execution.plan.scan, { MemberSink() }) {
      for (chunk, bits, count) in sink.found { adopt(chunk, bits, count) }
    }
  }

  /// These keys, in any order.
  init(_ keys: some Sequence<Int>) {
    for key in keys { insert(key) }
  }

  /// Parts of a scan may deliver the rows of one chunk in turns.
  private mutating func adopt(_ chunk: Int, _ bits: ChunkBits, _ count: Int) {
    grow(to: chunk)
    if let known = chunks[chunk] {
      for word in 0..<ChunkShape.words { known.words[word] |= bits.words[word] }
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
    let chunk = key >> ChunkShape.shift
    guard chunk < chunks.count, let bits = chunks[chunk] else { return false }
    let row = key & (ChunkShape.rows - 1)
    return bits.words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Adds a key that is not there.
  mutating func insert(_ key: Int) {
    let chunk = key >> ChunkShape.shift
    grow(to: chunk)
    let bits = chunks[chunk] ?? ChunkBits()
    chunks[chunk] = bits
    let row = key & (ChunkShape.rows - 1)
    bits.words[row >> 6] |= 1 << UInt64(row & 63)
    counts[chunk] += 1
    count += 1
  }

  /// Takes a key away that is there.
  mutating func remove(_ key: Int) {
    let chunk = key >> ChunkShape.shift
    guard let bits = chunks[chunk] else { return }
    let row = key & (ChunkShape.rows - 1)
    bits.words[row >> 6] &= ~(1 << UInt64(row & 63))
    counts[chunk] -= 1
    count -= 1
    if counts[chunk] == 0 { chunks[chunk] = nil }
  }

  /// The members among these.
  func members(among keys: KeyRuns) -> [Int] {
    var found: [Int] = []
    for run in keys.runs {
      for key in run.clamped(to: 0..<chunks.count << ChunkShape.shift) where contains(key) {
        found.append(key)
      }
    }
    return found
  }

  /// All members, rising.
  var keys: [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(count)
    for (chunk, bits) in chunks.enumerated() {
      guard let bits else { continue }
      var rows = Selection(bits.words)
      rows.upper = ChunkShape.words
      rows.forEachRow { row -> Void in keys.append(chunk << ChunkShape.shift | row) }
    }
    return keys
  }

  /// The member at a place.
  func key(at place: Int) -> Int {
    var left = place
    var chunk = 0
    while left >= counts[chunk] {
      left -= counts[chunk]
      chunk += 1
    }
    guard let words = chunks[chunk]?.words else {
      preconditionFailure("a place beyond the members")
    }
    var word = 0
    while left >= words[word].nonzeroBitCount {
      left -= words[word].nonzeroBitCount
      word += 1
    }
    var bits = words[word]
    for _ in 0..<left { bits &= bits &- 1 }
    return chunk << ChunkShape.shift | word << 6 | bits.trailingZeroBitCount
  }

  /// The places at which these keys, which rise, stand or would stand.
  func places(of keys: [Int]) -> [Int] {
    var cursor = Cursor()
    return keys.map { place(of: $0, &cursor) }
  }

  /// How far the counting of members has come.
  private struct Cursor {
    var chunk = 0
    /// Members of the chunks before.
    var before = 0
    var word = 0
    /// Members in the words before.
    var within = 0
  }

  private func place(of key: Int, _ cursor: inout Cursor) -> Int {
    let chunk = key >> ChunkShape.shift
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
    let row = key & (ChunkShape.rows - 1)
    while cursor.word < row >> 6 {
      cursor.within += words[cursor.word].nonzeroBitCount
      cursor.word += 1
    }
    let below = words[cursor.word] & (1 << UInt64(row & 63) &- 1)
    return cursor.before + cursor.within + below.nonzeroBitCount
  }
}

/// Gathers rows as bits.
private final class MemberSink: Sink, @unchecked Sendable {
  private(set) var found: [(chunk: Int, bits: MemberSet.ChunkBits, count: Int)] = []

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    let bits = MemberSet.ChunkBits()
    for word in selection.lower..<max(selection.lower, selection.upper) {
      bits.words[word] = selection.words[word]
    }
    let count = selection.count
    if count > 0 { found.append((chunk, bits, count)) }
    return true
  }
}
