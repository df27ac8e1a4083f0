import ArgumentParser
import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// `cairn query STORE CLASS [PREDICATE]`
struct QueryCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "query",
      abstract: "Print the matching rows of a class.",
      discussion: """
        All filters must match. --near with --limit alone finds the nearest rows.

        EXAMPLES:
          cairn query world.cairn cities "country == 'FR'" --sort population:desc
          cairn query world.cairn cities --near 48.85,2.35 --radius 50km --format csv
          cairn query world.cairn cities --near -27.5,153 --limit 5 --select name
          cairn query world.cairn cities --within lesotho.geojson --output found.csv
          cairn query w.cairn ports --select "buffer(spot, 5km) AS a" --into areas
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var area: AreaOptions
  @OptionGroup var rows: RowOptions

  @OptionGroup var file: OutputFileOption

  @OptionGroup var destination: NewClassOption

  func validate() throws {
    try destination.reject([
      ("--output", file.path != nil), ("--format", rows.format != nil), ("--crs", rows.crs != nil),
      ("--explain", rows.explain), (FolderColumns.option, !rows.parquet.partitionBy.isEmpty),
    ])
  }

  func run() throws {
    let arguments = try reading.applied(to: self.target.arguments(area))
    if let target = try destination.target(besides: self.target.store) {
      return try RowQuery(
        arguments, rows: rows, format: .jsonl,
        mode: target.sourceMode(self.target.store)
      ).write(into: target)
    }
    let output = try rows.output(to: file.path)
    try RowQuery(arguments, rows: rows, format: output.format).write(to: output)
  }
}

/// `cairn export STORE CLASS --output FILE`
struct ExportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: "Write a class, or its matching rows, to a file.",
      discussion: """
        The extension of the file selects the format, and .gz after it compresses the
        file, which appears under its name only when it is complete.

        EXAMPLES:
          cairn export world.cairn cities --output cities.geojson
          cairn export world.cairn cities "country == 'FR'" --output france.csv
          cairn export world.cairn cities --output - --format geojsonl | gzip
          cairn export world.cairn cities --output lake --partition-by country
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var area: AreaOptions
  @OptionGroup var rows: RowOptions

  @Option(
    name: [.long, .customShort("o")],
    help: ArgumentHelp(
      "The output file; - for standard output, which needs --format.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var progressOptions: ProgressOptions

  func run() throws {
    let target = try rows.output(to: output) { [output] _ in
      try OutputFormat.selected(byExtensionOf: output)
    }
    try RowQuery(
      reading.applied(to: self.target.arguments(area)), rows: rows, format: target.format
    ).write(to: target, progress: progressOptions.reporter(hasSummary: Console.isInteractive))
  }
}

/// `cairn count STORE CLASS [PREDICATE]`
struct CountCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "count",
      abstract: "Print the number of matching rows.",
      discussion: """
        EXAMPLES:
          cairn count world.cairn cities
          cairn count world.cairn cities "population > 1e6" --bbox -10,35,30,60
          cairn count world.cairn cities --near -27.5,153 --radius 50km
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var area: AreaOptions

  @OptionGroup var grouping: GroupingOptions

  func validate() throws {
    try area.requireRadius()
    let others = [
      ("--format", grouping.target.format != nil), ("--output", grouping.target.file.path != nil),
      ("--sort", !grouping.sort.isEmpty), ("--limit", grouping.limit != nil),
    ]
    if grouping.by.isEmpty, let (option, _) = others.first(where: \.1) {
      throw ValidationError("\(option) applies only to --by")
    }
  }

  func run() throws {
    let arguments = try reading.applied(to: target.arguments(area))
    if grouping.by.isEmpty { return try RowCount(arguments: arguments).write() }
    try StatisticsReport(arguments, grouping: grouping).write()
  }
}
