import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues

/// A generator of predicates of every form over `LinkedStore`. Constants are often values at the
/// end of their path.
struct RandomLinkedPredicate {
  let world: NaiveWorld
  var random: SplitMix64

  mutating func node(_ name: String, depth: Int = 2) -> PredicateNode {
    guard depth > 0, random.chance(0.5) else { return leaf(name, depth) }
    let parts = (0..<2 + random.below(2)).map { _ in node(name, depth: depth - 1) }
    switch random.below(3) {
    case 0: return .and(parts)
    case 1: return .or(parts)
    default: return .not(parts[0])
    }
  }

  private mutating func leaf(_ name: String, _ depth: Int) -> PredicateNode {
    let special: PredicateNode? =
      switch random.below(10) {
      case 0: within(name)
      case 1: pair(name)
      case 2: count(name, depth).map { number($0) }
      case 3: aggregate(name)
      default: nil
      }
    return special ?? condition(name)
  }

  /// A random path that satisfies a condition, or nil after too many failed attempts.
  private mutating func path(
    _ name: String, depth: Int = 3, where fits: (RandomPath) -> Bool
  ) -> RandomPath? {
    for _ in 0..<200 {
      let path = RandomPath(from: name, world, depth: random.below(depth + 1), &random)
      if fits(path) { return path }
    }
    return nil
  }

  /// A random value at the end of a path from a random row; not null.
  private mutating func constant(_ name: String, _ path: RandomPath) -> Value {
    let keys = world.tables[name]?.keys ?? []
    for _ in 0..<6 where !keys.isEmpty {
      let found = world.read(name, random.pick(keys), path.components[...])
      guard !found.isEmpty else { continue }
      let value = random.pick(found)
      if !value.isNull, value != .link(.nowhere), value.type != .link || fits(value, path) {
        return value
      }
    }
    return fallback(path)
  }

  private func fits(_ value: Value, _ path: RandomPath) -> Bool {
    guard case .link(let link) = value else { return true }
    return path.table == nil || world.schema(path.table ?? "")?.id == link.table
  }

  private mutating func fallback(_ path: RandomPath) -> Value {
    switch path.type {
    case .bool: .bool(true)
    case .int: .int(5)
    case .float: .float(2.5)
    case .double: .double(2.5)
    case .decimal128: .decimal(Decimal128(Int64(3)))
    case .string: .string("a")
    case .data: .data([1])
    case .date: .date(86400)
    case .objectId:
      [UInt8](repeating: 0, count: 12).withUnsafeBytes { .objectId(ObjectId(storedBytes: $0)) }
    case .uuid:
      [UInt8](repeating: 0, count: 16).withUnsafeBytes { .uuid(UUIDBytes(storedBytes: $0)) }
    case .point: .point(random.position())
    case .geometry, .lineString, .polygon, .box: .null
    case .mixed:
      random.pick([.int(1), .int(0), .double(1), .bool(true), .bool(false), .string("a"), .date(2)])
    case .link, .embedded:
      // A link to a live, deleted or missing row, or to no store at all.
      random.chance(0.1)
        ? .link(.nowhere)
        : .link(
          Link(table: world.schema(path.table ?? "")?.id ?? 0, key: random.below(60)))
    }
  }

  private mutating func condition(_ name: String) -> PredicateNode {
    let path = RandomPath(from: name, world, depth: random.below(4), &random)
    let expression = Expression.path(path.path(&random))
    let isOrdered = ![.bool, .point, .link, .embedded].contains(path.type)
    if random.chance(0.15) {
      return .compare(expression, random.pick([.equal, .notEqual]), .value(.null), [])
    }
    if [.string, .data, .mixed].contains(path.type), random.chance(0.35) {
      return text(expression, path)
    }
    switch random.below(5) {
    case 0:
      let values = (0..<random.below(5)).map { _ in
        random.chance(0.1) ? .null : constant(name, path)
      }
      // Only strings can be folded, also in a mixed property.
      let folds =
        path.type == .string
        || path.type == .mixed
          && values.allSatisfy { if case .string = $0 { true } else { false } }
      return .isIn(expression, values, folds ? random.pick(StringOptions.combinations) : [])
    case 1 where isOrdered && path.type != .data:
      return .between(expression, constant(name, path), constant(name, path))
    default:
      let operation = random.pick(
        isOrdered ? ComparisonOperator.allCases : [.equal, .notEqual])
      return .compare(expression, operation, .value(constant(name, path)), [])
    }
  }

