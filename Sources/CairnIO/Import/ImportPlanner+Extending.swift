internal import CairnStorage
internal import CairnValues

// Extending a class.
extension ImportPlanner {
  /// Plans an import into an existing class. Missing properties are added, and types are widened if
  /// that loses nothing.
  func plan(
    _ inferred: InferredColumns, isComplete: Bool, extending existing: ExistingClass,
    locations: [ImportPlan.Column], inputs: [ImportPlan.Column], blanks: Set<String>
  ) throws(ImportError) -> ImportPlan {
    let schema = existing.schema
    var columns: [ImportPlan.Column] = []
    var mismatches: [ImportPlan.TypeMismatch] = []
    for own in schema.properties {
      if computedNames.contains(own.name) {
        columns.append(try computedColumn(own))
      } else if let location = locations.first(where: { $0.name == own.name }) {
        columns.append(location)
      } else if let column = try column(
        own, inferred: inferred, isComplete: isComplete, mismatches: &mismatches)
      {
        columns.append(column)
      }
    }
    for new in inferred.columns where schema.column(named: new.name) == nil {
      let isComputed = computedNames.contains(new.name)
      columns.append(
        .init(
          name: new.name,
          content: isComputed ? .unboundFormula : .field(type(of: new, isComplete))))
    }
    columns += locations.filter { schema.column(named: $0.name) == nil }
    if inferred.hasAltitude, !ignoresAltitude,
      !columns.contains(where: { $0.content == .altitude })
    {
      columns.append(.init(name: "altitude", content: .altitude))
    }
    if let name = options.fileNameProperty, let own = schema.column(named: name) {
      guard own.type == .string, own.collection == .none else {
        throw cannotExtend("`\(name)` is of type \(own.typeText), which holds no names of files")
      }
      columns.removeAll { $0.name == name && inferred.evidence(name) == nil }
    }
    try addFileNames(to: &columns)
    // A column without values has the type of the property of the class.
    let blanks = blanks.filter { schema.column(named: $0) == nil }
    let computations = try computations(of: &columns, inputs: inputs, blanks: blanks)
    try checkOptions(schema, columns: columns, inputs: inputs)
    columns = positioned(Self.nestedLast(columns))
    var plan = made(
      columns, primaryKey: columns.firstIndex { $0.name == schema.keyName }, computations)
    plan.mismatches = mismatches
    plan.classes = existing.classes
    if mismatches.isEmpty { plan.changes = try changes(schema, columns: plan.bulkColumns) }
    if options.declaredClass != nil, let change = plan.changes.first {
      throw cannotExtend("it would change the declared class: \(change.text)")
    }
    return plan
  }

  private func changes(
    _ schema: TableSchema, columns: [BulkColumn]
  ) throws(ImportError) -> [Widening.Change] {
    let keepsOthers = options.updateKey != nil
    do throws(StoreError) {
      return try Widening(of: schema, for: columns, keepsOthers: keepsOthers).changes
    } catch {
      throw ImportError(error)
    }
  }

  /// Returns the column that fills a property, or nil when nothing does.
  private func column(
    _ own: ColumnSchema, inferred: InferredColumns, isComplete: Bool,
    mismatches: inout [ImportPlan.TypeMismatch]
  ) throws(ImportError) -> ImportPlan.Column? {
    if own.name == "altitude", inferred.hasAltitude {
      try checkAltitude(own)
      return .init(name: own.name, content: .altitude)
    }
    guard let evidence = inferred.evidence(own.name) else {
      return try blank(own, isComplete: isComplete)
    }
    if own.collection != .none || own.isLink { return try nestedColumn(own) }
    guard let type = FieldType(own.type),
      type != .data || options.declaredClass != nil || evidence.isSubset(of: .data)
    else { throw cannotFill(own) }
    let isRequired = own.name == options.updateKey ? true : try isRequired(own)
    let wanted = try wantedType(own, type: type, evidence: evidence, mismatches: &mismatches)
    return .init(name: own.name, content: .field(wanted), isRequired: isRequired)
  }

  private func cannotFill(_ own: ColumnSchema, because reason: String? = nil) -> ImportError {
    let column = options.selection.column(of: own.name) ?? own.name
    return cannotExtend(
      "`\(own.name)` is of type \(own.typeText), which this file cannot fill"
        + "\(reason.map { ", because \($0)" } ?? ""); "
        + "leave its column out with \(option: .droppedColumns, column)")
  }

