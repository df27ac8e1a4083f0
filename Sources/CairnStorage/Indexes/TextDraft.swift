import CairnSystem
import CairnValues

/// A run of a text index in memory.
struct TextBlock: Sendable {
  /// The segments.
  fileprivate(set) var segments: [StoredTextSegment] = []
  /// The number of rows that it covers.
  fileprivate(set) var rowCount = 0

  /// The number of bytes of the segments.
  var byteCount: Int {
    segments.reduce(0) { $0 + $1.words.bytes.count + ($1.positions?.bytes.count ?? 0) }
  }
}

/// Gathers the words of rows, and writes them as a run in memory.
///
/// The words of a row are looked up in a hash table, so a word is stored and compared once, and an
/// occurrence is one number.
final class TextDraft {
  /// The first state of the hashes, so that nobody can choose words that collide.
  private let seed = UInt32.random(in: 0...UInt32.max)
  /// Numbers of words by hash; -1 for a free slot.
  private var slots = [Int32](repeating: -1, count: 1 << 12)
  private var hashes: [UInt32] = []
  /// The offset of each word in `bytes`, and the end of the last one.
  private var starts: [Int] = [0]
  private var bytes: [UInt8] = []
  /// The number of occurrences of each word.
  private var counts: [Int32] = []
  /// The number of the word of each occurrence, in the order of the texts.
  private var occurrences: [Int32] = []
  private var keys: [Int] = []
  /// The end of the occurrences of each row.
  private var rowEnds: [Int] = []

  /// The number of bytes of memory, roughly: an occurrence has its word, and its row and position
  /// once they are sorted.
  var byteCount: Int {
    // A word has a hash, a start and a count.
    occurrences.count * 12 + bytes.count + keys.count * 16 + hashes.count * 16 + slots.count * 4
  }

  /// Adds a row. Keys must rise. A row without a text is covered as well.
  func add(_ key: Int, text: UnsafeRawBufferPointer?) {
    keys.append(key)
    if let text {
      Words.forEach(in: text) { word in
        let number = number(of: word)
        counts[number] += 1
        occurrences.append(Int32(truncatingIfNeeded: number))
        return true
      }
    }
    rowEnds.append(occurrences.count)
  }

  private func number(of word: UnsafeRawBufferPointer) -> Int {
    var hash = seed
    for byte in word { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    hash ^= hash >> 15
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let known = Int(slots[slot])
      if hashes[known] == hash, isSame(word, as: known) { return known }
      slot = (slot + 1) & (slots.count - 1)
    }
    return add(word, hash: hash, slot: slot)
  }

  private func isSame(_ word: UnsafeRawBufferPointer, as number: Int) -> Bool {
    let start = starts[number]
    assert(start <= starts[number + 1] && starts[number + 1] <= bytes.count, "no such word")
    guard starts[number + 1] - start == word.count, let base = word.baseAddress else {
      return false
    }
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0 + start, base, word.count) == 0 } ?? false
    }
  }

  private func add(_ word: UnsafeRawBufferPointer, hash: UInt32, slot: Int) -> Int {
    let number = hashes.count
    slots[slot] = Int32(truncatingIfNeeded: number)
    hashes.append(hash)
    bytes.append(contentsOf: word)
    starts.append(bytes.count)
    counts.append(0)
    if hashes.count * 2 > slots.count { grow() }
    return number
  }

  private func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number)
    }
  }

  /// Writes the run.
  ///
  /// - Parameter firstChunk: The chunk that the run's chunks count from.
  func block(firstChunk: Int = 0) -> TextBlock {
    var block = TextBlock()
    guard !keys.isEmpty else { return block }
    var writer = TextSegmentWriter(hasPositions: true)
    let add: TextSegmentWriter.Emit = { segment in block.segments.append(segment) }
    var groups = RowGroupWriter()
    append(all: firstChunk, to: &groups)
    try? writer.append(
      UnsafeRawBufferPointer(start: nil, count: 0), groups: groups, emit: add)
    let sorted = OccurrencesByWord(occurrences, rowEnds: rowEnds, counts: counts)
    var grouping = TextGrouping(keys: keys, firstChunk: firstChunk)
    bytes.withUnsafeBytes { bytes in
      for number in sortedWords(bytes) {
        groups.removeAll()
        grouping.append(sorted.of(number), to: &groups)
        try? writer.append(
          UnsafeRawBufferPointer(rebasing: bytes[starts[number]..<starts[number + 1]]),
          groups: groups, emit: add)
      }
    }
    try? writer.finish(add)
    block.rowCount = keys.count
    return block
  }

  /// Appends all rows, which the empty word has.
  private func append(all firstChunk: Int, to groups: inout RowGroupWriter) {
    var rows: [UInt16] = []
    var chunk = -1
    for key in keys {
      let address = RowAddress(key)
      if address.chunk != chunk {
        if !rows.isEmpty { groups.append(rows[...], at: chunk - firstChunk) }
        rows.removeAll(keepingCapacity: true)
        chunk = address.chunk
      }
      rows.append(UInt16(truncatingIfNeeded: address.row))
    }
    if !rows.isEmpty { groups.append(rows[...], at: chunk - firstChunk) }
  }

  private func sortedWords(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    func word(_ number: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[starts[number]..<starts[number + 1]])
    }
    return hashes.indices.sorted { word($0).isBefore(word($1)) }
  }
}

