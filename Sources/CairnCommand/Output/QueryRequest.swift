import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// The conditions of a command line for a class: a predicate and areas, joined by AND.
struct QueryRequest {
  /// The class, with the formulas of the conditions as computed columns.
  let source: OpenedClass
  /// The conditions, not yet bound to the class. `source` has the columns that they name.
  let predicate: Predicate
  /// The condition of the command line, whose formulas are computed columns.
  let formulas: Predicate
  /// The conditions, bound to the class.
  let condition: BoundPredicate
  /// The request in words.
  let title: String
  /// The shapes that rows must meet.
  let regions: [Shape]
  /// The origin of distances.
  let origin: Origin?
  /// The conditions other than the circle and the box.
  private let others: [Predicate]
  private let geometry: String?

  /// The origin of distances, and the property that they lead to.
  struct Origin {
    let shape: Shape
    let column: ColumnSchema
    /// The edges along which distances are measured.
    let edges: GeoPolygon.Edges

    /// Prepares the measurement of a table's rows.
    func reader(of table: Table) throws -> DistanceReader {
      try DistanceReader(from: shape, to: path, of: table, edges: edges)
    }

    var path: PropertyPath { PropertyPath(column.name) }
  }

  /// - Parameters:
  ///   - omitting: The option for an area that is not a condition here.
  ///   - advises: Whether a note on a doubtful predicate is printed.
  init(
    _ source: OpenedClass, target: TargetArguments, area: AreaOptions, omitting: String? = nil,
    advises: Bool = true
  ) throws {
    let geometry = area.geometry
    self.geometry = geometry
    let text = try Self.text(target.predicate)
    let written = try text.map { try Self.predicate($0, of: source) }
    let source = try written.map { try source.computing(formulasOf: $0) } ?? source
    self.source = source
    // Errors of a predicate come before those of the other options.
    if let written {
      _ = try source.bound(written)
      if advises, let note = PredicateAdvice.note(on: written) { Console.printMessage(note) }
    }
    let relations = try area.relations.filter { $0.option != omitting }.map {
      try source.relation($0.relation, to: area.shape($0.argument, option: $0.option), geometry)
    }
    origin = try area.origin().map {
      Origin(shape: $0, column: try source.location(geometry), edges: area.distanceEdges)
    }
    let outside = try area.outside.map {
      try source.outside(area.shape($0, option: "--outside"), geometry)
    }
    var distances: [Predicate] = []
    if area.near == nil, let origin, let radius = area.radius {
      distances = [Predicate(.distance(origin.path, .lessOrEqual, .shape(origin.shape), radius))]
    }
    let search = try target.search.map { try source.search($0) }
    others = [written, search, outside].compactMap { $0 } + relations + distances
    let shapes = try Self.shapes(area.circle, boxes: area.bbox, source: source, geometry)
    formulas = written ?? .true
    predicate = .all(
      [written, search].compactMap { $0 } + shapes + relations + [outside].compactMap { $0 }
        + distances)
    condition = try source.bound(predicate)
    regions = condition.root.regions
    let words = [text, target.search.map { "search \($0)" }, area.words].compactMap { $0 }.filter {
      !$0.isEmpty
    }
    title = source.schema.name + (words.isEmpty ? "" : ": ") + words.joined(separator: ", ")
  }

  /// - Throws: A usage failure if the text is the name of another class.
  private static func predicate(_ text: String, of source: OpenedClass) throws -> Predicate {
    if source.schema.column(named: text) == nil, source.snapshot.schema.table(named: text) != nil {
      throw Failure(
        .usage,
        message: "'\(text)' is a class; the command takes one class, and then a condition on it")
    }
    return try Predicate(parsing: text, takesFormulas: true)
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

  private static func shapes(
    _ circle: GeoCircle?, boxes: [GeoBox], source: OpenedClass, _ geometry: String?
  ) throws -> [Predicate] {
    let near = try circle.map { try source.near($0, geometry) }
    let within = try boxes.map { try source.within($0, geometry).root }
    let any = within.count > 1 ? PredicateNode.or(within) : within.first
    return [near, any.map { Predicate($0) }].compactMap { $0 }
  }

  /// The number of rows that match with another circle and other boxes.
  func count(within circle: GeoCircle?, _ boxes: [GeoBox]) throws -> Int {
    let conditions = try others + Self.shapes(circle, boxes: boxes, source: source, geometry)
    let query = TableQuery(table: source.schema.name, predicate: .all(conditions))
    return try Execution(query, on: source.table).count()
  }

  /// The request as the subject of a map.
  func subject(_ area: AreaOptions) -> MapSubject {
    var subject = MapSubject()
    subject.title = title
    subject.regions = regions
    subject.origin = area.near
    if area.near == nil, area.radius == nil, let origin { subject.regions.append(origin.shape) }
    return subject
  }

  /// Prepares a query on the matching rows.
  ///
  /// - Parameter query: The steps; nil for the matching rows, unsorted.
  func execution(_ query: TableQuery? = nil) throws -> Execution {
    try Execution(query ?? source.query, condition: condition, on: source.table)
  }
}

extension OpenedClass {
  /// A query for all rows, unsorted.
  var query: TableQuery { TableQuery(table: schema.name) }

