internal import CairnStorage
import CairnSystem

/// The rows of the files in memory, for loads that need all of them before they change the store.
final class KeptBatches: Sendable {
  /// The rows of a block.
  struct Part {
    let batch: ColumnBatch
    fileprivate let number: Int
    private let file: Int

    fileprivate init(_ batch: ColumnBatch, of block: InputBlock) {
      self.batch = batch
      number = block.number
      file = block.file
    }

    /// The position of a record, which is in the last column.
    func position(ofRow row: Int) -> InputPosition {
      InputPosition(
        block: number, file: file, offset: batch.columns.last?.integer(at: row) ?? 0)
    }
  }

  private let parts = Mutex<[Part]>([])

  /// Adds the rows of a block, which must not change afterwards.
  func add(_ batch: ColumnBatch, of block: InputBlock) {
    let part = Part(batch, of: block)
    parts.withLock { $0.append(part) }
  }

  /// Forgets all rows.
  func removeAll() { parts.withLock { $0 = [] } }

  /// The rows in the order of the files.
  var inOrder: [Part] { parts.withLock { $0.sorted { $0.number < $1.number } } }
}
