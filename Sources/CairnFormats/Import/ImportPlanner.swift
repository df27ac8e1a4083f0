internal import CairnStorage
internal import CairnValues

/// Decides which columns an import fills and of which types, for a new class or for one that is
/// there.
struct ImportPlanner {
  let options: ImportOptions
  let className: String
  /// The class to extend; nil: it is new.
  let existing: ExistingClass?
  /// Where the location stands among the columns of a new class; nil: behind them.
  let locationPlace: Int?

  /// Columns that every row must have a value for, whatever else the files hold.
  var required: Set<String> {
    let key = existing.map { $0.schema.keyName } ?? options.primaryKey
    return Set(key.map { [$0] } ?? [])
  }

  /// - Parameter isComplete: the findings are those of the whole input.
  func plan(_ findings: Findings, isComplete: Bool) throws(ImportError) -> ImportPlan {
    let findings = findings.withoutBlanks
    try checkCount(findings)
    try checkNames(findings)
    if let existing { return try plan(findings, isComplete, extending: existing) }
    var columns = findings.columns.map {
      ImportPlan.Column(
        name: $0.name, content: .field(type(of: $0, isComplete)),
        isRequired: $0.name == options.primaryKey)
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

  func type(of column: Findings.Column, _ isComplete: Bool) -> FieldType {
    let seen = column.evidence.isEmpty && !isComplete ? FieldType.unknown : column.evidence.type
    return options.types[column.name] ?? seen
  }

  func made(_ columns: [ImportPlan.Column], primaryKey: Int?) -> ImportPlan {
    ImportPlan(
      columns: columns, primaryKey: primaryKey, onError: options.onError,
      forcedTypes: options.types, shapes: options.shapes, reading: options.reading)
  }

  /// The user can set the types of properties, but not of places.
  func checkType(of name: String, _ columns: [ImportPlan.Column]) throws(ImportError) {
    if case .field = columns[try find(name, columns)].content { return }
    throw ImportError(
      .usage, "`--type \(name)=…`: `\(name)` is made of coordinates, and its type is fixed")
  }

  /// Refuses more properties than a class can have, before any number is given out for them.
  private func checkCount(_ findings: Findings) throws(ImportError) {
    let own = existing.map { Set($0.schema.properties.map(\.name)) } ?? []
    let places = 1 + (findings.hasAltitude ? 1 : 0)
    let count =
      own.count + findings.columns.count { !own.contains($0.name) }
      + (existing == nil ? places : 0)
    guard count > TableSchema.mostColumns else { return }
    throw ImportError(
      .data,
      "the class \(className) would have \(count) properties, and \(TableSchema.mostColumns) are the most: "
        + "names that differ from row to row are better kept as values")
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

  func unknown(_ name: String, _ names: [String]) -> ImportError {
    let nearest = NearestName.of(name, among: names)
    let others = nearest.map { "; did you mean `\($0)`? The" } ?? ": the"
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return ImportError(
      .usage, "there is no property `\(name)`\(others) properties are \(list)")
  }

  func checkPolicy(hasKey: Bool) throws(ImportError) {
    guard options.onConflict != .error, !hasKey else { return }
    throw ImportError(
      .usage, "`--on-conflict` tells what to do with a key that is taken: name it with `--key`")
  }
}
