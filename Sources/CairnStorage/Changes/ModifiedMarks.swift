/// Marks rows of one chunk, apart for each column in which they were set.
final class ModifiedMarks {
  /// In no order.
  private(set) var columns: [(column: UInt16, rows: BitmapWords)] = []

  /// The marks of a column, to add to.
  func rows(of column: UInt16) -> BitmapWords {
    if let known = columns.first(where: { $0.column == column }) { return known.rows }
    let made = BitmapWords(copying: nil)
    columns.append((column, made))
    return made
  }
}

/// Puts rows together of which the same columns were set; chunks come in rising order.
struct ModifiedGroups {
  private var groups: [[UInt16]: KeyRuns] = [:]

  /// The groups, in a lasting order.
  var modified: [ModifiedRows] {
    groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { ModifiedRows(columns: $0.key, keys: $0.value) }
  }

  /// Adds the marked rows of a chunk, as far as they live.
  ///
  /// - Parameter live: nil: all of them do.
  mutating func add(_ chunk: Int, _ marks: ModifiedMarks, live: UnsafePointer<UInt64>?) {
    var parts: [(columns: [UInt16], rows: BitmapWords)] = []
    for (column, marked) in marks.columns.sorted(by: { $0.column < $1.column }) {
      let rest = BitmapWords(copying: UnsafePointer(marked.words))
      if let live { rest.keep(live) }
      for (columns, rows) in parts {
        let both = BitmapWords(copying: UnsafePointer(rows.words))
        both.keep(rest.words)
        rows.remove(both.words)
        rest.remove(both.words)
        if !both.isEmpty { parts.append((columns + [column], both)) }
      }
      parts.append(([column], rest))
      parts.removeAll(where: \.rows.isEmpty)
    }
    for (columns, rows) in parts {
      groups[columns, default: KeyRuns()].append(UnsafePointer(rows.words), ofChunk: chunk)
    }
  }
}

extension BitmapWords {
  var isEmpty: Bool { (0..<ChunkShape.words).allSatisfy { words[$0] == 0 } }

  /// Keeps the marks that are among the others.
  func keep(_ others: UnsafePointer<UInt64>) {
    for word in 0..<ChunkShape.words { words[word] &= others[word] }
  }

  /// Takes away the marks that are among the others.
  func remove(_ others: UnsafePointer<UInt64>) {
    for word in 0..<ChunkShape.words { words[word] &= ~others[word] }
  }
}
