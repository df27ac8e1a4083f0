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
  private let search: TextSearch
  private let index: TextIndex
  /// The result of the index. The first use, on the snapshot's own thread, searches it.
  private(set) lazy var matches: TextMatches = index.search(search)

  init(_ test: BytesFilter, search: TextSearch, index: TextIndex) {
    column = test.column
    self.test = test
    self.search = search
    self.index = index
  }

  override var cost: Double { search.hasPhrases ? 50 : 0.05 }
  override var description: String { test.description }
  override var textSearch: TextFilter? { self }
  override var elementTest: ElementTest? { test.elementTest }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    matches.found(chunk) == nil && matches.pending(chunk) == nil ? .none : .some
  }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    let found = matches.found(chunk)
    let pending = matches.pending(chunk)
    guard let pending else {
      guard let found else { return selection.clear() }
      for word in selection.lower..<max(selection.lower, selection.upper) {
        selection.words[word] &= found[word]
      }
      if search.hasPhrases, selection.trim() {
        test.refine(&selection, chunk: chunk, scratch: scratch)
      }
      return
    }
    var tested = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    tested.lower = selection.lower
    tested.upper = selection.upper
    for word in selection.lower..<max(selection.lower, selection.upper) {
      let found = found?[word] ?? 0
      let open = search.hasPhrases ? found | pending[word] : pending[word]
      tested.words[word] = selection.words[word] & open
      selection.words[word] &= found & ~open
    }
    let bounds = tested.lower..<max(tested.lower, tested.upper)
    if tested.trim() { test.refine(&tested, chunk: chunk, scratch: scratch) }
    for word in bounds where word >= tested.lower && word < tested.upper {
      selection.words[word] |= tested.words[word]
    }
  }

  override func prepare(_ chunks: [Int]) {
    _ = matches
    test.prepare(chunks)
  }
}
