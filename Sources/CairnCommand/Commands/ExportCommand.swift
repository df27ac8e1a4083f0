import ArgumentParser
import CairnFormats

/// `cairn export STORE CLASS --output FILE`
struct ExportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: "Write a class, or the rows of it that fit, to a file.",
      discussion: """
        The file's ending tells the format. It appears under its name when it is whole.

        EXAMPLES:
          cairn export world.cairn cities --output cities.geojson
          cairn export world.cairn cities "country == 'FR'" --output france.csv
          cairn export world.cairn cities --output - --format geojsonl | gzip
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions
  @OptionGroup var rows: RowOptions

  @Option(
    help: ArgumentHelp("The file; - is standard output, which needs --format.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var told: ProgressOptions

  func run() throws {
    try RowQuery(target, area, rows).write(
      rows.format ?? OutputFormat.told(by: output), to: output,
      told.reporter(hasSummary: Console.isInteractive))
  }
}
