import CairnGeometry
import CairnIndex
import CairnValues

extension BulkWriter {
  /// Makes the load part of its class, in one commit.
  func publish() throws(StoreError) -> BulkSummary {
    let transaction = try WriteTransaction.waiting(load.store.handle)
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
      leaves: load.location.flatMap { leaves[$0] },
      otherLocations: try otherLocations(schema, firstRow, dropped: conflicts.dropped))
    try transaction.commit()
    return BulkSummary(
      inserted: rowCount - conflicts.skipped - conflicts.replacements,
      replaced: conflicts.replacements, skipped: conflicts.skipped)
  }

  private func clusteredRun(_ firstRow: Int) -> SpatialRun? {
    guard let location = load.location, locatedCount > 0 else { return nil }
    return SpatialRun(
      id: Self.runID(extent), column: columns[location], firstRow: firstRow, count: locatedCount)
  }

  /// What the locations hold that do not order the rows: those get loose runs.
  private func otherLocations(
    _ schema: TableSchema, _ firstRow: Int, dropped: [Int]
  ) throws(StoreError) -> [Int: [LooseEntry]] {
    let own = load.location.map { columns[$0] }
    let others = schema.columns.filter { $0.hasSpatialIndex && $0.id != own }
    guard !others.isEmpty, rowCount > 0 else { return [:] }
    let dead = Set(dropped)
    let reading = try LMDBTransaction(reading: handle)
    defer { reading.abort() }
    var entries: [Int: [LooseEntry]] = [:]
    for column in others {
      for number in 0...(rowCount - 1) >> ChunkShape.shift {
        guard let chunk = reading.chunk(.chunk(table, column.id, extent, number)) else { continue }
        for row in 0..<chunk.count where !chunk.isNull(row) {
          let own = number << ChunkShape.shift + row
          guard !dead.contains(own) else { continue }
          let here = chunk.position(at: row)
          entries[column.position, default: []].append(
            LooseEntry(longitude: here.longitude, latitude: here.latitude, key: firstRow + own))
        }
      }
    }
    return entries
  }

  /// The class as it is or becomes now, or made now under the number that the chunks were written with.
  private func schema(in transaction: WriteTransaction) throws(StoreError) -> TableSchema {
    if let known = transaction.schema.table(named: load.tableName) {
      guard known.id == table, let widening = load.widening(known) else { throw load.changed }
      if let draft = widening.draft {
        try transaction.alter([draft], version: known.version, derives: true)
      }
      let wide = transaction.schema.table(named: load.tableName) ?? known
      guard try load.ids(in: wide) == columns else { throw load.changed }
      return wide
    }
    return try transaction.createTable(
      TableSchema(
        id: table, name: load.tableName, columns: load.schemaColumns,
        version: transaction.schemaVersion ?? 0)
    ).schema
  }
}
