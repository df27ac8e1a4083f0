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

  /// Finds the columns of every source, or throws an error that lists them.
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

  /// Finds the columns of the only source. Without any, throws an error that lists them, or returns
  /// nil if the files may lack locations.
  func findOne(_ rows: SampleRows) throws(ImportError) -> LocationColumns? {
    if let location = try named() {
      if let checked = try checked(location, rows: rows) { return checked }
    } else if options.coordinateSystem == nil, let location = try byContent(rows) {
      return location
    }
    if options.mayLackLocations { return nil }
    throw missing(rows)
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

  private func missing(_ rows: SampleRows) -> ImportError {
    let pairs = names.names.indices.filter { rows.all($0) { PairText.isPair($0) } }
    if options.coordinateSystem == nil, let column = pairs.first {
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

/// Finds the two columns of latitude and longitude, or of y and x in a coordinate system.
package struct CoordinateColumnFinder {
  let names: ColumnNames
  let options: ImportOptions
  let file: String

  /// Creates a finder.
  ///
  /// - Parameter file: The name of the file in messages.
  package init(names: ColumnNames, options: ImportOptions, file: String) {
    self.names = names
    self.options = options
    self.file = file
  }

  // In the languages of the largest open-data portals. The German and Polish words for width and
  // length are missing, because they also are those of measures.
  private static let latitudes: Set = [
    "lat", "latitude", "latitud", "latitudine", "breitengrad", "breedtegraad", "breddgrad",
    "breddegrad", "leveysaste", "enlem", "szerokosc_geograficzna", "szerokość_geograficzna",
    "szerokosc geograficzna", "szerokość geograficzna",
    "широта", "緯度", "纬度", "위도", "intptlat",
  ]
  private static let longitudes: Set = [
    "lon", "lng", "long", "longitude", "longitud", "longitudine", "längengrad", "laengengrad",
    "lengtegraad", "längdgrad", "lengdegrad", "længdegrad", "pituusaste", "boylam",
    "dlugosc_geograficzna", "długość_geograficzna", "dlugosc geograficzna", "długość geograficzna",
    "долгота", "довгота", "経度", "經度", "经度", "경도",
    "intptlon", "intptlong",
  ]
  private static let ys: Set = [
    "y", "point_y", "y_coord", "ycoord", "coord_y", "coordy", "y_coordinate",
  ]
  private static let xs: Set = [
    "x", "point_x", "x_coord", "xcoord", "coord_x", "coordx", "x_coordinate",
  ]
  private static let northings: Set = ["northing", "northings"]
  private static let eastings: Set = ["easting", "eastings"]

  private var isProjected: Bool { options.coordinateSystem != nil }

  /// Finds the two columns.
  ///
  /// - Parameter place: Returns the index of a column that an option names.
  /// - Returns: The columns, or nil when the names do not identify them.
  package func find(_ index: (String) throws(ImportError) -> Int) throws(ImportError)
    -> LocationColumns?
  {
    let (latitude, longitude) =
      isProjected
      ? (options.y, options.x) : (options.latitudes.first, options.longitudes.first)
    guard let latitude, let longitude else {
      for name in [latitude, longitude].compactMap(\.self) { _ = try index(name) }
      return try known()
    }
    let (y, x) = (try index(latitude), try index(longitude))
    guard y != x else {
      throw ImportError(
        .usage,
        message: "\(file): `\(names.names[y])` cannot hold both coordinates; "
          + "name a column that holds both with "
          + "\(option: .latitudeFirstColumn) or \(option: .longitudeFirstColumn)"
      )
    }
    return .columns(latitude: y, longitude: x)
  }

  private func known() throws(ImportError) -> LocationColumns? {
    let latitudes = Self.latitudes.union(Self.ys).union(isProjected ? Self.northings : [])
    let longitudes = Self.longitudes.union(Self.xs).union(isProjected ? Self.eastings : [])
    if !isProjected, let found = try one(Self.latitudes, longitudes: Self.longitudes) {
      return found
    }
    if let found = try one(latitudes, longitudes: longitudes) { return found }
    return isProjected ? nil : try pair()
  }

  /// Returns the columns with these names, or nil when either is missing.
  private func one(
    _ latitudes: Set<String>, longitudes: Set<String>
  ) throws(ImportError) -> LocationColumns? {
    let ys = names.written.indices.filter { latitudes.contains(names.written[$0].lowercased()) }
    let xs = names.written.indices.filter { longitudes.contains(names.written[$0].lowercased()) }
    guard let y = ys.first, let x = xs.first else { return nil }
    if ys.count > 1 { throw ambiguous(ys, isLatitude: true) }
    if xs.count > 1 { throw ambiguous(xs, isLatitude: false) }
    return .columns(latitude: y, longitude: x)
  }

  /// Returns two columns whose names differ only in these words, such as `stop_lat` and `stop_lon`.
  private func pair() throws(ImportError) -> LocationColumns? {
    let found = pairs
    if found.count > 1 { throw ambiguous(found.map(\.y), isLatitude: true) }
    return found.first.map { .columns(latitude: $0.y, longitude: $0.x) }
  }

  /// All pairs of columns whose names differ only in these words.
  private var pairs: [(y: Int, x: Int)] {
    let words = names.written.map { NameWords($0).texts }
    let ys = words.indices.filter { !Self.latitudes.isDisjoint(with: words[$0]) }
    let xs = words.indices.filter { !Self.longitudes.isDisjoint(with: words[$0]) }
    var found: [(y: Int, x: Int)] = []
    for y in ys {
      let rest = words[y].map { Self.latitudes.contains($0) ? "*" : $0 }
      for x in xs where words[x].map({ Self.longitudes.contains($0) ? "*" : $0 }) == rest {
        found.append((y, x))
      }
    }
    return found
  }

  /// Returns the pairs of columns if the options name several, or if there are several whose names
  /// differ in what is left without these words.
  func several(_ index: (String) throws(ImportError) -> Int) throws(ImportError) -> [LocationSource]
  {
    guard !isProjected, options.pairColumn == nil, options.geometryColumns.isEmpty else {
      return []
    }
    var found: [(y: Int, x: Int)] = []
    if options.latitudes.isEmpty {
      guard try one(Self.latitudes, longitudes: Self.longitudes) == nil else { return [] }
      found = pairs
    } else {
      for (latitude, longitude) in zip(options.latitudes, options.longitudes) {
        found.append((try index(latitude), try index(longitude)))
      }
    }
    guard found.count > 1 else { return [] }
    let stems = found.map { stem($0.y, longitude: $0.x) }
    let areClear =
      Set(stems).count == stems.count && !stems.contains("")
      && Set(found.map(\.y)).count == found.count && Set(found.map(\.x)).count == found.count
    guard areClear else {
      throw options.latitudes.isEmpty
        ? ambiguous(found.map(\.y), isLatitude: true)
        : ImportError(
          .usage,
          message: "\(file): the columns of \(option: .latitude) and \(option: .longitude) need "
            + "names that differ in more than these words, as `pickup_lat` and `dropoff_lat` do")
    }
    return zip(found, stems).map { pair, stem in
      LocationSource(
        source: SpatialSource(name: stem), location: .columns(latitude: pair.y, longitude: pair.x))
    }
  }

  /// Returns what the names of two columns have in common: `pickup` of `pickup_lat` and
  /// `pickup_lon`.
  private func stem(_ latitude: Int, longitude: Int) -> String {
    let (y, x) = (names.written[latitude], names.written[longitude])
    let stem = NameWords(y).name(without: Self.latitudes)
    if !stem.isEmpty, stem == NameWords(x).name(without: Self.longitudes) { return stem }
    let isJoint: (Character) -> Bool = { !$0.isLetter && !$0.isNumber }
    let prefix = String(zip(y, x).prefix { $0 == $1 }.map(\.0))
    return String(prefix.reversed().drop(while: isJoint).reversed())
  }

  private func ambiguous(_ indexes: [Int], isLatitude: Bool) -> ImportError {
    let what = isProjected ? (isLatitude ? "y" : "x") : (isLatitude ? "latitude" : "longitude")
    let shown = indexes.map { "`\(names.names[$0])`" }.joined(separator: ", ")
    return ImportError(
      .data,
      message: "\(file):1: \(shown) could all hold the \(what); name \(advice); "
        + "the columns are \(names.list)"
    )
  }

  private var advice: ImportMessage {
    let names: [ImportOption] = isProjected ? [.x, .y] : [.latitude, .longitude]
    let uses = names.map { OptionUse($0, value: "COLUMN") }
    return "the columns with \(options: uses[0], uses[1])"
  }

  /// The error to throw when no columns were found.
  package var missing: ImportError {
    let written = Set(names.written.map { $0.lowercased() })
    let looksProjected = !Self.northings.union(Self.eastings).isDisjoint(with: written)
    var hints: [ImportMessage] = ["name \(advice)"]
    if !options.hasHeader {
      let (third, fourth) = (OptionUse(.latitude, value: "3"), OptionUse(.longitude, value: "4"))
      hints = ["name them by number, as in \(options: third, fourth)"]
    }
    if !isProjected, looksProjected {
      let uses =
        [OptionUse(.coordinateSystem, value: "EPSG:n")]
        + [.x, .y].map { OptionUse($0, value: "COLUMN") }
      hints.append("since they are projected, use \(options: uses[0], uses[1], uses[2])")
    }
    if !isProjected {
      hints.append(
        "name one column of both with \(option: .latitudeFirstColumn), "
          + "\(option: .longitudeFirstColumn) or \(option: .geometryColumn)")
    }
    if options.hasHeader, names.written.count == 1, options.skippedLines == 0 {
      hints.append("if lines above the header come first, use \(option: .skippedLines, "1")")
    }
    if options.hasHeader, names.written.contains(where: Self.isNumber) {
      hints.append("if the first line is data, use \(option: .hasNoHeader)")
    }
    return ImportError(
      .data,
      message: "\(file):1: no columns are known to hold the coordinates; "
        + "\(ImportMessage.joined(hints, separator: ", or ")); the columns are \(names.list)")
  }

  private static func isNumber(_ text: String) -> Bool { Double(text) != nil }
}
