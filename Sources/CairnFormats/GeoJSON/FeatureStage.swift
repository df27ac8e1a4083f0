internal import CSimdJSON
internal import CairnStorage

/// The values of one Feature, set ready column by column until it is certain that the Feature is
/// stored.
struct FeatureStage {
  private let plan: ImportPlan
  /// The types of the columns that properties fill.
  private let types: [FieldType?]
  /// The columns whose types the user has set.
  private let isForced: [Bool]
  private let location: Int
  private let altitude: Int?
  /// The column of the Features' own ids.
  private let id: Int?
  private let reading: FieldReading
  /// Some strings mean null.
  private let hasNulls: Bool
  private let required: [Int]
  private var names = NameTable()
  private var staged: [StagedValue]
  /// Properties of the Feature at hand that the plan does not know.
  private var unknown: Set<String> = []
  /// The Feature has an `id` of its own, which no property has repeated.
  private var hasOwnId = false
  /// A property of the Feature at hand that does not fit its column.
  private var contradiction: String?

  init(plan: ImportPlan) {
    self.plan = plan
    types = plan.columns.map {
      if case .field(let type) = $0.content { type } else { nil }
    }
    isForced = plan.columns.map { plan.forcedTypes[$0.name] != nil }
    for column in plan.columns { names.add(column.name) }
    staged = Array(repeating: StagedValue(), count: plan.columns.count)
    location = plan.location ?? 0
    altitude = plan.columns.firstIndex { $0.content == .altitude }
    id = plan.index(of: plan.featureId)
    reading = plan.reading
    hasNulls = !plan.reading.nulls.isEmpty
    required = plan.columns.indices.filter { plan.columns[$0].isRequired && $0 != plan.location }
  }

  /// Sets the values of a Feature ready; false when it was refused.
  mutating func take(_ reader: inout FeatureReader) throws(ParseStop) -> Bool {
    for column in staged.indices { staged[column].state = .absent }
    if !unknown.isEmpty { unknown = [] }
    contradiction = nil
    takeAltitude(reader.location.altitude)
    hasOwnId = reader.feature.id.kind > CSIMDJSON_NULL.rawValue
    if hasOwnId {
      guard try take(reader.feature.id, id, &reader) else { return false }
      if id == nil { contradiction = plan.featureId }
    }
    for (place, member) in reader.members.enumerated() where member.is_foreign == 0 {
      guard try take(member, place, &reader) else { return false }
    }
    guard try checkRequired(&reader) else { return false }
    if let contradiction { throw .contradiction(column: contradiction) }
    return true
  }

  private mutating func takeAltitude(_ value: Double?) {
    guard let value else { return }
    if let altitude {
      staged[altitude].state = .bits(value.bitPattern)
    } else {
      contradiction = "altitude"
    }
  }

  @inline(__always)
  private mutating func take(
    _ member: csimdjson_member, _ place: Int, _ reader: inout FeatureReader
  ) throws(ParseStop) -> Bool {
    let (name, count) = FeatureReader.name(member)
    guard let column = names.find(name, count, at: place) else {
      return try takeUnknown(member, NameTable.text(name, count), &reader)
    }
    guard case .absent = staged[column].state else {
      guard try reader.checkJSON(member.value) else { return false }
      return try takeRepeated(member, column, &reader)
    }
    return try take(member.value, column, &reader)
  }

  /// Takes a value in; false when the Feature was refused for it.
  @inline(__always)
  private mutating func take(
    _ value: csimdjson_value, _ column: Int?, _ reader: inout FeatureReader
  ) throws(ParseStop) -> Bool {
    if let column, let type = types[column] {
      if staged[column].take(value, as: type, hasNulls: hasNulls) { return true }
      if staged[column].take(value, as: type, reading) { return true }
    }
    guard try reader.checkJSON(value) else { return false }
    guard let column else { return true }
    if types[column] == .text, csimdjson_kind(value.kind) != CSIMDJSON_NULL {
      staged[column].takeText(value)
    } else if isForced[column] {
      let (name, type) = (plan.columns[column].name, plan.columns[column].valueType)
      try reader.refuse(
        at: value.text, "`\(name)` is no \(type)",
        "`\(name)` is `\(FeatureReader.text(value).prefix(40))`, which is no \(type)\(NullWords.advice(FeatureReader.text(value)))"
      )
      return false
    } else {
      contradiction = plan.columns[column].name
      staged[column].state = .null
    }
    return true
  }

  private mutating func takeUnknown(
    _ member: csimdjson_member, _ name: String, _ reader: inout FeatureReader
  ) throws(ParseStop) -> Bool {
    guard try reader.checkJSON(member.value) else { return false }
    if unknown.insert(name).inserted {
      contradiction = name
      return true
    }
    try reader.refuseRepeated(member)
    return false
  }

  /// A property whose column has a value already: the property `id`, where the column has the Feature's own.
  private mutating func takeRepeated(
    _ member: csimdjson_member, _ column: Int, _ reader: inout FeatureReader
  ) throws(ParseStop) -> Bool {
    guard column == id, hasOwnId else {
      try reader.refuseRepeated(member)
      return false
    }
    hasOwnId = false
    // Where both differ each becomes a column, which the plan does not know yet.
    if !reader.repeatsId(member) { contradiction = "id" }
    return true
  }

  private func checkRequired(_ reader: inout FeatureReader) throws(ParseStop) -> Bool {
    for column in required {
      switch staged[column].state {
      case .bits, .text: continue
      case .absent, .null:
        let name = plan.columns[column].name
        try reader.refuse("`\(name)` is missing", "`\(name)` is missing: every row needs one")
        return false
      }
    }
    return true
  }

  /// Appends the values to their columns.
  @inline(__always)
  func append(to builders: [Unmanaged<ColumnBuilder>], _ point: Location) {
    for column in staged.indices {
      builders[column]._withUnsafeGuaranteedRef { append(column, to: $0, point) }
    }
  }

  @inline(__always)
  private func append(
    _ column: Int, to builder: ColumnBuilder, _ point: Location
  ) {
    switch staged[column].state {
    case .text(let text, let count):
      builder.append(bytes: UnsafeRawBufferPointer(start: text, count: count))
    case .bits(let bits):
      if types[column] == .int || types[column] == .bool {
        builder.append(int: Int64(bitPattern: bits))
      } else {
        builder.append(double: Double(bitPattern: bits))
      }
    case .absent where column == location:
      builder.append(longitude: point.longitude, latitude: point.latitude)
    case .absent, .null: builder.appendNull()
    }
  }
}
