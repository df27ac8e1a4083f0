import CairnValues

/// Compares the full-text index of a column with its texts: each live row has the words of its text
/// at their positions, and no others.
///
/// The words of a row are compared as the sum of their hashes, so the check takes eight bytes for
/// each row.
struct TextIndexCheck {
  private let check: TableCheck
  private let column: ColumnSchema
  private var table: Table { check.table }

  init(_ check: TableCheck, column: ColumnSchema) {
    self.check = check
    self.column = column
  }

  func run() {
    var sums = [UInt64](repeating: 0, count: table.endKey)
    var later = TextRows(chunkCount: table.chunkCount)
    // The rows of runs with positions.
    var positioned = TextRows(chunkCount: table.chunkCount)
    for run in table.state.textRuns.reversed() where run.column == column.id {
      var covered = TextRows(chunkCount: table.chunkCount)
      if let fault = fault(to: run, covered: &covered, later: later, sums: &sums) {
        return note(fault)
      }
      if run.hasPositions {
        var own = TextRows(chunkCount: table.chunkCount)
        own.formUnion(covered)
        own.subtract(later)
        positioned.formUnion(own)
      }
      later.formUnion(covered)
    }
    let unindexed = Set(table.state.unindexedKeys(TableState.UnindexedRow.anyValue))
      .union(table.unindexedRows)
    for key in 0..<table.endKey where table.isLive(key) && !unindexed.contains(key) {
      let address = RowAddress(key)
      // A null may lack a run: a property or a load that adds nulls only writes none.
      let isCovered = later.bitmaps[address.chunk]?.words.isSet(address.row) == true
      guard isCovered || table.column(column.position).chunk(address.chunk).isNull(address.row)
      else { return note("object \(key) cannot be found by its words") }
      let hasPositions = positioned.bitmaps[address.chunk]?.words.isSet(address.row) == true
      guard sums[key] == expected(key, withPositions: hasPositions) else {
        return note("object \(key) has other words than its text")
      }
    }
  }

  /// The sum of the hashes of a row's words and positions.
  private func expected(_ key: Int, withPositions: Bool) -> UInt64 {
    let chunk = table.column(column.position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    guard !chunk.isNull(row) else { return 0 }
    var hashes: Set<UInt64> = []
    var sum: UInt64 = 0
    var position: UInt32 = 0
    Words.forEach(in: chunk.bytes(at: row)) {
      let hash = Checksum.xxh64($0)
      if hashes.insert(hash).inserted { sum &+= hash }
      if withPositions { sum &+= Self.hash(hash, at: position) }
      position += 1
      return true
    }
    return sum
  }

  /// The hash of an occurrence of a word.
  private static func hash(_ word: UInt64, at position: UInt32) -> UInt64 {
    let mixed = (word ^ UInt64(position)) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 29
  }

  /// Adds the words of a run to the sums of the rows that no later run covers. Returns the fault that
  /// keeps the run from being read, or nil if the run is sound.
  private func fault(
    to run: TextRun, covered: inout TextRows, later: TextRows, sums: inout [UInt64]
  ) -> String? {
    guard run.firstRow >= 0, run.firstRow <= table.endKey,
      run.firstRow == RowAddress.firstKey(ofChunk: RowAddress(run.firstRow).chunk)
    else { return "a run is invalid" }
    let reader = TextRunReader(run, table: table.id, source: table.transaction)
    var last: UnsafeRawBufferPointer?
    var lastChunk = -1
    for number in 0..<run.segmentCount {
      guard let segment = reader.segment(at: number, withPositions: true), segment.isSound else {
        return "a part of a run is missing or damaged"
      }
      guard !run.hasPositions || segment.hasSoundPositions else {
        return "the positions of words are missing or damaged"
      }
      for index in 0..<segment.count {
        let word = segment.word(index)
        let order = last.map { $0.order(to: word) } ?? -1
        guard order <= 0 else { return "the words of a run are out of order" }
        if order < 0 { lastChunk = -1 }
        last = word
        let hash = Checksum.xxh64(word)
        var groups = segment.groups(index, firstChunk: reader.firstChunk)
        while let group = groups.next() {
          guard group.chunk > lastChunk, group.chunk < table.chunkCount,
            let rows = rows(of: group)
          else { return "the rows of a word are invalid" }
          lastChunk = group.chunk
          if word.isEmpty { covered.insert(group) }
          guard !word.isEmpty else {
            guard group.positions.isEmpty else { return "the rows of a run have positions" }
            continue
          }
          let hidden = later.bitmaps[group.chunk]
          if run.hasPositions {
            guard add(positionsOf: group, hash: hash, hidden: hidden, to: &sums) else {
              return "the positions of a word are damaged"
            }
          }
          if let hidden { rows.remove(hidden.words) }
          rows.forEach { sums[RowAddress.firstKey(ofChunk: group.chunk) + $0] &+= hash }
        }
        if groups.isDamaged { return "the rows of a word are damaged" }
        if !groups.isAtEnd { return "the positions of a word belong to no row" }
      }
    }
    return covered.count == run.rowCount ? nil : "a run covers other rows than it should"
  }

  /// Adds the hashes of the occurrences of a word. Returns false if they are not written as the
  /// writer does.
  private func add(
    positionsOf group: RowGroup, hash: UInt64, hidden: ChunkBitmap?, to sums: inout [UInt64]
  ) -> Bool {
    var positions = PositionReader(group.positions)
    var isSound = true
    let first = RowAddress.firstKey(ofChunk: group.chunk)
    var written: [UInt8] = []
    group.forEachRow { row in
      var found: [UInt32] = []
      if !positions.forEach({ found.append($0) }) { isSound = false }
      var last: UInt32 = 0
      for (index, position) in found.enumerated() {
        isSound = isSound && (index == 0 || position > last)
        written.append(position: position &- last, isLast: index == found.count - 1)
        last = position
        if hidden?.words.isSet(row) != true { sums[first + row] &+= Self.hash(hash, at: position) }
      }
    }
    return isSound && positions.isAtEnd && written.elementsEqual(group.positions)
  }

  /// The rows of a group; nil if they do not exist, or are not written as the writer does.
  private func rows(of group: RowGroup) -> ChunkBitmap? {
    let rows = ChunkBitmap(copying: nil)
    group.add(to: rows.words)
    let count = rows.count
    rows.keep(rows: 0, table.rowCount(ofChunk: group.chunk))
    var written = RowGroupWriter()
    written.append(rows, at: 0)
    let isCanonical = written.bytes.suffix(group.bytes.count).elementsEqual(group.bytes)
    return count == group.count && rows.count == count && isCanonical ? rows : nil
  }

  private func note(_ message: String) {
    check.note(
      .index, column: column, chunk: nil, message: "its full-text index is damaged: \(message)")
  }
}
