/// Objects with a member a column: one array of them, or one a line.
struct JSONEncoder: RowEncoder {
  private let keys: [String]
  private let isArray: Bool
  private var isFirst = true

  init(_ columns: [OutputColumn], isArray: Bool) {
    keys = columns.map { JSONText.key($0.name) }
    self.isArray = isArray
  }

  func begin(_ sink: OutputSink) {
    if isArray { sink.append("[") }
  }

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
    if isArray { sink.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    sink.append("{")
    for place in 0..<row.count {
      if place > 0 { sink.append(",") }
      sink.append(keys[place])
      JSONText.append(row[place], to: sink)
    }
    sink.append("}")
    if !isArray { sink.append("\n") }
  }

  func end(_ sink: OutputSink) {
    if isArray { sink.append(isFirst ? "]\n" : "\n]\n") }
  }
}
