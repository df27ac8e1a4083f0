import CairnGeometry
import CairnStorage
import CairnValues

/// An object that no table has, such as one that a program has not added yet.
package protocol LooseObject {
  /// What a property holds; nil where the object has no property of that name.
  func item(_ property: String) -> LooseItem?
  /// Where the object is, if it has the shape of a location.
  var describedPosition: Position? { get }
}

/// What a property of such an object holds.
package enum LooseItem {
  case value(Value)
  case object(any LooseObject)
  case list([LooseItem])
  case map([(key: String, value: LooseItem)])
  /// A list or a map that a mixed value holds: one value, whose elements a subscript asks for.
  indirect case mixed(LooseItem)
}

extension Predicate {
  /// Whether an object that no table has meets the condition, which is bound to its class. It answers as a query does; an
  /// object in no store is equal to nothing.
  package func holds(for object: any LooseObject) -> Bool { LooseEvaluator.holds(root, object) }
}

/// Asks conditions of objects in memory, one by one.
private enum LooseEvaluator {
  static func holds(_ node: Node, _ object: any LooseObject) -> Bool {
    switch node {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { holds($0, object) }
    case .or(let parts): parts.contains { holds($0, object) }
    case .not(let part): !holds(part, object)
    case .compare(let subject, let comparison, .value(let value), let options):
      holds(.compare(comparison, value, options), subject, object)
    case .compare(let subject, let comparison, .subject(let other), let options):
      pair(subject, other, object) { a, b in
        options.isEmpty
          ? comparison.holdsInRow(a, b, isMixed: true)
          : FilterBuilder.foldedComparison(a, comparison, b, options)
      }
    case .compare(let subject, let comparison, .collection(let constant), _):
      equals(constant, subject, object, isEqual: comparison == .equal)
    case .match(_, _, .collection, _): false
    case .between(let subject, let low, let high): holds(.between(low, high), subject, object)
    case .isIn(let subject, let values, let options):
      holds(.isIn(values, options), subject, object)
    case .match(let subject, let match, .value(let value), let options):
      holds(.match(match, value, options), subject, object)
    case .match(let subject, let match, .subject(let other), let options):
      pair(subject, other, object) { FilterBuilder.matches($0, match, $1, options) }
    case .within(let path, let shape): within(path, shape, object)
    }
  }

  /// Whether a location lies in a shape; of no locations none does.
  private static func within(
    _ path: PropertyPath, _ shape: Shape, _ object: any LooseObject
  ) -> Bool {
    let test = ValueTest.within(shape.region)
    let places = values(of: path, object)
    if path.quantifier == .all { return !places.isEmpty && places.allSatisfy(test.holds) }
    return places.contains(where: test.holds)
  }

  /// Whether a list or a map in a mixed value is equal to one, or not.
  private static func equals(
    _ constant: CollectionConstant, _ subject: Subject, _ object: any LooseObject, isEqual: Bool
  ) -> Bool {
    guard case .path(let path) = subject else { return false }
    let found = items(.object(object), path.components[...])
    return path.quantifier == .all
      ? found.allSatisfy { constant.equals($0) == isEqual }
      : found.contains { constant.equals($0) == isEqual }
  }

  private static func holds(
    _ leaf: Leaf, _ subject: Subject, _ object: any LooseObject
  ) -> Bool {
    // Flags and numbers are equal in mixed values alone; elsewhere the constant has the type of its property.
    let test = leaf.test(isMixed: true)
    let values = values(of: subject, object)
    return subject.quantifier == .all
      ? values.allSatisfy(test.holds) : values.contains(where: test.holds)
  }

  private static func pair(
    _ left: Subject, _ right: Subject, _ object: any LooseObject, _ test: (Value, Value) -> Bool
  ) -> Bool {
    let others = values(of: right, object)
    let isAll = left.quantifier == .all
    let left = values(of: left, object)
    return isAll
      ? left.allSatisfy { a in others.contains { test(a, $0) } }
      : left.contains { a in others.contains { test(a, $0) } }
  }

  // MARK: Values

