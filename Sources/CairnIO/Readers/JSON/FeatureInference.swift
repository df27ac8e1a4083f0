internal import CSimdJSON
internal import CairnValues

/// Infers the properties of GeoJSON or plain JSON files and their types, block by block. For use by
/// one thread.
final class FeatureInference {
  private let reader: FeatureReader
  private let required: Set<String>
  private let fields: FieldReading
  private var names = NameTable()
  private var evidence: [FieldEvidence] = []
  private var suspects: [[SuspectWord]] = []
  private var ownIds: FieldEvidence = []
  private var idsDiffer = false
  /// The columns that the current Feature has values for, and the evidence of each.
  private var seen: [(column: Int, evidence: FieldEvidence)] = []
  private var isSeen: [Bool] = []

  init(
    required: Set<String>, form: SpatialForm, mappings: CoordinateMappings, options: ImportOptions
  ) throws(ImportError) {
    reader = try FeatureReader(
      mappings: mappings, geometries: options.geometries, form: form, fields: options.reading,
      policy: options.onError)
    self.required = required
    fields = options.reading
  }

  /// Infers the columns of a block.
  func inspect(_ input: InputBlock) throws(ParseAbort) -> InferredSchema {
    names = NameTable()
    evidence = []
    suspects = []
    isSeen = []
    (ownIds, idsDiffer) = ([], false)
    var reader = self.reader
    var rows = 0
    var hasFurtherNumbers = false
    var spatial: SpatialEvidence = []
    try reader.read(input) { (reader) throws(ParseAbort) in
      seen.removeAll(keepingCapacity: true)
      let known = names.names.count
      let seenBefore = spatial
      reader.noteEvidence(in: &spatial)
      let isGood = try look(&reader)
      if !isGood { spatial = seenBefore }
      for entry in seen {
        isSeen[entry.column] = false
        if isGood { evidence[entry.column].insert(entry.evidence) }
      }
      if !isGood { forget(from: known) }
      if isGood { rows += 1 }
      if isGood, reader.hasFurtherNumbers { hasFurtherNumbers = true }
    }
    let columns = names.names.indices.map {
      InferredColumns.Column(name: names.names[$0], evidence: evidence[$0], suspects: suspects[$0])
    }
    var inferred = InferredColumns(columns: columns, spatial: [.only: spatial])
    inferred.hasFurtherNumbers = hasFurtherNumbers
    (inferred.ownIds, inferred.idsDiffer) = (ownIds, idsDiffer)
    return InferredSchema(inferred: inferred, rejects: reader.rejects, rows: rows)
  }

  /// Inspects every value of a record. Returns false when the record was rejected.
  private func look(_ reader: inout FeatureReader) throws(ParseAbort) -> Bool {
    var ownId: FieldEvidence = []
    var differs = false
    if reader.feature.id.kind > CSIMDJSON_NULL.rawValue {
      guard try reader.checkJSON(reader.feature.id) else { return false }
      ownId = JSONFieldEvidence.evidence(reader.feature.id, reading: fields)
    }
    for (index, member) in reader.members.enumerated() where member.is_foreign == 0 {
      guard try reader.checkJSON(member.value) else { return false }
      let (name, count) = FeatureReader.name(member)
      let column =
        names.find(name, count: count, at: index) ?? add(NameTable.text(name, count: count))
      guard !isSeen[column] else {
        try reader.rejectRepeated(member)
        return false
      }
      if note(column, value: member.value) == .suspect {
        noteSuspect(
          column, value: member.value, position: reader.inputPosition(of: member.value.text))
      }
      if !ownId.isEmpty, names.names[column] == "id", !reader.repeatsId(member) { differs = true }
    }
    guard try checkRequired(&reader, hasOwnId: !ownId.isEmpty) else { return false }
    ownIds.formUnion(ownId)
    idsDiffer = idsDiffer || differs
    return true
  }

  /// Records the kind of a value.
  private func note(_ column: Int, value: csimdjson_value) -> FieldEvidence {
    isSeen[column] = true
    let evidence = JSONFieldEvidence.evidence(value, reading: fields)
    seen.append((column, evidence))
    return evidence
  }

  /// Records a word that may mean null when it first appears.
  private func noteSuspect(_ column: Int, value: csimdjson_value, position: InputPosition) {
    let word = FeatureReader.text(value)
    guard suspects[column].count < SuspectWord.kept,
      !suspects[column].contains(where: { $0.word == word })
    else { return }
    suspects[column].append(SuspectWord(word: word, position: position))
  }

  private func add(_ name: String) -> Int {
    evidence.append([])
    suspects.append([])
    isSeen.append(false)
    return names.add(name)
  }

  /// Drops the names that only a rejected Feature had.
  private func forget(from known: Int) {
    names.truncate(to: known)
    evidence.removeSubrange(known...)
    suspects.removeSubrange(known...)
    isSeen.removeSubrange(known...)
  }

  private func checkRequired(
    _ reader: inout FeatureReader, hasOwnId: Bool
  ) throws(ParseAbort) -> Bool {
    for name in required {
      // The name of the property for the Features' own ids is known only after the whole file.
      if hasOwnId, name == "id" || name.hasPrefix("feature_id") { continue }
      let column = names.find(name)
      if seen.contains(where: { $0.column == column && !$0.evidence.isEmpty }) { continue }
      try reader.reject(
        "`\(name)` is missing", detail: "`\(name)` is missing; every row must have a value")
      return false
    }
    return true
  }
}

/// Values of JSON properties as fields of the types that inference recognizes.
enum JSONFieldEvidence {
  /// Returns the kind of a value. Numbers must be well formed.
  static func evidence(_ value: csimdjson_value, reading: FieldReading) -> FieldEvidence {
    let (text, count) = FeatureReader.bytes(value)
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER:
      if let int = IntegerText.parse(text, count: count) {
        return IntegerText.isExact(int) ? .int : .largeInt
      }
      return DoubleText.parse(text, count: count) != nil ? .double : .text
    case CSIMDJSON_TRUE, CSIMDJSON_FALSE: return .bool
    case CSIMDJSON_STRING:
      if reading.nulls.contains(text, count: count) { return [] }
      if let date = DateText.read(text, count: count, reading: reading) {
        return date.isLocal ? [.date, .localDate] : .date
      }
      return NullWords.suspect(text, count: count) == nil ? .text : .suspect
    case CSIMDJSON_NESTED: return .text
    default: return []
    }
  }
}
