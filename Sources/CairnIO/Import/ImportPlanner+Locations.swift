internal import CairnStorage
internal import CairnValues

// The columns of locations and geometries.
extension ImportPlanner {
  private static let pointName = "location"
  private static let geometryName = "geometry"
  static let altitudeName = "altitude"

  /// Whether the locations of a file of columns are read. Those of other files are, because a record is
  /// checked as a whole.
  static func readsLocations(of source: any LayerSource, _ options: ImportOptions) -> Bool {
    let names = [pointName, geometryName, altitudeName]
    return !(source is ColumnFileSource) || source.columns.properties.isEmpty
      || options.selection.keepsLocations(named: names)
  }

  /// The form in which the types of geometries are inferred.
  var inferenceForm: SpatialForm {
    let own = existing.flatMap { $0.schema.column(named: options.locationName ?? Self.pointName) }
    let holdsGeometries = existing?.schema.column(named: Self.geometryName)?.isGeometry == true
    let isPoint = own?.isPoint == true && (options.locationName != nil || !holdsGeometries)
    return options.geometries.pointOf != nil || isPoint
      ? .points(isAssumed: false, isRequired: !options.geometries.allowsMissing) : .inferred
  }

  /// Notes on the files without coordinates, whose rows have no location.
  ///
  /// - Throws: An error if the rows of the class have locations and the options do not allow rows
  ///   without, or if other files have some.
  func tableNotes(_ sources: [ImportSource]) throws(ImportError) -> [ImportMessage] {
    guard !options.mayLackLocations, options.updateKey == nil else { return [] }
    let tables = sources.compactMap { source in
      source.missingLocation.map {
        (file: source.input.name, folder: source.folder, error: $0)
      }
    }
    if let table = tables.first, !spatial.isEmpty { throw table.error }
    let uses = [ImportOption.latitude, .longitude].map { OptionUse($0, value: "COLUMN") }
    let own = (options.declaredClass ?? existing?.schema)?.spatialColumns ?? []
    if spatial.isEmpty, let required = own.first(where: isRequired) {
      throw cannotExtend(
        "its rows have a `\(required.name)`, and no columns of \(sources[0].input.name) hold "
          + "coordinates; name the columns with \(options: uses[0], uses[1])"
          + (required.isOptional ? ", or store rows without with \(option: .allowsMissing)" : ""))
    }
    guard existing == nil || !own.isEmpty else { return [] }
    let result =
      own.isEmpty
      ? "the class \(className) is a table without locations" : "its rows have no location"
    // The first file of a folder is named for all of them.
    let shown = tables.enumerated().filter { index, table in
      table.folder == nil || !tables[..<index].contains { $0.folder == table.folder }
    }
    return shown.map { _, table in
      "\(table.file): no columns hold coordinates, so \(result); "
        + "\(options: uses[0], uses[1]) names some"
    }
  }

  /// Whether rows without a value of a location or geometry cannot be stored.
  private func isRequired(_ own: ColumnSchema) -> Bool {
    !own.isOptional || !options.geometries.allowsMissing
  }

  /// Plans the column for what a source contains: a property of the class that the import extends,
  /// or a new one, of points if all geometries are points.
  func column(
    for source: SpatialSource, inferred: InferredColumns, isComplete: Bool
  ) throws(ImportError) -> ImportPlan.Column {
    let evidence = inferred.spatial[source] ?? []
    // Only the only source of a file has a property for third coordinates.
    let hasShapes =
      evidence.contains(.shape) || source.name != nil && evidence.contains(.altitude)
    let name =
      source.name ?? options.locationName ?? (hasShapes ? Self.geometryName : Self.pointName)
    if let existing, let own = own(name, hasShapes: hasShapes, schema: existing.schema) {
      return try column(filling: own, source: source, isComplete: isComplete)
    }
    if let schema = existing?.schema {
      try checkNew(name, source: source, hasShapes: hasShapes, schema: schema)
    }
    let isAssumed = !isComplete && options.geometries.pointOf == nil
    return .init(
      name: name,
      content: hasShapes ? .geometry(source, .geometry) : .location(source, isAssumed: isAssumed))
  }

  /// Returns the property of the class to fill: that of the name or, if the user has not named one,
  /// the one for the other kind of geometries.
  private func own(_ name: String, hasShapes: Bool, schema: TableSchema) -> ColumnSchema? {
    if let own = schema.column(named: name) { return own }
    guard options.locationName == nil, [Self.pointName, Self.geometryName].contains(name) else {
      return nil
    }
    let other = schema.column(named: hasShapes ? Self.pointName : Self.geometryName)
    return other?.isPoint == true || other?.isGeometry == true ? other : nil
  }

  private func column(
    filling own: ColumnSchema, source: SpatialSource, isComplete: Bool
  ) throws(ImportError) -> ImportPlan.Column {
    let isRequired = !own.isOptional
    if own.isGeometry {
      return .init(name: own.name, content: .geometry(source, own.type), isRequired: isRequired)
    }
    guard own.isPoint else {
      throw cannotExtend(
        "the class has no location, and `\(own.name)` is something else; name the "
          + "property for the coordinates with \(option: .locationName, "NAME")")
    }
    let hasOther = existing?.schema.column(named: Self.geometryName)?.isGeometry == true
    return .init(
      name: own.name,
      content: .location(
        source, isAssumed: hasOther && !isComplete && inferenceForm == .inferred),
      isRequired: isRequired)
  }

  /// Rejects a new property for locations in a class that has another one.
  private func checkNew(
    _ name: String, source: SpatialSource, hasShapes: Bool, schema: TableSchema
  ) throws(ImportError) {
    guard source == .only, !(hasShapes && options.locationName != nil),
      let own = schema.spatialColumn
    else { return }
    throw cannotExtend(
      "the class has no location `\(name)`; its location is `\(own.name)`; "
        + "\(option: .locationName, own.name) fills that")
  }
}
