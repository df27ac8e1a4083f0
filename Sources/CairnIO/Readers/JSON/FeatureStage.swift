internal import CSimdJSON
internal import CairnStorage

/// The values of one Feature, staged column by column until it is certain that the Feature is
/// stored.
struct FeatureStage {
  private let plan: ImportPlan
  /// The types of the columns that properties fill.
  private let types: [FieldType?]
  /// Whether the user set the type, for each column.
  private let isForced: [Bool]
  /// The column of the location or geometry.
  private let location: Int
  private let altitude: Int?
  /// The column of the Features' own ids.
  private let id: Int?
  /// The column of the name of the file.
  private let fileName: Int?
  /// The column of the offsets of the records.
  private let position: Int?
  /// The name of the file.
  var file: [UInt8] = []
  private let reading: FieldReading
  /// Whether some strings mean null.
  private let hasNulls: Bool
  private let required: [Int]
  private var names = NameTable()
  private var staged: [StagedValue]
  /// Properties of the current Feature that are not in the plan.
  private var unknown: Set<String> = []
  /// Whether the Feature has its own `id` and no property has repeated it yet.
  private var hasOwnId = false
  /// A property of the current Feature that does not fit its column.
  private var contradiction: String?

  init(plan: ImportPlan) {
    self.plan = plan
    types = plan.columns.map {
      if case .field(let type) = $0.content { type } else { nil }
    }
    isForced = plan.columns.map { plan.forcedTypes[$0.name] != nil }
    for column in plan.columns {
      let name = column.content == .position ? nil : plan.fileColumn(of: column.name)
      if let name { names.add(name) } else { names.addNone() }
    }
    fileName = plan.columns.firstIndex { $0.content == .fileName }
    position = plan.columns.firstIndex { $0.content == .position }
    staged = Array(repeating: StagedValue(), count: plan.columns.count)
    location = plan.index(of: .only) ?? -1
    altitude = plan.columns.firstIndex { $0.content == .altitude }
    id = plan.index(ofFileColumn: plan.featureId)
    reading = plan.reading
    hasNulls = !plan.reading.nulls.isEmpty
    required = plan.columns.indices.filter {
      plan.columns[$0].isRequired && !plan.columns[$0].isSpatial
    }
  }

  /// Stages the values of a Feature. Returns false when the Feature was rejected.
  mutating func take(_ reader: inout FeatureReader) throws(ParseAbort) -> Bool {
    for column in staged.indices { staged[column].state = .absent }
    if !unknown.isEmpty { unknown = [] }
    contradiction = nil
    takeAltitude(reader.location.altitude)
    hasOwnId = reader.feature.id.kind > CSIMDJSON_NULL.rawValue
    if hasOwnId {
      guard try take(reader.feature.id, column: id, reader: &reader) else { return false }
      if id == nil, plan.selection.isKept(plan.featureId) { contradiction = plan.featureId }
    }
    for (index, member) in reader.members.enumerated() where member.is_foreign == 0 {
      guard try take(member, at: index, reader: &reader) else { return false }
    }
    guard try checkRequired(&reader) else { return false }
    if let contradiction { throw .contradiction(column: contradiction) }
    return true
  }

  private mutating func takeAltitude(_ value: Double?) {
    guard let value else { return }
    if let altitude {
      staged[altitude].state = .bits(value.bitPattern)
    } else if !plan.ignoresAltitude {
      contradiction = "altitude"
    }
  }

  @inline(__always)
  private mutating func take(
    _ member: csimdjson_member, at index: Int, reader: inout FeatureReader
  ) throws(ParseAbort) -> Bool {
    let (name, count) = FeatureReader.name(member)
    guard let column = names.find(name, count: count, at: index) else {
      return try takeUnknown(member, name: NameTable.text(name, count: count), reader: &reader)
    }
    guard case .absent = staged[column].state else {
      guard try reader.checkJSON(member.value) else { return false }
      return try takeRepeated(member, column: column, reader: &reader)
    }
    return try take(member.value, column: column, reader: &reader)
  }

