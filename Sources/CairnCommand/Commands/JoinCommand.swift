import ArgumentParser
import CairnIO

/// `cairn join STORE LEFT RIGHT --on within|intersects|contains|distance|nearest|EQUALITY`
struct JoinCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "join",
      abstract: "Print the pairs of rows of two classes, by location or by equal values.",
      discussion: """
        Columns are named CLASS.column, or as in CLASS.column AS name. --by groups the pairs instead of
        printing them, and --into makes a class of them.

        EXAMPLES:
          cairn join world.cairn cities countries --on within
          cairn join world.cairn cities countries --on within --by countries.name
          cairn join world.cairn cities airports --on nearest --limit 3
          cairn join world.cairn roads roads --on intersects --as a,b "a.id < b.id"
          cairn join world.cairn cities countries --on within --sql duckdb
          cairn join world.cairn zones figures --on 'zones.code == figures.code'
        """)
  }

  @OptionGroup var options: JoinOptions

  func run() throws {
    if let target = try options.destination.target(besides: options.store) {
      return try JoinRun(options, into: target).write(into: target)
    }
    let join = try JoinRun(options)
    if let dialect = options.statement?.dialect { return try join.writeStatement(dialect) }
    let path = options.target.file.path
    try join.write(
      options.target.format ?? .byDefault(for: options.explain ? nil : path), to: path)
  }
}
