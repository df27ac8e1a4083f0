import CairnQuery
import CairnRequest
import CairnSQL
import CairnStorage

/// The rows of a table of a database. The server selects them, and answers what it decides as Cairn
/// does; only the other rows travel.
struct PostgresBackend: RowBackend {
  let database: PostgresDatabase
  let source: PostgresSource

  var holdsAllRows: Bool { false }

  /// The tables of a database are not known before they are asked for, so only the form of the name
  /// tells.
  func mayHave(_ className: String, beside opened: OpenedClass) -> Bool {
    className.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  func open(
    _ className: String, beside opened: OpenedClass, holding predicate: Predicate
  ) throws -> OpenedClass {
    try database.class(className, holding: predicate)
  }

  func rows(_ fetch: RowFetch, of opened: OpenedClass) throws -> OpenedClass {
    guard opened.table.liveCount == 0 else { return opened }
    var (target, limit) = (opened, fetch.limit)
    while true {
      let (loaded, summary) = try loaded(statements(fetch, limit: limit), into: target)
      let (rows, leftOut) = (summary.rows, summary.leftOut.count)
      // Rows after the limit take the places of those that are left out, as far as there are any.
      if leftOut > 0, let wanted = fetch.limit, let sent = limit, rows < wanted,
        rows + leftOut >= sent
      {
        limit = max(2 * sent, wanted + leftOut)
        target = try database.newClass(opened.schema.name)
        continue
      }
      database.report(summary, of: opened.schema.name)
      return loaded
    }
  }

  /// - Parameter limit: The most rows; nil for those of the fetch.
  private func statements(
    _ fetch: RowFetch, limit: Int? = nil
  ) throws -> PostgresSource.Fetch {
    try source.fetch(
      database.leavesOut ? nil : fetch.columns, where: source.condition(fetch.condition),
      sort: fetch.sort, limit: limit ?? fetch.limit)
  }

  private func loaded(
    _ fetch: PostgresSource.Fetch, into opened: OpenedClass
  ) throws -> (opened: OpenedClass, summary: PostgresPull.Summary) {
    var pull = source.pull(fetch)
    pull.leavesOut = database.leavesOut
    let summary = try pull.run(into: opened.store, className: opened.schema.name)
    return (
      try OpenedClass(opened.store, className: opened.schema.name, backend: self), summary
    )
  }

  /// The server counts all rows that it can decide; only the others travel. It does not know which rows
  /// are left out, so then all of them do.
  func count(_ fetch: RowFetch, of opened: OpenedClass) throws -> Int {
    if database.leavesOut { return try count(fetch.condition, in: rows(fetch, of: opened)) }
    let condition = try source.condition(fetch.condition)
    let certain = try source.count(condition.certain)
    if condition.isExact { return certain }
    let doubtful = try loaded(
      source.fetch(fetch.columns, where: condition.doubts), into: opened
    ).opened
    return try certain + count(fetch.condition, in: doubtful)
  }

  private func count(_ condition: BoundPredicate, in opened: OpenedClass) throws -> Int {
    try Execution(
      TableQuery(table: opened.schema.name), condition: condition, on: opened.table
    ).count()
  }

  func groups(
    by keys: [String], summarising columns: [String], where condition: BoundPredicate
  ) throws -> [Group]? {
    if database.leavesOut { return nil }
    return try source.figures(of: columns, by: keys, condition: source.condition(condition))
  }

  /// The statements that are sent to the server, what is decided here, and the server's plan.
  func plan(_ fetch: RowFetch) throws -> String? {
    let fetch = try statements(fetch)
    let here = fetch.select.undecided.map { "  \($0)\n" }.joined()
    let sent = fetch.statements.map { "  \($0.text(.postgis))\n" }.joined()
    return "sent to the server:\n\(sent)"
      + (here.isEmpty ? "decided by the server\n" : "decided here:\n\(here)")
      + "plan of the server:\n" + (try source.plan(fetch).map { "  \($0)\n" }.joined())
  }
}

extension SQLCondition {
  /// The condition that selects the doubtful rows, for a fetch.
  fileprivate var doubts: SQLCondition {
    var condition = self
    condition.possible = doubtful
    condition.certain = "FALSE"
    return condition
  }
}
