internal import CairnStorage
internal import CairnValues

/// A class that an import extends.
struct ExistingClass {
  let schema: TableSchema
  private let store: Store
  /// The CSV files, and the columns that each has.
  private let headers: [(file: String, names: Set<String>)]

  /// Nil where the store has no such class.
  init?(_ name: String, in store: Store, _ sources: [ImportSource]) throws(ImportError) {
    do throws(StoreError) {
      guard let schema = try store.snapshot().schema.table(named: name) else { return nil }
      self.schema = schema
    } catch { throw ImportError(error) }
    self.store = store
    headers = sources.compactMap { source in
      guard case .csv(let layout) = source.shape else { return nil }
      return (source.input.name, Set(layout.properties.map(\.name)))
    }
  }

  /// A CSV file that has no column of that name.
  func fileWithout(_ name: String) -> String? { headers.first { !$0.names.contains(name) }?.file }

  /// Whether the class has rows, all of which are null in a property.
  func isAllNull(_ property: ColumnSchema) throws(ImportError) -> Bool {
    do throws(StoreError) {
      return try store.snapshot().isAllNull(property.name, of: schema.name)
    } catch { throw ImportError(error) }
  }

  /// The first whole number of a property that no double holds exactly.
  func firstInexactNumber(_ property: ColumnSchema) throws(ImportError) -> Int64? {
    do throws(StoreError) {
      return try store.snapshot().firstInexactNumber(in: schema.name, property.name)
    } catch { throw ImportError(error) }
  }
}

extension TableSchema {
  /// The name of the primary key.
  var keyName: String? { primaryKey.map { columns[$0].name } }
}
