internal import CairnValues

/// Finds the columns that hold the coordinates: those that are named, those whose names say so, and those whose
/// values can be nothing else.
struct CSVLocationFinder {
  let names: CSVColumnNames
  let options: ImportOptions
  let file: String

  /// Whether the names alone tell where the coordinates are.
  var isNamed: Bool { (try? named()) != nil }

  /// - Parameter rows: the first rows of the file.
  func find(_ rows: CSVSampleRows) throws(ImportError) -> CSVLocation {
    if let location = try named() { return try checked(location, rows) }
    if options.coordinateSystem == nil, let location = try byContent(rows) { return location }
    throw missing(rows)
  }

  private func named() throws(ImportError) -> CSVLocation? {
    if let column = options.geometryColumn { return .geometry(column: try place(of: column)) }
    if let pair = options.pairColumn {
      return .pair(
        column: try place(of: pair.name),
        pair.isLongitudeFirst ? .longitudeFirst : .latitudeFirst)
    }
    let finder = CSVCoordinates(names: names, options: options, file: file)
    if let found = try finder.find(place) { return found }
    return try oneColumn()
  }

  /// A column whose name says that it holds both coordinates.
  private func oneColumn() throws(ImportError) -> CSVLocation? {
    let plain = names.written.map { $0.lowercased().filter { $0.isLetter && $0.isASCII } }
    let pairs = plain.indices.compactMap { place in
      Self.pairs[plain[place]].map { CSVLocation.pair(column: place, $0) }
    }
    if pairs.count == 1 { return pairs[0] }
    let geometries = plain.indices.filter { Self.geometries.contains(plain[$0]) }
    return pairs.isEmpty && geometries.count == 1 ? .geometry(column: geometries[0]) : nil
  }

  private static let pairs: [String: PairOrder] = [
    "latlon": .latitudeFirst, "latlng": .latitudeFirst, "latlong": .latitudeFirst,
    "latitudelongitude": .latitudeFirst, "lonlat": .longitudeFirst, "lnglat": .longitudeFirst,
    "longlat": .longitudeFirst, "longitudelatitude": .longitudeFirst,
  ]
  private static let geometries: Set = [
    "wkt", "wktgeom", "geomwkt", "wktgeometry", "geometrywkt", "wkb", "geom", "thegeom", "geometry",
    "wkbgeometry", "shape",
  ]

  /// A column that is a geometry by its name alone must look like one.
  private func checked(
    _ location: CSVLocation, _ rows: CSVSampleRows
  ) throws(ImportError) -> CSVLocation {
    guard case .geometry(let column) = location, options.geometryColumn == nil,
      !rows.values(column).isEmpty, !rows.all(column, GeometryText.looksLikeOne)
    else { return location }
    if let other = try byContent(rows) { return other }
    throw missing(rows)
  }

  /// The one column whose values can be nothing but places.
  private func byContent(_ rows: CSVSampleRows) throws(ImportError) -> CSVLocation? {
    let columns = names.names.indices
    let geometries = columns.filter { rows.all($0, GeometryText.looksLikeOne) }
    let marked = columns.filter { rows.all($0) { PairText.isMarked($0) } }
    if geometries.count + marked.count > 1 {
      throw ImportError(
        .data,
        "\(file):1: \(list(geometries + marked)) could all hold the coordinates: name one with `--wkt COLUMN` "
          + "or `--lat-lon COLUMN`")
    }
    if let column = geometries.first { return .geometry(column: column) }
    return marked.first.map { .pair(column: $0, .marked) }
  }

  private func missing(_ rows: CSVSampleRows) -> ImportError {
    let pairs = names.names.indices.filter { rows.all($0) { PairText.isPair($0) } }
    if options.coordinateSystem == nil, let column = pairs.first {
      let name = names.names[column]
      return ImportError(
        .data,
        "\(file):1: column `\(name)` seems to hold both coordinates, but which comes first is not certain: say "
          + "`--lat-lon \(name)` or `--lon-lat \(name)`")
    }
    if rows.isUndecoded {
      return ImportError(
        .data,
        "\(file):1: no columns are known to hold the coordinates, and the text is no UTF-8: "
          + CSVBlockReader.encodingAdvice)
    }
    return CSVCoordinates(names: names, options: options, file: file).missing
  }

  /// The place of a column that an option names; without a header, its number will do.
  private func place(of name: String) throws(ImportError) -> Int {
    if let place = names.names.firstIndex(of: name) { return place }
    if !options.hasHeader, let number = Int(name), names.names.indices.contains(number - 1) {
      return number - 1
    }
    let nearest = NearestName.of(name, among: names.names)
    let others = nearest.map { "; did you mean `\($0)`? The" } ?? ": the"
    throw ImportError(
      .usage, "\(file): there is no column `\(name)`\(others) columns are \(names.list)")
  }

  private func list(_ places: [Int]) -> String {
    places.map { "`\(names.names[$0])`" }.joined(separator: " and ")
  }
}
