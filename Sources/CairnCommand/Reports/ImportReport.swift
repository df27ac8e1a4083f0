import CairnIO
import CairnValues

/// The summary of an import.
struct ImportReport {
  let summary: WorkSummary

  init(_ summary: ImportSummary, seconds: Double) {
    self.init(
      summary, seconds: seconds, widened: "widened", line: Self.line(summary, seconds: seconds))
  }

  /// Creates the summary of a dry run.
  init(dryRun summary: ImportSummary, seconds: Double) {
    let skipped = Self.skipped(summary)
    self.init(
      summary, seconds: seconds, widened: "would be widened",
      line: (skipped + ["nothing was written"]).joined(separator: ", "))
  }

  private init(_ summary: ImportSummary, seconds: Double, widened: String, line: String) {
    let changes = summary.widened.map { "\(widened): \(summary.className).\($0)" }
    let lines = changes + Self.notes(summary) + [line]
    self.summary = WorkSummary(
      text: lines.map { PrintableText.escaped($0) }.joined(separator: "\n"),
      members: Self.members(summary, seconds: seconds))
  }

  /// Notes on the header, then the rejected records: the first ones individually, then counts by
  /// reason.
  private static func notes(_ summary: ImportSummary) -> [String] {
    let leftOut = LeftOutReport(
      count: summary.rejected, first: summary.rejects.map(\.text.shellText),
      reasons: summary.rejectedByReason)
    return summary.notes.map { "note: \($0.shellText)" } + leftOut.lines
  }

  private static func members(
    _ summary: ImportSummary, seconds: Double
  ) -> KeyValuePairs<String, String> {
    [
      "class": JSONBuilder.string(summary.className),
      "rows": "\(summary.inserted)",
      "rowsInClass": "\(summary.rowsInClass ?? summary.inserted)",
      "replaced": "\(summary.replaced)",
      "unchanged": "\(summary.unchanged)",
      "skipped": "\(summary.conflictsSkipped)",
      "updated": "\(summary.updated)",
      "unpaired": "\(summary.unpaired)",
      "unmatched": "\(summary.unmatched)",
      "duplicates": "\(summary.duplicates)",
      "leftOut": "\(summary.rejected)",
      "widened": list(summary.widened.map(JSONBuilder.string)),
      "bytes": "\(summary.bytes)",
      "seconds": "\((seconds * 1000).rounded() / 1000)",
      "reasons": list(
        summary.rejectedByReason.map {
          JSONBuilder.object(["reason": JSONBuilder.string($0.reason), "rows": "\($0.count)"])
        }),
      "firstLeftOut": list(summary.rejects.map { JSONBuilder.string($0.text.shellText) }),
      "notes": list(summary.notes.map { JSONBuilder.string($0.shellText) }),
    ]
  }

  /// The values as a JSON array on one line, because an event is one line.
  private static func list(_ values: [String]) -> String {
    "[\(values.joined(separator: ","))]"
  }

  /// The numbers of the rows that the user wanted to be skipped.
  private static func skipped(_ summary: ImportSummary) -> [String] {
    [(summary.unmatched, "by the condition"), (summary.duplicates, "as duplicates")]
      .filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) skipped \($0.1)" }
  }

  private static func line(_ summary: ImportSummary, seconds: Double) -> String {
    var parts = [
      summary.updateKey.map {
        "\(Quantity.counted(summary.updated, noun: "row")) of \(summary.className) updated by \($0)"
      } ?? "\(Quantity.counted(summary.inserted, noun: "row")) imported into \(summary.className)"
    ]
    if summary.unpaired > 0 {
      parts.append(
        "\(Quantity.counted(summary.unpaired, noun: "row")) of the files without a partner")
    }
    if !summary.systems.isEmpty {
      parts[0] += " from \(summary.systems.joined(separator: " and "))"
    }
    if summary.replaced > 0 { parts.append("\(Quantity.grouped(summary.replaced)) replaced") }
    if summary.unchanged > 0 { parts.append("\(Quantity.grouped(summary.unchanged)) unchanged") }
    if summary.conflictsSkipped > 0 {
      parts.append(
        "\(Quantity.grouped(summary.conflictsSkipped)) skipped because the key already exists")
    }
    parts += skipped(summary)
    if summary.rejected > 0 { parts.append("\(Quantity.grouped(summary.rejected)) left out") }
    if let rows = summary.rowsInClass { parts.append("\(Quantity.grouped(rows)) in all") }
    parts.append("\(Quantity.bytes(Int(summary.bytes))) in \(Quantity.seconds(seconds))")
    return parts.joined(separator: ", ")
  }
}

/// The output of `import --dry-run`: the class, its properties, and the first rows.
struct PreviewReport {
  private static let longest = 40

  let preview: ImportPreview

  /// Writes to standard output.
  func write() throws {
    let target = try OutputTarget(nil)
    let summary = preview.summary
    let className = PrintableText.escaped(summary.className)
    let kind = preview.extendsClass ? "the class" : "a new class"
    let rows = Quantity.counted(summary.inserted, noun: "row")
    let fate =
      summary.updateKey.map {
        "would change those of the class \(className) with the same \(PrintableText.escaped($0))"
      } ?? "would be imported into \(kind) \(className)"
    target.sink.append("\(rows) \(fate)\n\n")
    try writeColumns(to: target.sink)
    if !preview.firstRows.isEmpty {
      target.sink.append("\nThe first rows:\n\n")
      try writeRows(to: target.sink)
    }
    try target.finish()
  }

  private func writeColumns(to sink: OutputSink) throws {
    let names: [(String, ValueType)] = [
      ("property", .string), ("type", .string), ("nulls", .int), ("least", .string),
      ("most", .string), ("index", .string),
    ]
    let writer = try RowWriter(.table, columns: Self.columns(names), to: sink)
    try writer.write(
      preview.columns.map { column in
        let index =
          column.isKey
          ? "primary key"
          : column.type == .point || column.type.isGeometry
            ? "spatial index" : column.indexName
        return [
          .string(column.name), .string(column.type.name), .int(Int64(column.nulls)),
          .string(Self.shown(column.least)), .string(Self.shown(column.most)), .string(index),
        ]
      })
    try writer.finish()
  }

  private func writeRows(to sink: OutputSink) throws {
    let names = preview.columns.map { ($0.name, $0.type) }
    let writer = try RowWriter(.table, columns: Self.columns(names), to: sink)
    try writer.write(
      preview.firstRows.map { row in
        row.map { value in
          if case .string = value { .string(Self.shown(value)) } else { value }
        }
      })
    try writer.finish()
  }

  private static func columns(_ names: [(String, ValueType)]) -> [OutputColumn] {
    names.enumerated().map { index, column in
      OutputColumn(name: column.0, type: column.1, source: .given(index))
    }
  }

  /// A value as a table shows it, truncated if it is long.
  private static func shown(_ value: Value?) -> String {
    guard let value else { return "" }
    let text =
      switch value {
      case .int(let value): value.description
      case .double(let value): ShortNumber.text(value)
      case .bool(let value): value.description
      case .date(let value): ISODate.format(value)
      case .point(let point):
        "\(ShortNumber.text(point.latitude)), \(ShortNumber.text(point.longitude))"
      case .string(let value): value
      default: ""
      }
    return text.count > longest ? text.prefix(longest - 1) + "…" : text
  }
}

extension ImportPreview.Column {
  /// The value index and the full-text index of the property.
  fileprivate var indexName: String {
    [isIndexed ? "index" : nil, isFullText ? "full-text index" : nil].compactMap { $0 }
      .joined(separator: ", ")
  }
}
