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

  @OptionGroup var output: OutputOptions
  @OptionGroup var destination: NewClassOption
  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try area.requireRadius()
    if !order.isEmpty, !how.isOrdered {
      throw ValidationError("--order applies only to --how line")
    }
    try destination.reject([
      ("--output", output.file.path != nil), ("--format", output.format != nil),
    ])
  }

  func run() throws {
    let newClass = try destination.target(besides: target.store)
    let dissolve = try Dissolve(
      target.arguments(area), by: by, of: of, as: how, order: order,
      mode: newClass?.sourceMode(target.store) ?? .readOnly)
    let progress = progressOptions.reporter(hasSummary: false)
    if let newClass {
      return try newClass.fill(dissolve.columns, from: { _ in nil }, hasKey: false) { writer in
        try writer.write(dissolve.rows(progress))
      }
    }
    try dissolve.write(
      output.format ?? .byDefault(for: output.file.path), to: output.file.path, progress)
  }
}

extension GeometryAggregate: WordArgument {}
