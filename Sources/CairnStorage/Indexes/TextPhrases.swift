import CairnValues

/// The phrases of a search in one run of a full-text index, which the positions of words decide.
struct TextPhrases {
  private let included: [Phrase]
  private let excluded: [Phrase]

  /// The number of groups of a word or prefix above which the texts of rows are tested instead: a
  /// prefix may have many words.
  private static let maxGroups = 1 << 18

  /// Finds the words of the phrases. Returns nil if the run has no positions or a prefix has too many
  /// words.
  ///
  /// - Parameter rows: The only rows that `refine` asks for.
  init?(_ search: TextSearch, of rows: TextRows, in run: TextRunReader) {
    guard run.hasPositions else { return nil }
    let phrases: ([TextSearch.Part]) -> [Phrase]? = { parts in
      let parts = parts.filter { $0.words.count > 1 }
      let phrases = parts.compactMap { Phrase($0, of: rows, in: run, maxGroups: Self.maxGroups) }
      return phrases.count == parts.count ? phrases : nil
    }
    guard let included = phrases(search.included), let excluded = phrases(search.excluded) else {
      return nil
    }
    self.included = included
    self.excluded = excluded
  }

  /// Keeps the rows of a chunk that have all included phrases and no excluded one. Any thread may
  /// call it while the snapshot lives.
  func refine(_ rows: ChunkBitmap, chunk: Int) {
    for phrase in included { phrase.keep(rows, chunk: chunk) }
    for phrase in excluded {
      let others = ChunkBitmap(copying: UnsafePointer(rows.words))
      phrase.keep(others, chunk: chunk)
      rows.remove(others.words)
    }
  }
}

/// The words of one phrase.
private struct Phrase {
  /// The groups of each word by rising chunk. The last word has several in a chunk if it is a prefix,
  /// and so has a word with several forms.
  private let words: [[RowGroup]]

  init?(_ part: TextSearch.Part, of rows: TextRows, in run: TextRunReader, maxGroups: Int) {
    var words: [[RowGroup]] = []
    for (index, word) in part.words.enumerated() {
      let isPrefix = part.isPrefix && index == part.words.count - 1
      var groups: [RowGroup] = []
      run.forEachGroup(of: word, isPrefix: isPrefix, withPositions: true) { group in
        guard groups.count <= maxGroups, rows.words(group.chunk) != nil else { return }
        groups.append(group)
      }
      guard groups.count <= maxGroups else { return nil }
      if isPrefix || part.hasOtherForms { groups.sort { $0.chunk < $1.chunk } }
      words.append(groups)
    }
    self.words = words
  }

  /// Keeps the rows of a chunk that have the phrase.
  ///
  /// It goes from word to word with the places where the phrase up to this word ends: the row in the
  /// upper half of a number, the position in the lower.
  func keep(_ rows: ChunkBitmap, chunk: Int) {
    var ends: [UInt64] = []
    for (index, groups) in words.enumerated() {
      let start = partitionPoint(groups.count) { groups[$0].chunk < chunk }
      var next: [UInt64] = []
      var end = start
      while end < groups.count, groups[end].chunk == chunk {
        index == 0
          ? groups[end].appendPositions(of: rows.words, to: &next)
          : groups[end].appendPositions(of: rows.words, behind: ends, to: &next)
        end += 1
      }
      if end - start > 1 { next.sort() }
      ends = next
      guard index + 1 < words.count, !ends.isEmpty else { break }
      rows.setRows(of: ends)
    }
    rows.setRows(of: ends)
  }
}

extension ChunkBitmap {
  /// Sets the bits of the rows in the upper halves of numbers, and clears all others.
  fileprivate func setRows(of ends: [UInt64]) {
    words.update(repeating: 0, count: ChunkShape.words)
    for end in ends {
      let row = Int(truncatingIfNeeded: end >> 32)
      assert(row < ChunkShape.rows, "a chunk has up to 4096 rows")
      words[row >> 6] |= 1 << UInt64(row & 63)
    }
  }
}

extension RowGroup {
  /// Appends the positions in the texts of some rows, with the row in the upper half.
  fileprivate func appendPositions(
    of rows: UnsafePointer<UInt64>, to positions: inout [UInt64]
  ) {
    forEachPosition(of: rows) { positions.append($0) }
  }

  /// Appends those positions that are behind one of others in the same text.
  ///
  /// - Parameter ends: The others, in rising order.
  fileprivate func appendPositions(
    of rows: UnsafePointer<UInt64>, behind ends: [UInt64], to positions: inout [UInt64]
  ) {
    ends.withUnsafeBufferPointer { ends in
      var index = 0
      forEachPosition(of: rows) { position in
        while index < ends.count, ends[index] &+ 1 < position { index += 1 }
        if index < ends.count, ends[index] &+ 1 == position { positions.append(position) }
      }
    }
  }

  @inline(__always)
  private func forEachPosition(of wanted: UnsafePointer<UInt64>, _ body: (UInt64) -> Void) {
    assert(count < Self.bitmapCount || bytes.count == Self.bitmapBytes, "a bitmap has 512 bytes")
    var reader = PositionReader(positions)
    // The rows whose positions are not skipped yet.
    var passed = 0
    func read(_ row: Int) {
      reader.skip(passed)
      passed = 0
      let high = UInt64(row) << 32
      reader.forEach { body(high | UInt64($0)) }
    }
    guard count >= Self.bitmapCount else {
      return forEachListed { row in
        if wanted.isSet(row) { read(row) } else { passed += 1 }
      }
    }
    for word in 0..<ChunkShape.words {
      let rows = bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      var bits = rows & wanted[word]
      var done = 0
      while bits != 0 {
        let row = bits.trailingZeroBitCount
        let before = (rows & (1 << UInt64(row) - 1)).nonzeroBitCount
        passed += before - done
        read(word << 6 | row)
        done = before + 1
        bits &= bits &- 1
      }
      passed += rows.nonzeroBitCount - done
    }
  }
}
