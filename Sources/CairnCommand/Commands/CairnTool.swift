import ArgumentParser

/// `cairn`, the root command.
struct CairnTool: ParsableCommand {
  static let version = "cairn 0.9.0"
  /// The date of the version, as manual pages write it.
  static let date = "November 22, 2026"

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cairn",
      abstract: "Store and query geographic data: import, filter by location, export.",
      discussion: """
        EXAMPLES:
          cairn import world.cairn cities.csv
          cairn query world.cairn cities --near 48.85,2.35 --radius 50km
          cairn count world.cairn cities "country == 'FR' AND population > 100000"
          cairn stats world.cairn cities --of population --by country
          cairn query world.cairn cities --within lesotho.geojson --format map
        """,
      version: version,
      subcommands: [
        ImportCommand.self, QueryCommand.self, JoinCommand.self, CountCommand.self,
        StatsCommand.self, DissolveCommand.self, ClipCommand.self, OverlayCommand.self,
        SimplifyCommand.self, ClusterCommand.self, GridCommand.self, VoronoiCommand.self,
        SchemaCommand.self, ExportCommand.self, SQLCommand.self,
        TilesCommand.self, PushCommand.self, PullCommand.self,
        DeleteCommand.self, UpdateCommand.self,
        DropCommand.self, RenameCommand.self, IndexCommand.self, UnindexCommand.self,
        KeyCommand.self, WatchCommand.self, ServeCommand.self,
        VerifyCommand.self, CompactCommand.self, CacheCommand.self,
        CompletionsCommand.self, ManCommand.self,
      ])
  }

  /// The names of the commands.
  static var names: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  static func command(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.commandName == name }
  }

  /// The failure for a word that does not name a command.
  static func unknown(_ word: String) -> Failure {
    let hint =
      word == "version" ? "; did you mean '--version'?" : Hint.text(word, among: names + ["help"])
    return Failure(
      .usage, message: "unknown command '\(word)'\(hint.isEmpty ? "; see cairn --help" : hint)")
  }
}
