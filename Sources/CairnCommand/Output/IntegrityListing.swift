import CairnStorage
import CairnValues

/// What a check of a store found, for people and for programs.
struct IntegrityListing {
  private let report: IntegrityReport

  init(_ report: IntegrityReport) { self.report = report }

  /// Findings, one to a line; of a sound store what was checked.
  var text: String {
    var lines = damage.prefix(Self.mostLines).map { PrintableText.escaped("\($0)") }
    let all = report.count(.data) + report.count(.index)
    if all > lines.count {
      lines.append(
        "and \(Quantity.grouped(all - lines.count)) more; --json lists the first \(IntegrityReport.mostFindings)"
      )
    }
    if report.isSound { lines.append("Sound: \(checked).") }
    if report.count(.space) > 0 {
      lines.append(
        "\(Quantity.counted(report.count(.space), "value")) and \(Quantity.counted(report.lostPages, "page")) are left over; 'cairn compact' frees them."
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var damage: [IntegrityFinding] { report.findings.filter { $0.harm != .space } }

  private var checked: String {
    let classes = Quantity.counted(report.classCount, "class", "classes")
    let rows = Quantity.counted(report.rowCount, "row")
    let chunks = Quantity.counted(report.chunkCount, "chunk")
    return "\(classes), \(rows), \(chunks), \(Quantity.counted(report.usedPages, "page"))"
  }

  /// The same as one JSON object.
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
      "advice": report.advice.map(JSONBuilder.string) ?? "null",
      "findings": JSONBuilder.array(report.findings.map(Self.json)),
    ]) + "\n"
  }

  private static func json(_ finding: IntegrityFinding) -> String {
    JSONBuilder.object([
      "harm": JSONBuilder.string(finding.harm.rawValue),
      "class": finding.className.map(JSONBuilder.string) ?? "null",
      "property": finding.property.map(JSONBuilder.string) ?? "null",
      "chunk": finding.chunk.map { "\($0)" } ?? "null",
      "message": JSONBuilder.string(finding.message),
    ])
  }

  private static let mostLines = 20
}
