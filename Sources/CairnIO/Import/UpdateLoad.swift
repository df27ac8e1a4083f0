internal import CairnStorage
import CairnSystem
internal import CairnValues

/// Changes rows of a class instead of adding some: those that have the value of a file's row in one
/// property. The rows of the files are kept in memory until one write transaction changes the class.
final class UpdateLoad: Sendable {
  private let store: Store
  private let className: String
  private let plan: ImportPlan
  /// The property whose values are equal.
  private let key: String
  private let options: ImportOptions
  private let kept = KeptBatches()

  init(
    _ store: Store, className: String, plan: ImportPlan, key: String, options: ImportOptions
  ) {
    self.store = store
    self.className = className
    self.plan = plan
    self.key = key
    self.options = options
  }

  /// Adds the rows of a block, which must not change afterwards.
  func add(_ batch: ColumnBatch, of block: InputBlock) { kept.add(batch, of: block) }

  /// Ends the load without changing the store.
  func cancel() { kept.removeAll() }

  /// Changes all rows in one commit, or none.
  ///
  /// - Parameter repeated: Returns the error for two records with the same value.
  func finish(
    repeated: (Value, [InputPosition]) -> ImportError
  ) throws(ParseAbort) -> BulkSummary {
    let parts = kept.inOrder
    let rows = try rows(of: parts, repeated: repeated)
    let transaction = try ParseAbort.onStore { () throws(StoreError) in try store.beginWrite() }
    do throws(ParseAbort) {
      let summary = try ParseAbort.onStore { () throws(StoreError) in
        let writer = try transaction.prepareUpdate(
          of: className, by: plan.bulkColumns, indexed: Set(options.indexed),
          fullText: Set(options.fullText))
        let summary = try update(writer, rows: rows, of: parts)
        try transaction.commit()
        return summary
      }
      return summary
    } catch {
      if transaction.isOpen { transaction.rollback() }
      throw error
    }
  }

  /// A row of a part.
  private struct FileRow {
    let part: Int
    let row: Int
  }

  /// The rows of the files by their values of the key.
  private func rows(
    of parts: [KeptBatches.Part], repeated: (Value, [InputPosition]) -> ImportError
  ) throws(ParseAbort) -> [Value: FileRow] {
    var rows: [Value: FileRow] = [:]
    guard let column = plan.index(of: key) else { return rows }
    for (index, part) in parts.enumerated() {
      for row in 0..<part.batch.rowCount {
        let value = part.batch.columns[column].value(at: row)
        if let first = rows.updateValue(FileRow(part: index, row: row), forKey: value) {
          let positions = [parts[first.part].position(ofRow: first.row), part.position(ofRow: row)]
          throw .failed(repeated(value, positions))
        }
      }
    }
    return rows
  }

  /// Sets the properties of all rows that have a partner, column by column.
  private func update(
    _ writer: TableWriter, rows: [Value: FileRow], of parts: [KeptBatches.Part]
  ) throws(StoreError) -> BulkSummary {
    let table = writer.table
    guard let own = table.schema.column(named: key) else { return BulkSummary() }
    var (keys, partners): ([Int], [FileRow]) = ([], [])
    var found: Set<Value> = []
    for row in 0..<table.endKey where table.isLive(row) {
      let value = table.value(own.position, at: row)
      guard let partner = rows[value] else { continue }
      found.insert(value)
      keys.append(row)
      partners.append(partner)
    }
    for (index, column) in plan.storedColumns.enumerated() where column.name != key {
      guard let property = table.schema.column(named: column.name) else { continue }
      let values = partners.map { parts[$0.part].batch.columns[index].value(at: $0.row) }
      do throws(RowError) {
        try writer.set(values, position: property.position, at: keys[...])
      } catch { throw error.cause }
    }
    var summary = BulkSummary()
    summary.replaced = keys.count
    summary.skipped = rows.count - found.count
    return summary
  }
}
