import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The rows that a command line asks for, bound to a class.
struct QueryRequest {
  /// The class, with the formulas of the conditions as computed columns.
  let source: OpenedClass
  /// The conditions as they are written, with the places of rows that options name.
  let arguments: RowArguments
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
  /// The conditions with their values.
  private let rows: RowRequest

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

  /// Reads the shapes and the places of rows that the arguments name.
  ///
  /// - Parameter omitted: The option for an area that is not a condition here.
  init(_ source: OpenedClass, _ arguments: RowArguments, omitting omitted: String? = nil) throws {
    let arguments = try arguments.resolved(in: source)
    let area = arguments.area
    let text = arguments.condition
    let written = try text.map { try Self.predicate($0, of: source) }
    let source = try written.map { try source.computing(formulasOf: $0) } ?? source
    // Errors of a predicate come before those of the other options.
    if let written {
      _ = try source.bound(written)
      if let note = PredicateAdvice.note(on: written) { Console.printMessage(note) }
    }
    var rows = RowRequest()
    rows.conditions = [written].compactMap { $0 }
    rows.search = arguments.search
    rows.location = area.geometry
    rows.dates = arguments.dates
    let shapes = try area.read(omitting: omitted)
    rows.areas = shapes.conditions
    let words = [text, arguments.search.map { "search \($0)" }, arguments.dates?.text, area.words]
      .compactMap { $0 }.filter { !$0.isEmpty }
    try self.init(
      source, arguments, rows, from: shapes.origin, formulas: written ?? .true,
      title: source.schema.name + (words.isEmpty ? "" : ": ") + words.joined(separator: ", "))
  }

  /// Binds conditions to a class, which has the computed columns of the condition.
  private init(
    _ source: OpenedClass, _ arguments: RowArguments, _ rows: RowRequest, from origin: Shape?,
    formulas: Predicate, title: String
  ) throws {
    self.source = source
    self.arguments = arguments
    self.rows = rows
    self.formulas = formulas
    self.title = title
    do {
      predicate = try rows.predicate(of: source.schema)
      self.origin = try origin.map { shape in
        Origin(
          shape: shape, column: try rows.spatialColumn(of: source.schema),
          edges: arguments.area.distanceEdges)
      }
    } catch let error as RequestError {
      throw Failure(error, of: source)
    }
    condition = try source.bound(predicate)
    regions = condition.root.regions
  }

  /// The same request for the class with other rows.
  func bound(to source: OpenedClass) throws -> QueryRequest {
    try QueryRequest(
      source.computing(formulasOf: formulas), arguments, rows, from: origin?.shape,
      formulas: formulas, title: title)
  }

  /// The same request, with the rows of a database that it may select.
  ///
  /// - Parameter needs: The columns that the command reads.
  func fetched(_ needs: RowNeeds) throws -> QueryRequest {
    if source.backend.holdsAllRows { return self }
    return try bound(to: source.holding(fetch(needs)))
  }

  /// The rows and columns that a command reads.
  ///
  /// - Parameter sort: The order that a limit of the needs refers to.
  func fetch(_ needs: RowNeeds, sort: [SortKey] = []) -> RowFetch {
    // Nobody fetches columns of a store.
    if source.backend.holdsAllRows { return RowFetch(condition) }
    var needs = needs
    needs.add(arguments)
    return RowFetch(
      condition, columns: needs.columns(of: source.schema), sort: sort, limit: needs.limit)
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

  /// The number of rows that match.
  func count() throws -> Int { try source.count(fetch(RowNeeds())) }

  /// The same request, for the rows of a file of data in other circles and boxes, if only those that
  /// matter to this one were read.
  fileprivate func reading(_ conditions: [AreaCondition]) throws -> QueryRequest {
    guard case .data = arguments.reference.container, DataStores.hasReadParts else { return self }
    var arguments = arguments
    for case .circle(let circle) in conditions { arguments.area.nearOption = .point(circle.center) }
    for case .boxes(let boxes) in conditions { arguments.area.boxes = boxes }
    return try bound(to: OpenedClass(describing: arguments).measuring())
  }

  /// The number of rows that match with other circles and boxes.
  fileprivate func count(swapping swap: (AreaCondition) -> AreaCondition) throws -> Int {
    var swapped = rows
    swapped.areas = rows.areas.map(swap)
    let query = TableQuery(
      table: source.schema.name, predicate: try swapped.predicate(of: source.schema))
    return try Execution(query, on: source.table).count()
  }

  /// The conditions on areas.
  fileprivate var areas: [AreaCondition] { rows.areas }

  /// The request as the subject of a map.
  var subject: MapSubject {
    var subject = MapSubject()
    subject.title = title
    subject.regions = regions
    subject.origin = arguments.area.near
    if arguments.area.near == nil, arguments.area.radius == nil, let origin {
      subject.regions.append(origin.shape)
    }
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

/// The circle and the boxes of a query without results, with latitude and longitude swapped, to
/// suggest them if they match.
struct SwappedCoordinates {
  private let request: QueryRequest

  init(of request: QueryRequest) { self.request = request }

  /// Prints a note with the number of matching rows if only the swapped coordinates match any.
  func printNoteIfMatching() throws {
    let swapped = request.areas.filter { Self.swapped($0) != nil }
    guard !swapped.isEmpty, try request.count(swapping: { $0 }) == 0 else { return }
    let count = try request.reading(swapped.compactMap(Self.swapped))
      .count { Self.swapped($0) ?? $0 }
    if count > 0 { Console.printMessage(note(count, on: swapped)) }
  }

  private func note(_ count: Int, on areas: [AreaCondition]) -> String {
    let orders = areas.map { area in
      if case .circle = area { return "--near takes LATITUDE,LONGITUDE" }
      return "--bbox takes WEST,SOUTH,EAST,NORTH"
    }.joined(separator: ", ")
    let found = Quantity.counted(count, noun: "row")
    return "Note: no rows match, but \(found) would with latitude and longitude swapped: \(orders)."
  }

  /// The condition that was meant; nil if it makes no sense, or if it is not about coordinates.
  private static func swapped(_ area: AreaCondition) -> AreaCondition? {
    switch area {
    case .circle(let circle):
      return swapped(circle.center).map {
        .circle(GeoCircle(center: $0, radius: circle.radius))
      }
    case .boxes(let boxes):
      let swapped = boxes.compactMap(swapped)
      return swapped.isEmpty ? nil : .boxes(swapped)
    case .relation, .outside, .distance: return nil
    }
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
