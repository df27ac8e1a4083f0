import CairnFormats
import CairnValues

/// What is told when an import is done.
struct ImportReport {
  let summary: WorkSummary

  init(_ summary: ImportSummary, seconds: Double) {
    self.init(summary, seconds, "widened", line: Self.line(summary, seconds))
  }

  /// What is told when an import was only tried.
  init(dryRun summary: ImportSummary, seconds: Double) {
    self.init(summary, seconds, "would be widened", line: "nothing was written")
  }

  private init(_ summary: ImportSummary, _ seconds: Double, _ widened: String, line: String) {
    let changes = summary.widened.map { "\(widened): \(summary.className).\($0)" }
    let lines = changes + Self.notes(summary) + [line]
    self.summary = WorkSummary(
      text: lines.map { PrintableText.escaped($0) }.joined(separator: "\n"),
      members: Self.members(summary, seconds))
  }

  /// What was made of the header, and what was left out: the first records one by one, then all by
  /// their reasons.
  private static func notes(_ summary: ImportSummary) -> [String] {
    var lines = summary.notes.map { "note: \($0)" }
    lines += summary.refusals.map { "left out: \($0)" }
    guard summary.refused > summary.refusals.count else { return lines }
    let reasons = summary.refusedByReason.map { "\(Quantity.grouped($0.count)) × \($0.reason)" }
    lines.append("left out in all: \(reasons.joined(separator: ", "))")
    return lines
  }

  private static func members(
    _ summary: ImportSummary, _ seconds: Double
  ) -> KeyValuePairs<String, String> {
    [
      "class": JSONBuilder.string(summary.className),
      "rows": "\(summary.inserted)",
      "rowsInClass": "\(summary.rowsInClass ?? summary.inserted)",
      "replaced": "\(summary.replaced)",
      "skipped": "\(summary.conflictsSkipped)",
      "leftOut": "\(summary.refused)",
      "widened": list(summary.widened.map(JSONBuilder.string)),
      "bytes": "\(summary.bytes)",
      "seconds": "\((seconds * 1000).rounded() / 1000)",
      "reasons": list(
        summary.refusedByReason.map {
          JSONBuilder.object(["reason": JSONBuilder.string($0.reason), "rows": "\($0.count)"])
        }),
      "firstLeftOut": list(summary.refusals.map(JSONBuilder.string)),
      "notes": list(summary.notes.map(JSONBuilder.string)),
    ]
  }

  /// On the one line that an event has.
  private static func list(_ values: [String]) -> String {
    "[\(values.joined(separator: ","))]"
  }

  private static func line(_ summary: ImportSummary, _ seconds: Double) -> String {
    var parts = ["\(Quantity.counted(summary.inserted, "row")) imported into \(summary.className)"]
    if !summary.systems.isEmpty {
      parts[0] += " from \(summary.systems.joined(separator: " and "))"
    }
    if summary.replaced > 0 { parts.append("\(Quantity.grouped(summary.replaced)) replaced") }
    if summary.conflictsSkipped > 0 {
      parts.append("\(Quantity.grouped(summary.conflictsSkipped)) skipped, their key was there")
    }
    if summary.refused > 0 { parts.append("\(Quantity.grouped(summary.refused)) left out") }
    if let rows = summary.rowsInClass { parts.append("\(Quantity.grouped(rows)) in all") }
    parts.append("\(Quantity.bytes(Int(summary.bytes))) in \(Quantity.seconds(seconds))")
    return parts.joined(separator: ", ")
  }
}
