/// Finds the two columns of latitude and longitude, or of y and x in a coordinate system.
package struct CoordinateColumnFinder {
  let names: ColumnNames
  let options: ImportOptions
  let file: String
  /// Whether the file says which names its columns have, so that they cannot be a title or data.
  private let hasSchema: Bool

  /// Creates a finder.
  ///
  /// - Parameter file: The name of the file in messages.
  package init(
    names: ColumnNames, options: ImportOptions, file: String, hasSchema: Bool = false
  ) {
    self.names = names
    self.options = options
    self.file = file
    self.hasSchema = hasSchema
  }

  // In the languages of the largest open-data portals. The words for width and length are missing,
  // because they also are those of measures.
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
  private static let widths: Set = [
    "breite", "breedte", "bredd", "bredde", "szerokosc", "szerokość",
  ]
  private static let lengths: Set = [
    "länge", "laenge", "lengte", "längd", "lengde", "længde", "dlugosc", "długość",
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

  /// Whether the columns may be those of a table without coordinates: no option asks for coordinates,
  /// and neither the name of a column nor the form of the header suggests any.
  package var mayBeTable: Bool {
    if options.mayLackLocations { return true }
    // A single column is most likely that of some other text, or a line above the header.
    guard !options.asksForLocation, !looksProjected,
      hasSchema || options.hasHeader && names.written.count > 1
    else { return false }
    let written = Set(names.written.map { $0.lowercased() })
    guard written.isDisjoint(with: Self.widths) || written.isDisjoint(with: Self.lengths) else {
      return false
    }
    return !names.written.contains {
      Self.suggestsCoordinate($0) || !hasSchema && Self.isData($0)
    }
  }

  /// Whether a name may be that of a coordinate whose partner has another name, or is missing.
  private static func suggestsCoordinate(_ name: String) -> Bool {
    let coordinates = latitudes.union(longitudes)
    if coordinates.union(ys).union(xs).contains(name.lowercased()) { return true }
    // A column `long_name` does not hold longitudes.
    return !coordinates.subtracting(["long"]).isDisjoint(with: NameWords(name).texts)
  }

  /// Whether a name is a number, so that the header may be data. Tables of figures have columns for
  /// years.
  private static func isData(_ name: String) -> Bool {
    isNumber(name) && !(name.count == 4 && name.allSatisfy(\.isWholeNumber))
  }

  private var looksProjected: Bool {
    let written = Set(names.written.map { $0.lowercased() })
    return !Self.northings.union(Self.eastings).isDisjoint(with: written)
  }

  /// The error to throw when no columns were found and the files need some.
  package var missing: ImportError {
    var hints: [ImportMessage] = ["name \(advice)"]
    if !options.hasHeader, !hasSchema {
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
    if options.hasHeader, !hasSchema, names.written.count == 1, options.skippedLines == 0 {
      hints.append("if lines above the header come first, use \(option: .skippedLines, "1")")
    }
    if options.hasHeader, !hasSchema, names.written.contains(where: Self.isNumber) {
      hints.append("if the first line is data, use \(option: .hasNoHeader)")
    }
    if !options.asksForLocation {
      hints.append("import a table without coordinates with \(option: .hasNoLocation)")
    }
    return ImportError(
      .data,
      message: "\(file)\(hasSchema ? "" : ":1"): no columns are known to hold the coordinates; "
        + "\(ImportMessage.joined(hints, separator: ", or ")); the columns are \(names.list)")
  }

  private static func isNumber(_ text: String) -> Bool { Double(text) != nil }
}
