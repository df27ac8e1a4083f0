import CairnValues

/// The full-text index of one property: runs of words with their rows.
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
    var found = TextRows(chunkCount: pending.bitmaps.count)
    // A copy: `pending` shares its bitmaps.
    var covered = TextRows(chunkCount: pending.bitmaps.count)
    covered.formUnion(pending)
    for (index, run) in runs.enumerated().reversed() {
      var rows = rows(of: search, in: run)
      rows.subtract(covered)
      found.formUnion(rows)
      if index > 0 { run.forEachGroup(of: []) { covered.insert($0) } }
    }
    return TextMatches(found: found, pending: pending)
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
  // Sendable: the bitmaps do not change.
  private let found: TextRows
  private let pending: TextRows
  /// The number of rows that match or that must be tested.
  package let count: Int

  init(found: TextRows, pending: TextRows) {
    self.found = found
    self.pending = pending
    count = found.count + pending.count
  }

  /// Returns the bitmap of the rows of a chunk whose words match; nil without any.
  package func found(_ chunk: Int) -> UnsafePointer<UInt64>? { Self.words(found, chunk) }

  /// Returns the bitmap of the rows of a chunk whose texts must be tested; nil without any.
  package func pending(_ chunk: Int) -> UnsafePointer<UInt64>? { Self.words(pending, chunk) }

  private static func words(_ rows: TextRows, _ chunk: Int) -> UnsafePointer<UInt64>? {
    guard rows.bitmaps.indices.contains(chunk) else { return nil }
    return rows.bitmaps[chunk].map { UnsafePointer($0.words) }
  }

  /// The keys of the rows that match or that must be tested, in rising order.
  package var keys: [Int] {
    var all = TextRows(chunkCount: found.bitmaps.count)
    all.formUnion(found)
    all.formUnion(pending)
    return all.keys
  }
}
