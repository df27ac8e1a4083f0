import ArgumentParser
import CairnGeometry
import CairnQuery

/// `cairn cluster STORE CLASS [PREDICATE] --distance 500m|--count 8`
struct ClusterCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cluster",
      abstract: "Number the matching rows by clusters of neighbours.",
      discussion: """
        Writes the rows with a column of the numbers of their clusters, which is null
        for a row in none. With --distance, a cluster is a chain of rows in a dense
        place (DBSCAN); with --count, it has the rows nearest to a centre (k-means).

        EXAMPLES:
          cairn cluster world.cairn quakes --distance 20km --at-least 10 --into swarms
          cairn cluster world.cairn quakes "mag > 4" --distance 50km -o swarms.geojson
          cairn cluster world.cairn shops --count 8 --as district --into districts
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The distance up to which rows are neighbours: 500m, 20km, 3mi.", valueName: "distance"),
    transform: Radius.parse)
  var distance: Distance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The rows within the distance of one, itself included, that make a cluster (default: 5).",
      valueName: "n"), transform: NumberText.count)
  var atLeast: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of clusters, around as many centres.", valueName: "n"),
    transform: NumberText.count)
  var count: Int?

  @Option(help: ArgumentHelp("The name of the column.", valueName: "name"))
  var `as` = "cluster"

  @OptionGroup var selection: SelectionOption
  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    try area.requireRadius()
    if let within = area.within, (try? Radius.parse(within)) != nil {
      throw ValidationError(
        "--within takes a shape; the distance of neighbours is --distance \(within)")
    }
    guard (distance == nil) != (count == nil) else {
      throw ValidationError("give one of --distance and --count")
    }
    if atLeast != nil, distance == nil {
      throw ValidationError("--at-least applies only to --distance")
    }
    if atLeast == 0 || count == 0 {
      throw ValidationError("\(count == 0 ? "--count" : "--at-least") takes 1 or more")
    }
    if `as`.isEmpty { throw ValidationError("--as must not be empty") }
  }

  func run() throws {
    let rule =
      distance.map { ClusterRule.density(within: $0, atLeast: atLeast ?? 5) } ?? .count(count ?? 1)
    let rows = try ClusteredRows(
      target.arguments(area), rule, select: selection.select, as: `as`,
      mode: destination.sourceMode(target.store))
    try destination.write(rows, of: target.store)
  }
}
