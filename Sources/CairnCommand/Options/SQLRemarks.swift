import CairnSQL
import CairnValues

/// The comments above a statement, which say how its answer may differ from Cairn's.
struct SQLRemarks {
  private var lines: [String] = []

  /// The remarks on a condition, and on figures of its rows.
  init(_ condition: SQLCondition, rounding: [String] = []) {
    add(condition.undecided, label: "superset")
    add(condition.differences, label: "differs")
    add(rounding, label: "rounding")
  }

  /// The remarks on a query of rows.
  init(_ select: SQLSelect) {
    add(select.undecided, label: "superset")
    add(select.condition.differences, label: "differs")
  }

  private mutating func add(_ remarks: [String], label: String) {
    lines += remarks.map { "-- \(label): \(PrintableText.escaped($0))\n" }
  }

  /// The comments, one a line.
  var text: String { lines.joined() }
}
