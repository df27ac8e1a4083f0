internal import CairnStorage
internal import CairnValues

// Extending a class.
extension ImportPlanner {
  /// What the class lacks is added to it, and what it has is widened where nothing is lost thereby.
  func plan(
    _ findings: Findings, _ isComplete: Bool, extending existing: ExistingClass
  ) throws(ImportError) -> ImportPlan {
    let schema = existing.schema
    var columns: [ImportPlan.Column] = []
    var misfits: [ImportPlan.Misfit] = []
    for own in schema.properties {
      guard let column = try column(own, findings, isComplete, &misfits) else { continue }
      columns.append(column)
    }
    for new in findings.columns where schema.column(named: new.name) == nil {
      columns.append(.init(name: new.name, content: .field(type(of: new, isComplete))))
    }
    try addPlaces(findings, schema, to: &columns)
    try checkOptions(schema, columns)
    var plan = made(columns, primaryKey: columns.firstIndex { $0.name == schema.keyName })
    plan.misfits = misfits
    if misfits.isEmpty { plan.changes = try changes(schema, columns: plan.bulkColumns) }
    return plan
  }

  private func changes(
    _ schema: TableSchema, columns: [BulkColumn]
  ) throws(ImportError) -> [Widening.Change] {
    do throws(StoreError) { return try Widening(of: schema, for: columns).changes } catch {
      throw ImportError(error)
    }
  }

  /// The location, where the class has none at all, and the third coordinate.
  private func addPlaces(
    _ findings: Findings, _ schema: TableSchema, to columns: inout [ImportPlan.Column]
  ) throws(ImportError) {
    if !columns.contains(where: { $0.content == .location }) {
      if let own = schema.properties.first(where: \.hasSpatialIndex) {
        throw mismatch(
          "the class has no location `\(options.locationName)`; its location is `\(own.name)`: "
            + "`--location \(own.name)` fills that")
      }
      guard schema.column(named: options.locationName) == nil else {
        throw mismatch(
          "the class has no location, and `\(options.locationName)` is something else: name the "
            + "property for the coordinates with `--location NAME`")
      }
      columns.append(.init(name: options.locationName, content: .location))
    }
    if findings.hasAltitude, !columns.contains(where: { $0.content == .altitude }) {
      columns.append(.init(name: "altitude", content: .altitude))
    }
  }

  /// What fills a property; nil: nothing.
  private func column(
    _ own: ColumnSchema, _ findings: Findings, _ isComplete: Bool,
    _ misfits: inout [ImportPlan.Misfit]
  ) throws(ImportError) -> ImportPlan.Column? {
    if own.type == .point, own.collection == .none, own.name == options.locationName {
      return .init(name: own.name, content: .location, isRequired: !own.isOptional)
    }
    if own.name == "altitude", findings.hasAltitude {
      try checkAltitude(own)
      return .init(name: own.name, content: .altitude)
    }
    guard let evidence = findings.evidence(own.name) else { return try blank(own, isComplete) }
    guard own.collection == .none, let type = FieldType(own.type) else {
      throw mismatch(
        "`\(own.name)` is of type \(own.typeText), which no file can fill: leave it out of the file"
      )
    }
    let isRequired = try isRequired(own)
    let wanted = try wantedType(own, type, evidence, &misfits)
    return .init(name: own.name, content: .field(wanted), isRequired: isRequired)
  }

  /// Whether a row without a value is refused: not where a whole file has none.
  private func isRequired(_ own: ColumnSchema) throws(ImportError) -> Bool {
    guard !own.isOptional, let file = existing?.fileWithout(own.name) else {
      return !own.isOptional
    }
    guard !own.isPrimaryKey else {
      throw mismatch("\(file) has no property `\(own.name)`, the key of the class")
    }
    return false
  }

  /// A property that the files lack, as far as they were looked at: its rows get null, or what an empty collection is.
  private func blank(
    _ own: ColumnSchema, _ isComplete: Bool
  ) throws(ImportError) -> ImportPlan.Column? {
    guard !own.isPrimaryKey else {
      throw mismatch("the file has no property `\(own.name)`, the key of the class")
    }
    guard !isComplete, own.isOptional, own.collection == .none, let type = FieldType(own.type)
    else { return nil }
    return .init(name: own.name, content: .field(type))
  }

