import ArgumentParser
import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// `cairn clip STORE CLASS [PREDICATE] --to SHAPE|--erase SHAPE`
struct ClipCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "clip",
      abstract: "Cut the geometries of the matching rows at the border of an area.",
      discussion: """
        Rows of which nothing is left are left out; all columns but the geometry stay
        as they are. Shapes are cut in the plane of longitude and latitude.

        EXAMPLES:
          cairn clip world.cairn roads --to lesotho.geojson --into local
          cairn clip world.cairn tracks --to 'parks:name == "Kruger"' -o tracks.gpkg
          cairn clip world.cairn land --erase lakes.geojson --format geojson
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    help: ArgumentHelp("Keep what lies in a shape.", valueName: "file|wkt|class:condition"),
    completion: .file())
  var to: String?

  @Option(
    help: ArgumentHelp("Keep what lies outside of a shape.", valueName: "file|wkt|class:condition"),
    completion: .file())
  var erase: String?

  @OptionGroup var rows: RowOptions
  @OptionGroup var file: OutputFileOption
  @OptionGroup var destination: NewClassOption

  func validate() throws {
    try area.requireRadius()
    guard (to == nil) != (erase == nil) else {
      throw ValidationError("give the area as --to or as --erase")
    }
    try destination.reject([
      ("--output", file.path != nil), ("--format", rows.format != nil), ("--crs", rows.crs != nil),
      ("--explain", rows.explain), (FolderColumns.option, !rows.parquet.partitionBy.isEmpty),
    ])
  }

  func run() throws {
    let newClass = try destination.target(besides: target.store)
    let output = try newClass == nil ? rows.output(to: file.path) : .file(.jsonl, nil)
    var arguments = try target.arguments(area)
    arguments.furtherShapes = [to, erase].compactMap(\.self)
    let query = try RowQuery(
      arguments, rows: rows, format: output.format,
      mode: newClass?.sourceMode(target.store) ?? .readOnly, replacing: cut)
    if let newClass { return try query.write(into: newClass) }
    try query.write(to: output)
  }

  /// The column of the geometries that are cut. The index finds those that meet an area that is kept.
  private func cut(
    _ source: OpenedClass, _ arguments: inout RowArguments
  ) throws -> ComputedColumn? {
    let column = try source.location(named: area.geometry, option: "--geometry")
    guard column.isGeometry else {
      throw Failure(
        .usage,
        message: "'\(column.name)' has locations, which cannot be cut; "
          + "'cairn query' with --within or --outside selects them")
    }
    let (option, function, argument) =
      to.map { ("--to", GeometryFunction.clip, $0) } ?? ("--erase", .erase, erase ?? "")
    let shape = try arguments.area.shape(argument, option: option, in: source)
    let cutting = try shape.cuttingPolygons(option: option)
    if function == .clip { arguments.area.conditions.append(.relation(.intersects, shape)) }
    let formula = try Formula(
      parsing: "\(function.rawValue)(`\(column.name)`, $0)",
      arguments: [.geometry(cutting.bytes)])
    return ComputedColumn(column.name, try formula.bound(to: source.schema))
  }
}

extension Shape {
  /// The polygons at whose borders geometries are cut.
  ///
  /// - Parameter option: The option that the shape is the value of.
  /// - Throws: A usage failure if the shape has no polygon.
  func cuttingPolygons(option: String) throws -> Geometry {
    switch self {
    case .polygon(let polygon): return Geometry(polygon)
    case .geometry(let geometry, _) where geometry.hasPolygons: return geometry
    default:
      throw Failure(.usage, message: "\(option) takes polygons, at whose borders it cuts")
    }
  }
}
