import CairnValues

/// Finds many rows of a class by their primary keys, in one state of the store. `Table.find` prepares
/// each search anew, which takes longer than the search, and looks at every row that no run of the
/// index holds yet.
struct PrimaryKeyFinder {
  private let table: Table
  private let position: Int
  private let index: ValueIndex
  /// The rows that no run holds yet.
  private var unindexed: [Value: Int] = [:]

  /// - Parameter table: The class, which no transaction is changing.
  /// - Returns: Nil for a class without a primary key.
  init?(_ table: Table) {
    assert(table.overlay == nil, "the index of a transaction changes with its rows")
    guard let position = table.schema.primaryKey, let index = table.valueIndex(position) else {
      return nil
    }
    (self.table, self.position, self.index) = (table, position, index)
    var unindexed: [Value: Int] = [:]
    index.forEachUnindexed { key in
      if table.isLive(key) { unindexed[table.value(position, at: key)] = key }
      return true
    }
    self.unindexed = unindexed
  }

  /// Returns the row with a primary key.
  ///
  /// - Complexity: O(log *n*) for *n* rows in each run of the index.
  func find(_ value: Value) -> Int? {
    if value == .null { return table.find(primaryKey: .null) }
    if !unindexed.isEmpty, let known = unindexed[value] { return known }
    var found: Int?
    _ = index.runCandidates(ValueRange(equal: value)) { key in
      guard table.isLive(key), table.value(position, at: key) == value else { return true }
      found = key
      return false
    }
    return found
  }
}
