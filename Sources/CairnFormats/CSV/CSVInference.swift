/// Learns the types of the columns of one CSV file. Used by one thread.
final class CSVInference {
  private let reader: CSVBlockReader
  private let properties: [(place: Int, name: String)]
  /// What every property was seen to be, in the order of the file.
  private var evidence: [FieldEvidence]

  init(
    layout: CSVLayout, placement: Placement, required: Set<String>, policy: RefusalPolicy
  ) {
    properties = layout.properties
    evidence = Array(repeating: [], count: properties.count)
    let places = properties.filter { required.contains($0.name) }.map(\.place)
    reader = CSVBlockReader(
      layout: layout, placement: placement, required: places, policy: policy)
  }

  /// What a section shows.
  func inspect(_ input: InputSection) throws(ParseStop) -> Findings {
    for index in evidence.indices { evidence[index] = [] }
    try reader.read(input) { (rows) throws(ParseStop) in
      for (index, property) in properties.enumerated() where !evidence[index].contains(.text) {
        inspect(rows, property.place, &evidence[index])
      }
    }
    let columns = zip(properties, evidence).map { Findings.Column(name: $0.name, evidence: $1) }
    return Findings(columns: columns, hasAltitude: false)
  }

  private func inspect(_ rows: CSVRows, _ column: Int, _ evidence: inout FieldEvidence) {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      if field.count == 0 { continue }
      let text = rows.bytes + field.start
      if text[0] == CSVQuotes.quote {
        let inner = reader.unquoter.unquote(text, field.count)
        evidence.insert(inner.baseAddress.map { .of($0, inner.count) } ?? .text)
      } else {
        evidence.insert(.of(text, field.count))
      }
      if evidence.contains(.text) { return }
    }
  }
}
