import ArgumentParser
import CairnGeometry
import CairnStorage

/// `cairn grid STORE CLASS [PREDICATE] --cell 10km`
struct GridCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "grid",
      abstract: "Make a grid of cells over the matching rows, and count the rows in each.",
      discussion: """
        Each cell that rows meet becomes a row with its shape, its name and their
        number. A location is in one cell; lines and areas may meet several.

        EXAMPLES:
          cairn grid world.cairn cities --cell 50km --into squares
          cairn grid world.cairn quakes "mag > 4" --cell 0.5deg -o quakes.geojson
          cairn grid world.cairn roads --cell 10km --shape hexagon -o roads.html
          cairn grid world.cairn countries --cell 200km --all --into cells
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The width of a cell: 500m, 10km, 5mi; for squares also 0.5deg, of longitude and latitude.",
      valueName: "distance"),
    transform: Radius.length)
  var cell: Radius.Length

  @Option(
    help: """
      The shape of the cells: square (between meridians and parallels) or hexagon (of equal areas).
      """)
  var shape = CellShape.square

  @Flag(help: "Also write the cells within the bounds of the rows that no row meets.")
  var all = false

  @OptionGroup var destination: DestinationOptions

  func validate() throws { try area.requireRadius() }

  func run() throws {
    let rows = try GridRows(
      target.arguments(area), shape.grid(cell), isComplete: all,
      mode: destination.sourceMode(target.store))
    try destination.write(rows, of: target.store)
  }
}

/// The value of `--shape`.
enum CellShape: String, WordArgument {
  case square
  case hexagon

  /// The grid of cells of a width.
  fileprivate func grid(_ width: Radius.Length) throws -> CellGrid {
    let grid =
      switch self {
      case .square: CellGrid(squares: width)
      case .hexagon: CellGrid(hexagons: width)
      }
    guard let grid else {
      throw Failure(
        .usage, message: "--cell takes a width from 10 m to 5000 km, or for squares up to 90deg")
    }
    return grid
  }
}
