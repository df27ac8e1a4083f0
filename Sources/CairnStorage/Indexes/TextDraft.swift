import CairnSystem
import CairnValues

/// A run of a text index in memory.
struct TextBlock: Sendable {
  /// The segments.
  fileprivate(set) var segments: [OwnedBytes] = []
  /// The number of rows that it covers.
  fileprivate(set) var rowCount = 0

  /// The number of bytes of the segments.
  var byteCount: Int { segments.reduce(0) { $0 + $1.bytes.count } }
}

/// Gathers the words of rows, and writes them as a run in memory.
///
/// The words of a row are looked up in a hash table, so a word is stored and compared once, and a
/// posting is two numbers.
final class TextDraft {
  /// The first state of the hashes, so that nobody can choose words that collide.
  private let seed = UInt32.random(in: 0...UInt32.max)
  /// Numbers of words by hash; -1 for a free slot.
  private var slots = [Int32](repeating: -1, count: 1 << 12)
  private var hashes: [UInt32] = []
  /// The offset of each word in `bytes`, and the end of the last one.
  private var starts: [Int] = [0]
  private var bytes: [UInt8] = []
  /// The last row that has the word, as an index in `keys`.
  private var lastRows: [Int32] = []
  /// The number of rows that have the word.
  private var counts: [Int32] = []
  /// The postings, by row: the number of the word, and the index of the row.
  private var postings: [(word: Int32, row: Int32)] = []
  private var keys: [Int] = []

  /// The number of bytes of memory, roughly.
  var byteCount: Int {
    // A word has a hash, a start, a last row and a count.
    postings.count * 8 + bytes.count + keys.count * 8 + hashes.count * 20 + slots.count * 4
  }

  /// Adds a row. Keys must rise. A row without a text is covered as well.
  func add(_ key: Int, text: UnsafeRawBufferPointer?) {
    let row = Int32(truncatingIfNeeded: keys.count)
    keys.append(key)
    guard let text else { return }
    Words.forEach(in: text) { word in
      let number = number(of: word)
      if lastRows[number] != row {
        lastRows[number] = row
        counts[number] += 1
        postings.append((Int32(truncatingIfNeeded: number), row))
      }
      return true
    }
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
    lastRows.append(-1)
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
    var writer = TextSegmentWriter()
    let add: ([UInt8]) throws(StoreError) -> Void = { bytes in
      block.segments.append(bytes.withUnsafeBytes(OwnedBytes.init))
    }
    var groups = RowGroupWriter()
    append(keys.indices.lazy.map { Int32(truncatingIfNeeded: $0) }, firstChunk: firstChunk, &groups)
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    try? writer.append(none, groups: groups, emit: add)
    let rows = rowsByWord()
    bytes.withUnsafeBytes { bytes in
      for number in sortedWords(bytes) {
        groups.removeAll()
        let end = rows.ends[number]
        append(rows.rows[end - Int(counts[number])..<end], firstChunk: firstChunk, &groups)
        try? writer.append(
          UnsafeRawBufferPointer(rebasing: bytes[starts[number]..<starts[number + 1]]),
          groups: groups, emit: add)
      }
    }
    try? writer.finish(add)
    block.rowCount = keys.count
    return block
  }

  /// The rows of each word, one word after the other, with the end of each.
  private func rowsByWord() -> (rows: [Int32], ends: [Int]) {
    var ends: [Int] = []
    ends.reserveCapacity(counts.count)
    var sum = 0
    for count in counts {
      ends.append(sum)
      sum += Int(count)
    }
    var rows = [Int32](repeating: 0, count: postings.count)
    for posting in postings {
      rows[ends[Int(posting.word)]] = posting.row
      ends[Int(posting.word)] += 1
    }
    return (rows, ends)
  }

  private func sortedWords(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    func word(_ number: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[starts[number]..<starts[number + 1]])
    }
    return hashes.indices.sorted { word($0).isBefore(word($1)) }
  }

  /// Appends rows, which are indexes in `keys`, as one group for each chunk.
  private func append(
    _ rows: some Collection<Int32>, firstChunk: Int, _ groups: inout RowGroupWriter
  ) {
    var chunk = -1
    var group: [UInt16] = []
    for row in rows {
      let address = RowAddress(keys[Int(row)])
      if address.chunk != chunk {
        if !group.isEmpty { groups.append(group[...], at: chunk - firstChunk) }
        group.removeAll(keepingCapacity: true)
        chunk = address.chunk
      }
      group.append(UInt16(truncatingIfNeeded: address.row))
    }
    if !group.isEmpty { groups.append(group[...], at: chunk - firstChunk) }
  }
}
