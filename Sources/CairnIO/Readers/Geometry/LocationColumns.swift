internal import CairnValues

/// The columns of a CSV file, or the members of JSON records, that hold the coordinates.
package enum LocationColumns: Sendable, Equatable {
  /// Two columns: latitude and longitude, or y and x in a coordinate system.
  case columns(latitude: Int, longitude: Int)
  /// One column with WKT or hexadecimal WKB.
  case geometry(column: Int)
  /// One column with both coordinates.
  case pair(column: Int, PairOrder)

  /// The columns that do not become properties themselves.
  var columnIndexes: [Int] {
    switch self {
    case .columns(let latitude, let longitude): [latitude, longitude]
    case .geometry(let column), .pair(let column, _): [column]
    }
  }
}

/// A source of locations or geometries in a file of columns, and the columns that hold it.
struct LocationSource: Sendable, Equatable {
  let source: SpatialSource
  let location: LocationColumns

  /// The first of its columns.
  var firstColumn: Int { location.columnIndexes.min() ?? 0 }
}

/// The order of two coordinates.
package enum PairOrder: Sendable, Equatable {
  case latitudeFirst
  case longitudeFirst
  /// The order given by the letters N, S, E and W in each pair.
  case marked
}

/// Finds the columns that hold the coordinates: by the options, by the column names, or by values
/// that cannot be anything else.
struct LocationColumnFinder {
  let names: ColumnNames
  let options: ImportOptions
  let file: String

  /// Whether the names alone identify the coordinates.
  var isNamed: Bool { (try? named()) != nil || (try? severalNamed())?.isEmpty == false }

  /// Finds the columns of every source. Returns none for a table without coordinates; if some column
  /// may hold them all the same, throws an error that lists the columns.
  ///
  /// - Parameter rows: The first rows of the file.
  func find(_ rows: SampleRows) throws(ImportError) -> [LocationSource] {
    let several = try severalNamed()
    if !several.isEmpty { return several }
    return try findOne(rows).map { [LocationSource(source: .only, location: $0)] } ?? []
  }

  /// Returns the sources if the options or the names of the columns say that there are several.
  private func severalNamed() throws(ImportError) -> [LocationSource] {
    var sources: [LocationSource] = []
    if options.geometryColumns.count > 1 {
      for name in options.geometryColumns {
        let column = try index(of: name)
        sources.append(
          LocationSource(
            source: SpatialSource(name: names.names[column]), location: .geometry(column: column)))
      }
    } else {
      sources = try CoordinateColumnFinder(names: names, options: options, file: file)
        .several(index)
    }
    let columns = sources.flatMap(\.location.columnIndexes)
    for (position, column) in columns.enumerated() where columns[..<position].contains(column) {
      throw ImportError(
        .usage, message: "\(file): the column `\(names.names[column])` is named twice")
    }
    return sources
  }

  /// Finds the columns of the only source. Returns nil for a table without coordinates; if some
  /// column may hold them all the same, throws an error that lists the columns.
  func findOne(_ rows: SampleRows) throws(ImportError) -> LocationColumns? {
    if let location = try named() {
      if let checked = try checked(location, rows: rows) { return checked }
    } else if options.coordinateSystem == nil, let location = try byContent(rows) {
      return location
    }
    guard mayBeTable(rows) else { throw missing(rows) }
    return nil
  }

  /// Whether no value of the first rows may be a coordinate either.
  private func mayBeTable(_ rows: SampleRows) -> Bool {
    if options.mayLackLocations { return true }
    return !rows.isUndecoded && pairs(rows).isEmpty
      && CoordinateColumnFinder(names: names, options: options, file: file).mayBeTable
  }

  /// The columns whose values seem to be pairs of coordinates.
  private func pairs(_ rows: SampleRows) -> [Int] {
    names.names.indices.filter { rows.all($0) { PairText.isPair($0) } }
  }

  private func named() throws(ImportError) -> LocationColumns? {
    if let column = options.geometryColumns.first {
      return .geometry(column: try index(of: column))
    }
    if let pair = options.pairColumn {
      return .pair(
        column: try index(of: pair.name),
        pair.isLongitudeFirst ? .longitudeFirst : .latitudeFirst)
    }
    let finder = CoordinateColumnFinder(names: names, options: options, file: file)
    if let found = try finder.find(index) { return found }
    return try oneColumn()
  }

