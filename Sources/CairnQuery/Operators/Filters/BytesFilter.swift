import CairnStorage

/// A condition on the bytes of a string, data, object id or UUID column.
final class BytesFilter: Filter {
  let column: Column
  let test: BytesTest
  /// Whether the values that fail the test match instead.
  let inverted: Bool
  let nullsMatch: Bool
  private let makeDescription: () -> String

  init(
    _ column: Column, test: BytesTest, inverted: Bool, nullsMatch: Bool,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.test = test
    self.inverted = inverted
    self.nullsMatch = nullsMatch
    makeDescription = description
  }

  override var cost: Double { test.cost }
  override var description: String { makeDescription() }
  override var indexRequest: IndexRequest? { bytesRequest }
  override var elementTest: ElementTest? {
    .bytes(test, inverted: inverted, nullsMatch: nullsMatch)
  }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    let low = UInt64(bitPattern: zone.minimum)
    let high = UInt64(bitPattern: zone.maximum)
    guard low <= high else { return .some }
    let values = test.zoneMapResult(prefixes: low...high)
    let zoneMapResult = inverted ? values.negated : values
    return zone.nullCount == 0 || (zoneMapResult == .all) == nullsMatch ? zoneMapResult : .some
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let nulls = NullRule(words: chunk.nulls, match: nullsMatch)
    let entries = chunk.dictionaryCount
    guard case .dictionary = chunk.encoding, entries <= 16 || entries < selection.count else {
      if refine(&selection, heap: chunk, nulls: nulls, scratch: scratch) { return }
      return refine(&selection, rows: chunk, nulls: nulls)
    }
    refine(&selection, dictionary: chunk, nulls: nulls, scratch: scratch)
  }

  /// Searches for a substring in all rows at once. Returns false if testing row by row is as fast.
  private func refine(
    _ selection: inout Selection, heap chunk: Chunk, nulls: NullRule, scratch: ScratchBuffers
  ) -> Bool {
    guard case .contains(let part) = test, SubstringSearch.canSearch(chunk),
      selection.count >= chunk.count / 4
    else { return false }
    return part.withUnsafeBytes { part in
      guard let search = SubstringSearch(part) else { return false }
      let bits = scratch.borrowBitmap()
      defer { scratch.returnBitmap() }
      bits.update(repeating: 0, count: ChunkShape.words)
      search.mark(chunk, bits: bits)
      let inverted = inverted
      selection.keep(nulls) { word, _ in inverted ? ~bits[word] : bits[word] }
      return true
    }
  }

  /// Tests row by row. The most frequent tests have loops of their own.
  private func refine(_ selection: inout Selection, rows chunk: Chunk, nulls: NullRule) {
    let inverted = inverted
    switch test {
    case .compare(.equal, let wanted):
      wanted.withUnsafeBytes { wanted in
        selection.keep(nulls, chunk: chunk) { bytesEqual($0, and: wanted) != inverted }
      }
    case .compare(let relation, let other):
      other.withUnsafeBytes { other in
        selection.keep(nulls, chunk: chunk) { relation.holds($0, and: other) != inverted }
      }
    case .hasPrefix(let part):
      part.withUnsafeBytes { part in
        let first = PrefixWord(part)
        selection.keep(nulls, chunk: chunk) { first.begins($0, part: part) != inverted }
      }
    case .regularExpression(let expression):
      expression.withAutomaton { automaton in
        selection.keep(nulls, chunk: chunk) { automaton.matches($0) != inverted }
      }
    default: selection.keep(nulls, chunk: chunk) { test.passes($0) != inverted }
    }
  }

  /// Tests each dictionary entry once, then looks up the codes.
  private func refine(
    _ selection: inout Selection, dictionary chunk: Chunk, nulls: NullRule,
    scratch: ScratchBuffers
  ) {
    if case .compare(.equal, let wanted) = test {
      let code = chunk.code(of: wanted)
      let range = CodeRange(low: UInt64(code ?? 0), span: 0)
      if code != nil {
        return range.refine(
          &selection, chunk: chunk, inverted: inverted, nulls: nulls, scratch: scratch)
      }
      let all: UInt64 = inverted ? ~0 : 0
      return selection.keep(nulls) { _, _ in all }
    }
    assert(chunk.dictionaryCount <= ChunkShape.rows, "a dictionary has up to 4096 entries")
    let marks = scratch.marks
    for entry in 0..<chunk.dictionaryCount {
      marks[entry] = test.passes(chunk.entryBytes(entry)) != inverted ? 1 : 0
    }
    // A null row's code can lie outside an empty dictionary.
    if chunk.dictionaryCount == 0 { marks[0] = 0 }
    selection.keep(chunk, markedIn: marks, nulls: nulls, scratch: scratch)
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

extension Chunk {
  /// The code of a dictionary entry; nil if the bytes are not in the dictionary.
  func code(of bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { wanted in
      for entry in 0..<dictionaryCount where bytesEqual(entryBytes(entry), and: wanted) {
        return entry
      }
      return nil
    }
  }
}

extension Selection {
  /// Keeps the rows whose bytes pass.
  @inline(__always)
  fileprivate mutating func keep(
    _ nulls: NullRule, chunk: Chunk, passes: (UnsafeRawBufferPointer) -> Bool
  ) {
    keep(nulls) { word, selected in
      selected.keepingEach { passes(chunk.rowBytes(word << 6 | $0)) }
    }
  }
}
