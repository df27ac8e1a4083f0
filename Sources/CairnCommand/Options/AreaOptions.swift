import ArgumentParser
import CairnGeometry

/// The options for the area of the rows.
struct AreaOptions: ParsableArguments {
  @OptionGroup var place: PlaceOptions

  @Flag(
    help: "Repair invalid polygons, and report what was changed.")
  var repair = false

  func validate() throws {
    if repair { try place.requireShape(for: "--repair") }
  }

  /// The options as they are written.
  var arguments: AreaArguments { place.arguments(repairing: repair) }

  /// The location or geometry that the options apply to; nil for the first of the class.
  var geometry: String? { place.geometry }

  /// The shape that rows are inside of.
  var within: String? { place.within }

  /// Throws if an origin is given without `--radius`, for commands where it can only mean the
  /// surroundings.
  func requireRadius() throws { try place.requireRadius() }
}

/// The options for the place of the rows. Rows must lie in all the given areas.
struct PlaceOptions: ParsableArguments {
  @Option(
    name: .customLong("near"), parsing: .unconditional,
    help: ArgumentHelp(
      """
      The centre of --radius, and the origin of distances: a location, or the row of a class that \
      meets a condition, as in 'cities:name == "Bern"'.
      """, valueName: "lat,lon|class:condition"),
    transform: NearOption.init(text:))
  var nearOption: NearOption?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The origin of --radius and of distances as a shape: a file, WKT or -.",
      valueName: "file|wkt"),
    completion: .file())
  var nearShape: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The radius around --near or --near-shape: 500m, 50km, 30mi, 12nmi, 800ft, 100yd, 0.25deg or \
      0.01rad.
      """,
      valueName: "distance"),
    transform: Radius.parse)
  var radius: Distance?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      A bounding box; west > east crosses the antimeridian. May be repeated: rows in any of the \
      boxes.
      """,
      valueName: "w,s,e,n"),
    transform: Coordinates.box)
  var bbox: [GeoBox] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Rows inside a shape: a file of GeoJSON, WKT or layers, FILE#condition for some of its features, WKT or \
      EWKT itself, or - for standard input.
      """,
      valueName: "file|wkt|class:condition"),
    completion: .file())
  var within: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rows with a location that are not inside a shape.", valueName: "file|wkt|class:condition"),
    completion: .file())
  var outside: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rows that share a point with a shape.", valueName: "file|wkt|class:condition"),
    completion: .file())
  var intersects: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Rows that contain a shape.", valueName: "file|wkt|class:condition"),
    completion: .file())
  var contains: String?

  @Option(
    help: ArgumentHelp(
      "The location or geometry that these options apply to (default: the first of the class).",
      valueName: "col"),
    completion: StoreCompletion.geometries)
  var geometry: String?

  @Option(
    help: """
      The edges of shapes and rows: planar (straight on the map) or geodesic (the shortest path). \
      With --near and no --radius, planar finds the nearest rows on the map, in degrees.
      """)
  var edges: EdgeOption?

  @Option(
    help: ArgumentHelp(
      "The layer of the file of --within and the like, if it has several.", valueName: "name"))
  var layer: String?

  @Flag(
    help:
      "Wrap longitudes of polygons beyond ±180, and cut polygons at the antimeridian.")
  var wrapLongitude = false

  func validate() throws {
    if nearOption != nil, nearShape != nil {
      throw ValidationError("--near and --near-shape are two origins; give one of them")
    }
    let arguments = arguments(repairing: false)
    if radius != nil, !arguments.hasOrigin {
      throw ValidationError(
        "--radius needs --near LATITUDE,LONGITUDE, the centre of the circle")
    }
    let shapes = shapes
    if edges != nil, shapes.isEmpty, !arguments.wantsNearest {
      throw ValidationError(
        "--edges applies only to --within, --outside, --intersects and --contains, and to the nearest "
          + "rows of --near; a --radius is always along shortest paths")
    }
    if wrapLongitude { try requireShape(for: "--wrap-longitude") }
    if layer != nil, shapes.isEmpty, nearShape == nil {
      throw ValidationError("--layer applies only to files of shapes, as of --within")
    }
    let inputs = (shapes + [nearShape].compactMap { $0 }).filter {
      $0 == "-" || $0.hasPrefix("-#")
    }
    if inputs.count > 1 { throw ValidationError("standard input (-) can be only one shape") }
  }

  /// The shapes that rows are related to.
  private var shapes: [String] {
    [within, intersects, contains, outside].compactMap { $0 }
  }

  /// Throws if no shape is given, to which an option could apply.
  fileprivate func requireShape(for option: String) throws {
    guard shapes.isEmpty, nearShape == nil else { return }
    throw ValidationError("\(option) applies only to shapes, as of --within")
  }

  /// The options as they are written.
  ///
  /// - Parameter repairs: Whether invalid polygons of shapes are repaired.
  func arguments(repairing repairs: Bool) -> AreaArguments {
    var allowances: PolygonBuilder.Allowances = []
    if wrapLongitude { allowances.insert(.wrapping) }
    if repairs { allowances.insert(.repairing) }
    return AreaArguments(
      nearOption: nearOption, nearShape: nearShape, radius: radius, boxes: bbox, within: within,
      outside: outside, intersects: intersects, contains: contains, geometry: geometry,
      edges: edges?.edges, layer: layer, allowances: allowances)
  }

  /// Throws if an origin is given without `--radius`, for commands where it can only mean the
  /// surroundings.
  func requireRadius() throws {
    let arguments = arguments(repairing: false)
    if arguments.wantsNearest {
      throw ValidationError("\(arguments.originOption) needs --radius, as in --radius 50km")
    }
  }
}

/// The value of `--edges planar|geodesic`.
enum EdgeOption: String, WordArgument {
  case planar
  case geodesic

  var edges: GeoPolygon.Edges {
    switch self {
    case .planar: .planar
    case .geodesic: .geodesic
    }
  }
}
