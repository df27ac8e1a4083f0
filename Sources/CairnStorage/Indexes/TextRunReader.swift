/// A run of a text index as words in order, from the store or from memory.
struct TextRunReader {
  let firstChunk: Int
  let segmentCount: Int
  private let segment: (Int) -> UnsafeRawBufferPointer?

  /// Reads a stored run.
  init(_ run: TextRun, table: UInt32, source: any KeyValues) {
    firstChunk = RowAddress(run.firstRow).chunk
    segmentCount = run.segmentCount
    segment = { number in
      source.get(
        .runWords(table, column: run.column, run: run.id, segment: run.firstSegment + number))
    }
  }

  /// Reads a run in memory.
  init(_ run: TextBlock, firstChunk: Int) {
    self.firstChunk = firstChunk
    segmentCount = run.segments.count
    segment = { run.segments[$0].bytes }
  }

  /// Returns a segment; nil if it is missing or damaged.
  func segment(at number: Int) -> TextSegment? {
    number < segmentCount ? TextSegment(segment(number)) : nil
  }

  /// Visits the groups of a word, or of all words that begin with it.
  func forEachGroup(
    of word: [UInt8], isPrefix: Bool = false, _ body: (RowGroup) -> Void
  ) {
    word.withUnsafeBytes { word in
      // The word may begin in the last segment whose first word comes before it.
      let later = partitionPoint(segmentCount) { segment(at: $0)?.word(0).isBefore(word) ?? false }
      var number = max(0, later - 1)
      while let segment = segment(at: number) {
        for index in segment.firstIndex(notBefore: word)..<segment.count {
          let found = segment.word(index)
          guard found.count >= word.count, isPrefix || found.count == word.count,
            UnsafeRawBufferPointer(rebasing: found[..<word.count]).order(to: word) == 0
          else { return }
          for group in RowGroupReader(segment.groups(index), firstChunk: firstChunk) {
            body(group)
          }
        }
        number += 1
      }
    }
  }
}

/// A position among the words of a run.
struct TextCursor {
  let reader: TextRunReader
  private var segment: TextSegment?
  private var number = 0
  private var index = 0

  init(_ reader: TextRunReader) {
    self.reader = reader
    segment = reader.segment(at: 0)
  }

  /// The word; nil at the end.
  var word: UnsafeRawBufferPointer? { segment?.word(index) }

  /// The groups of the word, or the first part of them.
  var groups: RowGroupReader {
    RowGroupReader(
      segment?.groups(index) ?? UnsafeRawBufferPointer(start: nil, count: 0),
      firstChunk: reader.firstChunk)
  }

  /// Moves to the next word, or to the next part of its groups.
  mutating func advance() {
    guard let segment else { return }
    index += 1
    guard index == segment.count else { return }
    index = 0
    number += 1
    self.segment = reader.segment(at: number)
  }
}

/// Rows of a class, as a bitmap for each chunk that has some of them.
struct TextRows {
  private(set) var bitmaps: [ChunkBitmap?]

  /// Makes an empty set of rows below a number of chunks.
  init(chunkCount: Int) { bitmaps = Array(repeating: nil, count: chunkCount) }

  /// Returns the bitmap of a chunk, which the caller changes.
  mutating func bitmap(ofChunk chunk: Int) -> ChunkBitmap {
    if let known = bitmaps[chunk] { return known }
    let made = ChunkBitmap(copying: nil)
    bitmaps[chunk] = made
    return made
  }

  /// Adds a row.
  mutating func insert(_ key: Int) {
    let chunk = RowAddress(key).chunk
    if bitmaps.indices.contains(chunk) { bitmap(ofChunk: chunk).mark(RowAddress(key).row) }
  }

  /// Adds the rows of a group. Rows beyond the last chunk do not exist, in a damaged store.
  mutating func insert(_ group: RowGroup) {
    guard bitmaps.indices.contains(group.chunk) else { return }
    group.add(to: bitmap(ofChunk: group.chunk).words)
  }

  /// Adds the rows of another set.
  mutating func formUnion(_ other: TextRows) {
    for case (let chunk, let rows?) in other.bitmaps.enumerated() {
      bitmap(ofChunk: chunk).add(rows.words)
    }
  }

  /// Keeps the rows of another set.
  mutating func formIntersection(_ other: TextRows) {
    for case (let chunk, let rows?) in bitmaps.enumerated() {
      if let others = other.bitmaps[chunk] {
        rows.keep(others.words)
        if rows.isEmpty { bitmaps[chunk] = nil }
      } else {
        bitmaps[chunk] = nil
      }
    }
  }

  /// Removes the rows of another set.
  mutating func subtract(_ other: TextRows) {
    for case (let chunk, let rows?) in bitmaps.enumerated() {
      guard let others = other.bitmaps[chunk] else { continue }
      rows.remove(others.words)
      if rows.isEmpty { bitmaps[chunk] = nil }
    }
  }

  /// Whether the set has no rows.
  var isEmpty: Bool { bitmaps.allSatisfy { $0 == nil } }

  /// The number of rows.
  var count: Int { bitmaps.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// The keys in rising order.
  var keys: [Int] {
    var keys: [Int] = []
    for case (let chunk, let rows?) in bitmaps.enumerated() {
      rows.forEach { keys.append(RowAddress.firstKey(ofChunk: chunk) + $0) }
    }
    return keys
  }
}
