import ArgumentParser
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
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(help: ArgumentHelp("The columns to sum up.", valueName: "col,..."))
  var of: String

  @Option(
    help: ArgumentHelp(
      "A line for each combination of values of these columns.", valueName: "col,..."))
  var by: String?

  @Option(help: "The shape of the output: table or json.")
  var format: StatsFormatOption = .table

  func validate() throws { try area.requireRadius() }

  func run() throws {
    let source = try Source(target.store, className: target.className)
    let columns = try ColumnList.columns(of, of: source.schema, option: "--of")
    let groups = try by.map { try ColumnList.columns($0, of: source.schema, option: "--by") } ?? []
    let question = try Question(source, target, area)
    let execution = try Execution(question.query, on: source.table)
    try Statistics(execution, of: columns, by: groups).write(format)
  }
}

/// `--format table|json`
enum StatsFormatOption: String, ExpressibleByArgument, CaseIterable {
  case table
  case json
}
