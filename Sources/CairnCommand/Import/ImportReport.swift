import CairnFormats

/// What a person is told when an import is done.
struct ImportReport {
  let text: String

  init(_ summary: ImportSummary, seconds: Double) {
    var lines = summary.refusals.map { "left out: \($0)" }
    let untold = summary.refused - summary.refusals.count
    if untold > 0 { lines.append("left out: \(Quantity.counted(untold, "more row"))") }
    lines.append(Self.line(summary, seconds))
    text = lines.joined(separator: "\n")
  }

  private static func line(_ summary: ImportSummary, _ seconds: Double) -> String {
    var parts = ["\(Quantity.counted(summary.inserted, "row")) imported into \(summary.className)"]
    if summary.replaced > 0 { parts.append("\(Quantity.grouped(summary.replaced)) replaced") }
    if summary.conflictsSkipped > 0 {
      parts.append("\(Quantity.grouped(summary.conflictsSkipped)) skipped, their key was there")
    }
    if !summary.systems.isEmpty {
      parts[0] += " from \(summary.systems.joined(separator: " and "))"
    }
    if summary.refused > 0 { parts.append("\(Quantity.grouped(summary.refused)) left out") }
    return parts.joined(separator: ", ") + " in " + Quantity.seconds(seconds)
  }
}
