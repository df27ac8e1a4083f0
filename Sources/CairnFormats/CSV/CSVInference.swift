/// Learns the types of the columns of one CSV file. Used by one thread.
final class CSVInference {
  private let reader: CSVBlockReader
  private let properties: [(place: Int, name: String, isUnnamed: Bool)]
  /// What every property was seen to be, in the order of the file.
  private var evidence: [FieldEvidence]
  /// Words of every property that may mean null.
  private var suspects: [[SuspectWord]]

  init(
    layout: CSVLayout, placement: Placement, demands: CSVDemands, policy: RefusalPolicy
  ) {
    properties = layout.properties
    evidence = Array(repeating: [], count: properties.count)
    suspects = Array(repeating: [], count: properties.count)
    reader = CSVBlockReader(
      layout: layout, placement: placement, demands: demands, policy: policy)
  }

  /// What a section shows.
  func inspect(_ input: InputSection) throws(ParseStop) -> Inspection {
    for index in evidence.indices {
      evidence[index] = []
      suspects[index] = []
    }
    var count = 0
    try reader.read(input) { (rows) throws(ParseStop) in
      count += rows.count
      for index in properties.indices where !evidence[index].contains(.text) {
        inspect(rows, index)
      }
    }
    let columns = properties.indices.map {
      Findings.Column(
        name: properties[$0].name, evidence: evidence[$0], isUnnamed: properties[$0].isUnnamed,
        suspects: suspects[$0])
    }
    return Inspection(
      findings: Findings(columns: columns, hasAltitude: reader.hasAltitude),
      refusals: reader.refusals, rows: count)
  }

  private func inspect(_ rows: CSVRows, _ property: Int) {
    let column = properties[property].place
    var evidence = self.evidence[property]
    defer { self.evidence[property] = evidence }
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      let text = rows.bytes + field.start
      if reader.unquoter.isNull(text, field.count) { continue }
      let own: FieldEvidence
      if text[0] == CSVQuotes.quote {
        let inner = reader.unquoter.unquote(text, field.count)
        own = inner.baseAddress.map { of($0, inner.count) } ?? .text
      } else {
        own = of(text, field.count)
      }
      if own == .suspect { noteSuspect(property, text, field) }
      evidence.insert(own)
      if evidence.contains(.text) { return }
    }
  }

  /// Notes a word that may mean null, the first time that it is met.
  private func noteSuspect(
    _ property: Int, _ text: UnsafePointer<UInt8>, _ field: (start: Int, count: Int)
  ) {
    guard suspects[property].count < SuspectWord.kept else { return }
    let bytes = reader.unquoter.unquoted(text, field.count)
    let word = String(decoding: bytes, as: UTF8.self)
    if suspects[property].contains(where: { $0.word == word }) { return }
    suspects[property].append(
      SuspectWord(word: word, place: reader.inputPlace(of: field.start)))
  }

  @inline(__always)
  private func of(_ text: UnsafePointer<UInt8>, _ count: Int) -> FieldEvidence {
    let evidence = FieldEvidence.of(text, count, reader.layout.reading)
    return reader.layout.hasDecimalCommas ? withCommas(text, count, evidence) : evidence
  }

  /// A number with a point could as well be one with its thousands apart: it is no certain number.
  private func withCommas(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ evidence: FieldEvidence
  ) -> FieldEvidence {
    let hasPoint = CSVQuotes.find(UInt8(ascii: "."), text, 0..<count) != nil
    if evidence == .double { return hasPoint ? .text : .double }
    guard evidence == .text, let pointed = reader.unquoter.pointed(text, count)?.baseAddress,
      SpelledNumber.double(pointed, count) != nil
    else { return evidence }
    return .double
  }
}
