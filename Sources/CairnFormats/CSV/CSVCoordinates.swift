/// Finds the columns that hold the coordinates.
enum CSVCoordinates {
  private static let latitudes = ["lat", "latitude", "y"]
  private static let longitudes = ["lon", "lng", "long", "longitude", "x"]

  /// The places of latitude and longitude among the columns, named or found by themselves.
  static func find(
    in names: [String], latitude: String?, longitude: String?, file: String
  ) throws(ImportError) -> (latitude: Int, longitude: Int) {
    let found = (
      try place(names, latitude, latitudes, "latitude", "--lat", file),
      try place(names, longitude, longitudes, "longitude", "--lon", file)
    )
    guard found.0 != found.1 else {
      throw ImportError(
        .usage, "\(file): `\(names[found.0])` cannot be both the latitude and the longitude")
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
      "\(file):1: \(problem): name it with `\(option) COLUMN`; the columns are \(list(names))")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "`\($0)`" }.joined(separator: ", ")
    return names.count > 20 ? shown + ", …" : shown
  }
}
