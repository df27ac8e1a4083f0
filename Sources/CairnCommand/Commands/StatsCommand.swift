import ArgumentParser
import CairnFormats
import CairnQuery

/// `cairn stats STORE CLASS [PREDICATE] --of COL,...`
struct StatsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "stats",
      abstract: "Print count, sum, minimum, maximum and average of columns, optionally by group.",
      discussion: """
        Null values are ignored.

        EXAMPLES:
          cairn stats world.cairn cities --of population
          cairn stats world.cairn cities --bbox 5,45,10,50 --of population --by country
          cairn stats world.cairn quakes --of mag,depth --format json
          cairn stats world.cairn quakes --of mag --histogram
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp("The columns to summarise.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--of"))
  var of: [String]

  @Option(
    help: ArgumentHelp(
      "Group by these columns, of the class or of the features of a file, as of --within.",
      valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--by"))
  var by: [String] = []

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

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format: StatsFormatOption = .table

  func validate() throws {
    try area.requireRadius()
    if !histogram, bins != nil || scale != nil {
      throw ValidationError("\(bins != nil ? "--bins" : "--scale") needs --histogram")
    }
    if let bins, !(1...1000).contains(bins) {
      throw ValidationError("--bins must be between 1 and 1000, not \(bins)")
    }
  }

  func run() throws {
    let source = try OpenedClass(target)
    let columns = try ColumnList.columns(of, of: source.schema, option: "--of")
    if let grouping = try FeatureGrouping(source, target: target, area: area, by: by) {
      guard !histogram else {
        throw Failure(.usage, message: "--histogram takes only columns of the class in --by")
      }
      return try Statistics(grouping, of: columns).write(format)
    }
    let groups = try ColumnList.columns(by, of: source.schema, option: "--by")
    let request = try QueryRequest(source, target: target, area: area)
    let execution = try request.execution()
    let builder = HistogramBuilder(
      execution: execution, binCount: bins ?? (groups.isEmpty ? 12 : 16), kind: scale)
    let isEmpty: Bool
    if histogram, groups.isEmpty || format != .table {
      let report = try HistogramReport(builder, of: columns, by: groups)
      try report.write(format)
      isEmpty = report.isEmpty
    } else {
      let report = try Statistics(
        execution, of: columns, by: groups, histograms: histogram ? builder : nil)
      try report.write(format)
      isEmpty = report.isEmpty
    }
    if isEmpty { try SwappedCoordinates(area, of: request).printNoteIfMatching() }
  }
}

extension HistogramScaleKind: WordArgument {}

/// The value of `--format table|csv|tsv|json|jsonl|markdown`.
enum StatsFormatOption: String, WordArgument {
  case table
  case csv
  case tsv
  case json
  case jsonl
  case markdown

  var format: OutputFormat {
    switch self {
    case .table: .table
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .jsonl: .jsonl
    case .markdown: .markdown
    }
  }
}
