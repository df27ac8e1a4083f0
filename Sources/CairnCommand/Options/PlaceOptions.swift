import ArgumentParser
import CairnFormats
import CairnGeometry

/// Where the coordinates of an import are, and what is made of them.
struct PlaceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The column of latitudes.", valueName: "col"))
  var lat: String?

  @Option(help: ArgumentHelp("The column of longitudes.", valueName: "col"))
  var lon: String?

  @Option(help: ArgumentHelp("The column that holds latitude and longitude.", valueName: "col"))
  var latLon: String?

  @Option(help: ArgumentHelp("The column that holds longitude and latitude.", valueName: "col"))
  var lonLat: String?

  @Option(
    help: ArgumentHelp("The column of geometries, in WKT or hexadecimal WKB.", valueName: "col"))
  var wkt: String?

  @Option(
    help: ArgumentHelp(
      "The coordinate system of the files, as EPSG:27700, 27700 or any that PROJ knows; else WGS 84.",
      valueName: "system"))
  var crs: String?

  @Option(help: ArgumentHelp("The column of what points east in --crs.", valueName: "col"))
  var x: String?

  @Option(help: ArgumentHelp("The column of what points north in --crs.", valueName: "col"))
  var y: String?

  @Flag(help: "Bring longitudes between 180 and 360 back to -180 to 0.")
  var wrapLongitude = false

  @Flag(help: "A MultiPoint becomes a row for each of its points.")
  var eachPoint = false

  @Option(help: "Make points of lines and polygons: centroid or on-surface.")
  var point: PointOption?

  @Option(help: ArgumentHelp("The property that the coordinates become.", valueName: "name"))
  var location = "location"

  func validate() throws {
    if (lat == nil) != (lon == nil) {
      throw ValidationError("--lat and --lon go together; only one is given.")
    }
    if (x == nil) != (y == nil) {
      throw ValidationError("--x and --y go together; only one is given.")
    }
    if x != nil, crs == nil {
      throw ValidationError(
        "--x and --y need --crs, the system they are in, as in --crs EPSG:27700; degrees of WGS 84 are named with --lat and --lon."
      )
    }
    if lat != nil, crs != nil {
      throw ValidationError(
        "With --crs the columns are named with --x and --y, not --lat and --lon.")
    }
    try validateWays()
  }

  private func validateWays() throws {
    let given = [
      lat.map { _ in "--lat" }, latLon.map { _ in "--lat-lon" }, lonLat.map { _ in "--lon-lat" },
      wkt.map { _ in "--wkt" }, x.map { _ in "--x" },
    ].compactMap(\.self)
    if given.count > 1 {
      throw ValidationError("\(given[0]) and \(given[1]) both name the coordinates.")
    }
  }

  func apply(to options: inout ImportOptions) {
    options.latitude = lat
    options.longitude = lon
    options.pairColumn =
      latLon.map { PairColumn($0, isLongitudeFirst: false) }
      ?? lonLat.map { PairColumn($0, isLongitudeFirst: true) }
    options.geometryColumn = wkt
    options.coordinateSystem = crs.map(SystemName.definition)
    options.x = x
    options.y = y
    options.wrapsLongitudes = wrapLongitude
    options.shapes.takesEachPoint = eachPoint
    options.shapes.pointOf = point?.method
    options.locationName = location
  }
}

/// `--point centroid|on-surface`
enum PointOption: String, WordArgument {
  case centroid
  case onSurface = "on-surface"

  var method: PointMaker.Method {
    switch self {
    case .centroid: .centroid
    case .onSurface: .onSurface
    }
  }
}
