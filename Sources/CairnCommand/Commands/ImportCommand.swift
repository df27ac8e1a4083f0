import ArgumentParser
import CairnFormats
import CairnStorage

/// `cairn import STORE FILE...`
struct ImportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: "Read CSV or GeoJSON files into a class: whole, or not at all.",
      discussion: """
        The store is made if there is none. Types are found by reading everything once;
        coordinates by the names of their columns. They become one property, location.

        EXAMPLES:
          cairn import world.cairn cities.csv --key id
          cairn import world.cairn quakes.geojson --class earthquakes
          cairn import world.cairn sites.csv --crs EPSG:27700 --x easting --y northing
          zcat places.csv.gz | cairn import world.cairn - --class places --lat y --lon x
        """)
  }

  @Argument(help: "The store, a file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The files; - is standard input.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      "The class to fill; else the first file's name without its ending.", valueName: "name"))
  var className: String?

  @Option(help: "The shape of the files: csv, geojson or geojsonl; else found out.")
  var format: InputFormatOption?

  @Option(help: ArgumentHelp("The column of latitudes.", valueName: "col"))
  var lat: String?

  @Option(help: ArgumentHelp("The column of longitudes.", valueName: "col"))
  var lon: String?

  @Option(
    help: ArgumentHelp(
      "The coordinate system of the files, as EPSG:27700 or any that PROJ knows; else WGS 84.",
      valueName: "system"))
  var crs: String?

  @Option(help: ArgumentHelp("The column of what points east in --crs.", valueName: "col"))
  var x: String?

  @Option(help: ArgumentHelp("The column of what points north in --crs.", valueName: "col"))
  var y: String?

  @Flag(help: "Bring longitudes between 180 and 360 back to -180 to 0.")
  var wrapLongitude = false

  @Option(help: ArgumentHelp("The property that the coordinates become.", valueName: "name"))
  var location = "location"

  @Option(help: ArgumentHelp("The property that identifies a row.", valueName: "col"))
  var key: String?

  @Option(help: ArgumentHelp("The properties to index by value.", valueName: "col,..."))
  var index: String?

  @Option(help: "When a row's key is there already: error, replace or skip.")
  var onConflict: ConflictOption = .error

  @Option(help: "When a row cannot be stored: fail or skip.")
  var onError: RefusalOption = .fail

  @OptionGroup var told: ProgressOptions

  func validate() throws {
    try validateSystem()
    if (lat == nil) != (lon == nil) {
      throw ValidationError("--lat and --lon go together; only one is given.")
    }
    if onConflict != .error, key == nil {
      throw ValidationError("--on-conflict \(onConflict.rawValue) needs --key.")
    }
  }

  private func validateSystem() throws {
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
  }

  func run() throws {
    let start = System.now()
    let progress = told.reporter()
    let summary = try ImportRun(store: store, files: files, options: options).run(progress)
    progress.finish(ImportReport(summary, seconds: System.now() - start).summary)
  }

  private var options: ImportOptions {
    var options = ImportOptions()
    options.className = className
    options.format = format?.format
    options.latitude = lat
    options.longitude = lon
    options.coordinateSystem = crs
    options.x = x
    options.y = y
    options.wrapsLongitudes = wrapLongitude
    options.locationName = location
    options.primaryKey = key
    options.indexed = (index ?? "").split(separator: ",").map { String($0.trimmingSpaces()) }
    options.onConflict = onConflict.policy
    options.onError = onError.policy
    return options
  }
}
