internal import CSimdJSON

/// Learns the properties of files of GeoJSON or plain JSON and their types, section by section. Used by one thread.
final class FeatureInference {
  private let reader: FeatureReader
  private let required: Set<String>
  private let fields: FieldReading
  private var names = NameTable()
  private var evidence: [FieldEvidence] = []
  private var suspects: [[SuspectWord]] = []
  private var hasAltitude = false
  private var ownIds: FieldEvidence = []
  private var idsDiffer = false
  /// The Feature at hand: the columns it has values for, and what they are.
  private var seen: [(column: Int, evidence: FieldEvidence)] = []
  private var isSeen: [Bool] = []

  init(
    required: Set<String>, placements: Placements, options: ImportOptions
  ) throws(ImportError) {
    reader = try FeatureReader(
      placements: placements, shapes: options.shapes, fields: options.reading,
      policy: options.onError)
    self.required = required
    fields = options.reading
  }

  /// What a section shows.
  func inspect(_ input: InputSection) throws(ParseStop) -> Inspection {
    names = NameTable()
    evidence = []
    suspects = []
    isSeen = []
    hasAltitude = false
    (ownIds, idsDiffer) = ([], false)
    var reader = self.reader
    var rows = 0
    try reader.read(input) { (reader) throws(ParseStop) in
      seen.removeAll(keepingCapacity: true)
      let known = names.names.count
      let isGood = try look(&reader)
      for entry in seen {
        isSeen[entry.column] = false
        if isGood { evidence[entry.column].insert(entry.evidence) }
      }
      if !isGood { forget(from: known) }
      if isGood { rows += 1 }
      if isGood, reader.location.altitude != nil { hasAltitude = true }
    }
    let columns = names.names.indices.map {
      Findings.Column(name: names.names[$0], evidence: evidence[$0], suspects: suspects[$0])
    }
    var findings = Findings(columns: columns, hasAltitude: hasAltitude)
    findings.hasFurtherNumbers = reader.hasFurtherNumbers
    (findings.ownIds, findings.idsDiffer) = (ownIds, idsDiffer)
    return Inspection(findings: findings, refusals: reader.refusals, rows: rows)
  }

  /// Looks at every value of a record; false when it was refused.
  private func look(_ reader: inout FeatureReader) throws(ParseStop) -> Bool {
    var ownId: FieldEvidence = []
    var differs = false
    if reader.feature.id.kind > CSIMDJSON_NULL.rawValue {
      guard try reader.checkJSON(reader.feature.id) else { return false }
      ownId = JSONFieldText.evidence(reader.feature.id, fields)
    }
    for (place, member) in reader.members.enumerated() where member.is_foreign == 0 {
      guard try reader.checkJSON(member.value) else { return false }
      let (name, count) = FeatureReader.name(member)
      let column = names.find(name, count, at: place) ?? add(NameTable.text(name, count))
      guard !isSeen[column] else {
        try reader.refuseRepeated(member)
        return false
      }
      if note(column, member.value) == .suspect {
        noteSuspect(column, member.value, reader.inputPlace(of: member.value.text))
      }
      if !ownId.isEmpty, names.names[column] == "id", !reader.repeatsId(member) { differs = true }
    }
    guard try checkRequired(&reader, hasOwnId: !ownId.isEmpty) else { return false }
    ownIds.formUnion(ownId)
    idsDiffer = idsDiffer || differs
    return true
  }

  /// Notes what a value is.
  private func note(_ column: Int, _ value: csimdjson_value) -> FieldEvidence {
    isSeen[column] = true
    let evidence = JSONFieldText.evidence(value, fields)
    seen.append((column, evidence))
    return evidence
  }

  /// Notes a word that may mean null, the first time that it is met.
  private func noteSuspect(_ column: Int, _ value: csimdjson_value, _ place: InputPlace) {
    let word = FeatureReader.text(value)
    guard suspects[column].count < SuspectWord.kept,
      !suspects[column].contains(where: { $0.word == word })
    else { return }
    suspects[column].append(SuspectWord(word: word, place: place))
  }

  private func add(_ name: String) -> Int {
    evidence.append([])
    suspects.append([])
    isSeen.append(false)
    return names.add(name)
  }

  /// Drops the names that only a refused Feature had.
  private func forget(from known: Int) {
    names.truncate(to: known)
    evidence.removeSubrange(known...)
    suspects.removeSubrange(known...)
    isSeen.removeSubrange(known...)
  }

  private func checkRequired(
    _ reader: inout FeatureReader, hasOwnId: Bool
  ) throws(ParseStop) -> Bool {
    for name in required {
      // Only the whole file tells the name of the property that the Features' own ids become.
      if hasOwnId, name == "id" || name.hasPrefix("feature_id") { continue }
      let column = names.find(name)
      if seen.contains(where: { $0.column == column && !$0.evidence.isEmpty }) { continue }
      try reader.refuse("`\(name)` is missing", "`\(name)` is missing: every row needs one")
      return false
    }
    return true
  }
}
