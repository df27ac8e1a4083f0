internal import CairnStorage
internal import CairnValues

/// Decides which columns an import fills and their types, for a new or an existing class.
struct ImportPlanner {
  let options: ImportOptions
  let className: String
  /// The class to extend; nil for a new class.
  let existing: ExistingClass?
  /// The sources of locations and geometries, with the index of each among the columns of a new
  /// class; nil to put it last.
  let spatial: [(source: SpatialSource, index: Int?)]

  /// Whether the third coordinates of points are left out, because the declared class has no
  /// property for them.
  var ignoresAltitude: Bool {
    options.declaredClass.map { $0.column(named: Self.altitudeName) == nil } ?? false
  }

  /// The columns that must have a value in every row, whatever the files contain.
  var required: Set<String> {
    let key = options.updateKey ?? existing.map { $0.schema.keyName } ?? options.primaryKey
    return Set(key.map { [$0] } ?? []).subtracting(computedNames)
  }

  /// Plans the columns.
  ///
  /// - Parameters:
  ///   - all: The columns of the files, also those that are left out.
  ///   - isComplete: Whether the findings cover the whole input.
  func plan(
    _ all: InferredColumns, isComplete: Bool
  ) throws(ImportError) -> ImportPlan {
    var inferred = try all.selected(options.selection)
    let locations = try spatial.map { (source, _) throws(ImportError) in
      try column(for: source, inferred: inferred, isComplete: isComplete)
    }
    if let key = options.updateKey { try checkUpdate(by: key, inferred) }
    inferred = properties(inferred, locations)
    try checkCount(inferred)
    // The name of a column is checked even if the column is left out because nothing mentions it.
    let named = try all.selected(options.selection.withoutMentions)
    try checkNames(properties(named, locations), locations: locations)
    let leftOut = leftOut(of: all)
    let inputs = inputs(inferred, leftOut: leftOut, isComplete: isComplete)
    let blanks = blanks(inferred.columns + leftOut)
    if let existing {
      return try plan(
        inferred, isComplete: isComplete, extending: existing, locations: locations,
        inputs: inputs, blanks: blanks)
    }
    var columns = inferred.columns.map {
      let content =
        computedNames.contains($0.name)
        ? ImportPlan.Content.unboundFormula : .field(type(of: $0, isComplete))
      return ImportPlan.Column(
        name: $0.name, content: content, isRequired: $0.name == options.primaryKey)
    }
    for (column, index) in zip(locations, spatial.map(\.index)) {
      columns.insert(column, at: min(index ?? columns.count, columns.count))
    }
    if inferred.hasAltitude { columns.append(.init(name: Self.altitudeName, content: .altitude)) }
    try addFileNames(to: &columns)
    let computations = try computations(
      of: &columns, inputs: inputs, blanks: blanks)
    let key = try options.primaryKey.map { (name) throws(ImportError) in
      try find(name, columns: columns)
    }
    for name in options.indexed + options.fullText { _ = try find(name, columns: columns) }
    try checkFullText(columns)
    for name in options.types.keys.sorted() { try checkType(of: name, columns, inputs) }
    try checkPolicy(hasKey: key != nil)
    return made(columns, primaryKey: key, computations)
  }

  /// The columns that become properties.
  private func properties(
    _ inferred: InferredColumns, _ locations: [ImportPlan.Column]
  ) -> InferredColumns {
    let lacksAltitudes =
      ignoresAltitude || locations.isEmpty || locations.contains(where: \.keepsAltitudes)
    return lacksAltitudes ? inferred.withoutBlanks.withoutAltitude : inferred.withoutBlanks
  }

  func type(of column: InferredColumns.Column, _ isComplete: Bool) -> FieldType {
    let seen = column.evidence.isEmpty && !isComplete ? FieldType.unknown : column.evidence.type
    let text: FieldType? = options.fullText.contains(column.name) ? .text : nil
    return options.types[column.name] ?? text ?? seen
  }

  /// Throws if a property with a full-text index does not hold texts.
  func checkFullText(_ columns: [ImportPlan.Column]) throws(ImportError) {
    for name in options.fullText {
      guard let column = columns.first(where: { $0.name == name }), column.storedType != .string
      else { continue }
      throw ImportError(
        .usage,
        message: "`\(name)` is of type \(column.storedType.name), and a full-text index needs text")
    }
  }

  func made(
    _ columns: [ImportPlan.Column], primaryKey: Int?, _ computations: ImportPlan.Computations
  ) -> ImportPlan {
    var plan = ImportPlan(
      columns: columns, primaryKey: primaryKey, onError: options.onError,
      forcedTypes: forcedTypes(columns), geometries: options.geometries, reading: options.reading)
    plan.computations = computations
    plan.selection = options.selection
    plan.ignoresAltitude = ignoresAltitude
    return plan
  }

