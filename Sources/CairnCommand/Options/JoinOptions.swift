import ArgumentParser
import CairnGeometry
import CairnIO
import CairnPostgres
import CairnQuery

/// The options of `join`.
struct JoinOptions: ParsableArguments {
  @OptionGroup var classes: ClassPairArguments

  @Argument(
    help: """
      A condition on CLASS.column of either class, or one that compares a column of each, or @FILE.
      """)
  var predicate: String?

  @Option(
    help: """
      The relation of the left row to the right one: within, intersects, contains, touches, \
      crosses, overlaps, equals, distance (at most --radius apart) or nearest (the --limit nearest \
      right rows of each left one). Or columns with equal values, as in "zones.code == figures.code".
      """)
  var on: JoinOn

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The greatest distance for --on distance.", valueName: "distance"),
    transform: Radius.length)
  var radius: Radius.Length?

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional,
    help: ArgumentHelp(
      """
      For --on nearest the number of right rows for each left one (default: 1), otherwise the most \
      rows to print.
      """, valueName: "n"), transform: NumberText.count)
  var limit: Int?

  @Option(
    help: """
      The edges of lines and areas: planar (straight on the map) or geodesic (the shortest path). \
      With --on distance and nearest, planar measures in degrees, on the map.
      """)
  var edges: EdgeOption?

  @Option(
    help: ArgumentHelp(
      "Names for the classes in columns and conditions; a class joined with itself needs them.",
      valueName: "a,b"))
  var `as`: String?

  @Option(
    help: ArgumentHelp(
      """
      The location or geometry of each class to join by, such as cities.location or \
      orders.depot.area (default: the first of the class).
      """,
      valueName: "col,..."))
  var geometry: [String] = []

  @Option(
    help: ArgumentHelp("Group the pairs by these columns, and count them.", valueName: "col,..."))
  var by: [String] = []

  @Option(
    help: ArgumentHelp(
      "Summarise these columns in each group of --by: sum, min, max and avg.",
      valueName: "col,..."))
  var of: [String] = []

  @Flag(
    help: """
      Also print the left rows without a partner, or with --by their groups, with a count of 0.
      """)
  var outer = false

  @Option(
    help: ArgumentHelp(
      """
      The columns to print, such as cities.name, countries.*, distance (default: all), and formulas \
      of both classes with a name, as in "azimuth(ships.spot, ports.spot) AS course".
      """,
      valueName: "col,..."))
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "Sort the pairs by these columns or distance, or the groups; COL:desc sorts downward.",
      valueName: "col,..."))
  var sort: [String] = []

  @Option(
    help: ArgumentHelp(
      "The coordinate system of the output: EPSG:27700 or 27700 (default: WGS 84 degrees).",
      valueName: "system"))
  var crs: String?

  @OptionGroup var picture: PictureOptions

  @OptionGroup var target: OutputOptions

  @OptionGroup var destination: NewClassOption

  @Flag(help: "Print the query plan and its timing instead of the rows.")
  var explain = false

  @Option(
    name: .customLong("sql"),
    help: """
      Print a statement that finds the pairs in another engine instead: postgis, duckdb, sedona, \
      bigquery, snowflake or databricks. Comments say how its answer may differ from Cairn's.
      """)
  var statement: SQLDialectOption?

  @Flag(
    help: "With --sql, send a superset of the pairs where the engine decides in its own way.")
  var exact = false

  @OptionGroup var checking: CheckingOptions

  @OptionGroup var reading: ReadingOptions

  /// The store, the address of a database, or the file of the left class.
  var store: String { classes.store }

  func validate() throws {
    try validateStatement()
    try destination.reject([
      ("--output", target.file.path != nil), ("--format", target.format != nil),
      ("--crs", crs != nil), ("--explain", explain), ("--sql", statement != nil),
    ])
    try validateEqualities()
    if on.relation == .distance, radius == nil {
      throw ValidationError("--on distance needs --radius, as in --radius 50km")
    }
    if on.relation != .distance, radius != nil {
      throw ValidationError("--radius applies only to --on distance")
    }
    if on.relation == .nearest, limit == 0 {
      throw ValidationError("--on nearest needs a --limit of 1 or more")
    }
    if edges == .planar, let radius, radius.unit != .degrees {
      throw ValidationError("--edges planar measures in degrees, as in --radius 0.5deg")
    }
    if edges == .geodesic, let relation = on.relation?.spatialRelation, relation.isPlanar {
      throw ValidationError(
        "--on \(relation) compares in the plane of longitude and latitude, not with --edges geodesic"
      )
    }
    if by.isEmpty, !of.isEmpty {
      throw ValidationError("--of needs --by, the columns to group by")
    }
    if !by.isEmpty,
      let option = [("--select", !select.isEmpty), ("--crs", crs != nil)].first(where: \.1)
    {
      throw ValidationError("\(option.0) does not apply to the groups of --by")
    }
  }

  /// Equal values are not compared by place.
  private func validateEqualities() throws {
    guard on.relation == nil else { return }
    if let option = [("--geometry", !geometry.isEmpty), ("--edges", edges != nil)].first(where: \.1)
    {
      throw ValidationError("\(option.0) applies only to a relation in --on, such as within")
    }
  }

  /// A statement returns all pairs; whoever runs it groups, sorts and limits them.
  private func validateStatement() throws {
    let others = [
      ("--by", !by.isEmpty), ("--outer", outer), ("--sort", !sort.isEmpty),
      ("--limit", limit != nil && on.relation != .nearest), ("--crs", crs != nil),
      ("--explain", explain),
      ("--colour-by", picture.colourBy != nil), ("--size-by", picture.sizeBy != nil),
      ("--format", target.format != nil), ("--output", target.file.path != nil),
    ]
    guard statement != nil else {
      if exact { throw ValidationError("--exact applies only to --sql") }
      return
    }
    if PostgresAddress.isURL(store) {
      throw ValidationError("--sql compiles a join of a store, not of a database")
    }
    if let (option, _) = others.first(where: \.1) {
      throw ValidationError("\(option) does not apply to --sql")
    }
  }

  /// The names of the classes: those of `--as`, or otherwise their own.
  ///
  /// - Parameters:
  ///   - areSame: Whether it is one class that is joined with itself.
  ///   - hasCondition: Whether pairs must meet a further condition.
  func names(
    left: String, right: String, areSame: Bool, hasCondition: Bool
  ) throws -> (left: String, right: String) {
    guard let text = `as` else {
      // In a list, the first mention of a column is that of the left row, the second of the right one.
      let isPlain =
        !select.isEmpty && by.isEmpty && !hasCondition && geometry.isEmpty && on.relation != nil
      guard left == right, !(areSame && isPlain) else { return (left, right) }
      throw Failure(
        .usage,
        message: areSame
          ? "a class joined with itself needs two names, as in --as a,b"
          : "both classes have the name '\(left)'; give them two names, as in --as a,b")
    }
    let names = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.trimmingSpaces()) }
    guard names.count == 2, !names.contains(""), names[0] != names[1] else {
      throw Failure(.usage, message: "--as takes two different names, as in --as a,b")
    }
    return (names[0], names[1])
  }

  /// The condition of a relation.
  func condition(_ relation: JoinRelation) -> JoinQuery.Condition {
    if let relation = relation.spatialRelation {
      return .relation(relation, edges: edges?.edges ?? .planar)
    }
    return radius.map { .distance($0.distance, edges: distanceEdges) }
      ?? .nearest(limit ?? 1, edges: distanceEdges)
  }

  /// The edges along which distances are measured.
  var distanceEdges: GeoPolygon.Edges { edges?.edges ?? .geodesic }
}