  private mutating func text(_ expression: Expression, _ path: RandomPath) -> PredicateNode {
    if path.type == .data {
      return .match(
        expression, random.pick([.beginsWith, .endsWith, .contains]),
        .value(.data(random.bytes(random.below(3)))), [])
    }
    let options: StringOptions = random.pick([
      [], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ])
    let word = Value.string(random.word())
    if random.chance(0.3) {
      return .compare(expression, random.pick([.equal, .notEqual]), .value(word), options)
    }
    return .match(expression, random.pick(MatchOperator.allCases), .value(word), options)
  }

  private mutating func within(_ name: String) -> PredicateNode? {
    guard let path = path(name, where: { $0.type == .point || $0.table == "Place" }),
      let schema = world.schema(name)
    else { return nil }
    var shapes = RandomPredicate(
      table: NaiveTable(schema: schema), random: SplitMix64(seed: random.next()))
    return .relation(path.path(&random), .within, .shape(shapes.shape()))
  }

  private mutating func pair(_ name: String) -> PredicateNode? {
    for _ in 0..<200 {
      let left = RandomPath(from: name, world, depth: random.below(4), &random)
      let right = RandomPath(from: name, world, depth: random.below(3), &random)
      guard right.many == 0 else { continue }
      let areNumbers = left.type.isNumeric && right.type.isNumeric
      let isMixed = left.type == .mixed || right.type == .mixed
      guard areNumbers || left.type == right.type || isMixed, left.table == right.table || isMixed
      else { continue }
      let isOrdered = ![.bool, .point, .link, .embedded].contains(left.type)
      let expression = Expression.path(left.path(&random))
      let other = Operand.expression(.path(PropertyPath(right.components)))
      if left.type == .string, right.type == .string, random.chance(0.5) {
        return random.chance(0.5)
          ? .match(expression, random.pick(MatchOperator.betweenProperties), other, [])
          : .compare(expression, random.pick([.equal, .notEqual]), other, .caseInsensitive)
      }
      let operation = random.pick(isOrdered ? ComparisonOperator.allCases : [.equal, .notEqual])
      return .compare(expression, operation, other, [])
    }
    return nil
  }

  private mutating func count(_ name: String, _ depth: Int) -> Expression? {
    guard
      let path = path(name, where: { $0.canBeCounted })
    else { return nil }
    let whole = PropertyPath(
      path.many < 2 ? .one : random.pick([.any, .all]), components: path.components)
    guard let table = path.table, depth > 0, random.chance(0.6) else {
      return .count(whole, where: nil)
    }
    return .count(whole, where: node(table, depth: depth - 1))
  }

  private mutating func number(_ expression: Expression) -> PredicateNode {
    switch random.below(3) {
    case 0: .between(expression, .int(0), .int(Int64(random.below(3))))
    case 1: .isIn(expression, [.int(0), .int(2)], [])
    default:
      .compare(
        expression, random.pick(ComparisonOperator.allCases), .value(.int(Int64(random.below(4)))),
        [])
    }
  }

  private mutating func aggregate(_ name: String) -> PredicateNode? {
    let collection = path(name) {
      $0.canBeCounted
        && ($0.table != nil || $0.type.isNumeric || $0.type == .mixed)
    }
    guard let collection else { return nil }
    let whole = PropertyPath(
      collection.many < 2 ? .one : random.pick([.any, .all]), components: collection.components)
    var below: PropertyPath?
    if let table = collection.table {
      let rest = path(table, depth: 1) {
        $0.many == 0 && ($0.type.isNumeric || $0.type == .mixed)
      }
      guard let rest else { return nil }
      below = PropertyPath(rest.components)
    }
    let function = random.pick(AggregateFunction.allCases)
    let expression = Expression.aggregate(function, whole, of: below)
    if random.chance(0.2) {
      return .compare(expression, random.pick([.equal, .notEqual]), .value(.null), [])
    }
    if random.chance(0.2), whole.quantifier == .one {
      let age = name == "Toy" ? "price" : "age"
      if name == "Person" || name == "Dog" || name == "Toy" {
        return .compare(
          expression, random.pick(ComparisonOperator.allCases), .expression(.property(age)), [])
      }
    }
    return number(expression)
  }
}
