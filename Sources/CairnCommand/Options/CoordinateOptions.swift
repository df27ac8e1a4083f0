import ArgumentParser
import CairnGeometry
import CairnIO

/// The options for the coordinates of an import.
struct CoordinateOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The column of latitudes; repeat --lat and --lon for several locations, named by what the "
        + "columns have in common.", valueName: "col"))
  var lat: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("The column of longitudes.", valueName: "col"))
  var lon: [String] = []

  @Option(help: ArgumentHelp("One column with latitude and longitude.", valueName: "col"))
  var latLon: String?

  @Option(help: ArgumentHelp("One column with longitude and latitude.", valueName: "col"))
  var lonLat: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The column of geometries as WKT or hexadecimal WKB; repeat it for several, named by the "
        + "columns.", valueName: "col"))
  var wkt: [String] = []

  @Option(
    help: ArgumentHelp(
      "The coordinate system: EPSG:27700, 27700 or any other that PROJ supports (default: WGS 84).",
      valueName: "system"))
  var crs: String?

  @Option(help: ArgumentHelp("The column of eastings in --crs.", valueName: "col"))
  var x: String?

  @Option(help: ArgumentHelp("The column of northings in --crs.", valueName: "col"))
  var y: String?

  @Flag(help: "Bring longitudes beyond ±180 back, and cut lines and polygons at the antimeridian.")
  var wrapLongitude = false

  @Flag(help: "Import each point of a MultiPoint as a row.")
  var eachPoint = false

  @Option(help: "Convert lines and polygons to points: centroid or on-surface.")
  var point: PointOption?

  @Flag(help: "Repair invalid lines and polygons, and say how many and by how much area.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "The name of the property for the coordinates (default: location, or geometry if some are "
        + "not points).", valueName: "name"))
  var location: String?

  @Flag(help: "Import tables without coordinates, whatever the names of their columns are.")
  var noLocation = false

  func validate() throws {
    if lat.count != lon.count {
      throw ValidationError("--lat and --lon must be given together")
    }
    if location != nil, lat.count > 1 || wkt.count > 1 {
      throw ValidationError(
        "--location names one property, but \(lat.count > 1 ? "--lat" : "--wkt") is given "
          + "\(max(lat.count, wkt.count)) times; these properties are named by their columns")
    }
    if (x == nil) != (y == nil) {
      throw ValidationError("--x and --y must be given together")
    }
    if x != nil, crs == nil {
      throw ValidationError(
        "--x and --y need --crs, as in --crs EPSG:27700; for WGS 84 degrees, use --lat and --lon"
      )
    }
    if !lat.isEmpty, crs != nil {
      throw ValidationError(
        "--crs goes with --x and --y, not with --lat and --lon")
    }
    try validateWays()
  }

  private func validateWays() throws {
    let given = [
      lat.first.map { _ in "--lat" }, latLon.map { _ in "--lat-lon" },
      lonLat.map { _ in "--lon-lat" },
      wkt.first.map { _ in "--wkt" }, x.map { _ in "--x" },
    ].compactMap(\.self)
    if given.count > 1 {
      throw ValidationError("\(given[0]) and \(given[1]) cannot be used together")
    }
    let other = given.first ?? crs.map { _ in "--crs" } ?? location.map { _ in "--location" }
    if noLocation, let other {
      throw ValidationError("--no-location and \(other) cannot be used together")
    }
  }

  func apply(to options: inout ImportOptions) {
    options.latitudes = lat
    options.longitudes = lon
    options.pairColumn =
      latLon.map { PairColumn($0, isLongitudeFirst: false) }
      ?? lonLat.map { PairColumn($0, isLongitudeFirst: true) }
    options.geometryColumns = wkt
    options.coordinateSystem = crs.map(CoordinateSystemName.definition)
    options.x = x
    options.y = y
    options.wrapsLongitudes = wrapLongitude
    options.geometries.takesEachPoint = eachPoint
    options.geometries.pointOf = point?.method
    options.geometries.repairs = repair
    options.locationName = location
    options.hasNoLocation = noLocation
  }
}

/// The value of `--point centroid|on-surface`.
enum PointOption: String, WordArgument {
  case centroid
  case onSurface = "on-surface"

  var method: PointDeriver.Method {
    switch self {
    case .centroid: .centroid
    case .onSurface: .onSurface
    }
  }
}
