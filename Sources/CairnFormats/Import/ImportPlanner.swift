internal import CairnStorage
internal import CairnValues

/// Decides which columns an import fills and of which types, for a new class or for one that is
/// there.
struct ImportPlanner {
  let options: ImportOptions
  let className: String
  /// The class to extend; nil: it is new.
  let existing: TableSchema?
  /// Where the location stands among the columns of a new class; nil: behind them.
  let locationPlace: Int?

  /// Columns that every row must have a value for.
  var required: Set<String> {
    if let existing {
      return Set(existing.properties.filter { !$0.isOptional && $0.type != .point }.map(\.name))
    }
    return Set(options.primaryKey.map { [$0] } ?? [])
  }

  /// - Parameter isComplete: the findings are those of the whole input.
  func plan(_ findings: Findings, isComplete: Bool) throws(ImportError) -> ImportPlan {
    let findings = findings.withoutBlanks
    try checkNames(findings)
    if let existing { return try plan(findings, extending: existing) }
    var columns = findings.columns.map {
      let seen = $0.evidence.isEmpty && !isComplete ? FieldType.unknown : $0.evidence.type
      let type = options.types[$0.name] ?? seen
      return ImportPlan.Column(
        name: $0.name, content: .field(type), isRequired: $0.name == options.primaryKey)
    }
    let place = min(locationPlace ?? columns.count, columns.count)
    columns.insert(.init(name: options.locationName, content: .location), at: place)
    if findings.hasAltitude { columns.append(.init(name: "altitude", content: .altitude)) }
    let key = try options.primaryKey.map { (name) throws(ImportError) in try find(name, columns) }
    for name in options.indexed { _ = try find(name, columns) }
    for name in options.types.keys.sorted() { try checkType(of: name, columns) }
    try checkPolicy(hasKey: key != nil)
    return made(columns, primaryKey: key)
  }

  private func made(_ columns: [ImportPlan.Column], primaryKey: Int?) -> ImportPlan {
    ImportPlan(
      columns: columns, primaryKey: primaryKey, onError: options.onError,
      forcedTypes: options.types, shapes: options.shapes)
  }

  /// The user can set the types of properties, but not of places.
  private func checkType(of name: String, _ columns: [ImportPlan.Column]) throws(ImportError) {
    if case .field = columns[try find(name, columns)].content { return }
    throw ImportError(
      .usage, "`--type \(name)=…`: `\(name)` is made of coordinates, and its type is fixed")
  }

  private func checkNames(_ findings: Findings) throws(ImportError) {
    if findings.evidence(options.locationName) != nil {
      throw ImportError(
        .data,
        "there is a property `\(options.locationName)` already: name the one that the coordinates "
          + "become with `--location NAME`"
      )
    }
    if findings.hasAltitude,
      findings.evidence("altitude") != nil || options.locationName == "altitude"
    {
      throw ImportError(
        .data,
        "the points have a third coordinate, which becomes the property `altitude`, but there is "
          + "a property of that name already: rename it in the file"
      )
    }
  }

  private func find(_ name: String, _ columns: [ImportPlan.Column]) throws(ImportError) -> Int {
    if let place = columns.firstIndex(where: { $0.name == name }) { return place }
    throw unknown(name, columns.map(\.name))
  }

  private func unknown(_ name: String, _ names: [String]) -> ImportError {
    let nearest = NearestName.of(name, among: names)
    let others = nearest.map { "; did you mean `\($0)`? The" } ?? ": the"
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return ImportError(
      .usage, "there is no property `\(name)`\(others) properties are \(list)")
  }

  private func checkPolicy(hasKey: Bool) throws(ImportError) {
    guard options.onConflict != .error, !hasKey else { return }
    throw ImportError(
      .usage, "`--on-conflict` tells what to do with a key that is taken: name it with `--key`")
  }
}

// Extending a class.
extension ImportPlanner {
  private func plan(
    _ findings: Findings, extending schema: TableSchema
  ) throws(ImportError) -> ImportPlan {
    for column in findings.columns where schema.column(named: column.name) == nil {
      throw mismatch("the file has a property `\(column.name)`, which the class has not")
    }
    var columns: [ImportPlan.Column] = []
    for own in schema.properties { columns.append(try column(own, findings)) }
    guard columns.contains(where: { $0.content == .location }) else {
      throw mismatch(
        "the class has no location `\(options.locationName)`: name the property for the "
          + "coordinates with `--location NAME`"
      )
    }
    let hasAltitude = columns.contains { $0.content == .altitude }
    if findings.hasAltitude, !hasAltitude {
      throw mismatch("the points have a third coordinate, and the class has no property `altitude`")
    }
    try checkOptions(schema)
    return made(columns, primaryKey: schema.primaryKey)
  }

  private func column(
    _ own: ColumnSchema, _ findings: Findings
  ) throws(ImportError) -> ImportPlan.Column {
    if own.type == .point, own.collection == .none, own.name == options.locationName {
      return .init(name: own.name, content: .location, isRequired: !own.isOptional)
    }
    if own.name == "altitude", findings.hasAltitude, own.type == .double, own.isOptional {
      return .init(name: own.name, content: .altitude)
    }
    let evidence = findings.evidence(own.name)
    if let forced = options.types[own.name], forced.valueType != own.type {
      throw ImportError(
        .usage,
        "`--type \(own.name)=…`: the class \(className) has `\(own.name)` as \(own.type) already")
    }
    guard let type = FieldType(own.type), own.collection == .none else {
      throw mismatch("`\(own.name)` is of type \(own.type), which no file can fill")
    }
    if evidence == nil, !own.isOptional {
      throw mismatch("the file has no property `\(own.name)`, which the class requires")
    }
    if options.types[own.name] == nil, let evidence, !evidence.fits(type) {
      throw mismatch(
        "`\(own.name)` is of type \(own.type), and the file has \(evidence.type.valueType) there")
    }
    return .init(name: own.name, content: .field(type), isRequired: !own.isOptional)
  }

  private func checkOptions(_ schema: TableSchema) throws(ImportError) {
    let key = schema.primaryKey.map { schema.columns[$0].name }
    if let wanted = options.primaryKey, wanted != key {
      let has = key.map { "with the key `\($0)`" } ?? "without a key"
      throw ImportError(
        .usage, "the class \(className) was made \(has): `--key` cannot change that")
    }
    let names = schema.properties.map(\.name)
    for name in options.types.keys.sorted() + options.indexed where !names.contains(name) {
      throw unknown(name, names)
    }
    for name in options.indexed where schema.column(named: name)?.hasValueIndex != true {
      throw ImportError(
        .usage,
        "the class \(className) is there already, and an import adds no index for `\(name)` to it")
    }
    try checkPolicy(hasKey: key != nil)
  }

  private func mismatch(_ reason: String) -> ImportError {
    ImportError(.data, "this cannot be added to the class \(className): \(reason)")
  }
}
