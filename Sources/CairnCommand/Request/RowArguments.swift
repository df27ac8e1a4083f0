import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnValues

/// The rows that a command line asks for, as it is written: a class, and conditions that hold together.
///
/// Everything that commands do with the conditions begins here and not at the parser, so that a count
/// that is read without the parser cannot forget an option.
struct RowArguments {
  /// The class.
  let reference: ClassReference
  /// The condition, or `@` and the file that it is in.
  var predicate: String?
  /// The words that the rows are searched for.
  var search: String?
  /// Whether the whole store is checked first.
  var isUntrusted = false
  /// Whether rows of a database with a value that cannot be read are left out; otherwise they are errors.
  var leavesOut = false
  /// The values of further options that may name rows of the class by a condition.
  var furtherShapes: [String] = []
  /// Whether the command shows more of the class than the rows that match, such as their numbers.
  var needsAll = false
  /// The columns that the command reads beside those of the conditions; nil if it may read all.
  var reads: RowNeeds?
  /// The place of the rows.
  var area = AreaArguments()
  /// The time of the rows.
  var dates: DateInterval?
  /// The condition, which is read from its file at most once; nil before that, and without one.
  private(set) var condition: String?
  private(set) var isResolved = false

  /// Whether every row is selected.
  var isEmpty: Bool { predicate == nil && search == nil && dates == nil && area.isEmpty }

  /// The rows and columns that matter, as far as that shows before the class is opened; nil for all.
  var needs: DataNeeds? {
    // Rows that options name are looked up among all.
    if needsAll || area.namesRows || furtherShapes.contains(where: NamedRow.mayBe) { return nil }
    var pruning = RowPruning()
    if area.geometry == nil { (pruning.boxes, pruning.circle) = (area.boxes, area.circle) }
    // A file is read once only, because it may be standard input.
    if let predicate, !predicate.hasPrefix("@") {
      pruning.condition = try? Predicate(parsing: predicate, takesFormulas: true)
    }
    let mentions = mentions
    if pruning.isEmpty, mentions == nil { return nil }
    return DataNeeds(
      pruning: pruning, mentions: mentions,
      mayLackLocations: reads?.isCount == true && area.isEmpty
        && !RowNeeds.nameMeasure(mentions ?? []))
  }

  /// The texts that name the columns that are read; nil if others may be read too.
  private var mentions: [String]? {
    guard let reads, search == nil, dates == nil, predicate?.hasPrefix("@") != true else {
      return nil
    }
    return reads.mentions.map { $0 + [predicate, area.geometry].compactMap(\.self) }
  }

  /// The same arguments with the condition, and with the rows that options name replaced by their
  /// shapes.
  func resolved(in source: OpenedClass) throws -> RowArguments {
    if isResolved { return self }
    var arguments = self
    arguments.area = try area.resolved(in: source)
    arguments.condition = try Self.text(predicate)
    arguments.isResolved = true
    return arguments
  }

  /// The condition itself, or the content of the file after `@`, where the shell cannot remove the
  /// quotes.
  static func text(_ argument: String?) throws -> String? {
    guard let argument else { return nil }
    guard argument.hasPrefix("@") else { return argument }
    let bytes = try FileContents.read(String(argument.dropFirst()))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badData, message: "\(argument.dropFirst()): a condition must be UTF-8")
    }
    return String(text.trimmingSpaces())
  }
}

/// The area that a command line asks for, as it is written. Rows must lie in all the given areas.
struct AreaArguments {
  /// The origin of distances: a location, or a row.
  var nearOption: NearOption?
  /// The origin of distances as a shape: a file, WKT or `-`.
  var nearShape: String?
  /// The radius around the origin.
  var radius: Distance?
  /// The boxes; a row must lie in at least one of them.
  var boxes: [GeoBox] = []
  /// Shapes: files, WKT, rows of a class or `-`.
  var within: String?
  var outside: String?
  var intersects: String?
  var contains: String?
  /// Further conditions, whose shapes are read already.
  var conditions: [AreaCondition] = []
  /// The location or geometry that is meant; nil for the first of the class.
  var geometry: String?
  /// The edges of shapes; nil for those of the operation.
  var edges: GeoPolygon.Edges?
  /// The layer of files of shapes.
  var layer: String?
  /// The changes that may make an invalid polygon valid.
  var allowances: PolygonBuilder.Allowances = []

