import CairnStorage
import CairnValues

/// Loads the rows of a statement into a class of a store, all or nothing.
package struct PostgresPull {
  private let connection: PostgresConnection
  private let columns: [PostgresColumn]
  /// Whether invalid geometries are repaired; otherwise they end the load.
  package var repairs = false

  /// Prepares a load of columns, which the statement yields in this order.
  package init(_ columns: [PostgresColumn], from connection: PostgresConnection) {
    self.connection = connection
    self.columns = columns
  }

  /// The expressions of the columns, for the list of a `SELECT`.
  package var selection: String { columns.map(\.expression).joined(separator: ", ") }

  /// Runs the statement and loads its rows.
  ///
  /// - Parameters:
  ///   - className: The class, which the load makes if the store lacks it.
  ///   - hasKey: Whether the table's primary key and indexes become those of a new class.
  ///   - progress: Called now and then with the number of rows.
  /// - Throws: ``PostgresError``, or `StoreError`.
  package func run(
    _ statement: String, _ parameters: [PostgresParameter] = [], into store: Store,
    className: String, hasKey: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws -> BulkSummary {
    let key = hasKey ? columns.firstIndex { $0.isPrimaryKey && $0.canBeKey } : nil
    // An existing class keeps its own key, which is never null.
    let own = try store.snapshot().schema.table(named: className)
      .flatMap { schema in schema.primaryKey.map { schema.properties[$0].name } }
    let load = try BulkLoad(
      store: store, table: className,
      columns: columns.map { $0.bulkColumn(isKey: hasKey || $0.name == own) },
      location: columns.firstIndex { $0.type == .point && $0.collection == .none },
      primaryKey: key, indexed: hasKey ? indexed(without: key) : [], onConflict: .replace)
    do {
      try read(statement, parameters, into: load, progress: progress)
      return try load.finish()
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
    _ statement: String, _ parameters: [PostgresParameter], into load: BulkLoad,
    progress: (Int) -> Void
  ) throws {
    let reader = RowReader(columns, repairs: repairs)
    var (number, rows) = (0, 0)
    var failure: StoreError?
    func flush() throws(PostgresError) {
      do throws(StoreError) { try load.add(reader.batch, number: number) } catch {
        failure = error
        throw PostgresError(.cancelled, message: "the store cannot be written")
      }
      number += 1
      reader.batch.removeAll()
      progress(rows)
    }
    do throws(PostgresError) {
      try connection.forEachRow(statement, parameters) { (row) throws(PostgresError) in
        try reader.append(row)
        rows += 1
        if rows % 4096 == 0,
          reader.batch.rowCount >= Self.batchRows || reader.batch.byteCount >= Self.batchBytes
        {
          try flush()
        }
      }
      if reader.batch.rowCount > 0 { try flush() }
    } catch {
      if let failure { throw failure }
      throw error
    }
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