/// The value of `--on`.
enum JoinOn {
  /// A relation of places.
  case place(JoinRelation)
  /// A condition of columns of both classes with equal values.
  case equal(String)

  /// The relation; nil for equal values.
  var relation: JoinRelation? { if case .place(let relation) = self { relation } else { nil } }

  /// Whether pairs have a distance.
  var measuresDistance: Bool { relation == .distance || relation == .nearest }

  /// The value as text.
  var text: String {
    switch self {
    case .place(let relation): relation.rawValue
    case .equal(let condition): condition
    }
  }
}

extension JoinOn: ExpressibleByArgument {
  init?(argument: String) {
    if let relation = JoinRelation(argument: argument) {
      self = .place(relation)
    } else if argument.contains(where: { "=<>".contains($0) }) {
      self = .equal(argument)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { JoinRelation.allValueStrings }
}

/// A relation of `--on`.
enum JoinRelation: String, WordArgument {
  case within
  case intersects
  case contains
  case touches
  case crosses
  case overlaps
  case equals
  case distance
  case nearest

  /// The relation of the left geometry to the right one; nil for a condition on distances.
  var spatialRelation: SpatialRelation? {
    switch self {
    case .within: .within
    case .intersects: .intersects
    case .contains: .contains
    case .touches: .touches
    case .crosses: .crosses
    case .overlaps: .overlaps
    case .equals: .equals
    case .distance, .nearest: nil
    }
  }
}
