import CairnStorage
import CairnSystem

/// The rows of one class that take part in a join.
class JoinRows {
  let table: Table
  /// A bit for each row that takes part, in whole chunks: live, with a value to compare, and meeting
  /// the condition of the side.
  let rows: RowBitmap
  /// For an outer join, every row that meets the condition of the side, also without a value to
  /// compare.
  let allKeys: [Int]
  /// The number of rows that take part.
  let count: Int
  private let execution: Execution

  /// Takes over the rows of a query, without those that have no value to compare.
  init(_ result: Result) {
    (execution, rows) = (result.execution, result.rows)
    allKeys = result.allKeys
    table = execution.table
    count = rows.count
  }

  /// The result of the query for the rows of a side.
  struct Result {
    let execution: Execution
    /// The rows that are not null in a column.
    let rows: RowBitmap
    /// For an outer join, every row in ascending order.
    let allKeys: [Int]

    /// - Throws: `PredicateError` if the condition does not fit the class.
    init(
      _ input: JoinQuery.Input, of table: Table, without column: Column, isOuter: Bool
    ) throws {
      execution = try Execution(input.rows, on: table)
      if execution.plan.isPlain, input.rows.steps.isEmpty {
        rows = RowBitmap(execution, without: column)
        allKeys = isOuter ? execution.keys() : []
      } else {
        let keys = execution.keys().sorted()
        rows = RowBitmap(of: keys, in: table, without: column)
        allKeys = isOuter ? keys.enumerated().filter { $0 == 0 || keys[$0 - 1] != $1 }.map(\.1) : []
      }
    }
  }

  /// The chunks with rows that take part.
  var usedChunks: [Int] { (0..<table.chunkCount).filter(rows.hasRows) }

  /// The name of the properties that are compared, with dots along links.
  var name: String { requireOverride() }

  /// A description of the rows that take part, and of how they are found.
  var description: String {
    let plan = execution.plan
    let parts =
      [plan.accessDescription] + plan.filters.map { "where \($0.explanation)" }
      + plan.stepDescriptions
    return "\(name), \(count) rows: \(parts.joined(separator: ", "))"
  }
}

extension JoinQuery.Input {
  /// The query for the rows, without a step that only sorts them.
  fileprivate var rows: TableQuery {
    let isOrdered = steps.contains { if case .sort = $0 { false } else { true } }
    return TableQuery(
      table: table, source: source, predicate: predicate, steps: isOrdered ? steps : [])
  }
}
