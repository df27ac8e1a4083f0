import CairnValues

/// The changes to the rows of one class between two states.
package struct TableChanges: Hashable, Sendable {
  /// Rows that are live in the newer state but not in the older one.
  package internal(set) var inserted = KeyRangeSet()
  /// Rows that were live in the older state but not in the newer one.
  package internal(set) var deleted = KeyRangeSet()
  /// Rows that are live in both states and were changed, grouped by the changed columns.
  ///
  /// A row may be in several groups; its changed columns are those of all of them.
  package internal(set) var modified: [ModifiedRows] = []

  /// Makes an empty set of changes.
  package init() {}

  /// Whether no row was changed.
  package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }

  /// Returns the rows that are live in both states and were changed in a column for which the test
  /// is true, by column number.
  package func modified(where test: (UInt16) -> Bool) -> KeyRangeSet {
    let runs = modified.filter { $0.columns.contains(where: test) }.map(\.keys)
    return runs.count == 1 ? runs[0] : KeyRangeSet(runs.flatMap(\.runs))
  }
}

/// Rows in which the same columns were changed.
package struct ModifiedRows: Hashable, Sendable {
  /// The numbers of the columns in rising order, including the store's own columns.
  package let columns: [UInt16]
  /// The keys of the rows.
  package let keys: KeyRangeSet
}

extension TableChanges {
  /// Merges the changes of several commits to a class. Their order does not matter, because keys
  /// are never reused.
  init(merging steps: [TableChanges]) {
    guard steps.count != 1 else {
      self = steps[0]
      return
    }
    let born = KeyRangeSet(steps.flatMap(\.inserted.runs))
    let died = KeyRangeSet(steps.flatMap(\.deleted.runs))
    inserted = born.subtracting(died)
    deleted = died.subtracting(born)
    var groups: [[UInt16]: [Range<Int>]] = [:]
    for group in steps.lazy.flatMap(\.modified) {
      groups[group.columns, default: []] += group.keys.runs
    }
    for (columns, runs) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let keys = KeyRangeSet(runs).subtracting(born).subtracting(died)
      if !keys.isEmpty { modified.append(ModifiedRows(columns: columns, keys: keys)) }
    }
  }
}

extension TableChanges {
  /// Compares two states of a class; nil for a state without the class.
  init(from old: Table?, to new: Table?) {
    guard let old, let new, old.schema.id == new.schema.id else {
      if let old { deleted = old.liveKeys(0..<old.endKey) }
      if let new { inserted = new.liveKeys(0..<new.endKey) }
      return
    }
    let before = old.liveKeys(0..<old.endKey)
    let after = new.liveKeys(0..<new.endKey)
    inserted = after.subtracting(before)
    deleted = before.subtracting(after)
    let common = old.common(with: new)
    var groups = DirtyRowGroups()
    for chunk in 0..<min(old.chunkCount, new.chunkCount) {
      let marks = DirtyRowBitmaps()
      let live = old.rowsAlive(inBoth: new, chunk)
      for (mine, other) in common {
        mine.markDifferences(from: other, chunk, rows: live, marks: marks)
      }
      groups.add(chunk, marks: marks, live: UnsafePointer(live.words))
    }
    modified = groups.modified
  }
}

extension Table {
  /// Pairs each column of the newer state with the same column here; nil if it is new or had
  /// another type.
  fileprivate func common(with new: Table) -> [(Column, Column?)] {
    new.schema.columns.map { column in
      let same = schema.columns.first {
        $0.id == column.id && $0.storedType == column.storedType
          && $0.collection == column.collection && $0.type == column.type
      }
      return (new.column(column.position), same.map { self.column($0.position) })
    }
  }

  /// Returns the rows of a chunk that are live in both states.
  fileprivate func rowsAlive(inBoth new: Table, _ chunk: Int) -> ChunkBitmap {
    let rows = ChunkBitmap(copying: liveRowBitmap(ofChunk: chunk))
    if liveRowBitmap(ofChunk: chunk) == nil {
      for word in 0..<ChunkShape.words { rows.words[word] = ~0 }
    }
    if let others = new.liveRowBitmap(ofChunk: chunk) { rows.keep(others) }
    rows.keep(rows: 0, min(rowCount(ofChunk: chunk), new.rowCount(ofChunk: chunk)))
    return rows
  }
}

extension Column {
  /// Marks those of the given rows of a chunk that differ from an older state.
  fileprivate func markDifferences(
    from old: Column?, _ index: Int, rows: ChunkBitmap, marks: DirtyRowBitmaps
  ) {
    guard let old else {
      let all = marks.rows(of: schema.id)
      for word in 0..<ChunkShape.words { all.words[word] = rows.words[word] }
      return
    }
    let now = unresolved(index)
    let before = old.unresolved(index)
    // A page of both states has never been rewritten.
    if now.base == before.base || stored(index) == nil && old.stored(index) == nil { return }
    let marked = marks.rows(of: schema.id)
    for word in 0..<ChunkShape.words { marked.words[word] = rows.words[word] }
    marked.unmark { now.isSame(as: before, at: $0, schema.layout) }
  }
}

extension Chunk {
  /// Returns whether a row is equal to the bit in both chunks, which have that layout.
  func isSame(as other: Chunk, at row: Int, _ layout: ChunkLayout) -> Bool {
    guard isNull(row) == other.isNull(row) else { return false }
    if isNull(row) { return true }
    switch layout {
    case .integers: return int(at: row) == other.int(at: row)
    case .doubles: return double(at: row).bitPattern == other.double(at: row).bitPattern
    case .floats: return float(at: row).bitPattern == other.float(at: row).bitPattern
    case .fixed: return Ordering.between(bytes(at: row), and: other.bytes(at: row)) == .equal
    case .bytes:
      let (a, b) = (bytes(at: row), other.bytes(at: row))
      if Ordering.between(a, and: b) == .equal { return true }
      // One of them may have been written before values were stored outside of chunks.
      return LargeReference(a)?.matches(b) == true || LargeReference(b)?.matches(a) == true
    case .points: return position(at: row).isBitIdentical(to: other.position(at: row))
    }
  }
}

/// Groups rows by the set of changed columns. Chunks are added in rising order.
struct DirtyRowGroups {
  private var groups: [[UInt16]: KeyRangeSet] = [:]

  /// The groups in a stable order.
  var modified: [ModifiedRows] {
    groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { ModifiedRows(columns: $0.key, keys: $0.value) }
  }

  /// Adds the changed live rows of a chunk.
  ///
  /// - Parameter live: The live-row bitmap; nil if all rows are live.
  mutating func add(_ chunk: Int, marks: DirtyRowBitmaps, live: UnsafePointer<UInt64>?) {
    var parts: [(columns: [UInt16], rows: ChunkBitmap)] = []
    for (column, marked) in marks.columns.sorted(by: { $0.column < $1.column }) {
      let rest = ChunkBitmap(copying: UnsafePointer(marked.words))
      if let live { rest.keep(live) }
      for (columns, rows) in parts {
        let both = ChunkBitmap(copying: UnsafePointer(rows.words))
        both.keep(rest.words)
        rows.remove(both.words)
        rest.remove(both.words)
        if !both.isEmpty { parts.append((columns + [column], both)) }
      }
      parts.append(([column], rest))
      parts.removeAll(where: \.rows.isEmpty)
    }
    for (columns, rows) in parts {
      groups[columns, default: KeyRangeSet()].append(UnsafePointer(rows.words), ofChunk: chunk)
    }
  }
}
