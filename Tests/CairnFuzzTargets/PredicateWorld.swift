import CairnQuery
import CairnStorage
import CairnValues

/// Two stores in memory with the same rows, with value indexes and without.
enum PredicateWorld {
  private static let stores = [false, true].map(make)

  /// The same rows meet a condition with and without an index, and all others meet its opposite.
  static func ask(_ predicate: Predicate) {
    let answers = stores.map { answer(predicate, $0) }
    require(answers[0] == answers[1], "an index changes the rows of '\(predicate)'")
  }

  /// The rows that meet it; nil where it does not fit the class.
  private static func answer(_ predicate: Predicate, _ store: Store) -> [Int]? {
    guard let snapshot = try? store.snapshot(), let table = snapshot.table(name) else {
      fatalError("the store is gone")
    }
    defer { withExtendedLifetime(snapshot) {} }
    guard let bound = try? predicate.bound(to: table.schema, in: table.classes) else { return nil }
    checkText(bound, table)
    let keys = rows(predicate, table)
    let others = rows(Predicate(.not(predicate.root)), table)
    let all = rows(.true, table)
    require((keys + others).sorted() == all, "'\(predicate)' and its opposite are not all rows")
    return keys
  }

  private static func rows(_ predicate: Predicate, _ table: Table) -> [Int] {
    let query = TableQuery(table: name, predicate: predicate)
    guard let execution = try? Execution(query, on: table) else {
      fatalError("'\(predicate)' fits the class and cannot be asked")
    }
    let keys = execution.keys()
    require(execution.count() == keys.count, "'\(predicate)' is counted as no rows are")
    require(execution.first() == keys.first, "'\(predicate)' begins with another row")
    return keys
  }

  /// A condition that fits the class is printed, and reads back as the same.
  private static func checkText(_ bound: Predicate, _ table: Table) {
    let again = try? Predicate(parsing: "\(bound)").bound(to: table.schema, in: table.classes)
    require(again == bound, "'\(bound)' is read back as '\(again.map { "\($0)" } ?? "nothing")'")
  }

  // MARK: Rows

  private static let name = "Row"

  private static func make(isIndexed: Bool) -> Store {
    do {
      let store = try Store.openInMemory(identifier: isIndexed ? "fuzz-indexed" : "fuzz-plain")
      let write = try store.beginWrite()
      let writer = try write.createTable(name, columns: PredicateRows.columns(isIndexed))
      for number in 0..<PredicateRows.count { try writer.insert(PredicateRows.row(number)) }
      try write.commit()
      return store
    } catch { fatalError("no store can be made: \(error)") }
  }
}
