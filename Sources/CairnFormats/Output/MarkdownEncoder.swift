internal import CairnValues

/// A table of GitHub Flavored Markdown: numbers to the right, cells padded so that it can be read as it is.
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

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) throws(OutputError) {
    let texts = row.map { Self.escaped(TableText.rawText($0)) }
    guard widths.isEmpty else { return append(texts, sink) }
    sample.append(texts)
    if sample.count == Self.sampleSize { try appendSample(sink) }
  }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    if widths.isEmpty, !names.isEmpty { try appendSample(sink) }
  }

  private mutating func appendSample(_ sink: OutputSink) throws(OutputError) {
    widths = names.indices.map { place in
      sample.reduce(max(3, TableText.width(names[place]))) { max($0, TableText.width($1[place])) }
    }
    append(names, sink)
    append(
      widths.enumerated().map { place, width in
        String(repeating: "-", count: alignsRight[place] ? width - 1 : width)
          + (alignsRight[place] ? ":" : "")
      }, sink)
    for row in sample {
      append(row, sink)
      try sink.flushWhenFull()
    }
    sample = []
  }

  private func append(_ row: [String], _ sink: OutputSink) {
    for (place, text) in row.enumerated() {
      let room = String(repeating: " ", count: max(0, widths[place] - TableText.width(text)))
      sink.append("| ")
      sink.append(alignsRight[place] ? room + text : text + room)
      sink.append(" ")
    }
    sink.append("|\n")
  }

  /// The text without what would end the cell or begin a tag; a line's end is `<br>`, and other characters that a
  /// terminal must not see are escapes.
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
