import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// Predicates evaluated row by row, with two-valued logic.
extension NaiveWorld {
  func holds(_ node: PredicateNode, _ name: String, _ key: Int) -> Bool {
    switch node {
    case .constant(let flag): return flag
    case .and(let parts): return parts.allSatisfy { holds($0, name, key) }
    case .or(let parts): return parts.contains { holds($0, name, key) }
    case .not(let part): return !holds(part, name, key)
    case .compare(let expression, let comparison, .value(let constant), let options):
      let isMixed = isMixed(expression, name)
      return passes(expression, name, key) { compares($0, comparison, constant, options, isMixed) }
    case .compare(let expression, let comparison, .expression(let other), let options):
      let isMixed = isMixed(expression, name) || isMixed(other, name)
      let right = values(other, name, key)[0]
      return passes(expression, name, key) { left in
        if left.isNaN && right.isNaN { return comparison == .equal }
        return compares(left, comparison, right, options, isMixed)
      }
    case .between(let expression, let low, let high):
      return passes(expression, name, key) {
        !low.isNull && !high.isNull && compares($0, .greaterOrEqual, low, [], false)
          && compares($0, .lessOrEqual, high, [], false)
      }
    case .isIn(let expression, let list, let options):
      let isMixed = isMixed(expression, name)
      return passes(expression, name, key) { value in
        list.contains { compares(value, .equal, $0, options, isMixed) }
      }
    case .match(let expression, let match, .value(let constant), let options):
      return passes(expression, name, key) { NaiveMatcher.looks($0, match, constant, options) }
    case .match(let expression, let match, .expression(let other), let options):
      let right = values(other, name, key)[0]
      return passes(expression, name, key) { NaiveMatcher.looks($0, match, right, options) }
    // The random trees have no list or map constants; see CollectionConstantTests and
    // MixedCollectionTests.
    case .compare(_, _, .collection, _), .match(_, _, .collection, _): return false
    case .relation(let path, .within, .shape(let shape)):
      let found = read(name, key, path.components[...])
      let region = NaiveMatcher.region(shape)
      let inside = found.map { value in
        place(value).map { region.contains(longitude: $0.longitude, latitude: $0.latitude) }
          ?? false
      }
      return path.quantifier == .all
        ? !inside.isEmpty && !inside.contains(false) : inside.contains(true)
    // The random trees have no other spatial conditions; see SpatialQueryTests.
    case .relation, .distance: return false
    }
  }

  private func passes(
    _ expression: Expression, _ name: String, _ key: Int, _ test: (Value) -> Bool
  ) -> Bool {
    let found = values(expression, name, key)
    return expression.isAll ? found.allSatisfy(test) : found.contains(where: test)
  }

  /// Compares two values. In mixed properties Booleans equal the numbers 0 and 1.
  private func compares(
    _ a: Value, _ comparison: ComparisonOperator, _ b: Value, _ options: StringOptions,
    _ isMixed: Bool
  ) -> Bool {
    if isMixed, !comparison.isOrder {
      switch (a, b) {
      case (.bool, .bool), (_, .null), (.null, _): break
      case (.bool(let flag), let other), (let other, .bool(let flag)):
        return other.equals(.int(flag ? 1 : 0)) == (comparison == .equal)
      default: break
      }
    }
    if b == .link(.nowhere) || a == .link(.nowhere) {
      return comparison == .notEqual
    }
    if case .string = b, !options.isEmpty, comparison == .notEqual {
      guard case .string = a else { return true }
    }
    return NaiveMatcher.compares(a, comparison, b, options)
  }

  private func isMixed(_ expression: Expression, _ name: String) -> Bool {
    guard case .path(let path) = expression else { return false }
    var schema = schema(name)
    var isMixed = false
    for case .property(let property) in path.components {
      guard let column = schema?.column(named: property) else {
        schema = schema?.inverse(named: property).flatMap { self.schema($0.origin) }
        continue
      }
      isMixed = column.type == .mixed
      if let target = column.target { schema = self.schema(target) }
    }
    return isMixed && path.components.last != .allKeys
  }

