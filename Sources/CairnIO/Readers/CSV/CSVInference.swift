/// Infers the types of the columns of one CSV file. For use by one thread.
final class CSVInference {
  private let reader: CSVBlockReader
  private let properties: [(index: Int, name: String, isUnnamed: Bool)]
  /// The evidence for each property, in the order of the file.
  private var evidence: [FieldEvidence]
  /// Words in each property that may mean null.
  private var suspects: [[SuspectWord]]

  init(
    layout: CSVLayout, mapping: CoordinateMapping, form: SpatialForm,
    requirements: CSVRequirements, policy: RejectPolicy
  ) {
    properties = layout.properties
    evidence = Array(repeating: [], count: properties.count)
    suspects = Array(repeating: [], count: properties.count)
    reader = CSVBlockReader(
      layout: layout, mapping: mapping, requirements: requirements, policy: policy,
      form: { _ in form })
  }

  /// Infers the columns of a block.
  func inspect(_ input: InputBlock) throws(ParseAbort) -> InferredSchema {
    for index in evidence.indices {
      evidence[index] = []
      suspects[index] = []
    }
    var count = 0
    try reader.read(input) { (rows) throws(ParseAbort) in
      count += rows.count
      for index in properties.indices where !evidence[index].contains(.text) {
        inspect(rows, property: index)
      }
    }
    let columns = properties.indices.map {
      InferredColumns.Column(
        name: properties[$0].name, evidence: evidence[$0], isUnnamed: properties[$0].isUnnamed,
        suspects: suspects[$0])
    }
    let spatial = Dictionary(
      reader.spatial.map { ($0.source, $0.evidence) }, uniquingKeysWith: { $0.union($1) })
    return InferredSchema(
      inferred: InferredColumns(columns: columns, spatial: spatial),
      rejects: reader.rejects, rows: count)
  }

  private func inspect(_ rows: CSVRows, property: Int) {
    let column = properties[property].index
    var evidence = self.evidence[property]
    defer { self.evidence[property] = evidence }
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      let text = rows.bytes + field.start
      if reader.unquoter.isNull(text, count: field.count) { continue }
      let own: FieldEvidence
      if text[0] == CSVQuotes.quote {
        let inner = reader.unquoter.unquote(text, count: field.count)
        own = inner.baseAddress.map { of($0, count: inner.count) } ?? .text
      } else {
        own = of(text, count: field.count)
      }
      if own == .suspect || own == .hugeInt { noteSuspect(property, text: text, field: field) }
      evidence.insert(own)
      if evidence.contains(.text) { return }
    }
  }

  /// Records a word that may mean null, or an integer beyond 64 bits, when it first appears.
  private func noteSuspect(
    _ property: Int, text: UnsafePointer<UInt8>, field: (start: Int, count: Int)
  ) {
    guard suspects[property].count < SuspectWord.kept else { return }
    let bytes = reader.unquoter.unquoted(text, count: field.count)
    let word = String(decoding: bytes, as: UTF8.self)
    if suspects[property].contains(where: { $0.word == word }) { return }
    suspects[property].append(
      SuspectWord(word: word, position: reader.inputPosition(of: field.start)))
  }

  @inline(__always)
  private func of(_ text: UnsafePointer<UInt8>, count: Int) -> FieldEvidence {
    let evidence = FieldEvidence.of(text, count: count, reading: reader.layout.reading)
    return reader.layout.numbers.isPlain ? evidence : inNotation(text, count: count, evidence)
  }

  /// Returns the evidence in a notation of numbers that is not that of programs. With decimal commas,
  /// a point could separate thousands, so a text with a point does not count as a number.
  private func inNotation(
    _ text: UnsafePointer<UInt8>, count: Int, _ evidence: FieldEvidence
  ) -> FieldEvidence {
    guard evidence == .text || evidence == .double else { return evidence }
    guard let number = reader.unquoter.plainNumber(text, count: count),
      let base = number.baseAddress
    else { return .text }
    let found = FieldEvidence.of(base, count: number.count, reading: FieldReading())
    return [.int, .largeInt, .double, .hugeInt].contains(found) ? found : evidence
  }
}
