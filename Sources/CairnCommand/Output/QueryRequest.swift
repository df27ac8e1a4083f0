import CairnGeometry
import CairnQuery
import CairnStorage

/// The conditions of a command line for a class: a predicate and areas, joined by AND.
struct QueryRequest {
  let source: OpenedClass
  private let condition: BoundPredicate
  /// The request in words.
  let title: String
  /// The shapes that rows must lie within.
  let regions: [Shape]
  /// The conditions other than the circle and the box.
  private let others: [BoundPredicate]

  init(_ source: OpenedClass, target: TargetArguments, area: AreaOptions) throws {
    self.source = source
    let text = try target.predicate.map(Self.text)
    let written = try text.map { try source.bound(Predicate(parsing: $0)) }
    if let written, let note = PredicateAdvice.note(on: written.root) {
      Console.printMessage(note)
    }
    let polygon = try area.polygon().map { try source.bound(within: .polygon($0)) }
    others = [written, polygon].compactMap { $0 }
    let shapes = try Self.shapes(area.circle, box: area.bbox, source: source)
    let conditions = [written].compactMap { $0 } + shapes + [polygon].compactMap { $0 }
    condition = .all(conditions)
    regions = conditions.flatMap(\.root.regions)
    let words = [text, area.words].compactMap { $0 }.filter { !$0.isEmpty }
    title = source.schema.name + (words.isEmpty ? "" : ": ") + words.joined(separator: ", ")
  }

  /// The condition itself, or the content of the file after `@`, where the shell cannot remove the
  /// quotes.
  private static func text(_ argument: String) throws -> String {
    guard argument.hasPrefix("@") else { return argument }
    let bytes = try FileContents.read(String(argument.dropFirst()))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badData, message: "\(argument.dropFirst()): a condition must be UTF-8")
    }
    return String(text.trimmingSpaces())
  }

  private static func shapes(
    _ circle: GeoCircle?, box: GeoBox?, source: OpenedClass
  ) throws -> [BoundPredicate] {
    let shapes: [Shape?] = [circle.map { .circle($0) }, box.map { .box($0) }]
    return try shapes.compactMap { $0 }.map { try source.bound(within: $0) }
  }

  /// The number of rows that match with another circle and another box.
  func count(within circle: GeoCircle?, _ box: GeoBox?) throws -> Int {
    let condition = BoundPredicate.all(
      others + (try Self.shapes(circle, box: box, source: source)))
    return try Execution(source.query, condition: condition, on: source.table).count()
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

  fileprivate func bound(within shape: Shape) throws -> BoundPredicate {
    try bound(Predicate(.within(PropertyPath(try location().name), shape)))
  }
}

extension PredicateNode {
  /// The shapes of the conditions that the rows fulfil, or may fulfil.
  fileprivate var regions: [Shape] {
    switch self {
    case .within(_, let shape): [shape]
    case .and(let parts), .or(let parts): parts.flatMap(\.regions)
    default: []
    }
  }
}

/// The circle and the box of a query without results, with latitude and longitude swapped, to
/// suggest them if they match.
struct SwappedCoordinates {
  private let request: QueryRequest
  private let area: AreaOptions
  private let circle: GeoCircle?
  private let box: GeoBox?

  init(_ area: AreaOptions, of request: QueryRequest) {
    self.request = request
    self.area = area
    circle = area.circle.flatMap(Self.swapped)
    box = area.bbox.flatMap(Self.swapped)
  }

  /// Prints a note with the number of matching rows if only the swapped coordinates match any.
  func printNoteIfMatching() throws {
    guard circle != nil || box != nil else { return }
    let isEmpty = try request.count(within: area.circle, area.bbox) == 0
    guard isEmpty else { return }
    let count = try request.count(within: circle ?? area.circle, box ?? area.bbox)
    if count > 0 { Console.printMessage(note(count)) }
  }

  private func note(_ count: Int) -> String {
    let orders = [
      circle.map { _ in "--near takes LATITUDE,LONGITUDE" },
      box.map { _ in "--bbox takes WEST,SOUTH,EAST,NORTH" },
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
