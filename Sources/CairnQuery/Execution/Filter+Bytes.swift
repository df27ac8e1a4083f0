import CairnStorage

/// A condition on the bytes of a string, data, object id or UUID column.
final class BytesFilter: Filter, @unchecked Sendable {
  let column: Column
  let test: BytesTest
  /// Values that fail the test match instead.
  let inverted: Bool
  let nullsMatch: Bool
  private let words: () -> String

  init(
    _ column: Column, _ test: BytesTest, inverted: Bool, nullsMatch: Bool,
    words: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.test = test
    self.inverted = inverted
    self.nullsMatch = nullsMatch
    self.words = words
  }

  override var cost: Double { test.cost }
  override var description: String { words() }
  override var indexRequest: IndexRequest? { bytesRequest }

  override func verdict(_ chunk: Int) -> Verdict {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    let low = UInt64(bitPattern: zone.minimum)
    let high = UInt64(bitPattern: zone.maximum)
    guard low <= high else { return .some }
    let values = test.verdict(prefixes: low...high)
    let verdict = inverted ? values.negated : values
    return zone.nullCount == 0 || (verdict == .all) == nullsMatch ? verdict : .some
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let nulls = NullRule(words: chunk.nulls, match: nullsMatch)
    let entries = chunk.dictionaryCount
    guard case .dictionary = chunk.encoding, entries <= 16 || entries < selection.count else {
      if narrow(&selection, heap: chunk, nulls, workspace) { return }
      return narrow(&selection, rows: chunk, nulls)
    }
    narrow(&selection, dictionary: chunk, nulls, workspace)
  }

  /// Looks for a part in all rows at once; false where asking row by row is as quick.
  private func narrow(
    _ selection: inout Selection, heap chunk: Chunk, _ nulls: NullRule, _ workspace: Workspace
  ) -> Bool {
    guard case .contains(let part) = test, HeapSearch.canSearch(chunk),
      selection.count >= chunk.count / 4
    else { return false }
    return part.withUnsafeBytes { part in
      guard let search = HeapSearch(part) else { return false }
      let bits = workspace.borrowBitmap()
      defer { workspace.returnBitmap() }
      bits.update(repeating: 0, count: ChunkShape.words)
      search.mark(chunk, bits)
      let inverted = inverted
      selection.keep(nulls) { word, _ in inverted ? ~bits[word] : bits[word] }
      return true
    }
  }

  /// Asks row by row: the commonest tests each in a loop of their own.
  private func narrow(_ selection: inout Selection, rows chunk: Chunk, _ nulls: NullRule) {
    let inverted = inverted
    switch test {
    case .compare(.equal, let wanted):
      wanted.withUnsafeBytes { wanted in
        selection.keep(nulls, chunk) { bytesEqual($0, wanted) != inverted }
      }
    case .compare(let relation, let other):
      other.withUnsafeBytes { other in
        selection.keep(nulls, chunk) { relation.holds($0, other) != inverted }
      }
    case .hasPrefix(let part):
      part.withUnsafeBytes { part in
        let first = PrefixWord(part)
        selection.keep(nulls, chunk) { first.begins($0, part) != inverted }
      }
    default: selection.keep(nulls, chunk) { test.passes($0) != inverted }
    }
  }

  /// Asks the dictionary once an entry, then the codes.
  private func narrow(
    _ selection: inout Selection, dictionary chunk: Chunk, _ nulls: NullRule,
    _ workspace: Workspace
  ) {
    if case .compare(.equal, let wanted) = test {
      let code = chunk.code(of: wanted)
      let range = CodeRange(low: UInt64(code ?? 0), span: 0)
      if code != nil {
        return range.narrow(&selection, chunk, inverted: inverted, nulls, workspace)
      }
      let all: UInt64 = inverted ? ~0 : 0
      return selection.keep(nulls) { _, _ in all }
    }
    let marks = workspace.marks
    for entry in 0..<chunk.dictionaryCount {
      marks[entry] = test.passes(chunk.entryBytes(entry)) != inverted ? 1 : 0
    }
    // A null row's code may lie outside an empty dictionary.
    if chunk.dictionaryCount == 0 { marks[0] = 0 }
    selection.keep(chunk, markedIn: marks, nulls, workspace)
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

extension Chunk {
  /// The code of a dictionary entry; nil when there is no such entry.
  func code(of bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { wanted in
      for entry in 0..<dictionaryCount where bytesEqual(entryBytes(entry), wanted) { return entry }
      return nil
    }
  }
}

extension Selection {
  /// Keeps the rows whose bytes pass.
  @inline(__always)
  fileprivate mutating func keep(
    _ nulls: NullRule, _ chunk: Chunk, _ passes: (UnsafeRawBufferPointer) -> Bool
  ) {
    keep(nulls) { word, selected in
      selected.keepingEach { passes(chunk.rowBytes(word << 6 | $0)) }
    }
  }
}