  /// Stages a value. Returns false when the Feature was rejected because of it.
  @inline(__always)
  private mutating func take(
    _ value: csimdjson_value, column: Int?, reader: inout FeatureReader
  ) throws(ParseAbort) -> Bool {
    if let column, let type = types[column] {
      if staged[column].take(value, as: type, hasNulls: hasNulls) { return true }
      if staged[column].take(value, as: type, reading: reading) { return true }
    }
    guard try reader.checkJSON(value) else { return false }
    guard let column else { return true }
    if types[column] == .text, csimdjson_kind(value.kind) != CSIMDJSON_NULL {
      staged[column].takeText(value)
    } else if isForced[column] {
      let (name, type) = (plan.columns[column].name, plan.columns[column].valueType)
      try reader.reject(
        at: value.text, .valueType(property: name, type),
        detail: "`\(name)` is `\(FeatureReader.text(value).prefix(40))`, "
          + "which is not a valid \(type)\(NullWords.advice(FeatureReader.text(value)))"
      )
      return false
    } else {
      contradiction = plan.columns[column].name
      staged[column].state = .null
    }
    return true
  }

  private mutating func takeUnknown(
    _ member: csimdjson_member, name: String, reader: inout FeatureReader
  ) throws(ParseAbort) -> Bool {
    guard try reader.checkJSON(member.value) else { return false }
    if unknown.insert(name).inserted {
      if plan.selection.isKept(name) { contradiction = name }
      return true
    }
    try reader.rejectRepeated(member)
    return false
  }

  /// Handles a property whose column already has a value: the property `id`, if the column holds
  /// the Feature's own id.
  private mutating func takeRepeated(
    _ member: csimdjson_member, column: Int, reader: inout FeatureReader
  ) throws(ParseAbort) -> Bool {
    guard column == id, hasOwnId else {
      try reader.rejectRepeated(member)
      return false
    }
    hasOwnId = false
    // If they differ, each becomes a column, and the plan does not have both yet.
    if !reader.repeatsId(member) { contradiction = "id" }
    return true
  }

  private func checkRequired(_ reader: inout FeatureReader) throws(ParseAbort) -> Bool {
    for column in required {
      switch staged[column].state {
      case .bits, .text: continue
      case .absent, .null:
        let name = plan.columns[column].name
        try reader.reject(
          .missing(property: name), detail: "`\(name)` is missing; every row must have a value")
        return false
      }
    }
    return true
  }

  /// Appends the staged values, and the location or geometry of the reader, to their columns.
  @inline(__always)
  func append(to builders: [Unmanaged<ColumnBuilder>], _ reader: inout FeatureReader) {
    for column in staged.indices {
      builders[column]._withUnsafeGuaranteedRef { append(column, to: $0, reader: &reader) }
    }
  }

  @inline(__always)
  private func append(
    _ column: Int, to builder: ColumnBuilder, reader: inout FeatureReader
  ) {
    switch staged[column].state {
    case .text(let text, let count) where types[column]?.isParsedText == true:
      if let type = types[column] {
        _ = ParsedText.append(
          UnsafeBufferPointer(start: text, count: count), as: type, to: builder)
      }
    case .text(let text, let count):
      builder.append(bytes: UnsafeRawBufferPointer(start: text, count: count))
    case .bits(let bits):
      if types[column] == .int || types[column] == .bool || types[column] == .boolWord {
        builder.append(int: Int64(bitPattern: bits))
      } else {
        builder.append(double: Double(bitPattern: bits))
      }
    case .absent where column == location:
      switch reader.content {
      case .location:
        builder.append(
          longitude: reader.location.longitude, latitude: reader.location.latitude)
      case .geometry: reader.intake.withBytes { builder.append(bytes: $0) }
      case .nothing, .unread: builder.appendNull()
      }
    case .absent where column == position:
      builder.append(int: reader.block.offset + Int64(reader.range.lowerBound))
    case .absent where column == fileName: file.withUnsafeBytes { builder.append(bytes: $0) }
    case .absent, .null: builder.appendNull()
    }
  }
}

/// The value of one column of one Feature, before it is certain that the Feature is stored.
struct StagedValue {
  enum State {
    case absent
    case null
    case bits(UInt64)
    case text(UnsafePointer<UInt8>, Int)
  }

  var state = State.absent

