import ArgumentParser

/// `cairn voronoi STORE CLASS [PREDICATE]`
struct VoronoiCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "voronoi",
      abstract: "Write the matching rows with the area that is nearest to each.",
      discussion: """
        The cell of a location is the area that is nearer to it than to any other, on
        the sphere. It is written instead of the location; rows without one are left
        out.

        EXAMPLES:
          cairn voronoi world.cairn airports --into catchments
          cairn voronoi world.cairn shops "kind == 'bakery'" -o bakeries.geojson
          cairn voronoi world.cairn wells --clip lesotho.geojson --output wells.gpkg
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp("Cut the cells to a shape.", valueName: "file|wkt|class:condition"),
    completion: .file())
  var clip: String?

  @OptionGroup var selection: SelectionOption
  @OptionGroup var destination: DestinationOptions

  func validate() throws { try area.requireRadius() }

  func run() throws {
    var arguments = try target.arguments(area)
    arguments.furtherShapes = [clip].compactMap(\.self)
    let rows = try VoronoiRows(
      arguments, clip: clip, select: selection.select,
      mode: destination.sourceMode(target.store))
    try destination.write(rows, of: target.store)
  }
}
