import CairnStorage
import CairnValues

/// A full-text search in the index of its column.
///
/// The index decides about words. The texts themselves decide about phrases, and about rows that the
/// index does not cover yet.
final class TextFilter: Filter, @unchecked Sendable {
  let column: Column
  /// The same condition without the index.
  private let test: BytesFilter
  /// The test of texts that have all words; nil if their order does not matter.
  private let phrases: BytesFilter?
  private let search: TextSearch
  private let index: TextIndex
  /// The result of the index. The first use, on the snapshot's own thread, searches it.
  private(set) lazy var matches: TextMatches = index.search(search)

  init(_ test: BytesFilter, search: TextSearch, index: TextIndex) {
    column = test.column
    self.test = test
    self.search = search
    self.index = index
    phrases =
      search.hasPhrases
      ? BytesFilter(
        test.column, test: .search(search.phrases), inverted: false, nullsMatch: false,
        description: test.description) : nil
  }

  override var cost: Double { phrases == nil ? 0.05 : 50 }
  override var description: String { test.description }
  override var textSearch: TextFilter? { self }
  override var elementTest: ElementTest? { test.elementTest }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    matches.found(chunk) == nil && matches.pending(chunk) == nil ? .none : .some
  }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    guard let pending = matches.pending(chunk) else {
      return refineFound(&selection, chunk: chunk, scratch: scratch)
    }
    var tested = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    tested.lower = selection.lower
    tested.upper = selection.upper
    for word in selection.lower..<max(selection.lower, selection.upper) {
      tested.words[word] = selection.words[word] & pending[word]
    }
    let bounds = tested.lower..<max(tested.lower, tested.upper)
    refineFound(&selection, chunk: chunk, scratch: scratch)
    if tested.trim() { test.refine(&tested, chunk: chunk, scratch: scratch) }
    if selection.lower >= selection.upper { selection.clear() }
    for word in bounds where word >= tested.lower && word < tested.upper {
      if tested.words[word] != 0 { selection.add(word, bits: tested.words[word]) }
    }
  }

  /// Keeps the rows that the index has found and that have the phrases.
  private func refineFound(
    _ selection: inout Selection, chunk: Int, scratch: ScratchBuffers
  ) {
    guard let found = matches.found(chunk) else { return selection.clear() }
    for word in selection.lower..<max(selection.lower, selection.upper) {
      selection.words[word] &= found[word]
    }
    if let phrases, selection.trim() {
      phrases.refine(&selection, chunk: chunk, scratch: scratch)
    }
  }

  override func prepare(_ chunks: [Int]) {
    _ = matches
    test.prepare(chunks)
  }
}
