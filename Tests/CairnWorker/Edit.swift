import CairnStorage
import CairnValues

/// One transaction that changes rows here and there.
struct Edit {
  private let store: Store
  private let className: String

  init(_ path: String, _ className: String) throws {
    store = try Store.open(path, .readWrite)
    self.className = className
  }

  /// Gives every fifth row another name and another place.
  func update() throws {
    try everyFifth { table, key in
      for (index, column) in table.schema.columns.enumerated() {
        if column.name == "name" { try table.set(.string("updated \(key)"), index, at: key) }
        if column.type == .point { try table.set(.null, index, at: key) }
      }
    }
  }

  func delete() throws { try everyFifth { try $0.delete($1) } }

  private func everyFifth(_ body: (TableWriter, Int) throws -> Void) throws {
    try store.write { transaction in
      guard let table = transaction.table(className) else { return }
      for key in stride(from: 0, to: table.table.endKey, by: 5) where table.table.isLive(key) {
        try body(table, key)
      }
    }
  }
}