  private func checkAltitude(_ own: ColumnSchema) throws(ImportError) {
    let prefix = "the points have a third coordinate, and `altitude` is"
    let canBecome = try isRetyped(own, to: .double)
    guard own.collection == .none, own.type == .double || canBecome else {
      throw mismatch(
        "\(prefix) of type \(own.typeText): leave the coordinate out of the file")
    }
    if let number = try existing?.firstInexactNumber(own) {
      throw mismatch("\(prefix) \(number) somewhere, which no double holds exactly")
    }
  }

  /// The type that a property has afterwards.
  private func wantedType(
    _ own: ColumnSchema, _ type: FieldType, _ evidence: FieldEvidence,
    _ misfits: inout [ImportPlan.Misfit]
  ) throws(ImportError) -> FieldType {
    let forced = options.types[own.name]
    if let forced, forced.valueType == own.type { return forced }
    if forced == nil, own.type == .string, !evidence.isEmpty, evidence.type != .text,
      try isRetyped(own, to: evidence.type.valueType)
    {
      return evidence.type
    }
    if forced == nil, evidence.fits(type) { return type }
    let wanted = forced ?? .double
    guard forced != nil || own.isRetyped(to: .double) && evidence.fits(.double) else {
      misfits.append(.init(property: own, type: type, evidence: evidence))
      return type
    }
    if wanted == .double, let number = try existing?.firstInexactNumber(own) {
      misfits.append(.init(property: own, type: type, evidence: evidence, obstacle: number))
      return type
    }
    return wanted
  }

  /// Whether a property can get another type: text only where all of its rows are null, so that the first values decide.
  private func isRetyped(_ own: ColumnSchema, to type: ValueType) throws(ImportError) -> Bool {
    guard own.isRetyped(to: type) else { return false }
    guard own.type == .string else { return true }
    return try existing?.isAllNull(own) == true
  }

  /// Refuses types that were said and that the class does not allow, before anything is read.
  func checkTypes() throws(ImportError) {
    for own in existing?.schema.properties ?? [] {
      guard let type = options.types[own.name], type.valueType != own.type else { continue }
      try checkRetyping(own, to: type)
    }
  }

  private func checkRetyping(_ own: ColumnSchema, to type: FieldType) throws(ImportError) {
    guard try !isRetyped(own, to: type.valueType) else { return }
    let why =
      own.isPrimaryKey
      ? "and a key keeps its type" : "whose values are no \(type.valueType)s"
    throw ImportError(
      .usage,
      "`--type \(own.name)=…`: the class \(className) has `\(own.name)` as \(own.typeText) already, \(why)"
    )
  }

  private func checkOptions(
    _ schema: TableSchema, _ columns: [ImportPlan.Column]
  ) throws(ImportError) {
    let key = schema.keyName
    if let wanted = options.primaryKey, wanted != key {
      let has = key.map { "with the key `\($0)`" } ?? "without a key"
      throw ImportError(
        .usage, "the class \(className) was made \(has): `--key` cannot change that")
    }
    let new = columns.map(\.name).filter { schema.column(named: $0) == nil }
    let names = schema.properties.map(\.name) + new
    for name in options.types.keys.sorted() + options.indexed where !names.contains(name) {
      throw unknown(name, names)
    }
    for name in options.types.keys.sorted() {
      guard columns.contains(where: { $0.name == name }) else {
        throw ImportError(.usage, "`--type \(name)=…`: no file has the property `\(name)`")
      }
      try checkType(of: name, columns)
    }
    for name in options.indexed where schema.column(named: name)?.hasValueIndex == false {
      throw ImportError(
        .usage,
        "the class \(className) has `\(name)` already, and an import adds no index for it")
    }
    guard key != nil || options.onConflict == .error else {
      throw ImportError(
        .usage, "`--on-conflict` goes by the key of a class, and \(className) was made without one")
    }
  }

  private func mismatch(_ reason: String) -> ImportError {
    ImportError(.data, "this cannot be added to the class \(className): \(reason)")
  }
}