  /// The types that the user has set or the program has declared, and those of nested values.
  private func forcedTypes(_ columns: [ImportPlan.Column]) -> [String: FieldType] {
    columns.reduce(into: options.types) { types, column in
      guard case .field(let type) = column.content,
        options.declaredClass != nil || type.isParsedText && type != .data || column.nested != nil
      else { return }
      types[column.name] = type
    }
  }

  /// Adds the column of the names of the files, if there is to be one.
  func addFileNames(to columns: inout [ImportPlan.Column]) throws(ImportError) {
    guard let name = options.fileNameProperty else { return }
    guard !columns.contains(where: { $0.name == name }) else {
      throw ImportError(
        .usage,
        message: "\(option: .fileNameProperty, name): the files have a column `\(name)` already")
    }
    columns.append(.init(name: name, content: .fileName))
  }

  /// Checks the type of a property that the user has set. The types of locations are fixed.
  ///
  /// - Parameter inputs: The columns that only formulas read.
  func checkType(
    of name: String, _ columns: [ImportPlan.Column], _ inputs: [ImportPlan.Column]
  ) throws(ImportError) {
    if inputs.contains(where: { $0.name == name }) { return }
    switch columns[try find(name, columns: columns)].content {
    case .field: return
    case .formula:
      throw ImportError(
        .usage,
        message: "\(option: .types, "\(name)=…"): `\(name)` has the type of its formula, which "
          + "cast(… AS …) changes")
    case .location, .geometry, .altitude, .fileName, .position: break
    }
    throw ImportError(
      .usage,
      message: "\(option: .types, "\(name)=…"): `\(name)` holds coordinates, and its type is fixed")
  }

  /// Rejects more properties than a class can have, before any of them gets a number.
  private func checkCount(_ inferred: InferredColumns) throws(ImportError) {
    let own = existing.map { Set($0.schema.properties.map(\.name)) } ?? []
    let places = spatial.count + (inferred.hasAltitude ? 1 : 0)
    let count =
      own.count + inferred.columns.count { !own.contains($0.name) }
      + (existing == nil ? places : 0)
    guard count > TableSchema.maxColumns else { return }
    throw ImportError(
      .data,
      message: "the class \(className) would have \(count) properties, "
        + "but at most \(TableSchema.maxColumns) are possible; "
        + "store names that differ from row to row as values instead")
  }

  private func checkNames(
    _ inferred: InferredColumns, locations: [ImportPlan.Column]
  ) throws(ImportError) {
    for name in locations.map(\.name) where inferred.evidence(name) != nil {
      let advice: ImportMessage =
        locations.count > 1
        ? "rename it in the file"
        : "name the property for the coordinates with \(option: .locationName, "NAME")"
      throw ImportError(.data, message: "there is already a property `\(name)`; \(advice)")
    }
    if inferred.hasAltitude,
      inferred.evidence("altitude") != nil || locations.contains(where: { $0.name == "altitude" })
    {
      throw ImportError(
        .data,
        message:
          "the points have a third coordinate, which becomes the property `altitude`, but there is "
          + "already a property of that name; rename it in the file"
      )
    }
  }

  private func find(_ name: String, columns: [ImportPlan.Column]) throws(ImportError) -> Int {
    if let index = columns.firstIndex(where: { $0.name == name }) { return index }
    throw unknown(name, names: columns.map(\.name))
  }

  /// The error for a column that the user names and no file has.
  func unknownColumn(_ name: String, of inferred: InferredColumns) -> ImportError {
    let names = inferred.columns.map(\.name)
    let nearest = NearestName.of(name, among: names)
    let others = nearest.map { "; did you mean `\($0)`? The" } ?? "; the"
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return ImportError(
      .usage, message: "the files have no column `\(name)`\(others) columns are \(list)")
  }

  func unknown(_ name: String, names: [String]) -> ImportError {
    let nearest = NearestName.of(name, among: names)
    let others = nearest.map { "; did you mean `\($0)`? The" } ?? "; the"
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return ImportError(
      .usage, message: "no property is named `\(name)`\(others) properties are \(list)")
  }

  func checkPolicy(hasKey: Bool) throws(ImportError) {
    guard options.onConflict != .error, !hasKey else { return }
    throw ImportError(
      .usage,
      message: "\(option: .onConflict) needs a primary key; "
        + "name the key with \(option: .primaryKey)")
  }
}
