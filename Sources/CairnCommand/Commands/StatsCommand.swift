import ArgumentParser
import CairnRequest

/// `cairn stats STORE CLASS [PREDICATE] [--of COL,...] [--by COL,...]`
struct StatsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "stats",
      abstract: "Summarise columns of the matching rows, or count the rows, optionally by group.",
      discussion: """
        Null values are ignored. Without --of, the rows are counted.

        EXAMPLES:
          cairn stats world.cairn cities --of population
          cairn stats world.cairn cities --by country --sort count:desc -n 10
          cairn stats world.cairn quakes --of mag --figures median,p90,stddev
          cairn stats world.cairn quakes --by 'hour(time)' --timezone Europe/Rome
          cairn stats world.cairn quakes --by 'hex(50km)' --output cells.geojson
          cairn stats world.cairn quakes --of mag --histogram
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp("The columns to summarise.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--of"))
  var of: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The figures of each column: count, sum, min, max, avg (the default), median, stddev, \
      distinct, and percentiles such as p90.
      """,
      valueName: "figure,..."), completion: .list(Figure.names))
  var figures: [String] = []

  @OptionGroup var grouping: GroupingOptions

  @Flag(help: "Show the distribution as bars, or with --by as a small histogram for each group.")
  var histogram = false

  @Option(
    help: ArgumentHelp("The approximate number of bars of --histogram.", valueName: "n"),
    transform: NumberText.count)
  var bins: Int?

  @Option(
    help: "The width of the bars of --histogram: linear, or log (widths grow by a constant factor)."
  )
  var scale: HistogramScaleKind?

  func validate() throws {
    try area.requireRadius()
    if !histogram, bins != nil || scale != nil {
      throw ValidationError("\(bins != nil ? "--bins" : "--scale") needs --histogram")
    }
    if let bins, !(1...1000).contains(bins) {
      throw ValidationError("--bins must be between 1 and 1000, not \(bins)")
    }
    if of.isEmpty, histogram || !figures.isEmpty {
      throw ValidationError("\(histogram ? "--histogram" : "--figures") needs --of COL,...")
    }
  }

  func run() throws {
    let report = try StatisticsReport(
      reading.applied(to: target.arguments(area)), grouping: grouping, columns: of,
      figures: Figure.list(figures))
    if histogram { return try report.writeHistogram(bins: bins, scale: scale) }
    try report.write()
  }
}

extension HistogramScaleKind: WordArgument {}
