import ArgumentParser
import CairnGDAL
import CairnIO
import CairnSystem

/// `cairn import STORE FILE...`
struct ImportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: "Import CSV, GeoJSON, JSON or GDAL's files into a class, all or nothing.",
      discussion: """
        The store is created if it does not exist. A first pass over all the data
        detects the types. Coordinates are found by the names of their columns, and
        become one property: location if all are points, otherwise geometry.

        EXAMPLES:
          cairn import world.cairn cities.csv --key id
          cairn import world.cairn quakes.geojson --class earthquakes
          cairn import world.cairn sites.csv --crs EPSG:27700 --x east --y north
          cairn import world.cairn sites.csv.gz --lat north --lon east --decimal-comma
          cairn import world.cairn parcels.geojson --repair --dry-run
          cairn import world.cairn trips.csv --wkt start --wkt route
          cairn import world.cairn survey.gpkg --layer parcels
          cairn import world.cairn buildings.parquet --bbox 5.9,45.8,10.5,47.8
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The input files, or folders of Parquet files; - for standard input.",
      valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      "The class to import into (default: name of the first file without extension).",
      valueName: "name"))
  var className: String?

  @Option(
    help:
      "The input format: csv, geojson, geojsonl, json, jsonl, parquet, arrow or gdal for all others (default: detected)."
  )
  var format: InputFormatOption?

  @Option(
    help: ArgumentHelp(
      "The layer to import, such as that of a GeoPackage (default: the only one with rows).",
      valueName: "name"))
  var layer: String?

  @Option(
    name: .customLong("gdal"), parsing: .singleValue,
    help: ArgumentHelp(
      "A setting of GDAL or of one of its drivers, as in SHAPE_RESTORE_SHX=YES. May be repeated.",
      valueName: "name=value"), transform: GDALSetting.init(text:))
  var gdalSettings: [GDALSetting] = []

  @Flag(help: "Import every layer of the files into a class of its own.")
  var allLayers = false

  @OptionGroup(title: "COORDINATES")
  var coordinates: CoordinateOptions

  @OptionGroup(title: "VALUES")
  var values: ValueOptions

  @OptionGroup(title: "CSV")
  var csv: CSVOptions

  @OptionGroup(title: "ROWS AND COLUMNS")
  var rows: ImportRowOptions

  @Option(help: ArgumentHelp("The property that becomes the primary key.", valueName: "col"))
  var key: String?

  @Option(help: ArgumentHelp("The properties to index.", valueName: "col,..."))
  var index: [String] = []

  @Option(
    help: ArgumentHelp("The texts to index word by word, for --search.", valueName: "col,..."))
  var fullText: [String] = []

  @Option(
    name: .customLong("type"), parsing: .singleValue,
    help: ArgumentHelp(
      "The type of a property: text, int, double, bool, date, epoch-s or epoch-ms.",
      valueName: "col=type"), transform: TypeOption.init(text:))
  var types: [TypeOption] = []

  @Option(
    help: ArgumentHelp(
      "Change the rows of the class that have the same value in this column, instead of adding rows.",
      valueName: "col"))
  var updateBy: String?

  @Option(
    help: ArgumentHelp(
      "If a row with the same primary key exists: error, replace or skip.",
      valueName: "action"))
  var onConflict: ConflictOption = .error

  @Option(help: ArgumentHelp("If a row cannot be stored: fail or skip.", valueName: "action"))
  var onError: RejectOption = .fail

  @Flag(help: "Show what would be imported, but do not write anything.")
  var dryRun = false

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    if rows.deduplicate != nil, onConflict == .replace {
      throw ValidationError(
        "--deduplicate and --on-conflict replace cannot be used together, "
          + "because a row is close to the one that it replaces")
    }
    let others = [
      ("--key", key != nil), ("--on-conflict", onConflict != .error),
      ("--deduplicate", rows.deduplicate != nil),
    ]
    if updateBy != nil, let (option, _) = others.first(where: \.1) {
      throw ValidationError("--update-by changes rows, and \(option) is for rows that are added")
    }
    if className == "" { throw ValidationError("--class must not be empty") }
    if allLayers, layer != nil || className != nil {
      let other = layer == nil ? "--class" : "--layer"
      throw ValidationError("--all-layers and \(other) cannot be used together")
    }
    for (index, assigned) in types.enumerated() {
      guard types[..<index].contains(where: { $0.column == assigned.column }) else { continue }
      throw ValidationError("--type names '\(assigned.column)' twice")
    }
  }

  func run() throws {
    let options = try options()
    guard allLayers else { return try run(files, options: options) }
    for file in files {
      // A file of any other format is one layer.
      guard LayerFormats.holdsLayers(file) else {
        try run([file], options: options)
        continue
      }
      let session = ImportSession(store: store, files: [file], options: options)
      for layer in try session.layers() {
        var options = options
        options.layer = layer
        try run([file], options: options)
      }
    }
  }

  private func run(_ files: [String], options: ImportOptions) throws {
    let start = MonotonicClock.seconds
    let progress = progressOptions.reporter()
    let run = ImportSession(store: store, files: files, options: options)
    if dryRun {
      let preview = try run.preview(progress)
      try PreviewReport(preview: preview).write()
      let report = ImportReport(dryRun: preview.summary, seconds: MonotonicClock.seconds - start)
      return progress.finish(report.summary)
    }
    let summary = try run.run(progress)
    progress.finish(ImportReport(summary, seconds: MonotonicClock.seconds - start).summary)
  }

  private func options() throws -> ImportOptions {
    var options = ImportOptions.withReaders
    options.className = className
    options.format = format?.format
    options.layer = layer
    for setting in gdalSettings { options.gdalSettings[setting.name] = setting.value }
    coordinates.apply(to: &options)
    csv.apply(to: &options)
    values.apply(to: &options)
    try rows.apply(to: &options)
    options.primaryKey = key
    options.indexed = index.flatMap { $0.split(separator: ",") }.map { String($0.trimmingSpaces()) }
    options.fullText = fullText.flatMap { $0.split(separator: ",") }.map {
      String($0.trimmingSpaces())
    }
    for assigned in types { options.types[assigned.column] = assigned.type }
    options.updateKey = updateBy
    options.onConflict = onConflict.policy
    options.onError = onError.policy
    return options
  }
}

/// The value of `--format csv|geojson|geojsonl|json|jsonl|parquet|arrow|gdal`.
enum InputFormatOption: String, WordArgument {
  case csv
  case geojson
  case geojsonl
  case json
  case jsonl
  case parquet
  case arrow
  case gdal

  var format: InputFormat {
    switch self {
    case .csv: .csv
    case .geojson: .geojson
    case .geojsonl: .geojsonl
    case .json: .json
    case .jsonl: .jsonl
    case .parquet: .parquet
    case .arrow: .arrow
    case .gdal: .gdal
    }
  }
}

/// The value of `--on-conflict error|replace|skip`.
enum ConflictOption: String, WordArgument {
  case error
  case replace
  case skip

  var policy: ImportOptions.ConflictPolicy {
    switch self {
    case .error: .error
    case .replace: .replace
    case .skip: .skip
    }
  }
}

/// The value of `--type COLUMN=TYPE`.
struct TypeOption {
  let column: String
  let type: FieldType

  private static let types: [String: FieldType] = [
    "text": .text, "string": .text, "int": .int, "double": .double, "bool": .boolWord,
    "date": .date,
    "epoch-s": .epochSeconds, "epoch-ms": .epochMilliseconds,
  ]

  /// Parses `COLUMN=TYPE`, split at the last `=`, because a name may contain one.
  init(text: String) throws {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw OptionError("expected COLUMN=TYPE, as in name=text")
    }
    let name = text[text.index(after: equals)...].lowercased()
    guard let type = Self.types[name] else {
      let names = ["text", "int", "double", "bool", "date", "epoch-s", "epoch-ms"]
      let nearest = Self.otherNames[name] ?? Hint.nearest(name, among: names)
      let hint = nearest.map { "; did you mean '\($0)'? The" } ?? "; the"
      throw OptionError("'\(name)' is not a type\(hint) types are \(Hint.list(names))")
    }
    column = String(text[..<equals])
    self.type = type
  }

  /// The names of the types in other databases.
  private static let otherNames = [
    "str": "text", "varchar": "text", "integer": "int", "bigint": "int", "float": "double",
    "real": "double", "number": "double", "numeric": "double", "decimal": "double",
    "boolean": "bool", "datetime": "date", "timestamp": "date",
  ]
}

/// The value of `--gdal NAME=VALUE`.
struct GDALSetting {
  let name: String
  let value: String

  init(text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isName = parts[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard parts.count == 2, !parts[0].isEmpty, isName, !text.unicodeScalars.contains("\0") else {
      throw OptionError("expected NAME=VALUE, as in SHAPE_RESTORE_SHX=YES")
    }
    (name, value) = (String(parts[0]), String(parts[1]))
  }
}