  /// Returns the column for a property that holds a collection, an embedded object or a link.
  private func nestedColumn(_ own: ColumnSchema) throws(ImportError) -> ImportPlan.Column {
    if options.updateKey != nil, own.isLink {
      throw cannotFill(own, because: "it leads to objects")
    }
    let reader = NestedReader(
      existing?.classes ?? StoreSchema(tables: []), reading: options.reading)
    if let objection = reader.objection(to: own) { throw cannotFill(own, because: objection) }
    let key = own.collection == .none ? reader.keyType(of: own) : nil
    return .init(name: own.name, content: .field(key ?? .text), nested: own)
  }

  /// Returns the columns with the nested ones last.
  private static func nestedLast(_ columns: [ImportPlan.Column]) -> [ImportPlan.Column] {
    columns.filter { $0.nested == nil } + columns.filter { $0.nested != nil }
  }

  /// Returns the columns followed by the positions of the records, if messages need them: those about
  /// nested values, and about values that two records have.
  private func positioned(_ columns: [ImportPlan.Column]) -> [ImportPlan.Column] {
    guard options.updateKey != nil || columns.contains(where: { $0.nested != nil }) else {
      return columns
    }
    return columns + [.init(name: "", content: .position)]
  }

  /// Whether a row without a value is rejected; not if a whole file lacks the property.
  private func isRequired(_ own: ColumnSchema) throws(ImportError) -> Bool {
    guard !own.isOptional, options.declaredClass == nil,
      let file = existing?.fileWithout(options.selection.column(of: own.name) ?? own.name)
    else {
      return !own.isOptional
    }
    guard !own.isPrimaryKey else {
      throw cannotExtend("\(file) has no property `\(own.name)`, the key of the class")
    }
    return false
  }

  /// Returns the column for a property that the inspected part of the files lacks. Its rows get
  /// null or an empty collection.
  private func blank(
    _ own: ColumnSchema, isComplete: Bool
  ) throws(ImportError) -> ImportPlan.Column? {
    if options.updateKey != nil { return nil }
    guard !own.isPrimaryKey else {
      throw cannotExtend("the file has no property `\(own.name)`, the key of the class")
    }
    if options.declaredClass != nil, !own.isNullable, own.collection == .none {
      guard !isComplete, let type = FieldType(own.type) else {
        throw cannotExtend(
          "no column fills `\(own.name)`, which is a required \(own.typeText); name its column "
            + "with \(option: .renamedColumns, "COLUMN=\(own.name)")")
      }
      return .init(name: own.name, content: .field(type), isRequired: true)
    }
    guard !isComplete, own.isOptional, own.collection == .none, let type = FieldType(own.type)
    else { return nil }
    return .init(name: own.name, content: .field(type))
  }

  private func checkAltitude(_ own: ColumnSchema) throws(ImportError) {
    let prefix = "the points have a third coordinate, but `altitude` is"
    let canBecome = try isRetyped(own, to: .double)
    guard own.collection == .none, own.type == .double || canBecome else {
      throw cannotExtend(
        "\(prefix) of type \(own.typeText); leave the coordinate out of the file")
    }
    if let number = try existing?.firstInexactNumber(own) {
      throw cannotExtend("\(prefix) \(number) in some row, which a double cannot hold exactly")
    }
  }

  /// Returns the type of a property after the import.
  private func wantedType(
    _ own: ColumnSchema, type: FieldType, evidence: FieldEvidence,
    mismatches: inout [ImportPlan.TypeMismatch]
  ) throws(ImportError) -> FieldType {
    let forced = options.types[own.name]
    if let forced, forced.valueType == own.type { return forced }
    if options.declaredClass != nil { return type }
    if forced == nil, own.type == .string, !evidence.isEmpty,
      evidence.type != .text, try isRetyped(own, to: evidence.type.valueType)
    {
      return evidence.type
    }
    if forced == nil, evidence.fits(type) { return type }
    let wanted = forced ?? .double
    guard forced != nil || own.isRetyped(to: .double) && evidence.fits(.double) else {
      mismatches.append(.init(property: own, type: type, evidence: evidence))
      return type
    }
    if wanted == .double, let number = try existing?.firstInexactNumber(own) {
      mismatches.append(.init(property: own, type: type, evidence: evidence, obstacle: number))
      return type
    }
    return wanted
  }

  /// Whether a property can get another type. A text property can only if all of its rows are null,
  /// so that the first values decide.
  func isRetyped(_ own: ColumnSchema, to type: ValueType) throws(ImportError) -> Bool {
    guard own.isRetyped(to: type) else { return false }
    guard own.type == .string else { return true }
    return try existing?.isAllNull(own) == true
  }

  /// Rejects types that the user has set and the class does not allow, before anything is read.
  func checkTypes() throws(ImportError) {
    for own in existing?.schema.properties ?? [] where !computedNames.contains(own.name) {
      guard let type = options.types[own.name], type.valueType != own.type else { continue }
      try checkRetyping(own, to: type)
    }
  }

