/// Finds the columns that hold the coordinates.
enum CSVCoordinates {
  private static let latitudes = ["lat", "latitude", "y"]
  private static let longitudes = ["lon", "lng", "long", "longitude", "x"]
  private static let northings = ["northing", "northings"]
  private static let eastings = ["easting", "eastings"]

  /// The places of latitude and longitude, or of y and x of a system, among the columns: named or
  /// found by themselves.
  static func find(
    in names: [String], options: ImportOptions, file: String
  ) throws(ImportError) -> (latitude: Int, longitude: Int) {
    let found =
      options.coordinateSystem == nil
      ? (
        try place(names, options.latitude, latitudes, "latitude", "--lat", file),
        try place(names, options.longitude, longitudes, "longitude", "--lon", file)
      )
      : (
        try place(names, options.y, latitudes + northings, "y", "--y", file),
        try place(names, options.x, longitudes + eastings, "x", "--x", file)
      )
    guard found.0 != found.1 else {
      throw ImportError(
        .usage, "\(file): `\(names[found.0])` cannot hold both coordinates")
    }
    return found
  }

  private static func place(
    _ names: [String], _ named: String?, _ known: [String], _ what: String, _ option: String,
    _ file: String
  ) throws(ImportError) -> Int {
    if let named {
      if let place = names.firstIndex(of: named) { return place }
      throw ImportError(
        .usage, "\(file): there is no column `\(named)`: the columns are \(list(names))")
    }
    let candidates = names.indices.filter { known.contains(names[$0].lowercased()) }
    if candidates.count == 1 { return candidates[0] }
    let problem =
      candidates.isEmpty
      ? "no column is known to hold the \(what)"
      : "\(list(candidates.map { names[$0] })) could all hold the \(what)"
    throw ImportError(
      .data,
      "\(file):1: \(problem): name it with `\(option) COLUMN`\(projected(names, option)); "
        + "the columns are \(list(names))")
  }

  /// What else to say where the columns look like metres.
  private static func projected(_ names: [String], _ option: String) -> String {
    let isProjected = names.contains { (northings + eastings).contains($0.lowercased()) }
    guard isProjected, option == "--lat" || option == "--lon" else { return "" }
    return ", or, since they are projected, say `--crs EPSG:n --x COLUMN --y COLUMN`"
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "`\($0)`" }.joined(separator: ", ")
    return names.count > 20 ? shown + ", …" : shown
  }
}
