import ArgumentParser
import CairnFormats
import CairnStorage

/// `cairn import STORE FILE...`
struct ImportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: "Read CSV, GeoJSON or JSON files into a class: whole, or not at all.",
      discussion: """
        The store is made if there is none. Types are found by reading everything once;
        coordinates by the names of their columns. They become one property, location.

        EXAMPLES:
          cairn import world.cairn cities.csv --key id
          cairn import world.cairn quakes.geojson --class earthquakes
          cairn import world.cairn sites.csv --crs EPSG:27700 --x east --y north
          cairn import world.cairn sites.csv.gz --lat north --lon east --decimal-comma
          cairn import world.cairn parcels.geojson --point centroid --dry-run
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

  @Option(help: "The shape of the files: csv, geojson, geojsonl, json or jsonl; else found out.")
  var format: InputFormatOption?

  @OptionGroup(title: "PLACES")
  var places: PlaceOptions

  @OptionGroup(title: "VALUES")
  var values: ValueOptions

  @OptionGroup(title: "CSV")
  var csv: CSVOptions

  @Option(help: ArgumentHelp("The property that identifies a row.", valueName: "col"))
  var key: String?

  @Option(help: ArgumentHelp("The properties to index by value.", valueName: "col,..."))
  var index: [String] = []

  @Option(
    name: .customLong("type"), parsing: .singleValue,
    help: ArgumentHelp(
      "The type of a property: text, int, double, bool, date, epoch-s or epoch-ms; else found out.",
      valueName: "col=type"), transform: TypeOption.init(text:))
  var types: [TypeOption] = []

  @Option(
    help: ArgumentHelp(
      "When a row's key (--key, or the one that the class has) is there already: error, replace or skip.",
      valueName: "action"))
  var onConflict: ConflictOption = .error

  @Option(help: ArgumentHelp("When a row cannot be stored: fail or skip.", valueName: "action"))
  var onError: RefusalOption = .fail

  @Flag(help: "Show what would be made, and write nothing.")
  var dryRun = false

  @OptionGroup var told: ProgressOptions

  func validate() throws {
    if className == "" { throw ValidationError("--class names the class; it is empty.") }
    for (place, assigned) in types.enumerated() {
      guard types[..<place].contains(where: { $0.column == assigned.column }) else { continue }
      throw ValidationError("--type names '\(assigned.column)' twice.")
    }
  }

  func run() throws {
    let start = System.now()
    let progress = told.reporter()
    let run = ImportRun(store: store, files: files, options: options)
    if dryRun {
      let preview = try run.preview(progress)
      try PreviewReport(preview: preview).write()
      let report = ImportReport(dryRun: preview.summary, seconds: System.now() - start)
      return progress.finish(report.summary)
    }
    let summary = try run.run(progress)
    progress.finish(ImportReport(summary, seconds: System.now() - start).summary)
  }

  private var options: ImportOptions {
    var options = ImportOptions()
    options.className = className
    options.format = format?.format
    places.apply(to: &options)
    csv.apply(to: &options)
    values.apply(to: &options)
    options.primaryKey = key
    options.indexed = index.flatMap { $0.split(separator: ",") }.map { String($0.trimmingSpaces()) }
    for assigned in types { options.types[assigned.column] = assigned.type }
    options.onConflict = onConflict.policy
    options.onError = onError.policy
    return options
  }
}
