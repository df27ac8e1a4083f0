import CairnValues

/// The full-text index of one property: runs of words with their rows and positions.
///
/// A row belongs to the latest run that covers it. Unindexed rows belong to none: the caller tests
/// their texts.
package struct TextIndex {
  private let runs: [TextRunReader]
  private let pending: TextRows

  /// - Parameter pending: The rows that no run covers yet.
  init(_ runs: [TextRunReader], pending: TextRows) {
    self.runs = runs
    self.pending = pending
  }

  /// Finds the rows whose words match a search.
  package func search(_ search: TextSearch) -> TextMatches {
    self.search(search, maxRareRows: RareWords.maxRows)
  }

  /// - Parameter maxRareRows: The number of rows of a word up to which rows are listed; -1 for
  ///   bitmaps in any case.
  func search(_ search: TextSearch, maxRareRows: Int) -> TextMatches {
    if let rare = rareMatches(of: search, maxRows: maxRareRows) { return rare }
    var layers: [TextMatches.Layer] = []
    var found = TextRows(chunkCount: pending.bitmaps.count)
    for (index, run) in runs.enumerated() {
      var rows = rows(of: search, in: run)
      rows.subtract(pending)
      for later in runs[(index + 1)...] where !rows.isEmpty { rows.remove(coveredBy: later) }
      guard search.hasPhrases else {
        found.take(rows)
        continue
      }
      if !rows.isEmpty {
        layers.append(layer(rows, search, run))
      }
    }
    return TextMatches(found: found, layers: layers, pending: pending)
  }

  private func layer(
    _ rows: TextRows, _ search: TextSearch, _ run: TextRunReader
  ) -> TextMatches.Layer {
    TextMatches.Layer(rows: rows, phrases: TextPhrases(search, of: rows, in: run))
  }

  /// Finds the rows as a list of keys if each run has few with one of the words; otherwise nil.
  private func rareMatches(of search: TextSearch, maxRows: Int) -> TextMatches? {
    var layers: [TextMatches.Layer] = []
    var found: [Int] = []
    for (index, run) in runs.enumerated() {
      guard var keys = RareWords.rows(of: search, in: run, maxRows: maxRows) else { return nil }
      if !pending.isEmpty { keys.removeAll { pending.contains($0) } }
      for later in runs[(index + 1)...] where !keys.isEmpty {
        keys = later.groups(of: []).filter(keys, keeping: false)
      }
      guard !keys.isEmpty else { continue }
      guard search.hasPhrases else {
        found += keys
        continue
      }
      layers.append(
        layer(TextRows(keys, chunkCount: pending.bitmaps.count), search, run))
    }
    if runs.count > 1 { found.sort() }
    return TextMatches(keys: found, layers: layers, pending: pending)
  }

  /// The rows of a run that have the words of a search, with the words of a phrase in any order.
  private func rows(of search: TextSearch, in run: TextRunReader) -> TextRows {
    var rows: TextRows?
    for part in search.included {
      for (index, word) in part.words.enumerated() {
        let isPrefix = part.isPrefix && index == part.words.count - 1
        let next = self.rows(of: word, isPrefix: isPrefix, in: run)
        if rows?.formIntersection(next) == nil { rows = next }
        if rows?.isEmpty == true { return TextRows(chunkCount: pending.bitmaps.count) }
      }
    }
    var result = rows ?? self.rows(of: [], in: run)
    for part in search.excluded where part.words.count == 1 {
      result.subtract(self.rows(of: part.words[0], isPrefix: part.isPrefix, in: run))
    }
    return result
  }

  private func rows(of word: [UInt8], isPrefix: Bool = false, in run: TextRunReader) -> TextRows {
    var rows = TextRows(chunkCount: pending.bitmaps.count)
    run.forEachGroup(of: word, isPrefix: isPrefix) { rows.insert($0) }
    return rows
  }
}

