import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues

/// A generator of random predicates on the classes of `KennelSchema`; most of them bind.
struct ClassNodeGenerator {
  private var values: NodeGenerator
  var random: SplitMix64

  init(seed: UInt64) {
    values = NodeGenerator(seed: seed &+ 1)
    random = SplitMix64(seed: seed)
  }

  mutating func node(_ table: TableSchema, depth: Int) -> PredicateNode {
    guard depth > 0, random.chance(0.7) else { return condition(table, depth: depth) }
    let parts = (0..<2 + random.below(2)).map { _ in node(table, depth: depth - 1) }
    switch random.below(3) {
    case 0: return .all(parts)
    case 1: return .any(parts)
    default: return .not(parts[0])
    }
  }

  /// A path that follows the schema, and the property at its end.
  private struct Way {
    var components: [PropertyPath.Component] = []
    var column: ColumnSchema?
    var isMany = false
    /// The components up to the first collection, and its class.
    var collection: [PropertyPath.Component]?
    var element: TableSchema?
  }

  private mutating func way(_ table: TableSchema) -> Way {
    var way = Way()
    var table: TableSchema? = table
    while let here = table, way.components.count < 5 {
      let inverse = here.inverses.isEmpty || random.chance(0.8) ? nil : random.pick(here.inverses)
      let column = inverse == nil ? random.pick(here.properties) : nil
      way.components.append(.property(inverse?.name ?? column?.name ?? ""))
      way.column = column
      let target = (inverse?.origin ?? column?.target).flatMap {
        KennelSchema.schema.table(named: $0)
      }
      if column?.collection == .map, random.chance(0.5) {
        way.components.append(.key(random.pick(["a", "b"])))
      } else if inverse != nil || column?.collection ?? .none != .none {
        way.isMany = true
        if way.collection == nil { (way.collection, way.element) = (way.components, target) }
      }
      if column?.type == .mixed, random.chance(0.3), column?.collection == CollectionKind.none {
        way.components.append(random.pick([.key("k"), .index(1), .anyElement]))
      }
      table = target
      if random.chance(0.4) { break }
    }
    return way
  }

  private mutating func condition(_ table: TableSchema, depth: Int) -> PredicateNode {
    let way = way(table)
    let quantifier: PropertyPath.Quantifier =
      random.chance(0.05)
      ? random.pick([.one, .any, .all]) : way.isMany ? random.pick([.any, .all]) : .one
    let path = PropertyPath(quantifier, components: way.components)
    var expression = Expression.path(path)
    if let collection = way.collection, random.chance(0.4) {
      let below = Array(way.components[collection.count...])
      switch random.below(3) {
      case 0: expression = .count(PropertyPath(collection), where: nil)
      case 1 where depth > 0:
        if let element = way.element {
          expression = .count(PropertyPath(collection), where: node(element, depth: depth - 1))
        }
      default:
        expression = .aggregate(
          random.pick(AggregateFunction.allCases), PropertyPath(collection),
          of: below.isEmpty ? nil : PropertyPath(below))
      }
    }
    return condition(on: expression, path, way, table)
  }

  private mutating func condition(
    on expression: Expression, _ path: PropertyPath, _ way: Way, _ table: TableSchema
  ) -> PredicateNode {
    if way.column?.type == .point || way.column?.target == "Location", random.chance(0.7) {
      let shape = SpatialOperand.shape(values.shape())
      guard let distance = Distance.kilometers(5) else { return .constant(true) }
      if random.chance(0.5) { return .relation(path, random.pick(SpatialRelation.allCases), shape) }
      return .distance(
        path, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), shape,
        distance)
    }
    let comparison = random.pick(ComparisonOperator.allCases)
    switch random.below(8) {
    case 0: return .compare(expression, comparison, .value(.null), [])
    case 1: return .between(expression, constant(way), constant(way))
    case 2: return .isIn(expression, (0..<random.below(3)).map { _ in constant(way) }, [])
    case 3: return .match(expression, random.pick(MatchOperator.allCases), .value(.string("x")), [])
    case 4:
      let other = random.pick(table.properties.map { PropertyPath($0.name) })
      return .compare(expression, comparison, .expression(.path(other)), [])
    default: return .compare(expression, comparison, .value(constant(way)), [])
    }
  }

  /// A constant, usually of the property's type.
  private mutating func constant(_ way: Way) -> Value {
    if random.chance(0.1) { return values.value() }
    switch way.column?.type {
    case .bool: return .bool(true)
    case .int, .float, .double, .decimal128, nil:
      return random.pick([.int(1), .double(0.5), .double(.nan), .decimal(Decimal128(Int64(3)))])
    case .string: return .string("x")
    case .data: return .data([1])
    case .date: return random.pick([.date(0), .string("2024-05-01")])
    case .objectId: return .objectId(ObjectId())
    case .uuid: return .uuid(UUIDBytes(high: 1, low: 2))
    case .point: return .point(Position(latitude: 1, longitude: 2))
    case .geometry, .lineString, .polygon, .box: return .null
    case .mixed: return random.pick([.int(1), .string("x"), .bool(true)])
    case .link, .embedded:
      let target = way.column?.target.flatMap { KennelSchema.schema.table(named: $0) }
      return .link(random.chance(0.2) ? .nowhere : Link(table: target?.id ?? 1, key: 5))
    }
  }
}
