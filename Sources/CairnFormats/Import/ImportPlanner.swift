internal import CairnStorage
internal import CairnValues

/// Decides which columns an import fills and their types, for a new or an existing class.
struct ImportPlanner {
  let options: ImportOptions
  let className: String
  /// The class to extend; nil for a new class.
  let existing: ExistingClass?
  /// The index of the location among the columns of a new class; nil to put it last.
  let locationIndex: Int?

  /// The columns that must have a value in every row, whatever the files contain.
  var required: Set<String> {
    let key = existing.map { $0.schema.keyName } ?? options.primaryKey
    return Set(key.map { [$0] } ?? [])
  }

  /// Plans the columns.
  ///
  /// - Parameter isComplete: Whether the findings cover the whole input.
  func plan(_ inferred: InferredColumns, isComplete: Bool) throws(ImportError) -> ImportPlan {
    let inferred = inferred.withoutBlanks
    try checkCount(inferred)
    try checkNames(inferred)
    if let existing { return try plan(inferred, isComplete: isComplete, extending: existing) }
    var columns = inferred.columns.map {
      ImportPlan.Column(
        name: $0.name, content: .field(type(of: $0, isComplete)),
        isRequired: $0.name == options.primaryKey)
    }
    let index = min(locationIndex ?? columns.count, columns.count)
    columns.insert(.init(name: options.locationName, content: .location), at: index)
    if inferred.hasAltitude { columns.append(.init(name: "altitude", content: .altitude)) }
    let key = try options.primaryKey.map { (name) throws(ImportError) in
      try find(name, columns: columns)
    }
    for name in options.indexed { _ = try find(name, columns: columns) }
    for name in options.types.keys.sorted() { try checkType(of: name, columns) }
    try checkPolicy(hasKey: key != nil)
    return made(columns, primaryKey: key)
  }

  func type(of column: InferredColumns.Column, _ isComplete: Bool) -> FieldType {
    let seen = column.evidence.isEmpty && !isComplete ? FieldType.unknown : column.evidence.type
    return options.types[column.name] ?? seen
  }

  func made(_ columns: [ImportPlan.Column], primaryKey: Int?) -> ImportPlan {
    ImportPlan(
      columns: columns, primaryKey: primaryKey, onError: options.onError,
      forcedTypes: options.types, geometries: options.geometries, reading: options.reading)
  }

  /// Checks the type of a property that the user has set. The types of locations are fixed.
  func checkType(of name: String, _ columns: [ImportPlan.Column]) throws(ImportError) {
    if case .field = columns[try find(name, columns: columns)].content { return }
    throw ImportError(
      .usage,
      message: "\(option: .types, "\(name)=…"): `\(name)` holds coordinates, and its type is fixed")
  }

  /// Rejects more properties than a class can have, before any of them gets a number.
  private func checkCount(_ inferred: InferredColumns) throws(ImportError) {
    let own = existing.map { Set($0.schema.properties.map(\.name)) } ?? []
    let places = 1 + (inferred.hasAltitude ? 1 : 0)
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

  private func checkNames(_ inferred: InferredColumns) throws(ImportError) {
    if inferred.evidence(options.locationName) != nil {
      throw ImportError(
        .data,
        message: "there is already a property `\(options.locationName)`; name the property for the "
          + "coordinates with \(option: .locationName, "NAME")"
      )
    }
    if inferred.hasAltitude,
      inferred.evidence("altitude") != nil || options.locationName == "altitude"
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

/// The columns that an import fills, once their types are known.
struct ImportPlan: Sendable {
  /// The content of a column.
  enum Content: Sendable, Equatable {
    case field(FieldType)
    case location
    /// The third coordinate.
    case altitude
  }

  /// A column and its content.
  struct Column: Sendable {
    let name: String
    let content: Content
    /// Whether a row without a value is rejected, as for the key and for what an existing class
    /// requires.
    var isRequired = false

    var valueType: ValueType {
      switch content {
      case .field(let type): type.valueType
      case .location: .point
      case .altitude: .double
      }
    }
  }

  /// A property whose type the values of the files do not fit.
  struct TypeMismatch: Sendable {
    let property: ColumnSchema
    /// The type of the property.
    let type: FieldType
    let evidence: FieldEvidence
    /// A value that prevents the property from getting the type of the files.
    var obstacle: Int64?
  }

  let columns: [Column]
  let primaryKey: Int?
  let onError: RejectPolicy
  /// The changes to an existing class.
  var changes: [Widening.Change] = []
  /// The properties that the files do not fit. If there are any, nothing can be imported.
  var mismatches: [TypeMismatch] = []
  /// The types that the user has set, by property. A record with a value of another type is
  /// rejected.
  var forcedTypes: [String: FieldType] = [:]
  var geometries = GeometryOptions()
  /// The texts that mean null, and the format of dates.
  var reading = FieldReading()
  /// The property that holds the Features' own ids.
  var featureId = "id"
  /// Notes on the values, for the user.
  var notes: [ImportMessage] = []

  var location: Int? { columns.firstIndex { $0.content == .location } }

  /// The columns in the form that the bulk load takes.
  var bulkColumns: [BulkColumn] {
    columns.map { BulkColumn(name: $0.name, type: $0.valueType, isOptional: !$0.isRequired) }
  }

  func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