  /// Returns a column whose name says that it holds both coordinates.
  private func oneColumn() throws(ImportError) -> LocationColumns? {
    let plain = names.written.map { $0.lowercased().filter { $0.isLetter && $0.isASCII } }
    let pairs = plain.indices.compactMap { index in
      Self.pairs[plain[index]].map { LocationColumns.pair(column: index, $0) }
    }
    let geometries = plain.indices.filter { Self.geometries.contains(plain[$0]) }
    // Beside a shape, the point is its centre.
    if geometries.count == 1, plain[geometries[0]] == "geoshape" {
      return .geometry(column: geometries[0])
    }
    if pairs.count == 1 { return pairs[0] }
    return pairs.isEmpty && geometries.count == 1 ? .geometry(column: geometries[0]) : nil
  }

  private static let pairs: [String: PairOrder] = [
    "latlon": .latitudeFirst, "latlng": .latitudeFirst, "latlong": .latitudeFirst,
    "latitudelongitude": .latitudeFirst, "lonlat": .longitudeFirst, "lnglat": .longitudeFirst,
    "longlat": .longitudeFirst, "longitudelatitude": .longitudeFirst,
    // As Opendatasoft names them: `geo_point_2d`.
    "geopoint": .latitudeFirst, "geopointd": .latitudeFirst,
  ]
  private static let geometries: Set = [
    "wkt", "wktgeom", "geomwkt", "wktgeometry", "geometrywkt", "wkb", "geom", "thegeom", "geometry",
    "wkbgeometry", "shape", "geoshape", "geojson",
  ]

  /// Checks that a column that is a geometry by name alone also looks like one.
  private func checked(
    _ location: LocationColumns, rows: SampleRows
  ) throws(ImportError) -> LocationColumns? {
    guard case .geometry(let column) = location, options.geometryColumns.isEmpty,
      !rows.values(column).isEmpty, !rows.all(column, passes: GeometryText.looksLikeOne)
    else { return location }
    return try byContent(rows)
  }

  /// Returns the only column whose values must be locations.
  private func byContent(_ rows: SampleRows) throws(ImportError) -> LocationColumns? {
    let columns = names.names.indices
    let geometries = columns.filter { rows.all($0, passes: GeometryText.looksLikeOne) }
    let marked = columns.filter { rows.all($0) { PairText.isMarked($0) } }
    if geometries.count + marked.count > 1 {
      throw ImportError(
        .data,
        message: "\(file):1: \(list(geometries + marked)) could all hold the coordinates; "
          + "name one with \(option: .geometryColumn, "COLUMN") "
          + "or \(option: .latitudeFirstColumn, "COLUMN")")
    }
    if let column = geometries.first { return .geometry(column: column) }
    return marked.first.map { .pair(column: $0, .marked) }
  }

  /// The error of an import that needs coordinates if no columns were found.
  func missing(_ rows: SampleRows) -> ImportError {
    if options.coordinateSystem == nil, let column = pairs(rows).first {
      let name = names.names[column]
      return ImportError(
        .data,
        message: "\(file):1: column `\(name)` seems to hold both coordinates, "
          + "but which comes first is not certain; "
          + "use \(option: .latitudeFirstColumn, name) or \(option: .longitudeFirstColumn, name)")
    }
    if rows.isUndecoded {
      return ImportError(
        .data,
        message:
          "\(file):1: no columns are known to hold the coordinates, and the text is not UTF-8; "
          + TextEncoding.advice)
    }
    return CoordinateColumnFinder(names: names, options: options, file: file).missing
  }

  /// Returns the index of a column that an option names. Without a header, its number is accepted
  /// too.
  private func index(of name: String) throws(ImportError) -> Int {
    if let index = names.names.firstIndex(of: name) { return index }
    if !options.hasHeader, let number = Int(name), names.names.indices.contains(number - 1) {
      return number - 1
    }
    let nearest = NearestName.of(name, among: names.names)
    let others = nearest.map { "; did you mean `\($0)`? The" } ?? "; the"
    throw ImportError(
      .usage, message: "\(file): no column is named `\(name)`\(others) columns are \(names.list)")
  }

  private func list(_ indexes: [Int]) -> String {
    indexes.map { "`\(names.names[$0])`" }.joined(separator: " and ")
  }
}
