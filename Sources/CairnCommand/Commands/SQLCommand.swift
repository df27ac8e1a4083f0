import ArgumentParser
import CairnQuery
import CairnRequest
import CairnSQL
import CairnStorage
import CairnValues

/// `cairn sql STORE CLASS [PREDICATE] --dialect DIALECT`
struct SQLCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sql",
      abstract: "Print a query as SQL for PostGIS, DuckDB, Sedona and others.",
      discussion: """
        The statement runs as it is, on a table with the columns of the class. Comments \
        above it say where the answer of the engine may differ from Cairn's, and which \
        conditions it cannot decide: then it returns a superset of the rows.

        EXAMPLES:
          cairn sql world.cairn cities "population > 1e6" --sort population:desc -n 10
          cairn sql world.cairn cities --near 48.85,2.35 --radius 50km --count
          cairn sql world.cairn cities --bbox 5,45,10,48 --dialect duckdb
          cairn sql world.cairn cities "name CONTAINS[c] 'bern'" --dialect bigquery
          cairn sql world.cairn cities --by country --of population
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(name: .customLong("dialect"), help: "The dialect of SQL.")
  var dialectOption: SQLDialectOption = .postgis

  @Flag(
    help: "Send a superset of the rows where the engine decides a condition in its own way.")
  var exact = false

  @Option(
    help: ArgumentHelp(
      "The table, perhaps with its schema, as in public.cities (default: the class).",
      valueName: "name"))
  var table: String?

  @Option(
    help: ArgumentHelp("The columns of the statement.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--select"))
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "Sort by these columns (:desc for descending), or by distance.",
      valueName: "key[:desc],..."), completion: StoreCompletion.keys)
  var sort: [String] = []

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional,
    help: ArgumentHelp("At most n rows.", valueName: "n"), transform: NumberText.count)
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip the first n rows.", valueName: "n"), transform: NumberText.count)
  var offset: Int = 0

  @Flag(help: "Count the rows instead.")
  var count = false

  @Option(
    help: ArgumentHelp("Group the rows by these columns, and count them.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--by"))
  var by: [String] = []

  @Option(
    help: ArgumentHelp(
      "Summarise these columns, in each group of --by: count, sum, min, max and avg.",
      valueName: "col,..."), completion: StoreCompletion.columns(of: "--of"))
  var of: [String] = []

  func validate() throws {
    let summaries = [("--count", count), ("--by", !by.isEmpty), ("--of", !of.isEmpty)]
    guard let (summary, _) = summaries.first(where: \.1) else { return }
    try area.requireRadius()
    let others = [
      ("--by", count && !by.isEmpty), ("--of", count && !of.isEmpty),
      ("--select", !select.isEmpty), ("--sort", !sort.isEmpty), ("--limit", limit != nil),
      ("--offset", offset > 0),
    ]
    if let (option, _) = others.first(where: \.1) {
      throw ValidationError("\(option) does not apply to \(summary)")
    }
  }

  func run() throws {
    let arguments = try target.arguments(area)
    let source = try OpenedClass(arguments)
    let request = try QueryRequest(source, arguments)
    let compiler = SQLCompiler(
      sqlTable(source.schema), dialect: dialect, style: exact ? .exact : .idiomatic)
    let condition = try compiler.condition(request.condition)
    if count { return try write(compiler.count(condition.possible), SQLRemarks(condition)) }
    if !by.isEmpty || !of.isEmpty {
      let figures = try compiler.figures(
        of: names(of, in: source.schema, option: "--of"),
        by: names(by, in: source.schema, option: "--by"), condition: condition)
      return try write(
        figures.fragment, SQLRemarks(condition, rounding: figures.remarks))
    }
    let order = try Order(request, sort: sort, limit: limit, computed: [], source: source)
    let names = try names(select, in: source.schema, option: "--select")
    let statement = try compiler.select(
      condition, columns: names.isEmpty ? nil : names, sort: order.stored ?? [], offset: offset,
      limit: limit)
    try write(statement.fragment, SQLRemarks(statement))
  }

  private var dialect: SQLDialect { dialectOption.dialect }

  private func sqlTable(_ schema: TableSchema) -> SQLTable {
    let parts = (table ?? "").split(separator: ".", maxSplits: 1).map(String.init)
    return SQLTable(schema, name: parts.last, schema: parts.count > 1 ? parts[0] : nil)
  }

  private func names(
    _ lists: [String], in schema: TableSchema, option: String
  ) throws -> [String] {
    for text in lists where schema.column(named: text) == nil {
      if let (function, _) = GroupFunction.parse(text) {
        throw Failure(
          .usage,
          message: "\(option): a statement groups by columns, not by \(function.rawValue)(…)")
      }
    }
    return try ColumnList.columns(lists, of: schema, option: option).map(\.name)
  }

  /// Prints the statement below its remarks.
  private func write(_ fragment: SQLFragment, _ remarks: SQLRemarks) throws {
    try OutputTarget.print(remarks.text + fragment.text(dialect) + ";\n")
  }
}
