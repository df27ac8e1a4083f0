import ArgumentParser
import CairnFormats

/// `cairn query STORE CLASS [PREDICATE]`
struct QueryCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "query",
      abstract: "Write the rows of a class that fit.",
      discussion: """
        Several filters are joined by AND. --near with --limit alone gives the nearest.

        EXAMPLES:
          cairn query world.cairn cities "country == 'FR'" --sort population:desc
          cairn query world.cairn cities --near 48.85,2.35 --radius 50km --format csv
          cairn query world.cairn cities --near -27.5,153 --limit 5 --select name
          cairn query world.cairn cities --within lesotho.geojson --output found.csv
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions
  @OptionGroup var rows: RowOptions

  @Option(
    help: ArgumentHelp(
      "Write to a file, whose ending tells the format; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  func run() throws {
    try RowQuery(target, area, rows).write(rows.format ?? format(), to: output)
  }

  /// Standard output and devices get a table.
  private func format() throws -> OutputFormat {
    guard let output, output != "-", !rows.explain else { return .table }
    if let told = OutputFormat(endingOf: output) { return told }
    return System.isDevice(output) ? .table : try OutputFormat.told(by: output)
  }
}
