import CairnGeometry
import CairnQuery
import CairnStorage

/// The conditions of a command line for a class: a predicate and areas, joined by AND.
struct QueryRequest {
  let source: OpenedClass
  let predicate: Predicate
  /// The request in words.
  let title: String
  /// The conditions other than the circle and the box.
  private let others: [PredicateNode]

  init(_ source: OpenedClass, target: TargetArguments, area: AreaOptions) throws {
    self.source = source
    var conditions: [PredicateNode] = []
    let text = try target.predicate.map(Self.text)
    if let text {
      conditions.append(
        try Predicate(parsing: text).bound(to: source.schema, in: source.snapshot.schema).root)
    }
    if let node = conditions.first, let note = PredicateAdvice.note(on: node) {
      Console.printMessage(note)
    }
    let polygon = try area.polygon().map { polygon -> PredicateNode in
      .within(PropertyPath(try source.location().name), .polygon(polygon))
    }
    others = conditions + [polygon].compactMap { $0 }
    conditions +=
      try Self.shapes(area.circle, box: area.bbox, source: source) + [polygon].compactMap { $0 }
    predicate = Predicate(Self.all(conditions))
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

  /// The shapes that rows must lie within.
  var regions: [Shape] { predicate.root.regions }

  private static func shapes(
    _ circle: GeoCircle?, box: GeoBox?, source: OpenedClass
  ) throws -> [PredicateNode] {
    guard circle != nil || box != nil else { return [] }
    let location = PropertyPath(try source.location().name)
    return [
      circle.map { .within(location, .circle($0)) }, box.map { .within(location, .box($0)) },
    ].compactMap { $0 }
  }

  /// The number of rows that match with another circle and another box.
  func count(within circle: GeoCircle?, _ box: GeoBox?) throws -> Int {
    let conditions = others + (try Self.shapes(circle, box: box, source: source))
    let query = TableQuery(table: source.schema.name, predicate: Predicate(Self.all(conditions)))
    return try Execution(query, on: source.table).count()
  }

  private static func all(_ conditions: [PredicateNode]) -> PredicateNode {
    switch conditions.count {
    case 0: .constant(true)
    case 1: conditions[0]
    default: .and(conditions)
    }
  }

  /// A query for the matching rows, unsorted.
  var query: TableQuery { TableQuery(table: source.schema.name, predicate: predicate) }
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