/// The occurrences of a draft, sorted by word; those of a word in the order of the texts.
private struct OccurrencesByWord {
  /// An occurrence of a word.
  struct Occurrence {
    /// The index of the row in the draft.
    var row: Int32
    /// The number of words before it in its text.
    var position: UInt32
  }

  private let occurrences: [Occurrence]
  /// The end of the occurrences of each word.
  private let ends: [Int]
  private let counts: [Int32]

  init(_ words: [Int32], rowEnds: [Int], counts: [Int32]) {
    assert(counts.reduce(0) { $0 + Int($1) } == words.count, "the words were not all counted")
    self.counts = counts
    var ends: [Int] = []
    ends.reserveCapacity(counts.count)
    var sum = 0
    for count in counts {
      ends.append(sum)
      sum += Int(count)
    }
    occurrences = [Occurrence](unsafeUninitializedCapacity: words.count) { buffer, count in
      ends.withUnsafeMutableBufferPointer { ends in
        var start = 0
        for (row, end) in rowEnds.enumerated() {
          for index in start..<end {
            let word = Int(words[index])
            assert(ends[word] < words.count, "a word occurs more often than was counted")
            buffer.initializeElement(
              at: ends[word],
              to: Occurrence(
                row: Int32(truncatingIfNeeded: row),
                position: UInt32(truncatingIfNeeded: index - start)))
            ends[word] += 1
          }
          start = end
        }
      }
      count = words.count
    }
    self.ends = ends
  }

  /// The occurrences of a word.
  func of(_ word: Int) -> ArraySlice<Occurrence> {
    occurrences[ends[word] - Int(counts[word])..<ends[word]]
  }
}

/// Makes a group for each chunk from the occurrences of a word.
private struct TextGrouping {
  let keys: [Int]
  let firstChunk: Int
  private var rows: [UInt16] = []
  private var positions: [UInt8] = []

  init(keys: [Int], firstChunk: Int) {
    self.keys = keys
    self.firstChunk = firstChunk
  }

  mutating func append(
    _ occurrences: ArraySlice<OccurrencesByWord.Occurrence>, to groups: inout RowGroupWriter
  ) {
    var chunk = -1
    var index = occurrences.startIndex
    while index < occurrences.endIndex {
      let row = occurrences[index].row
      let address = RowAddress(keys[Int(row)])
      if address.chunk != chunk {
        finish(chunk, to: &groups)
        chunk = address.chunk
      }
      rows.append(UInt16(truncatingIfNeeded: address.row))
      var last: UInt32 = 0
      while index < occurrences.endIndex, occurrences[index].row == row {
        let position = occurrences[index].position
        index += 1
        let isLast = index == occurrences.endIndex || occurrences[index].row != row
        positions.append(position: position &- last, isLast: isLast)
        last = position
      }
    }
    finish(chunk, to: &groups)
  }

  private mutating func finish(_ chunk: Int, to groups: inout RowGroupWriter) {
    guard !rows.isEmpty else { return }
    positions.withUnsafeBytes { groups.append(rows[...], at: chunk - firstChunk, positions: $0) }
    rows.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }
}
