import CairnIO
import CairnPostgres
import CairnValues

/// The report on rows that were left out: the first ones individually, then counts by reason.
struct LeftOutReport {
  /// The number of rows.
  let count: Int
  /// The first rows, each with its reason.
  let first: [String]
  /// The reasons with the number of rows for each.
  let reasons: [(reason: String, count: Int)]

  init(count: Int, first: [String], reasons: [(reason: String, count: Int)]) {
    (self.count, self.first, self.reasons) = (count, first, reasons)
  }

  /// The rows of a database that cannot be read.
  init(_ rows: LeftOutRows) {
    self.init(count: rows.count, first: rows.first.map(\.description), reasons: rows.reasons)
  }

  /// The lines of the report; none if no row was left out.
  var lines: [String] {
    let lines = first.map { "left out: \($0)" }
    guard count > first.count else { return lines }
    let counts = reasons.map { "\(Quantity.grouped($0.count)) × \($0.reason)" }
    return lines + ["left out in all: \(counts.joined(separator: ", "))"]
  }

  /// The members of the report in JSON.
  var members: [(key: String, value: String)] {
    let reasons = reasons.map {
      JSONBuilder.object(["reason": JSONBuilder.string($0.reason), "rows": "\($0.count)"])
    }
    return [
      ("leftOut", "\(count)"), ("reasons", "[\(reasons.joined(separator: ","))]"),
      ("firstLeftOut", "[\(first.map(JSONBuilder.string).joined(separator: ","))]"),
    ]
  }

  /// Prints the report, with the number of rows of a table.
  func print(of table: String) {
    if count == 0 { return }
    let rows = Quantity.counted(count, noun: "row")
    let note = "Note: \(rows) of \(table) \(count == 1 ? "was" : "were") left out."
    Console.printMessage((lines + [note]).map { PrintableText.escaped($0) }.joined(separator: "\n"))
  }
}
