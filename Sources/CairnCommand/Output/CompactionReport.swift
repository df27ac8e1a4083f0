import CairnStorage
import CairnValues

/// What is told when a store was compacted.
struct CompactionReport {
  let text: String

  init(_ summary: CompactionSummary, of path: String) {
    var parts = [
      "\(PrintableText.escaped(path)): \(Quantity.counted(summary.rows, "row"))",
      "\(Quantity.grouped(summary.before)) bytes before, \(Quantity.grouped(summary.after)) now",
    ]
    if summary.freedKeys > 0 {
      parts.append("\(Quantity.counted(summary.freedKeys, "unused row number")) gone")
    }
    if summary.repaired { parts.append("indexes repaired") }
    text = parts.joined(separator: ", ")
  }
}