  /// Takes in a value that is known to be well formed and of the type. Returns false for any other
  /// value, and for values that `take(_:as:_:)` reads.
  ///
  /// - Parameter hasNulls: Whether some strings mean null.
  @inline(__always)
  mutating func take(_ value: csimdjson_value, as type: FieldType, hasNulls: Bool) -> Bool {
    let (text, count) = FeatureReader.bytes(value)
    let bits: UInt64?
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NULL:
      state = .null
      return true
    case CSIMDJSON_STRING where type == .text && !hasNulls:
      state = .text(text, count)
      return true
    case CSIMDJSON_NUMBER where type == .int:
      bits = IntegerText.parse(text, count: count).map { UInt64(bitPattern: $0) }
    case CSIMDJSON_NUMBER where type == .double:
      bits =
        JSONNumber.begins(text)
        ? NumberSpelling.exactNumber(text, count: count)?.bitPattern : nil
    case CSIMDJSON_TRUE where type == .bool: bits = 1
    case CSIMDJSON_FALSE where type == .bool: bits = 0
    default: bits = nil
    }
    guard let bits else { return false }
    state = .bits(bits)
    return true
  }

  /// Takes in a value that depends on the user's options: a null, a date, or a value of a type that
  /// only the user can name.
  mutating func take(
    _ value: csimdjson_value, as type: FieldType, reading: FieldReading
  ) -> Bool {
    let (text, count) = FeatureReader.bytes(value)
    let bits: UInt64?
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_STRING where reading.nulls.contains(text, count: count):
      state = .null
      return true
    case CSIMDJSON_STRING where type == .text:
      state = .text(text, count)
      return true
    case CSIMDJSON_STRING where type == .date:
      bits = DateText.parse(text, count: count, reading: reading)?.bitPattern
    case CSIMDJSON_NUMBER where !JSONNumber.isValid(text, count: count): bits = nil
    case CSIMDJSON_NUMBER where type.isParsedText, CSIMDJSON_STRING where type.isParsedText:
      guard ParsedText.isValid(UnsafeBufferPointer(start: text, count: count), as: type) else {
        return false
      }
      state = .text(text, count)
      return true
    case CSIMDJSON_NUMBER, CSIMDJSON_STRING, CSIMDJSON_TRUE, CSIMDJSON_FALSE:
      bits = Self.forced(text, count: count, type: type, reading: reading)
    default: bits = nil
    }
    guard let bits else { return false }
    state = .bits(bits)
    return true
  }

  /// Returns the bits of a value of a type that only the user can name.
  private static func forced(
    _ text: UnsafePointer<UInt8>, count: Int, type: FieldType, reading: FieldReading
  ) -> UInt64? {
    switch type {
    case .boolWord: BoolText.parseWord(text, count: count).map { $0 ? 1 : 0 }
    case .epochSeconds: EpochText.parse(text, count: count, decimals: 0)?.bitPattern
    case .epochMilliseconds: EpochText.parse(text, count: count, decimals: 3)?.bitPattern
    // A day may be written as a number, such as 20240501.
    case .date where !reading.dateFormats.isEmpty:
      DateText.parse(text, count: count, reading: reading)?.bitPattern
    default: nil
    }
  }

  /// Takes in the text of a value of any kind.
  mutating func takeText(_ value: csimdjson_value) {
    let (text, count) = FeatureReader.bytes(value)
    state = .text(text, count)
  }
}

/// Parses the blocks of GeoJSON or plain JSON files into columns.
struct FeatureBlockParser {
  private var reader: FeatureReader
  private var stage: FeatureStage

  init(plan: ImportPlan, mappings: CoordinateMappings) throws(ImportError) {
    reader = try FeatureReader(
      mappings: mappings, geometries: plan.geometries, form: plan.form(of: .only),
      fields: plan.reading, policy: plan.onError)
    stage = FeatureStage(plan: plan)
  }

  /// Appends the Features of a block and returns the rejected ones.
  mutating func parse(
    _ input: InputBlock, into output: ColumnBatch, file: String
  ) throws(ParseAbort) -> RecordLog {
    // The batch keeps the builders alive; counting references for every value would take a tenth of
    // the time.
    let builders = output.columns.map(Unmanaged.passUnretained)
    var stage = stage
    stage.file = Array(file.split(separator: "/").last?.utf8 ?? file[...].utf8)
    try reader.read(input) { (reader) throws(ParseAbort) in
      if try stage.take(&reader) { stage.append(to: builders, &reader) }
    }
    var log = reader.rejects
    log.changes = reader.intake.takeChanges(and: reader.converter)
    return log
  }
}
