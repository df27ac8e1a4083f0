/// Aligned columns for people: numbers point under point, two spaces between columns, a line under the
/// names.
///
/// The first rows are held back to learn the widths; longer values further down push their line
/// out, unless a terminal sets bounds.
struct TableEncoder: RowEncoder {
  private static let sampleSize = 1000

  private var columns: [TableColumn]
  private let width: Int?
  private var sample: [[TableCell]] = []
  private var isLaidOut = false
  private var shown: Int
  /// The names of columns for which there was no room.
  var omitted: [String] { columns[shown...].map(\.name) }

  /// - Parameter width: columns of the terminal; nil: there are no bounds.
  init(_ columns: [OutputColumn], width: Int?) {
    self.columns = columns.map(TableColumn.init)
    self.width = width
    shown = columns.count
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) throws(OutputError) {
    let cells = row.map { TableCell($0) }
    guard !isLaidOut else { return append(cells, sink) }
    sample.append(cells)
    if sample.count == Self.sampleSize { try appendSample(sink) }
  }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    if !isLaidOut, !columns.isEmpty { try appendSample(sink) }
  }

  private mutating func appendSample(_ sink: OutputSink) throws(OutputError) {
    for row in sample {
      for (place, cell) in row.enumerated() { columns[place].fit(cell) }
    }
    isLaidOut = true
    if let width { shown = TableLayout.fit(&columns, width: width) }
    append(columns[..<shown].enumerated().map { $1.heading(isLast: isLast($0)) }, sink)
    append(columns[..<shown].map { String(repeating: "-", count: $0.width) }, sink)
    for row in sample {
      append(row, sink)
      try sink.flushWhenFull()
    }
    sample = []
  }

  /// Nothing follows the last column, so it needs no room behind it.
  private func isLast(_ place: Int) -> Bool { place == columns.count - 1 }

  private func append(_ row: [TableCell], _ sink: OutputSink) {
    append(
      columns[..<shown].enumerated().map { $1.text(row[$0], isLast: isLast($0)) }, sink)
  }

  private func append(_ texts: [String], _ sink: OutputSink) {
    let line = texts.joined(separator: "  ")
    let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
    sink.append(shown < columns.count ? line + "  …\n" : line[..<end] + "\n")
  }
}
