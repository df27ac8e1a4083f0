import CairnStorage
import CairnValues

/// Loads the rows of a statement into a class of a store, all or nothing.
package struct PostgresPull {
  /// The result of a load.
  package struct Summary: Sendable {
    /// The number of new rows.
    package let inserted: Int
    /// The number of rows that replaced an older one.
    package let replaced: Int
    /// The number of rows that were to replace an equal one, and were not written.
    package let unchanged: Int
    /// The rows that were left out.
    package let leftOut: LeftOutRows
    /// The values that were changed, in words.
    package let changes: [String]
    /// The columns whose types a class does not have, and what they become, in words.
    package let types: [String]

    /// The number of rows that are in the class now.
    package var rows: Int { inserted + replaced + unchanged }
  }

  private let connection: PostgresConnection
  private let columns: [PostgresColumn]
  private let table: String?
  private let statement: String
  private let parameters: [PostgresParameter]
  /// The condition that is decided here; nil if the statement yields the rows that are loaded.
  var filter: RowFilter?
  /// Whether invalid geometries are repaired; otherwise they cannot be read.
  package var repairs = false
  /// Whether rows with a value that cannot be read are left out; otherwise they end the load.
  package var leavesOut = false

  /// Prepares a load of columns, which the statement yields in this order.
  ///
  /// - Parameter table: The name of the table, for messages.
  init(
    _ columns: [PostgresColumn], of table: String?, from connection: PostgresConnection,
    by statement: String, _ parameters: [PostgresParameter] = []
  ) {
    self.connection = connection
    self.columns = columns
    self.table = table
    self.statement = statement
    self.parameters = parameters
  }

  /// Runs the statement and loads its rows.
  ///
  /// - Parameters:
  ///   - className: The class, which the load makes if the store lacks it.
  ///   - hasKey: Whether the table's primary key and indexes become those of a new class.
  ///   - progress: Called now and then with the number of rows.
  /// - Throws: ``PostgresError``, or `StoreError`.
  package func run(
    into store: Store, className: String, hasKey: Bool = false,
    progress: (Int) -> Void = { _ in }
  ) throws -> Summary {
    let key = hasKey ? columns.firstIndex { $0.isPrimaryKey && $0.canBeKey } : nil
    // An existing class keeps its own key, which is never null.
    let own = try store.snapshot().schema.table(named: className)
      .flatMap { schema in schema.primaryKey.map { schema.properties[$0].name } }
    let load = try BulkLoad(
      store: store, table: className,
      columns: columns.map { $0.bulkColumn(isKey: hasKey || $0.name == own) },
      location: columns.firstIndex { $0.type == .point && $0.collection == .none },
      primaryKey: key, indexed: hasKey ? indexed(without: key) : [], onConflict: .replace)
    let reader = RowReader(
      columns + (filter?.columns ?? []), of: table, repairs: repairs, leavesOut: leavesOut)
    do {
      try read(reader, into: load, progress: progress)
      let summary = try load.finish()
      return Summary(
        inserted: summary.inserted, replaced: summary.replaced, unchanged: summary.unchanged,
        leftOut: reader.leftOut, changes: reader.changes.words, types: TypeNotes.words(columns))
    } catch {
      load.cancel()
      throw error
    }
  }

  /// The columns with a B-tree, whose types have value indexes here.
  private func indexed(without key: Int?) -> [Int] {
    columns.indices.filter { index in
      guard index != key, columns[index].index == "btree", columns[index].collection == .none else {
        return false
      }
      return [.bool, .int, .string, .date, .uuid, .objectId].contains(columns[index].type)
    }
  }

  private static let batchRows = 1 << 17
  private static let batchBytes = 64 << 20

  private func read(
    _ reader: RowReader, into load: BulkLoad, progress: (Int) -> Void
  ) throws {
    var (number, rows) = (0, 0)
    var failure: StoreError?
    func flush() throws(PostgresError) {
      let batch = loaded(reader.batch)
      do throws(StoreError) {
        if batch.rowCount > 0 { try load.add(batch, number: number) }
      } catch {
        failure = error
        throw PostgresError(.cancelled, message: "the store cannot be written")
      }
      number += 1
      reader.removeAll()
      progress(rows)
    }
    do throws(PostgresError) {
      try connection.forEachRow(statement, parameters) { (row) throws(PostgresError) in
        try reader.append(row)
        rows += 1
        if rows % 4096 == 0,
          reader.rowCount >= Self.batchRows || reader.byteCount >= Self.batchBytes
        {
          try flush()
        }
      }
      if reader.rowCount > 0 { try flush() }
    } catch {
      if let failure { throw failure }
      throw error
    }
  }

  /// The rows and columns of a batch that are loaded.
  private func loaded(_ batch: ColumnBatch) -> ColumnBatch {
    guard let filter else { return batch }
    filter.apply(to: batch, names: (columns + filter.columns).map(\.name))
    if filter.columns.isEmpty { return batch }
    return ColumnBatch(filled: Array(batch.columns.prefix(columns.count)))
  }
}

extension PostgresColumn {
  /// Whether a primary key of the type is one in a class too.
  var canBeKey: Bool { [.int, .string, .uuid, .objectId].contains(type) && collection == .none }

  /// The column for a load.
  ///
  /// - Parameter isKey: Whether the class keeps which columns are never null.
  func bulkColumn(isKey: Bool) -> BulkColumn {
    guard isKey, collection == .none else { return bulkColumn }
    return BulkColumn(name: name, type: type, isOptional: isOptional)
  }
}
