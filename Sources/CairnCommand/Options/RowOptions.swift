import ArgumentParser
import CairnFormats

/// Which of the rows come, in what order, with which columns and in what shape.
struct RowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The order: columns, each with :desc for the greatest first; or distance from --near.",
      valueName: "key[:desc],..."), completion: StoreCompletion.keys)
  var sort: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "At most that many rows. A table on a terminal ends after three screens; 0 shows all of it.",
      valueName: "n"), transform: NumberText.count)
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Pass over the first rows.", valueName: "n"), transform: NumberText.count)
  var offset: Int = 0

  @Option(
    help: ArgumentHelp(
      "The columns to write, in that order; also distance, location.latitude, location.longitude, location.wkt and *, all.",
      valueName: "col,..."), completion: StoreCompletion.selection)
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only the first row of those that agree in these columns.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--distinct"))
  var distinct: [String] = []

  @Option(
    help: ArgumentHelp(
      "The coordinate system to write locations in, as EPSG:27700 or 27700; else degrees of WGS 84.",
      valueName: "system"))
  var crs: String?

  @Option(
    help: ArgumentHelp(
      "The shape of the output; else the ending of --output tells it.", valueName: "format"))
  var format: OutputFormat?

  @Flag(help: "Write how the rows are found instead of the rows: index, candidates, tests, time.")
  var explain = false
}
