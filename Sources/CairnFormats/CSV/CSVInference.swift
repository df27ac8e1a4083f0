/// Learns the types of the columns of one CSV file. Used by one thread.
final class CSVInference {
  private let reader: CSVBlockReader
  private let properties: [(place: Int, name: String, isUnnamed: Bool)]
  /// What every property was seen to be, in the order of the file.
  private var evidence: [FieldEvidence]

  init(
    layout: CSVLayout, placement: Placement, demands: CSVDemands, policy: RefusalPolicy
  ) {
    properties = layout.properties
    evidence = Array(repeating: [], count: properties.count)
    reader = CSVBlockReader(
      layout: layout, placement: placement, demands: demands, policy: policy)
  }

  /// What a section shows.
  func inspect(_ input: InputSection) throws(ParseStop) -> Inspection {
    for index in evidence.indices { evidence[index] = [] }
    var count = 0
    try reader.read(input) { (rows) throws(ParseStop) in
      count += rows.count
      for (index, property) in properties.enumerated() where !evidence[index].contains(.text) {
        inspect(rows, property.place, &evidence[index])
      }
    }
    let columns = zip(properties, evidence).map {
      Findings.Column(name: $0.name, evidence: $1, isUnnamed: $0.isUnnamed)
    }
    return Inspection(
      findings: Findings(columns: columns, hasAltitude: reader.hasAltitude),
      refusals: reader.refusals, rows: count)
  }

  private func inspect(_ rows: CSVRows, _ column: Int, _ evidence: inout FieldEvidence) {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      if field.count == 0 { continue }
      let text = rows.bytes + field.start
      if text[0] == CSVQuotes.quote {
        let inner = reader.unquoter.unquote(text, field.count)
        evidence.insert(inner.baseAddress.map { of($0, inner.count) } ?? .text)
      } else {
        evidence.insert(of(text, field.count))
      }
      if evidence.contains(.text) { return }
    }
  }

  @inline(__always)
  private func of(_ text: UnsafePointer<UInt8>, _ count: Int) -> FieldEvidence {
    reader.layout.hasDecimalCommas ? withCommas(text, count) : .of(text, count)
  }

  /// A number with a point could as well be one with its thousands apart: it is no certain number.
  private func withCommas(_ text: UnsafePointer<UInt8>, _ count: Int) -> FieldEvidence {
    let evidence = FieldEvidence.of(text, count)
    let hasPoint = CSVQuotes.find(UInt8(ascii: "."), text, 0..<count) != nil
    if evidence == .double { return hasPoint ? .text : .double }
    guard evidence == .text, let pointed = reader.unquoter.pointed(text, count)?.baseAddress,
      DoubleText.parse(pointed, count) != nil
    else { return evidence }
    return .double
  }
}
