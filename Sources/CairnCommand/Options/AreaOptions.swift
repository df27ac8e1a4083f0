import ArgumentParser
import CairnGeometry

/// The part of the earth that rows must lie in; several parts are joined by AND.
struct AreaOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The middle of a circle, or where distances begin.", valueName: "lat,lon"),
    transform: Coordinates.place)
  var near: GeoPoint?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The radius of the circle about --near: 500m, 50km, 30mi, 12nmi, 800ft, 100yd, 0.25deg, 0.01rad.",
      valueName: "distance"),
    transform: Radius.parse)
  var radius: Distance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Between two meridians and two parallels; west > east crosses the antimeridian.",
      valueName: "w,s,e,n"),
    transform: Coordinates.box)
  var bbox: GeoBox?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Inside a polygon: a GeoJSON file, WKT or EWKT, or - for standard input.",
      valueName: "file|wkt"),
    completion: .file())
  var within: String?

  @Option(
    help: """
      How the edges of --within run: planar, straight on the map, or geodesic, the shortest way.
      """)
  var edges: EdgeOption?

  @Flag(
    help:
      "Bring longitudes of --within beyond ±180 back onto the earth, cut along the antimeridian.")
  var wrapLongitude = false

  @Flag(
    help: "Make the polygons of --within valid where they break a rule, and say what was changed.")
  var repair = false

  func validate() throws {
    if radius != nil, near == nil {
      throw ValidationError(
        "--radius needs --near LATITUDE,LONGITUDE, the middle of the circle.")
    }
    if edges != nil, within == nil {
      throw ValidationError("--edges says how the polygon of --within is drawn, and there is none.")
    }
    if wrapLongitude || repair, within == nil {
      let option = repair ? "--repair" : "--wrap-longitude"
      throw ValidationError("\(option) is for the polygon of --within, and there is none.")
    }
  }

  /// Fails where `--near` can only mean a circle, and has no radius.
  func requireRadius() throws {
    if near != nil, radius == nil {
      throw ValidationError("--near needs --radius, as in --radius 50km.")
    }
  }

  /// What the options ask, for the head of a picture.
  var words: String {
    var words: [String] = []
    if let near {
      let place = "\(near.latitude), \(near.longitude)"
      words.append(radius.map { "within \(Self.words($0)) of \(place)" } ?? "near \(place)")
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

  /// The circle about `--near`.
  var circle: GeoCircle? {
    guard let near, let radius else { return nil }
    return GeoCircle(center: near, radius: radius)
  }

  /// The polygon of `--within`, read and checked.
  func polygon() throws -> GeoPolygon? {
    var allowances: PolygonDraft.Allowances = []
    if wrapLongitude { allowances.insert(.wrapping) }
    if repair { allowances.insert(.repairing) }
    return try within.map {
      try PolygonSource.read($0, edges: edges?.edges ?? .planar, allowing: allowances)
    }
  }
}

/// `--edges planar|geodesic`.
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
