internal import CairnValues

/// Aligned columns for people: numbers to the right, two spaces between columns, a line under the
/// names.
///
/// The first rows are held back to learn the widths; longer values further down push their line
/// out.
struct TableEncoder: RowEncoder {
  private static let sampleSize = 1000

  private let names: [String]
  private let alignsRight: [Bool]
  private var sample: [[String]] = []
  private var widths: [Int] = []

  init(_ columns: [OutputColumn]) {
    names = columns.map { TableText.printable($0.name) }
    alignsRight = columns.map {
      [.int, .float, .double, .decimal128].contains($0.type)
    }
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) throws(OutputError) {
    let texts = row.map(TableText.text)
    guard widths.isEmpty else { return append(texts, sink) }
    sample.append(texts)
    if sample.count == Self.sampleSize { try appendSample(sink) }
  }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    if widths.isEmpty, !names.isEmpty { try appendSample(sink) }
  }

  private mutating func appendSample(_ sink: OutputSink) throws(OutputError) {
    widths = names.indices.map { place in
      sample.reduce(TableText.width(names[place])) { max($0, TableText.width($1[place])) }
    }
    append(names, sink)
    append(widths.map { String(repeating: "-", count: max($0, 1)) }, sink)
    for row in sample {
      append(row, sink)
      try sink.flushWhenFull()
    }
    sample = []
  }

  private func append(_ row: [String], _ sink: OutputSink) {
    for (place, text) in row.enumerated() {
      let padding = max(0, widths[place] - TableText.width(text))
      if alignsRight[place] { sink.append(spaces: padding) }
      sink.append(text)
      guard place < row.count - 1 else { continue }
      if !alignsRight[place] { sink.append(spaces: padding) }
      sink.append("  ")
    }
    sink.append("\n")
  }
}

extension OutputSink {
  fileprivate func append(spaces count: Int) {
    reserve(count).initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "), count: count)
    advance(count)
  }
}
