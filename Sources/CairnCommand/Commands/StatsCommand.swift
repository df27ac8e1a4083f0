import ArgumentParser
import CairnFormats
import CairnQuery

/// `cairn stats STORE CLASS [PREDICATE] --of COL,...`
struct StatsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "stats",
      abstract: "Count, sum, minimum, maximum and average of columns, by group if asked.",
      discussion: """
        Nulls do not count.

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
    help: ArgumentHelp("The columns to sum up.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--of"))
  var of: [String]

  @Option(
    help: ArgumentHelp(
      "A line for each combination of values of these columns.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--by"))
  var by: [String] = []

  @Flag(help: "How the values are spread: bars, or with --by a small one for each group.")
  var histogram = false

  @Option(
    help: ArgumentHelp("About how many bars of --histogram.", valueName: "n"),
    transform: NumberText.count)
  var bins: Int?

  @Option(
    help: "The bars of --histogram: linear, or log, each a few times as wide as the one before.")
  var scale: HistogramShape?

  @Option(help: ArgumentHelp("The shape of the output.", valueName: "format"))
  var format: StatsFormatOption = .table

  func validate() throws {
    try area.requireRadius()
    if !histogram, bins != nil || scale != nil {
      throw ValidationError("\(bins != nil ? "--bins" : "--scale") is for --histogram.")
    }
    if let bins, !(1...1000).contains(bins) {
      throw ValidationError("--bins \(bins): there are 1 to 1000 bars.")
    }
  }

  func run() throws {
    let source = try Source(target)
    let columns = try ColumnList.columns(of, of: source.schema, option: "--of")
    let groups = try ColumnList.columns(by, of: source.schema, option: "--by")
    let question = try Question(source, target, area)
    let execution = try Execution(question.query, on: source.table)
    let maker = HistogramMaker(
      execution: execution, wanted: bins ?? (groups.isEmpty ? 12 : 16), shape: scale)
    let isEmpty: Bool
    if histogram, groups.isEmpty || format != .table {
      let report = try HistogramReport(maker, of: columns, by: groups)
      try report.write(format)
      isEmpty = report.isEmpty
    } else {
      let report = try Statistics(
        execution, of: columns, by: groups, histograms: histogram ? maker : nil)
      try report.write(format)
      isEmpty = report.isEmpty
    }
    if isEmpty { try ExchangedPlace(area, of: question).sayIfMeant() }
  }
}

extension HistogramShape: WordArgument {}

/// `--format table|csv|tsv|json|jsonl|markdown`
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
