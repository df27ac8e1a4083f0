import CairnStorage
import CairnValues

/// The findings of a check of a store, for people and for programs.
struct IntegrityListing {
  private let report: IntegrityReport

  init(_ report: IntegrityReport) { self.report = report }

  /// The findings, one a line; for a sound store, a summary of what was checked.
  var text: String {
    var lines = damage.prefix(Self.maxLines).map { PrintableText.escaped("\($0)") }
    let all = report.count(.data) + report.count(.index)
    if all > lines.count {
      let more = Quantity.grouped(all - lines.count)
      lines.append("and \(more) more; --json lists the first \(IntegrityReport.maxFindings)")
    }
    if report.isSound { lines.append("Sound: \(checked).") }
    if report.count(.space) > 0 {
      let values = Quantity.counted(report.count(.space), noun: "value")
      let pages = Quantity.counted(report.lostPages, noun: "page")
      lines.append("\(values) and \(pages) are unused; 'cairn compact' frees them.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var damage: [IntegrityFinding] { report.findings.filter { $0.severity != .space } }

  private var checked: String {
    let classes = Quantity.counted(report.classCount, noun: "class", many: "classes")
    let rows = Quantity.counted(report.rowCount, noun: "row")
    let chunks = Quantity.counted(report.chunkCount, noun: "chunk")
    return "\(classes), \(rows), \(chunks), \(Quantity.counted(report.usedPages, noun: "page"))"
  }

  /// The findings as one JSON object.
  var json: String {
    JSONBuilder.object([
      "sound": "\(report.isSound)",
      "commit": "\(report.version)",
      "classes": "\(report.classCount)",
      "rows": "\(report.rowCount)",
      "chunks": "\(report.chunkCount)",
      "pageSize": "\(report.pageSize)",
      "usedPages": "\(report.usedPages)",
      "freePages": "\(report.freePages)",
      "lostPages": "\(report.lostPages)",
      "damaged": "\(report.count(.data) + report.count(.index))",
      "advice": report.shellAdvice.map(JSONBuilder.string) ?? "null",
      "findings": JSONBuilder.array(report.findings.map(Self.json)),
    ]) + "\n"
  }

  private static func json(_ finding: IntegrityFinding) -> String {
    JSONBuilder.object([
      "harm": JSONBuilder.string(finding.severity.rawValue),
      "class": finding.className.map(JSONBuilder.string) ?? "null",
      "property": finding.property.map(JSONBuilder.string) ?? "null",
      "chunk": finding.chunk.map { "\($0)" } ?? "null",
      "message": JSONBuilder.string(finding.message),
    ])
  }

  private static let maxLines = 20
}

/// The summary of a compaction.
struct CompactionReport {
  let text: String

  init(_ summary: CompactionSummary, of path: String) {
    var parts = [
      "\(PrintableText.escaped(path)): \(Quantity.counted(summary.rows, noun: "row"))",
      "\(Quantity.grouped(summary.before)) bytes before, \(Quantity.grouped(summary.after)) now",
    ]
    if summary.freedKeys > 0 {
      parts.append("\(Quantity.counted(summary.freedKeys, noun: "unused row number")) removed")
    }
    if summary.repaired { parts.append("indexes repaired") }
    text = parts.joined(separator: ", ")
  }
}

extension IntegrityReport {
  /// The remedy, with the command that carries it out; nil if the store is sound.
  var shellAdvice: String? {
    needsCompaction
      ? "'cairn compact' rebuilds the indexes from the objects, which are intact" : advice
  }
}
