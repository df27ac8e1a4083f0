import CairnFormats

/// What is told when an import is done.
struct ImportReport {
  let summary: WorkSummary

  init(_ summary: ImportSummary, seconds: Double) {
    var lines = summary.refusals.map { "left out: \($0)" }
    let untold = summary.refused - summary.refusals.count
    if untold > 0 { lines.append("left out: \(Quantity.counted(untold, "more row"))") }
    lines.append(Self.line(summary, seconds))
    self.summary = WorkSummary(
      text: lines.joined(separator: "\n"), members: Self.members(summary, seconds))
  }

  private static func members(
    _ summary: ImportSummary, _ seconds: Double
  ) -> KeyValuePairs<String, String> {
    [
      "class": JSONBuilder.string(summary.className),
      "rows": "\(summary.inserted)",
      "replaced": "\(summary.replaced)",
      "skipped": "\(summary.conflictsSkipped)",
      "leftOut": "\(summary.refused)",
      "bytes": "\(summary.bytes)",
      "seconds": "\((seconds * 1000).rounded() / 1000)",
    ]
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
    parts.append("\(Quantity.bytes(Int(summary.bytes))) in \(Quantity.seconds(seconds))")
    return parts.joined(separator: ", ")
  }
}
