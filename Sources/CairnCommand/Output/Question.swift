import CairnGeometry
import CairnQuery
import CairnStorage

/// What the arguments ask of a class: a predicate and areas, joined by AND.
struct Question {
  let source: Source
  let predicate: Predicate

  init(_ source: Source, _ target: TargetArguments, _ area: AreaOptions) throws {
    self.source = source
    var conditions: [Node] = []
    if let text = target.predicate {
      conditions.append(
        try Predicate(parsing: text).bound(to: source.schema, in: source.snapshot.schema).root)
    }
    conditions += try Self.areas(area, source)
    predicate = Predicate(Self.all(conditions))
  }

  private static func areas(_ area: AreaOptions, _ source: Source) throws -> [Node] {
    let polygon = try area.polygon()
    guard area.circle != nil || area.bbox != nil || polygon != nil else { return [] }
    let location = PropertyPath(try source.location().name)
    return [
      area.circle.map { .within(location, .circle($0)) },
      area.bbox.map { .within(location, .box($0)) },
      polygon.map { .within(location, .polygon($0)) },
    ].compactMap { $0 }
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