  // MARK: Expressions

  /// The values of an expression for a row.
  func values(_ expression: Expression, _ name: String, _ key: Int) -> [Value] {
    switch expression {
    case .path(let path): return read(name, key, path.components[...])
    case .count(let path, let condition):
      return collections(path, name, key).map { elements in
        .int(Int64(elements.filter { passes($0, condition, path, name) }.count))
      }
    case .aggregate(let function, let path, let below):
      let type = type(path, below, name)
      return collections(path, name, key).map { elements in
        let all = elements.flatMap { element -> [Value] in
          guard let below else { return [element] }
          guard case .link(let link) = element,
            let table = classes.tables.first(where: { $0.id == link.table })
          else { return [.null] }
          return read(table.name, link.key, below.components[...])
        }
        return aggregate(function, all.filter { !$0.isNull && !$0.isNaN }, type)
      }
    }
  }

  private func passes(
    _ element: Value, _ condition: PredicateNode?, _ path: PropertyPath, _ name: String
  ) -> Bool {
    guard let condition else { return true }
    guard case .link(let link) = element,
      let table = classes.tables.first(where: { $0.id == link.table })
    else { return false }
    return holds(condition, table.name, link.key)
  }

  /// The elements of each collection at the end of a path: one collection, or several with a
  /// quantifier.
  private func collections(_ path: PropertyPath, _ name: String, _ key: Int) -> [[Value]] {
    guard path.quantifier != .one else { return [read(name, key, path.components[...])] }
    // The path up to the object that owns the last collection.
    let owners = read(name, key, path.components.dropLast())
    let last = path.components.suffix(1)
    return owners.map { owner in
      guard case .link(let link) = owner,
        let table = classes.tables.first(where: { $0.id == link.table })
      else { return [] }
      return read(table.name, link.key, last)
    }
  }

  private func type(_ path: PropertyPath, _ below: PropertyPath?, _ name: String) -> ValueType {
    var schema = schema(name)
    var type = ValueType.int
    for case .property(let property) in path.components + (below?.components ?? []) {
      if let column = schema?.column(named: property) {
        type = column.type
        if let target = column.target { schema = self.schema(target) }
      } else {
        schema = schema?.inverse(named: property).flatMap { self.schema($0.origin) }
      }
    }
    return type
  }

  private func aggregate(
    _ function: AggregateFunction, _ values: [Value], _ type: ValueType
  ) -> Value {
    switch function {
    case .min: return values.min { Value.sortOrder($0, to: $1) == .less } ?? .null
    case .max: return values.max { Value.sortOrder($0, to: $1) == .less } ?? .null
    case .sum, .avg:
      let numbers = values.filter { $0.type?.isNumeric ?? false }
      if function == .avg, numbers.isEmpty { return .null }
      let count = numbers.count
      switch type {
      case .decimal128, .mixed:
        let sum = numbers.reduce(Decimal128(Int64(0))) { $0 + $1.decimal }
        return .decimal(function == .sum ? sum : sum / Decimal128(Int64(count)))
      case .int where function == .sum:
        let sum = numbers.reduce(Decimal128(Int64(0))) { $0 + $1.decimal }
        return Int64(sum.description).map(Value.int) ?? .decimal(sum)
      case .int:
        let sum = numbers.reduce(Decimal128(Int64(0))) { $0 + $1.decimal }
        return .double((Double(sum.description) ?? .nan) / Double(count))
      default:
        let sum = numbers.reduce(0.0) { $0 + $1.double }
        return .double(function == .sum ? sum : sum / Double(count))
      }
    }
  }
}

extension Value {
  fileprivate var double: Double {
    switch self {
    case .float(let number): Double(number)
    case .double(let number): number
    default: 0
    }
  }

  fileprivate var decimal: Decimal128 {
    switch self {
    case .int(let number): Decimal128(number)
    case .decimal(let number): number
    default: Decimal128(double)
    }
  }
}

extension Expression {
  var isAll: Bool {
    switch self {
    case .path(let path), .aggregate(_, let path, _), .count(let path, _):
      path.quantifier == .all
    }
  }
}
