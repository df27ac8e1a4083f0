import CairnGeometry
import CairnQuery
import CairnStorage

/// What the arguments ask of a class: a predicate and areas, joined by AND.
struct Question {
  let source: Source
  let predicate: Predicate
  /// The same in words.
  let title: String
  /// Everything but the circle and the box.
  private let others: [Node]

  init(_ source: Source, _ target: TargetArguments, _ area: AreaOptions) throws {
    self.source = source
    var conditions: [Node] = []
    let text = try target.predicate.map(Self.text)
    if let text {
      conditions.append(
        try Predicate(parsing: text).bound(to: source.schema, in: source.snapshot.schema).root)
    }
    if let node = conditions.first, let note = PredicateAdvice.note(on: node) { Console.say(note) }
    let polygon = try area.polygon().map { polygon -> Node in
      .within(PropertyPath(try source.location().name), .polygon(polygon))
    }
    others = conditions + [polygon].compactMap { $0 }
    conditions += try Self.shapes(area.circle, area.bbox, source) + [polygon].compactMap { $0 }
    predicate = Predicate(Self.all(conditions))
    let words = [text, area.words].compactMap { $0 }.filter { !$0.isEmpty }
    title = source.schema.name + (words.isEmpty ? "" : ": ") + words.joined(separator: ", ")
  }

  /// The condition itself, or what the file behind `@` holds: no shell takes its quotes away.
  private static func text(_ argument: String) throws -> String {
    guard argument.hasPrefix("@") else { return argument }
    let bytes = try FileBytes.read(String(argument.dropFirst()))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badData, "\(argument.dropFirst()): a condition is written in UTF-8")
    }
    return String(text.trimmingSpaces())
  }

  /// The shapes that rows must lie within.
  var regions: [Shape] { predicate.root.regions }

  private static func shapes(
    _ circle: GeoCircle?, _ box: GeoBox?, _ source: Source
  ) throws -> [Node] {
    guard circle != nil || box != nil else { return [] }
    let location = PropertyPath(try source.location().name)
    return [
      circle.map { .within(location, .circle($0)) }, box.map { .within(location, .box($0)) },
    ].compactMap { $0 }
  }

  /// How many rows would fit with another circle and another box.
  func count(within circle: GeoCircle?, _ box: GeoBox?) throws -> Int {
    let conditions = others + (try Self.shapes(circle, box, source))
    let query = TableQuery(table: source.schema.name, predicate: Predicate(Self.all(conditions)))
    return try Execution(query, on: source.table).count()
  }

  private static func all(_ conditions: [Node]) -> Node {
    switch conditions.count {
    case 0: .constant(true)
    case 1: conditions[0]
    default: .and(conditions)
    }
  }

  /// Everything that fits, in no order.
  var query: TableQuery { TableQuery(table: source.schema.name, predicate: predicate) }
}

extension Node {
  /// The shapes of conditions that hold of the rows, or may.
  fileprivate var regions: [Shape] {
    switch self {
    case .within(_, let shape): [shape]
    case .and(let parts), .or(let parts): parts.flatMap(\.regions)
    default: []
    }
  }
}
