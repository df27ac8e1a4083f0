import CairnValues

extension TableSchema {
  /// Throws what makes the class impossible: names that come twice, keys and indexes that cannot be kept.
  func check() throws(StoreError) {
    guard properties.filter(\.isPrimaryKey).count <= 1 else {
      throw mismatch("class '\(name)' has more than one primary key")
    }
    guard properties.count <= Self.mostColumns else {
      throw mismatch(
        "class '\(name)' has \(properties.count) properties; \(Self.mostColumns) are the most")
    }
    let names = properties.map(\.name) + inverses.map(\.name)
    guard Set(names.map { Array($0.utf8) }).count == names.count else {
      throw mismatch("class '\(name)' has two properties of the same name")
    }
    for column in properties {
      if column.isPrimaryKey, !column.canBeKey {
        throw mismatch(
          "'\(name).\(column.name)' is of type \(column.type.name), and a primary key is an int, a string, an ObjectId or a UUID"
        )
      }
      if column.isIndexed, !column.canBeIndexed {
        throw mismatch(
          "'\(name).\(column.name)' is of type \(column.type.name), which no value index holds")
      }
    }
  }

  /// Leaves numbers for the columns that the store adds.
  package static let mostColumns = 30_000

  private func mismatch(_ message: String) -> StoreError { StoreError(.schemaMismatch, message) }
}

extension ColumnSchema {
  fileprivate var canBeKey: Bool {
    collection == .none && [.int, .string, .objectId, .uuid].contains(type)
  }

  /// Whether `IndexKey` has an order for every value of the column.
  fileprivate var canBeIndexed: Bool {
    switch type {
    case .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid: collection == .none
    case .link: true
    case .decimal128, .point, .mixed, .embedded: false
    }
  }
}
