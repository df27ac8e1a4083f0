import CairnStorage
import CairnValues

/// A condition on the lists and maps in mixed values: equal to one, or not.
final class ElementFilter: Filter, @unchecked Sendable {
  private let reader: PathReader
  private let quantifier: PropertyPath.Quantifier
  private let constant: CollectionConstant
  private let isEqual: Bool
  private let words: () -> String

  init(
    _ reader: PathReader, _ quantifier: PropertyPath.Quantifier, _ constant: CollectionConstant,
    isEqual: Bool, words: @autoclosure @escaping () -> String
  ) {
    self.reader = reader
    self.quantifier = quantifier
    self.constant = constant
    self.isEqual = isEqual
    self.words = words
  }

  override var cost: Double { 200 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let first = index << ChunkShape.shift
    let isAll = quantifier == .all
    selection.keep { word, selected in
      selected.keepingEach { bit in
        reader.forEachElement(first | word << 6 | bit) {
          (constant.equals($0) == isEqual) == isAll
        } == isAll
      }
    }
  }

  override func prepare(_ chunks: [Int]) { reader.prepare(chunks) }
}
