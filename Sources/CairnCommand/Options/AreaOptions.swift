import ArgumentParser
import CairnGeometry

/// The options for the area of the rows. Rows must lie in all the given areas.
struct AreaOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The centre of --radius, and the origin of distances.", valueName: "lat,lon"),
    transform: Coordinates.point)
  var near: GeoPoint?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The radius around --near: 500m, 50km, 30mi, 12nmi, 800ft, 100yd, 0.25deg or 0.01rad.",
      valueName: "distance"),
    transform: Radius.parse)
  var radius: Distance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A bounding box; west > east crosses the antimeridian.",
      valueName: "w,s,e,n"),
    transform: Coordinates.box)
  var bbox: GeoBox?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A polygon: a GeoJSON or WKT file, WKT or EWKT itself, or - for standard input.",
      valueName: "file|wkt"),
    completion: .file())
  var within: String?

  @Option(
    help: """
      The edges of --within: planar (straight on the map) or geodesic (the shortest path).
      """)
  var edges: EdgeOption?

  @Flag(
    help:
      "Wrap longitudes of --within beyond ±180, and cut polygons at the antimeridian.")
  var wrapLongitude = false

  @Flag(
    help: "Repair invalid polygons of --within, and report what was changed.")
  var repair = false

  func validate() throws {
    if radius != nil, near == nil {
      throw ValidationError(
        "--radius needs --near LATITUDE,LONGITUDE, the centre of the circle")
    }
    if edges != nil, within == nil {
      throw ValidationError("--edges applies only to the polygon of --within")
    }
    if wrapLongitude || repair, within == nil {
      let option = repair ? "--repair" : "--wrap-longitude"
      throw ValidationError("\(option) applies only to the polygon of --within")
    }
  }

  /// Throws if `--near` is given without `--radius`, for commands where it can only mean a circle.
  func requireRadius() throws {
    if near != nil, radius == nil {
      throw ValidationError("--near needs --radius, as in --radius 50km")
    }
  }

  /// The options in words, for the heading of a map.
  var words: String {
    var words: [String] = []
    if let near {
      let point = "\(near.latitude), \(near.longitude)"
      words.append(radius.map { "within \(Self.words($0)) of \(point)" } ?? "near \(point)")
    }
    if let bbox {
      let (corner, other) = (bbox.bottomLeft, bbox.topRight)
      words.append(
        "in \(corner.longitude), \(corner.latitude), \(other.longitude), \(other.latitude)")
    }
    if let within {
      let name = within.split(separator: "/").last.map(String.init) ?? within
      words.append("inside \(Self.isText(within) ? "a polygon" : name)")
    }
    return words.joined(separator: ", ")
  }

  private static func words(_ radius: Distance) -> String {
    let metres = radius.asMeters()
    let (number, unit) = metres < 1000 ? (metres, "m") : (metres / 1000, "km")
    let tenths = (number * 10).rounded() / 10
    return (tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") + " " + unit
  }

  /// Whether `--within` is WKT or standard input rather than the name of a file.
  private static func isText(_ within: String) -> Bool { within == "-" || within.contains("(") }

  /// The circle around `--near`.
  var circle: GeoCircle? {
    guard let near, let radius else { return nil }
    return GeoCircle(center: near, radius: radius)
  }

  /// The polygon of `--within`, read and checked.
  func polygon() throws -> GeoPolygon? {
    var allowances: PolygonBuilder.Allowances = []
    if wrapLongitude { allowances.insert(.wrapping) }
    if repair { allowances.insert(.repairing) }
    return try within.map {
      try PolygonSource.read($0, edges: edges?.edges ?? .planar, allowing: allowances)
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
