import ArgumentParser
import CairnIO
import CairnRequest
import CairnStorage
import CairnTiles

/// `cairn tiles STORE CLASS [PREDICATE] --output FILE`
struct TilesCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "tiles",
      abstract: "Write the matching rows as vector tiles, for maps on the web.",
      discussion: """
        The extension of the file selects the format: .pmtiles or .mbtiles. Where a tile
        has more rows than --max-features, the small ones are counted in a grid of cells.

        EXAMPLES:
          cairn tiles world.cairn cities --output cities.pmtiles
          cairn tiles world.cairn cities "population > 9999" -o large.mbtiles
          cairn tiles world.cairn cities --bbox 5,45,11,48 -o alps.pmtiles
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp(
      "The columns to write as attributes; * for all, the default, and '' for none.",
      valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--select"))
  var select: [String] = []

  @Option(
    help: ArgumentHelp("The first zoom level.", valueName: "z"), transform: NumberText.count)
  var minZoom = 0

  @Option(
    help: ArgumentHelp("The last zoom level, up to 24.", valueName: "z"),
    transform: NumberText.count)
  var maxZoom = 12

  @Option(help: ArgumentHelp("The name of the layer (default: the class).", valueName: "name"))
  var layerName: String?

  @Option(
    help: ArgumentHelp(
      "The maximum number of rows that a tile shows individually.", valueName: "n"),
    transform: NumberText.count)
  var maxFeatures = TileOptions().limit

  @Option(
    name: [.long, .customShort("o")],
    help: ArgumentHelp("The output file, .pmtiles or .mbtiles.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try area.requireRadius()
    guard maxZoom <= TileID.maxZoom else {
      throw ValidationError("--max-zoom must be at most \(TileID.maxZoom), not \(maxZoom)")
    }
    guard minZoom <= maxZoom else {
      throw ValidationError("--min-zoom \(minZoom) is above --max-zoom \(maxZoom)")
    }
  }

  func run() throws {
    let format = try TileFormat(output)
    var arguments = try target.arguments(area)
    // The numbers of features are those of rows.
    arguments.needsAll = true
    let source = try OpenedClass(arguments).measuring()
    try source.rejectOutput(to: output)
    let request = try QueryRequest(source, arguments)
    var options = TileOptions()
    options.geometry = try source.location(named: area.geometry, option: "--geometry").name
    options.attributes = try attributes(of: source)
    options.layerName = layerName
    options.limit = maxFeatures
    let builder = try TileBuilder(request.execution(), options: options)
    try TileOutput(output, format: format).write(
      TilePyramid(builder, zooms: minZoom...maxZoom),
      progress: progressOptions.reporter(hasSummary: Console.isInteractive))
  }

  private func attributes(of source: OpenedClass) throws -> [String]? {
    if select.isEmpty || select == ["*"] { return nil }
    if select == [""] { return [] }
    return try ColumnList.items(select, of: source.schema, option: "--select") { name in
      ColumnPath(name, of: source.schema, in: source.snapshot.schema).map { _ in name }
    }
  }
}