  private static func values(of subject: Subject, _ object: any LooseObject) -> [Value] {
    switch subject {
    case .path(let path): return values(of: path, object)
    case .aggregate(let function, let path, let below):
      return collections(path, object).map { elements in
        let steps = (below?.components ?? [])[...]
        let values = elements.flatMap { items($0, steps) }.compactMap(value)
        return total(function, values)
      }
    case .count(let path, let condition):
      return collections(path, object).map { elements in
        guard let condition else { return .int(Int64(elements.count)) }
        return .int(
          Int64(
            elements.count {
              guard case .object(let element) = $0 else { return false }
              return holds(condition, element)
            }))
      } + lengths(path, condition, object)
    }
  }

  /// The lengths of the texts and data that a path leads to.
  private static func lengths(
    _ path: PropertyPath, _ condition: Node?, _ object: any LooseObject
  ) -> [Value] {
    guard condition == nil else { return [] }
    return items(.object(object), path.components[...], keepsCollections: true).compactMap { item in
      guard case .value(let value) = item else { return nil }
      return value.length
    }
  }

  private static func values(of path: PropertyPath, _ object: any LooseObject) -> [Value] {
    items(.object(object), path.components[...]).compactMap(value)
  }

  /// A value as conditions see it: an object that is in no store equals nothing, as does a collection in a mixed value.
  private static func value(_ item: LooseItem) -> Value? {
    switch item {
    case .value(let value): value
    case .object(let object): object.describedPosition.map { .point($0) } ?? .link(.nowhere)
    case .list, .map, .mixed: .link(.nowhere)
    }
  }

  private static func total(_ function: AggregateFunction, _ values: [Value]) -> Value {
    var totals = ValueTotals()
    for value in values { totals.add(value) }
    return totals.value(function, values.first { !$0.isNull }?.type)
  }

  // MARK: Paths

  /// The collections at the end of a path, each with its elements.
  private static func collections(
    _ path: PropertyPath, _ object: any LooseObject
  ) -> [[LooseItem]] {
    items(.object(object), path.components[...], keepsCollections: true).compactMap { item in
      switch item {
      case .list(let elements): elements
      case .map(let entries): entries.map(\.value)
      case .value(.null): nil
      case .value, .object, .mixed: nil
      }
    }
  }

  /// What a path leads to from an item.
  ///
  /// - Parameter keepsCollections: whether a collection at the end stays one.
  private static func items(
    _ item: LooseItem, _ path: ArraySlice<PropertyPath.Component>, keepsCollections: Bool = false
  ) -> [LooseItem] {
    guard let step = path.first else {
      return keepsCollections ? [item] : elements(item) ?? [item]
    }
    let rest = path.dropFirst()
    func go(_ next: LooseItem) -> [LooseItem] {
      items(next, rest, keepsCollections: keepsCollections)
    }
    switch (step, contents(item)) {
    case (.property(let name), .object(let object)):
      return object.item(name).map(go) ?? [.value(.null)]
    case (.property, .list), (.property, .map):
      return (elements(item) ?? []).flatMap { items($0, path, keepsCollections: keepsCollections) }
    case (.key(let key), .map(let entries)):
      let entry = entries.last { $0.key.utf8.elementsEqual(key.utf8) }
      return go(entry?.value ?? .value(.null))
    case (.index(let index), .list(let elements)):
      return go(elements.indices ~= index ? elements[index] : .value(.null))
    case (.anyElement, _), (.allValues, _):
      return (elements(contents(item)) ?? []).flatMap(go)
    case (.allKeys, .map(let entries)): return entries.flatMap { go(.value(.string($0.key))) }
    case (.allKeys, _): return []
    default: return [.value(.null)]
    }
  }

  private static func elements(_ item: LooseItem) -> [LooseItem]? {
    switch item {
    case .list(let elements): elements
    case .map(let entries): entries.map(\.value)
    case .value, .object, .mixed: nil
    }
  }

  /// What a mixed value holds.
  private static func contents(_ item: LooseItem) -> LooseItem {
    if case .mixed(let inner) = item { inner } else { item }
  }
}
