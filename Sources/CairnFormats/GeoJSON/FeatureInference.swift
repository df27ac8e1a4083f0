internal import CSimdJSON

/// Learns the properties of GeoJSON files and their types, section by section. Used by one thread.
final class FeatureInference {
  private let reader: FeatureReader
  private let required: Set<String>
  private var names = NameTable()
  private var evidence: [FieldEvidence] = []
  private var hasAltitude = false
  /// The Feature at hand: the columns it has values for, and what they are.
  private var seen: [(column: Int, evidence: FieldEvidence)] = []
  private var isSeen: [Bool] = []

  init(
    required: Set<String>, placements: Placements, shapes: ShapeOptions, policy: RefusalPolicy
  ) throws(ImportError) {
    reader = try FeatureReader(placements: placements, shapes: shapes, policy: policy)
    self.required = required
  }

  /// What a section shows.
  func inspect(_ input: InputSection) throws(ParseStop) -> Inspection {
    names = NameTable()
    evidence = []
    isSeen = []
    hasAltitude = false
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
    let columns = zip(names.names, evidence).map { Findings.Column(name: $0, evidence: $1) }
    return Inspection(
      findings: Findings(columns: columns, hasAltitude: hasAltitude), refusals: reader.refusals,
      rows: rows)
  }

  /// Looks at every value of a Feature; false when it was refused.
  private func look(_ reader: inout FeatureReader) throws(ParseStop) -> Bool {
    var hasOwnId = reader.feature.id.kind > CSIMDJSON_NULL.rawValue
    if hasOwnId {
      guard try reader.checkJSON(reader.feature.id) else { return false }
      note(names.find("id") ?? add("id"), reader.feature.id)
    }
    for (place, member) in reader.members.enumerated() where member.is_foreign == 0 {
      guard try reader.checkJSON(member.value) else { return false }
      let (name, count) = FeatureReader.name(member)
      let column = names.find(name, count, at: place) ?? add(NameTable.text(name, count))
      if !isSeen[column] {
        note(column, member.value)
      } else if hasOwnId, names.names[column] == "id" {
        hasOwnId = false
        guard try reader.checkId(member) else { return false }
      } else {
        try reader.refuseRepeated(member)
        return false
      }
    }
    return try checkRequired(&reader)
  }

  private func note(_ column: Int, _ value: csimdjson_value) {
    isSeen[column] = true
    seen.append((column, JSONFieldText.evidence(value)))
  }

  private func add(_ name: String) -> Int {
    evidence.append([])
    isSeen.append(false)
    return names.add(name)
  }

  /// Drops the names that only a refused Feature had.
  private func forget(from known: Int) {
    names.truncate(to: known)
    evidence.removeSubrange(known...)
    isSeen.removeSubrange(known...)
  }

  private func checkRequired(_ reader: inout FeatureReader) throws(ParseStop) -> Bool {
    for name in required {
      let column = names.find(name)
      if seen.contains(where: { $0.column == column && !$0.evidence.isEmpty }) { continue }
      try reader.refuse("`\(name)` is missing", "`\(name)` is missing: every row needs one")
      return false
    }
    return true
  }
}
