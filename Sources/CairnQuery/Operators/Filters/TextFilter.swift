import CairnStorage
import CairnValues

/// A full-text search in the index of its column.
///
/// The texts themselves decide about rows that the index does not cover yet, and about phrases in
/// runs that an earlier version wrote.
final class TextFilter: Filter {
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

  override var cost: Double { search.hasPhrases ? 5 : 0.05 }
  override var description: String { test.description }
  override var textSearch: TextFilter? { self }
  override var elementTest: ElementTest? { test.elementTest }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    matches.hasRows(chunk) ? .some : .none
  }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    let bounds = selection.lower..<max(selection.lower, selection.upper)
    var tested = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    let mustTest = matches.refine(
      selection.words, range: bounds, chunk: chunk, untested: tested.words)
    guard mustTest else { return }
    tested.lower = bounds.lowerBound
    tested.upper = bounds.upperBound
    if tested.trim() { test.refine(&tested, chunk: chunk, scratch: scratch) }
    for word in bounds where word >= tested.lower && word < tested.upper {
      if tested.words[word] != 0 { selection.add(word, bits: tested.words[word]) }
    }
  }

  override func prepare(_ chunks: [Int]) {
    matches.prepare()
    if matches.needsTexts { test.prepare(chunks) }
  }
}