/// The rows that a full-text search found in an index.
///
/// Some may not be live. Any thread may read them while the snapshot lives.
package final class TextMatches: @unchecked Sendable {
  // Sendable: nothing changes after `prepare`, which runs on the snapshot's own thread.

  /// The rows of a run that have the words of a search with phrases.
  struct Layer {
    let rows: TextRows
    /// The phrases of the search; nil if only the texts can tell.
    let phrases: TextPhrases?
  }

  /// The rows that match, as bitmaps. `prepare` makes them from the keys, if need be.
  private lazy var found = TextRows(foundKeys, chunkCount: pending.bitmaps.count)
  /// The keys of few rows that match.
  private let foundKeys: [Int]
  private let layers: [Layer]
  private let pending: TextRows
  /// The number of rows that match or that must be tested.
  package let count: Int

  init(found: TextRows, layers: [Layer], pending: TextRows) {
    self.layers = layers
    self.pending = pending
    foundKeys = []
    count = layers.reduce(found.count + pending.count) { $0 + $1.rows.count }
    self.found = found
  }

  /// - Parameter keys: The keys of the rows that match, in rising order.
  init(keys: [Int], layers: [Layer], pending: TextRows) {
    self.layers = layers
    self.pending = pending
    foundKeys = keys
    count = layers.reduce(keys.count + pending.count) { $0 + $1.rows.count }
  }

  /// Makes the bitmaps, on the snapshot's own thread.
  package func prepare() { _ = found }

  /// Whether all rows match as they are.
  package var isExact: Bool { layers.isEmpty && pending.isEmpty }

  /// Whether the texts of some rows must be tested.
  package var needsTexts: Bool { !pending.isEmpty || layers.contains { $0.phrases == nil } }

  /// Returns whether a chunk has rows that match or that must be tested.
  package func hasRows(_ chunk: Int) -> Bool {
    found.words(chunk) != nil || pending.words(chunk) != nil
      || layers.contains { $0.rows.words(chunk) != nil }
  }

  /// Keeps the rows of a chunk that match.
  ///
  /// - Parameters:
  ///   - rows: The rows in question, as a bitmap.
  ///   - range: The words of the bitmap that may have rows.
  ///   - untested: Receives the rows among them whose texts must be tested, in the words of `range`.
  /// - Returns: Whether there are rows whose texts must be tested.
  package func refine(
    _ rows: UnsafeMutablePointer<UInt64>, range: Range<Int>, chunk: Int,
    untested: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    assert(
      range.lowerBound >= 0 && range.upperBound <= ChunkShape.words, "a bitmap has 64 words")
    if layers.isEmpty, pending.isEmpty {
      guard let found = found.words(chunk) else {
        for word in range { rows[word] = 0 }
        return false
      }
      for word in range { rows[word] &= found[word] }
      return false
    }
    var hasUntested = false
    for word in range { untested[word] = 0 }
    let mustTest = { (others: UnsafeMutablePointer<UInt64>) in
      hasUntested = true
      for word in range { untested[word] |= rows[word] & others[word] }
    }
    if let pending = pending.words(chunk) { mustTest(pending) }
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ChunkShape.words) { matching in
      matching.initialize(repeating: 0)
      if let found = found.words(chunk) {
        for word in range { matching[word] = rows[word] & found[word] }
      }
      for layer in layers {
        guard let candidates = layer.rows.words(chunk) else { continue }
        guard let phrases = layer.phrases else {
          mustTest(candidates)
          continue
        }
        let own = ChunkBitmap(copying: nil)
        for word in range { own.words[word] = rows[word] & candidates[word] }
        phrases.refine(own, chunk: chunk)
        for word in range { matching[word] |= own.words[word] }
      }
      for word in range { rows[word] = matching[word] }
    }
    return hasUntested
  }

  /// The keys of the rows that match or that must be tested, in rising order.
  package var keys: [Int] {
    if isExact { return foundKeys.isEmpty ? found.keys : foundKeys }
    var all = TextRows(chunkCount: pending.bitmaps.count)
    all.formUnion(found)
    all.formUnion(pending)
    for layer in layers { all.formUnion(layer.rows) }
    return all.keys
  }
}
