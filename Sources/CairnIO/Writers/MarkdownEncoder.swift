internal import CairnValues

/// A table of GitHub Flavored Markdown. Numbers are right-aligned, and cells are padded so that the
/// source is readable.
struct MarkdownEncoder: RowEncoder {
  private static let sampleSize = 1000

  private let names: [String]
  private let alignsRight: [Bool]
  private var sample: [[String]] = []
  private var widths: [Int] = []

  init(_ columns: [OutputColumn]) {
    names = columns.map { Self.escaped($0.name) }
    alignsRight = columns.map(\.isNumber)
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) throws(OutputError) {
    let texts = row.map { Self.escaped(TableText.rawText($0)) }
    guard widths.isEmpty else { return append(texts, sink: sink) }
    sample.append(texts)
    if sample.count == Self.sampleSize { try appendSample(sink) }
  }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    if widths.isEmpty, !names.isEmpty { try appendSample(sink) }
  }

  private mutating func appendSample(_ sink: OutputSink) throws(OutputError) {
    widths = names.indices.map { index in
      sample.reduce(max(3, TableText.width(names[index]))) { max($0, TableText.width($1[index])) }
    }
    append(names, sink: sink)
    append(
      widths.enumerated().map { index, width in
        String(repeating: "-", count: alignsRight[index] ? width - 1 : width)
          + (alignsRight[index] ? ":" : "")
      }, sink: sink)
    for row in sample {
      append(row, sink: sink)
      try sink.flushWhenFull()
    }
    sample = []
  }

  private func append(_ row: [String], sink: OutputSink) {
    for (index, text) in row.enumerated() {
      let room = String(repeating: " ", count: max(0, widths[index] - TableText.width(text)))
      sink.append("| ")
      sink.append(alignsRight[index] ? room + text : text + room)
      sink.append(" ")
    }
    sink.append("|\n")
  }

  /// Returns the text without characters that would end the cell or begin a tag. A line break
  /// becomes `<br>`; other characters that are unsafe for a terminal become escapes.
  private static func escaped(_ text: String) -> String {
    let text = PrintableText.escaped(text, keeping: ["\n", "\r", "\t"])
    guard text.unicodeScalars.contains(where: { "|<\\\n\r\t".unicodeScalars.contains($0) })
    else { return text }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.map { line in
      line.unicodeScalars.reduce(into: "") { result, scalar in
        switch scalar {
        case "|": result += "\\|"
        case "\\": result += "\\\\"
        case "<": result += "&lt;"
        case "\t": result += " "
        default: result.unicodeScalars.append(scalar)
        }
      }
    }.joined(separator: "<br>")
  }
}
