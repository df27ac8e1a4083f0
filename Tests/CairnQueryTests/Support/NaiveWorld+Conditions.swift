import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// Conditions held against one row at a time, with two-valued logic.
extension NaiveWorld {
  func holds(_ node: Node, _ name: String, _ key: Int) -> Bool {
    switch node {
    case .constant(let flag): return flag
    case .and(let parts): return parts.allSatisfy { holds($0, name, key) }
    case .or(let parts): return parts.contains { holds($0, name, key) }
    case .not(let part): return !holds(part, name, key)
    case .compare(let subject, let comparison, .value(let constant), let options):
      let isMixed = isMixed(subject, name)
      return passes(subject, name, key) { compares($0, comparison, constant, options, isMixed) }
    case .compare(let subject, let comparison, .subject(let other), let options):
      let isMixed = isMixed(subject, name) || isMixed(other, name)
      let right = values(other, name, key)[0]
      return passes(subject, name, key) { left in
        if left.isNaN && right.isNaN || left.isNull && right.isNull { return comparison == .equal }
        return compares(left, comparison, right, options, isMixed)
      }
    case .between(let subject, let low, let high):
      return passes(subject, name, key) {
        !low.isNull && !high.isNull && compares($0, .greaterOrEqual, low, [], false)
          && compares($0, .lessOrEqual, high, [], false)
      }
    case .isIn(let subject, let list, let options):
      let isMixed = isMixed(subject, name)
      return passes(subject, name, key) { value in
        list.contains { compares(value, .equal, $0, options, isMixed) }
      }
    case .match(let subject, let match, .value(let constant), let options):
      return passes(subject, name, key) { NaiveMatcher.looks($0, match, constant, options) }
    case .match(let subject, let match, .subject(let other), let options):
      let right = values(other, name, key)[0]
      return passes(subject, name, key) { NaiveMatcher.looks($0, match, right, options) }
    // The random trees have no lists and maps; CollectionConstantTests and MixedCollectionTests ask for them.
    case .compare(_, _, .collection, _), .match(_, _, .collection, _): return false
    case .within(let path, let shape):
      let found = read(name, key, path.components[...])
      let region = NaiveMatcher.region(shape)
      let inside = found.map { value in
        place(value).map { region.contains(longitude: $0.longitude, latitude: $0.latitude) }
          ?? false
      }
      return path.quantifier == .all
        ? !inside.isEmpty && !inside.contains(false) : inside.contains(true)
    }
  }

  private func passes(
    _ subject: Subject, _ name: String, _ key: Int, _ test: (Value) -> Bool
  ) -> Bool {
    let found = values(subject, name, key)
    return subject.isAll ? found.allSatisfy(test) : found.contains(where: test)
  }

  /// In mixed properties flags and the numbers 0 and 1 are equal.
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

  private func isMixed(_ subject: Subject, _ name: String) -> Bool {
    guard case .path(let path) = subject else { return false }
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

  // MARK: Subjects

  /// The values that a condition speaks of.
  func values(_ subject: Subject, _ name: String, _ key: Int) -> [Value] {
    switch subject {
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
    _ element: Value, _ condition: Node?, _ path: PropertyPath, _ name: String
  ) -> Bool {
    guard let condition else { return true }
    guard case .link(let link) = element,
      let table = classes.tables.first(where: { $0.id == link.table })
    else { return false }
    return holds(condition, table.name, link.key)
  }

  /// The elements of each collection that a path ends at: one, or with a quantifier as many as there are.
  private func collections(_ path: PropertyPath, _ name: String, _ key: Int) -> [[Value]] {
    guard path.quantifier != .one else { return [read(name, key, path.components[...])] }
    // Up to the object that holds the last collection.
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
    case .min: return values.min { Value.sortOrder($0, $1) == .less } ?? .null
    case .max: return values.max { Value.sortOrder($0, $1) == .less } ?? .null
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

extension Subject {
  var isAll: Bool {
    switch self {
    case .path(let path), .aggregate(_, let path, _), .count(let path, _):
      path.quantifier == .all
    }
  }
}
