import ArgumentParser
import CairnIO
import CairnQuery
import CairnStorage

/// `cairn dissolve STORE CLASS [PREDICATE] [--by COL,...]`
struct DissolveCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "dissolve",
      abstract: "Join the shapes of the matching rows, all or by group.",
      discussion: """
        Each group becomes a row with its shape, the number of its rows, and the sums
        of --of. Shapes are joined in the plane of longitude and latitude.

        EXAMPLES:
          cairn dissolve world.cairn regions --by country --of population --into lands
          cairn dissolve world.cairn cells --by zone --how coverage -o zones.geojson
          cairn dissolve w.cairn fixes --by ship --how line --order time --into trips
          cairn dissolve world.cairn cities --by country --how hull --format geojson
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp(
      "Make a row for each combination of values in these columns (default: one row).",
      valueName: "col,..."),
    completion: StoreCompletion.groups)
  var by: [String] = []

  @Option(
    help: ArgumentHelp("Add up these columns.", valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--of"))
  var of: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The shape: union, coverage (a union of polygons that do not overlap, faster), collect (all as \
      they are), extent (a box), hull, or line (through points).
      """))
  var how = GeometryAggregate.union

  @Option(
    help: ArgumentHelp(
      "The order of the points of lines (:desc for descending).", valueName: "key[:desc],..."),
    completion: StoreCompletion.keys)
  var order: [String] = []

  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    try area.requireRadius()
    if !order.isEmpty, !how.isOrdered {
      throw ValidationError("--order applies only to --how line")
    }
  }

  func run() throws {
    let dissolve = try Dissolve(
      target.arguments(area), by: by, of: of, as: how, order: order,
      mode: destination.sourceMode(target.store))
    try destination.write(dissolve, of: target.store)
  }
}

extension GeometryAggregate: WordArgument {
  /// The shape of a name, in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