  private func checkRetyping(_ own: ColumnSchema, to type: FieldType) throws(ImportError) {
    if options.declaredClass == nil, try isRetyped(own, to: type.valueType) { return }
    let why =
      own.isPrimaryKey
      ? "and the type of a key cannot change"
      : own.isFullText
        ? "and its full-text index needs text"
        : "whose values are not of type \(type.valueType)"
    throw ImportError(
      .usage,
      message:
        "\(option: .types, "\(own.name)=…"): `\(own.name)` of the class \(className) is already "
        + "\(own.typeText), \(why)"
    )
  }

  private func checkOptions(
    _ schema: TableSchema, columns: [ImportPlan.Column], inputs: [ImportPlan.Column]
  ) throws(ImportError) {
    let key = schema.keyName
    if let wanted = options.primaryKey, wanted != key {
      let has = key.map { "with the key `\($0)`" } ?? "without a key"
      throw ImportError(
        .usage,
        message: "the class \(className) was made \(has); \(option: .primaryKey) cannot change that"
      )
    }
    let new = columns.map(\.name).filter { schema.column(named: $0) == nil }
    let names = schema.properties.map(\.name) + new + inputs.map(\.name)
    for name in options.types.keys.sorted() + options.indexed + options.fullText
    where !names.contains(name) {
      throw unknown(name, names: names)
    }
    for name in options.types.keys.sorted() {
      guard (columns + inputs).contains(where: { $0.name == name }) else {
        throw ImportError(
          .usage, message: "\(option: .types, "\(name)=…"): no file has the property `\(name)`")
      }
      try checkType(of: name, columns, inputs)
    }
    for name in options.indexed where schema.column(named: name)?.hasValueIndex == false {
      throw ImportError(
        .usage,
        message:
          "the class \(className) already has `\(name)`, and an import does not add an index to it")
    }
    for name in options.fullText where schema.column(named: name)?.isFullText == false {
      throw ImportError(
        .usage,
        message: "the class \(className) already has `\(name)`, "
          + "and an import does not add a full-text index to it")
    }
    try checkFullText(columns)
    guard key != nil || options.onConflict == .error else {
      throw ImportError(
        .usage,
        message: "\(option: .onConflict) needs a class with a key, "
          + "and \(className) was made without one")
    }
  }

  func cannotExtend(_ reason: ImportMessage) -> ImportError {
    ImportError(.data, message: "this cannot be added to the class \(className): \(reason)")
  }
}

/// A class that an import extends.
struct ExistingClass {
  let schema: TableSchema
  /// The classes of the store, and those of the program that the store lacks.
  let classes: StoreSchema
  private let store: Store
  /// The CSV files and the layers with the names of their columns.
  private let headers: [(file: String, names: Set<String>)]

  /// Returns nil when the store has no such class.
  ///
  /// - Parameter options: The options, with the class as the program declares it, if it does.
  init?(
    _ name: String, options: ImportOptions, in store: Store, sources: [ImportSource]
  ) throws(ImportError) {
    do throws(StoreError) {
      let all = try store.snapshot().schema
      guard let schema = all.table(named: name) ?? options.declaredClass else { return nil }
      self.schema = schema
      classes = try BulkLoad.classes(of: all, with: options.programClasses)
    } catch { throw ImportError(error) }
    self.store = store
    headers = sources.compactMap { source in
      switch source.content {
      case .csv(let layout): (source.input.name, Set(layout.properties.map(\.name)))
      case .layer(let input): (input.name, Set(input.columns.properties.map(\.name)))
      case .geojson, .json: nil
      }
    }
  }

  /// Opens the class as it is now.
  func table() throws(ImportError) -> Table? {
    do throws(StoreError) { return try store.snapshot().table(schema.name) } catch {
      throw ImportError(error)
    }
  }

  /// Returns a CSV file or a layer that has no column of that name.
  func fileWithout(_ name: String) -> String? { headers.first { !$0.names.contains(name) }?.file }

  /// Whether the class has rows and all of them are null in a property.
  func isAllNull(_ property: ColumnSchema) throws(ImportError) -> Bool {
    do throws(StoreError) {
      return try store.snapshot().isAllNull(property.name, of: schema.name)
    } catch { throw ImportError(error) }
  }

  /// Returns the first integer of a property that a double cannot hold exactly.
  func firstInexactNumber(_ property: ColumnSchema) throws(ImportError) -> Int64? {
    do throws(StoreError) {
      return try store.snapshot().firstInexactNumber(in: schema.name, property.name)
    } catch { throw ImportError(error) }
  }
}

extension TableSchema {
  /// The name of the primary key.
  var keyName: String? { primaryKey.map { columns[$0].name } }
}
