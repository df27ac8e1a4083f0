import ArgumentParser
import CairnGeometry
import CairnIO
import CairnQuery
import CairnValues

/// The options for the area of the rows. Rows must lie in all the given areas.
struct AreaOptions: ParsableArguments {
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

  @Flag(
    help: "Repair invalid polygons, and report what was changed.")
  var repair = false

  func validate() throws {
    if nearOption != nil, nearShape != nil {
      throw ValidationError("--near and --near-shape are two origins; give one of them")
    }
    if radius != nil, !hasOrigin {
      throw ValidationError(
        "--radius needs --near LATITUDE,LONGITUDE, the centre of the circle")
    }
    let shapes = relations.map(\.argument) + [outside].compactMap { $0 }
    if edges != nil, shapes.isEmpty, !wantsNearest {
      throw ValidationError(
        "--edges applies only to --within, --outside, --intersects and --contains, and to the nearest "
          + "rows of --near; a --radius is always along shortest paths")
    }
    if wrapLongitude || repair, shapes.isEmpty, nearShape == nil {
      let option = repair ? "--repair" : "--wrap-longitude"
      throw ValidationError("\(option) applies only to shapes, as of --within")
    }
    if layer != nil, shapes.isEmpty, nearShape == nil {
      throw ValidationError("--layer applies only to files of shapes, as of --within")
    }
    let inputs = (shapes + [nearShape].compactMap { $0 }).filter {
      $0 == "-" || $0.hasPrefix("-#")
    }
    if inputs.count > 1 { throw ValidationError("standard input (-) can be only one shape") }
  }

  /// Whether the options select every row.
  var isEmpty: Bool { !hasOrigin && bbox.isEmpty && outside == nil && relations.isEmpty }

  /// Whether the rows nearest to an origin are requested.
  private var wantsNearest: Bool { hasOrigin && radius == nil }

  /// The edges along which distances are measured.
  var distanceEdges: GeoPolygon.Edges {
    wantsNearest && edges == .planar ? .planar : .geodesic
  }

  /// Whether distances have an origin.
  var hasOrigin: Bool { nearOption != nil || nearShape != nil }

  /// The location of `--near`; nil if it names a row, before that is resolved.
  var near: GeoPoint? {
    if case .point(let point)? = nearOption { point } else { nil }
  }

  /// The same options with the row of `--near` replaced by its location, or by its geometry as the
  /// value of `--near-shape`, and the rows of other options by their shapes.
  func resolved(in source: OpenedClass) throws -> AreaOptions {
    func shape(_ argument: String?, _ option: String) throws -> String? {
      guard let argument, let rows = NamedRow(argument, in: source) else { return argument }
      return try rows.shape(in: source, option: option)
    }
    var options = self
    options.within = try shape(within, "--within")
    options.outside = try shape(outside, "--outside")
    options.intersects = try shape(intersects, "--intersects")
    options.contains = try shape(contains, "--contains")
    guard case .row(let row)? = nearOption else { return options }
    switch try row.location(in: source) {
    case .point(let point): options.nearOption = .point(point)
    case .shape(let text):
      options.nearOption = nil
      options.nearShape = text
    }
    return options
  }

  /// Throws if an origin is given without `--radius`, for commands where it can only mean the
  /// surroundings.
  func requireRadius() throws {
    if hasOrigin, radius == nil {
      let option = nearOption != nil ? "--near" : "--near-shape"
      throw ValidationError("\(option) needs --radius, as in --radius 50km")
    }
  }

  /// The options that relate rows to shapes.
  var relations: [(option: String, relation: SpatialRelation, argument: String)] {
    let all: [(String, SpatialRelation, String?)] = [
      ("--within", .within, within), ("--intersects", .intersects, intersects),
      ("--contains", .contains, contains),
    ]
    return all.compactMap { option, relation, argument in
      argument.map { (option, relation, $0) }
    }
  }

  /// The options in words, for the heading of a map.
  var words: String {
    var words: [String] = []
    if let near {
      let point = "\(near.latitude), \(near.longitude)"
      words.append(radius.map { "within \(Self.words($0)) of \(point)" } ?? "near \(point)")
    }
    if let nearShape {
      let name = Self.name(nearShape)
      words.append(radius.map { "within \(Self.words($0)) of \(name)" } ?? "near \(name)")
    }
    let boxes = bbox.map { box in
      let (corner, other) = (box.bottomLeft, box.topRight)
      return "\(corner.longitude), \(corner.latitude), \(other.longitude), \(other.latitude)"
    }
    if !boxes.isEmpty { words.append("in " + boxes.joined(separator: " or ")) }
    for (_, relation, argument) in relations {
      let verb =
        switch relation {
        case .within: "inside"
        case .intersects, .disjoint: "meeting"
        case .contains: "containing"
        }
      words.append("\(verb) \(Self.name(argument))")
    }
    if let outside { words.append("outside \(Self.name(outside))") }
    return words.joined(separator: ", ")
  }

  /// The name of the file that holds a shape, or the kind of a shape that is given directly.
  private static func name(_ argument: String) -> String {
    if argument == "-" { return "a shape" }
    let kind = ParsedGeometries.kind(of: argument)
    if kind == .polygon || kind == .multiPolygon { return "a polygon" }
    if argument.contains("("), FeatureSelection(argument) == nil { return "a shape" }
    return argument.split(separator: "/").last.map(String.init) ?? argument
  }

  private static func words(_ radius: Distance) -> String {
    let metres = radius.asMeters()
    let (number, unit) = metres < 1000 ? (metres, "m") : (metres / 1000, "km")
    let tenths = (number * 10).rounded() / 10
    return (tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") + " " + unit
  }

  /// The circle around `--near`.
  var circle: GeoCircle? {
    guard let near, let radius else { return nil }
    return GeoCircle(center: near, radius: radius)
  }

  /// The shape of an option, read and checked.
  func shape(_ argument: String, option: String) throws -> Shape {
    try ShapeSource(
      option: option, edges: edges?.edges ?? .planar, allowances: allowances, layer: layer
    ).read(argument)
  }

  /// The origin of distances: `--near`, or `--near-shape`, read and checked.
  func origin() throws -> Shape? {
    if let near {
      return .point(Position(latitude: near.latitude, longitude: near.longitude))
    }
    return try nearShape.map {
      try ShapeSource(
        option: "--near-shape", edges: .geodesic, allowances: allowances, layer: layer
      ).read($0)
    }
  }

  private var allowances: PolygonBuilder.Allowances {
    var allowances: PolygonBuilder.Allowances = []
    if wrapLongitude { allowances.insert(.wrapping) }
    if repair { allowances.insert(.repairing) }
    return allowances
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
