/// Finds the two columns of latitude and longitude, or of y and x of a system.
struct CSVCoordinates {
  let names: CSVColumnNames
  let options: ImportOptions
  let file: String

  private static let latitudes: Set = ["lat", "latitude"]
  private static let longitudes: Set = ["lon", "lng", "long", "longitude"]
  private static let northings: Set = ["northing", "northings"]
  private static let eastings: Set = ["easting", "eastings"]

  private var isProjected: Bool { options.coordinateSystem != nil }

  /// - Parameter place: of a column that an option names.
  /// - Returns: nil where no names say so.
  func find(_ place: (String) throws(ImportError) -> Int) throws(ImportError) -> CSVLocation? {
    let (latitude, longitude) =
      isProjected ? (options.y, options.x) : (options.latitude, options.longitude)
    guard let latitude, let longitude else {
      for name in [latitude, longitude].compactMap(\.self) { _ = try place(name) }
      return try known()
    }
    let (y, x) = (try place(latitude), try place(longitude))
    guard y != x else {
      throw ImportError(
        .usage,
        "\(file): `\(names.names[y])` cannot hold both coordinates, unless it is named with `--lat-lon` or `--lon-lat`"
      )
    }
    return .columns(latitude: y, longitude: x)
  }

  private func known() throws(ImportError) -> CSVLocation? {
    let latitudes = Self.latitudes.union(["y"]).union(isProjected ? Self.northings : [])
    let longitudes = Self.longitudes.union(["x"]).union(isProjected ? Self.eastings : [])
    if !isProjected, let found = try one(Self.latitudes, Self.longitudes) { return found }
    if let found = try one(latitudes, longitudes) { return found }
    return isProjected ? nil : try pair()
  }

  /// The columns of these names; nil where one of both is missing.
  private func one(
    _ latitudes: Set<String>, _ longitudes: Set<String>
  ) throws(ImportError) -> CSVLocation? {
    let ys = names.written.indices.filter { latitudes.contains(names.written[$0].lowercased()) }
    let xs = names.written.indices.filter { longitudes.contains(names.written[$0].lowercased()) }
    guard let y = ys.first, let x = xs.first else { return nil }
    if ys.count > 1 { throw ambiguous(ys, isLatitude: true) }
    if xs.count > 1 { throw ambiguous(xs, isLatitude: false) }
    return .columns(latitude: y, longitude: x)
  }

  /// Two columns whose names are alike but for the words, as `stop_lat` and `stop_lon`.
  private func pair() throws(ImportError) -> CSVLocation? {
    let words = names.written.map(Self.words)
    let ys = words.indices.filter { !Self.latitudes.isDisjoint(with: words[$0]) }
    let xs = words.indices.filter { !Self.longitudes.isDisjoint(with: words[$0]) }
    var found: [(y: Int, x: Int)] = []
    for y in ys {
      let rest = words[y].map { Self.latitudes.contains($0) ? "*" : $0 }
      for x in xs where words[x].map({ Self.longitudes.contains($0) ? "*" : $0 }) == rest {
        found.append((y, x))
      }
    }
    if found.count > 1 { throw ambiguous(found.map(\.y), isLatitude: true) }
    return found.first.map { .columns(latitude: $0.y, longitude: $0.x) }
  }

  /// `startLat_2` as `start`, `lat` and `2`.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var last: Character?
    for character in name {
      let isFresh =
        last.map { last in
          character.isNumber != last.isNumber || character.isUppercase && last.isLowercase
            || !last.isLetter && !last.isNumber
        } ?? true
      last = character
      guard character.isLetter || character.isNumber else { continue }
      if isFresh || words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words
  }

  private func ambiguous(_ places: [Int], isLatitude: Bool) -> ImportError {
    let what = isProjected ? (isLatitude ? "y" : "x") : (isLatitude ? "latitude" : "longitude")
    let shown = places.map { "`\(names.names[$0])`" }.joined(separator: ", ")
    return ImportError(
      .data,
      "\(file):1: \(shown) could all hold the \(what): name \(advice); the columns are \(names.list)"
    )
  }

  private var advice: String {
    isProjected
      ? "the columns with `--x COLUMN --y COLUMN`" : "the columns with `--lat COLUMN --lon COLUMN`"
  }

  /// What to say where nothing was found.
  var missing: ImportError {
    let written = Set(names.written.map { $0.lowercased() })
    let looksProjected = !Self.northings.union(Self.eastings).isDisjoint(with: written)
    var hints = ["name \(advice)"]
    if !options.hasHeader { hints = ["they are numbered, as in `--lat 3 --lon 4`"] }
    if !isProjected, looksProjected {
      hints.append("since they are projected, say `--crs EPSG:n --x COLUMN --y COLUMN`")
    }
    if !isProjected { hints.append("one column of both with `--lat-lon`, `--lon-lat` or `--wkt`") }
    if options.hasHeader, names.written.contains(where: Self.isNumber) {
      hints.append("if the first line holds data already, say `--no-header`")
    }
    return ImportError(
      .data,
      "\(file):1: no columns are known to hold the coordinates: \(hints.joined(separator: ", or ")); "
        + "the columns are \(names.list)")
  }

  private static func isNumber(_ text: String) -> Bool { Double(text) != nil }
}
