import ArgumentParser

/// `cairn`, the root of the commands.
struct CairnTool: ParsableCommand {
  static let version = "cairn 0.1.0"

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cairn",
      abstract: "Import GeoJSON and CSV, and ask what lies within.",
      discussion: """
        EXAMPLES:
          cairn import world.cairn cities.csv
          cairn query world.cairn cities --near 48.85,2.35 --radius 50km
          cairn count world.cairn cities "country == 'FR' AND population > 100000"
          cairn stats world.cairn cities --of population --by country
        """,
      version: version,
      subcommands: [
        ImportCommand.self, QueryCommand.self, CountCommand.self, StatsCommand.self,
        SchemaCommand.self, ExportCommand.self, VerifyCommand.self,
      ])
  }
}