  /// Whether the options select every row.
  var isEmpty: Bool {
    !hasOrigin && boxes.isEmpty && outside == nil && relations.isEmpty && conditions.isEmpty
  }

  /// Whether distances have an origin.
  var hasOrigin: Bool { nearOption != nil || nearShape != nil }

  /// Whether an option may name rows of a class.
  fileprivate var namesRows: Bool {
    if case .row? = nearOption { return true }
    return [within, outside, intersects, contains].compactMap(\.self).contains(
      where: NamedRow.mayBe)
  }

  /// Whether the rows nearest to an origin are requested.
  var wantsNearest: Bool { hasOrigin && radius == nil }

  /// The option that gives the origin.
  var originOption: String { nearOption != nil ? "--near" : "--near-shape" }

  /// The edges along which distances are measured.
  var distanceEdges: GeoPolygon.Edges {
    wantsNearest && edges == .planar ? .planar : .geodesic
  }

  /// The location of `--near`; nil if it names a row, before that is resolved.
  var near: GeoPoint? {
    if case .point(let point)? = nearOption { point } else { nil }
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

  /// The same options with the row of `--near` replaced by its location, or by its geometry as the
  /// value of `--near-shape`, and the rows of other options by their shapes.
  func resolved(in source: OpenedClass) throws -> AreaArguments {
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

  // MARK: Shapes

  /// Reads the shapes: the conditions, and the origin of distances.
  ///
  /// - Parameter omitted: The option for an area that is not a condition here.
  func read(
    omitting omitted: String? = nil
  ) throws -> (conditions: [AreaCondition], origin: Shape?) {
    var conditions = self.conditions
    if let circle { conditions.append(.circle(circle)) }
    if !boxes.isEmpty { conditions.append(.boxes(boxes)) }
    for (option, relation, argument) in relations where option != omitted {
      conditions.append(.relation(relation, try shape(argument, option: option)))
    }
    let origin = try origin()
    if let outside {
      conditions.append(.outside(try shape(outside, option: "--outside")))
    }
    if near == nil, let origin, let radius { conditions.append(.distance(origin, radius)) }
    return (conditions, origin)
  }

  /// The circle around `--near`.
  fileprivate var circle: GeoCircle? {
    guard let near, let radius else { return nil }
    return GeoCircle(center: near, radius: radius)
  }

  /// The shape of a further option, which may name rows of a class.
  func shape(_ argument: String, option: String, in source: OpenedClass) throws -> Shape {
    let rows = NamedRow(argument, in: source)
    return try shape(rows?.shape(in: source, option: option) ?? argument, option: option)
  }

  /// The shape of an option, read and checked.
  private func shape(_ argument: String, option: String) throws -> Shape {
    try ShapeSource(option: option, edges: edges ?? .planar, allowances: allowances, layer: layer)
      .read(argument)
  }

  /// The origin of distances: `--near`, or `--near-shape`, read and checked.
  private func origin() throws -> Shape? {
    if let near {
      return .point(Position(latitude: near.latitude, longitude: near.longitude))
    }
    return try nearShape.map {
      try ShapeSource(
        option: "--near-shape", edges: .geodesic, allowances: allowances, layer: layer
      ).read($0)
    }
  }

  // MARK: Words

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
    let corners = boxes.map { box in
      let (corner, other) = (box.bottomLeft, box.topRight)
      return "\(corner.longitude), \(corner.latitude), \(other.longitude), \(other.latitude)"
    }
    if !corners.isEmpty { words.append("in " + corners.joined(separator: " or ")) }
    for (_, relation, argument) in relations {
      let verb =
        switch relation {
        case .within: "inside"
        case .intersects, .disjoint: "meeting"
        case .contains: "containing"
        case .touches: "touching"
        case .crosses: "crossing"
        case .overlaps: "overlapping"
        case .equals: "equal to"
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
}
