import CairnQuery
import CairnSQL
import CairnValues

/// Figures of groups that the server computes exactly as Cairn does.
extension PostgresSource {
  /// Computes the numbers of rows of groups, or the usual figures of columns, in the order of the
  /// values of the groups.
  ///
  /// The server rounds sums of other numbers than integers in its own way and orders other values than
  /// integers, texts and truth values differently, so only such columns are computed there.
  ///
  /// - Parameters:
  ///   - names: The columns to summarise; none for the numbers of rows.
  ///   - grouping: The columns whose equal values make a group; none for all rows together.
  /// - Returns: The groups, whose number of rows is 0 if columns are summarised; nil if the server
  ///   cannot compute them as Cairn does.
  /// - Throws: ``PostgresError``, or `SQLError`.
  package func figures(
    of names: [String], by grouping: [String], condition: SQLCondition
  ) throws -> [Group]? {
    let keys = grouping.compactMap { sqlTable.column(named: $0)?.type }
    let areIntegers = names.allSatisfy { sqlTable.column(named: $0)?.type == .int }
    guard condition.isExact, areIntegers, keys.count == grouping.count,
      keys.allSatisfy({ [.int, .text, .bool].contains($0) })
    else { return nil }
    let figures = names.flatMap {
      [SQLAggregate.values(of: $0), .sum(of: $0), .minimum(of: $0), .maximum(of: $0)]
    }
    let statement = try compiler.aggregate(
      names.isEmpty ? [.count] : figures, condition: condition, grouping: grouping)
    return try run(statement).map { row in
      let rest = row.dropFirst(keys.count).map { $0 ?? "" }
      return Group(
        values: zip(row, keys).map { text, type in text.map { Self.value($0, type) } ?? .null },
        count: names.isEmpty ? rest.first.flatMap { Int($0) } ?? 0 : 0,
        summaries: names.indices.map { Self.summary(Array(rest.dropFirst(4 * $0))) })
    }
  }

  private static func value(_ text: String, _ type: SQLColumnType) -> Value {
    switch type {
    case .int: integer(text)
    case .bool: .bool(text == "t")
    default: .string(text)
    }
  }

  /// The summary of four texts: the number of values, their sum, the least and the greatest.
  private static func summary(_ texts: [String]) -> Summary {
    var summary = ValueTotals.summary(of: EmptyCollection(), .int)
    guard texts.count >= 4, let count = Int(texts[0]) else { return summary }
    summary.count = count
    summary.sum = integer(texts[1])
    (summary.minimum, summary.maximum) = (integer(texts[2]), integer(texts[3]))
    if count > 0, let sum = Double(texts[1]) {
      summary.average = .double(sum / Double(count))
    }
    return summary
  }

  /// An integer; a decimal if it does not fit in 64 bits, and null for an empty text.
  private static func integer(_ text: String) -> Value {
    Int64(text).map { .int($0) } ?? Decimal128(text).map { .decimal($0) } ?? .null
  }
}