  fileprivate func bound(_ predicate: Predicate) throws -> BoundPredicate {
    try predicate.bound(to: schema, in: snapshot.schema)
  }

  fileprivate func location(_ name: String?) throws -> ColumnSchema {
    try location(named: name, option: "--geometry")
  }

  /// The condition that a location or geometry has a relation to a shape.
  fileprivate func relation(
    _ relation: SpatialRelation, to shape: Shape, _ name: String?
  ) throws -> Predicate {
    Predicate(.relation(PropertyPath(try location(name).name), relation, .shape(shape)))
  }

  /// The condition that there is a location or geometry, and that it is not inside a shape.
  fileprivate func outside(_ shape: Shape, _ name: String?) throws -> Predicate {
    let path = PropertyPath(try location(name).name)
    return Predicate(
      .and([
        .compare(.path(path), .notEqual, .value(.null), []),
        .not(.relation(path, .within, .shape(shape))),
      ]))
  }

  /// The condition that a location lies in a circle, or that a geometry reaches into it.
  fileprivate func near(_ circle: GeoCircle, _ name: String?) throws -> Predicate {
    let column = try location(name)
    guard column.isGeometry else { return try relation(.within, to: .circle(circle), name) }
    let center = circle.center
    let point = Shape.point(Position(latitude: center.latitude, longitude: center.longitude))
    return Predicate(
      .distance(PropertyPath(column.name), .lessOrEqual, .shape(point), circle.radius))
  }

  /// The condition that a location lies in a box, or that a geometry reaches into it.
  fileprivate func within(_ box: GeoBox, _ name: String?) throws -> Predicate {
    let column = try location(name)
    return try relation(column.isGeometry ? .intersects : .within, to: .box(box), name)
  }
}

extension BoundNode {
  /// The shapes of the conditions that the rows fulfil, or may fulfil.
  fileprivate var regions: [Shape] {
    switch self {
    case .spatial(_, .relation(let relation), let shape): relation == .disjoint ? [] : [shape]
    case .spatial(_, .distance(let comparison, let radius), let shape):
      [.less, .lessOrEqual].contains(comparison) ? [shape.circle(radius) ?? shape] : []
    case .and(let parts), .or(let parts): parts.flatMap(\.regions)
    default: []
    }
  }
}

extension Shape {
  /// The circle around a point; nil if the shape is anything else.
  fileprivate func circle(_ radius: Distance) -> Shape? {
    guard case .geometry(let geometry, _) = self, let point = geometry.point else { return nil }
    return .circle(GeoCircle(center: point, radius: radius))
  }
}

/// The circle and the box of a query without results, with latitude and longitude swapped, to
/// suggest them if they match.
struct SwappedCoordinates {
  private let request: QueryRequest
  private let area: AreaOptions
  private let circle: GeoCircle?
  private let boxes: [GeoBox]

  init(_ area: AreaOptions, of request: QueryRequest) {
    self.request = request
    self.area = area
    circle = area.circle.flatMap(Self.swapped)
    boxes = area.bbox.compactMap(Self.swapped)
  }

  /// Prints a note with the number of matching rows if only the swapped coordinates match any.
  func printNoteIfMatching() throws {
    guard circle != nil || !boxes.isEmpty else { return }
    let isEmpty = try request.count(within: area.circle, area.bbox) == 0
    guard isEmpty else { return }
    let count = try request.count(
      within: circle ?? area.circle, boxes.isEmpty ? area.bbox : boxes)
    if count > 0 { Console.printMessage(note(count)) }
  }

  private func note(_ count: Int) -> String {
    let orders = [
      circle.map { _ in "--near takes LATITUDE,LONGITUDE" },
      boxes.first.map { _ in "--bbox takes WEST,SOUTH,EAST,NORTH" },
    ].compactMap { $0 }.joined(separator: ", ")
    let found = Quantity.counted(count, noun: "row")
    return "Note: no rows match, but \(found) would with latitude and longitude swapped: \(orders)."
  }

  private static func swapped(_ circle: GeoCircle) -> GeoCircle? {
    swapped(circle.center).map { GeoCircle(center: $0, radius: circle.radius) }
  }

  /// The box that was meant by `SOUTH,WEST,NORTH,EAST`.
  private static func swapped(_ box: GeoBox) -> GeoBox? {
    guard let bottomLeft = swapped(box.bottomLeft), let topRight = swapped(box.topRight),
      bottomLeft.latitude <= topRight.latitude
    else { return nil }
    return GeoBox(bottomLeft: bottomLeft, topRight: topRight)
  }

  private static func swapped(_ point: GeoPoint) -> GeoPoint? {
    GeoPoint(latitude: point.longitude, longitude: point.latitude)
  }
}
