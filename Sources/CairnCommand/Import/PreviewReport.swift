import CairnFormats
import CairnValues

/// What `import --dry-run` writes: the class, its properties, and the first rows.
struct PreviewReport {
  private static let longest = 40

  let preview: ImportPreview

  /// Writes to standard output.
  func write() throws {
    let target = try OutputTarget(nil)
    let summary = preview.summary
    let className = PrintableText.escaped(summary.className)
    let kind = preview.extendsClass ? "to the class" : "into a new class"
    target.sink.append(
      "\(Quantity.counted(summary.inserted, "row")) would go \(kind) \(className)\n\n")
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
    for column in preview.columns {
      let index =
        column.isKey
        ? "primary key" : column.type == .point ? "spatial index" : column.isIndexed ? "index" : ""
      try writer.write([
        .string(column.name), .string(column.type.name), .int(Int64(column.nulls)),
        .string(Self.shown(column.least)), .string(Self.shown(column.most)), .string(index),
      ])
    }
    try writer.finish()
  }

  private func writeRows(to sink: OutputSink) throws {
    let names = preview.columns.map { ($0.name, $0.type) }
    let writer = try RowWriter(.table, columns: Self.columns(names), to: sink)
    for row in preview.firstRows {
      try writer.write(
        row.map { value in
          if case .string = value { .string(Self.shown(value)) } else { value }
        })
    }
    try writer.finish()
  }

  private static func columns(_ names: [(String, ValueType)]) -> [OutputColumn] {
    names.enumerated().map { place, column in
      OutputColumn(name: column.0, type: column.1, source: .given(place))
    }
  }

  /// A value as a table shows it, cut where it is long.
  private static func shown(_ value: Value?) -> String {
    guard let value else { return "" }
    let text =
      switch value {
      case .int(let value): value.description
      case .double(let value): ShortNumber.text(value)
      case .bool(let value): value.description
      case .date(let value): ISODate.format(value)
      case .point(let place):
        "\(ShortNumber.text(place.latitude)), \(ShortNumber.text(place.longitude))"
      case .string(let value): value
      default: ""
      }
    return text.count > longest ? text.prefix(longest - 1) + "…" : text
  }
}
