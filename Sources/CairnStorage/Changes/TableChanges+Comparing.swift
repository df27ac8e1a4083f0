import CairnValues

extension TableChanges {
  /// What the difference between two states of a class comes to; nil: the state does not have it.
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
    var groups = ModifiedGroups()
    for chunk in 0..<min(old.chunkCount, new.chunkCount) {
      let marks = ModifiedMarks()
      let live = old.rowsAlive(inBoth: new, chunk)
      for (mine, other) in common { mine.markDifferences(from: other, chunk, live, marks) }
      groups.add(chunk, marks, live: UnsafePointer(live.words))
    }
    modified = groups.modified
  }
}

extension Table {
  /// Each column of the newer state with itself in this one; nil: it was not there, or of another type.
  fileprivate func common(with new: Table) -> [(Column, Column?)] {
    new.schema.columns.map { column in
      let same = schema.columns.first {
        $0.id == column.id && $0.storedType == column.storedType
          && $0.collection == column.collection && $0.type == column.type
      }
      return (new.column(column.position), same.map { self.column($0.position) })
    }
  }

  /// The rows of a chunk that live in both states.
  fileprivate func rowsAlive(inBoth new: Table, _ chunk: Int) -> BitmapWords {
    let rows = BitmapWords(copying: liveness(ofChunk: chunk))
    if liveness(ofChunk: chunk) == nil {
      for word in 0..<ChunkShape.words { rows.words[word] = ~0 }
    }
    if let others = new.liveness(ofChunk: chunk) { rows.keep(others) }
    rows.keep(rows: 0, min(rowCount(ofChunk: chunk), new.rowCount(ofChunk: chunk)))
    return rows
  }
}

extension Column {
  /// Marks the rows of a chunk among the given ones that differ from those of an older state.
  fileprivate func markDifferences(
    from old: Column?, _ index: Int, _ rows: BitmapWords, _ marks: ModifiedMarks
  ) {
    guard let old else {
      let all = marks.rows(of: schema.id)
      for word in 0..<ChunkShape.words { all.words[word] = rows.words[word] }
      return
    }
    let now = chunk(index)
    let before = old.chunk(index)
    // A page that both states have is never written again.
    if now.base == before.base || stored(index) == nil && old.stored(index) == nil { return }
    let marked = marks.rows(of: schema.id)
    for word in 0..<ChunkShape.words { marked.words[word] = rows.words[word] }
    marked.unmark { now.isSame(as: before, at: $0, schema.layout) }
  }
}

extension BitmapWords {
  /// Takes the marks from rows that the test holds for.
  func unmark(where test: (Int) -> Bool) {
    for word in 0..<ChunkShape.words {
      var bits = words[word]
      while bits != 0 {
        let row = word << 6 | bits.trailingZeroBitCount
        bits &= bits &- 1
        if test(row) { clear(row) }
      }
    }
  }
}

extension Chunk {
  /// Whether a row holds the same, to the bit, as in another chunk of that layout.
  func isSame(as other: Chunk, at row: Int, _ layout: ChunkLayout) -> Bool {
    guard isNull(row) == other.isNull(row) else { return false }
    if isNull(row) { return true }
    switch layout {
    case .integers: return int(at: row) == other.int(at: row)
    case .doubles: return double(at: row).bitPattern == other.double(at: row).bitPattern
    case .floats: return float(at: row).bitPattern == other.float(at: row).bitPattern
    case .bytes, .fixed: return Ordering.between(bytes(at: row), other.bytes(at: row)) == .equal
    case .points: return position(at: row).isStored(as: other.position(at: row))
    }
  }
}
