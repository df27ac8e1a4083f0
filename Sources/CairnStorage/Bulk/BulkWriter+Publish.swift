import CairnGeometry
import CairnIndex
import CairnValues

extension BulkWriter {
  /// Makes the load part of its class, in one commit.
  func publish() throws(StoreError) -> BulkSummary {
    let transaction = try WriteTransaction(load.store.handle)
    do {
      let summary = try publish(in: transaction)
      return summary
    } catch {
      transaction.rollback()
      throw error
    }
  }

  private func publish(in transaction: WriteTransaction) throws(StoreError) -> BulkSummary {
    let schema = try schema(in: transaction)
    guard let writer = transaction.table(schema.name) else {
      throw StoreError(.schemaMismatch, "class '\(schema.name)' was removed during the import")
    }
    let conflicts = try resolveConflicts(writer)
    try writer.sealTail()
    let firstChunk = writer.table.chunkCount
    let firstRow = firstChunk * ChunkShape.rows
    for key in conflicts.replaced { try writer.delete(key) }
    writer.published = BulkExtent(
      extent: TableState.Extent(firstChunk: firstChunk, id: extent), rowCount: rowCount,
      deadRows: conflicts.dropped,
      clustered: clusteredRun(firstRow), values: indexes.compactMap { $0.run(firstRow) },
      leaves: load.location.flatMap { leaves[$0] })
    try transaction.commit()
    return BulkSummary(
      inserted: rowCount - conflicts.dropped.count - conflicts.replacements,
      replaced: conflicts.replacements, skipped: conflicts.skipped)
  }

  private func clusteredRun(_ firstRow: Int) -> SpatialRun? {
    guard let location = load.location, locatedCount > 0 else { return nil }
    return SpatialRun(
      id: Self.runID(extent), column: UInt16(location), firstRow: firstRow, count: locatedCount)
  }

  /// The class as it is, or made now under the number that the chunks were written with.
  private func schema(in transaction: WriteTransaction) throws(StoreError) -> TableSchema {
    if let existing = transaction.schema.table(named: load.tableName) {
      guard existing.id == table else {
        throw StoreError(
          .schemaMismatch,
          "class '\(load.tableName)' was made by someone else during the import; import again")
      }
      return existing
    }
    let columns = load.columns.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(position), name: column.name, type: column.type,
        isOptional: column.isOptional, isIndexed: load.indexed.contains(position),
        isPrimaryKey: load.primaryKey == position, position: position)
    }
    return try transaction.createTable(
      TableSchema(id: table, name: load.tableName, columns: columns)
    ).schema
  }
}
