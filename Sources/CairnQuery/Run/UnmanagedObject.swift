import CairnStorage
import CairnValues

/// An object outside every table, such as one that a program has not added yet.
package protocol UnmanagedObject {
  /// The value of a property; nil if the object has no property of that name.
  func item(_ property: String) -> UnmanagedItem?
  /// The object's position, if the object has the shape of a location.
  var describedPosition: Position? { get }
}

/// The value of a property of an unstored object.
package enum UnmanagedItem {
  /// A single value.
  case value(Value)
  case object(any UnmanagedObject)
  /// The elements of a list or set.
  case list([UnmanagedItem])
  case map([(key: String, value: UnmanagedItem)])
  /// A list or a map inside a mixed value: one value, whose elements a subscript reads.
  indirect case mixed(UnmanagedItem)
}

extension BoundPredicate {
  /// Whether an unstored object of the class meets the condition. The result is the same as a
  /// query's. An unmanaged object equals nothing.
  package func holds(for object: any UnmanagedObject) -> Bool {
    UnmanagedEvaluator.holds(root, object: object)
  }
}

/// Evaluates conditions on objects in memory, one by one.
private enum UnmanagedEvaluator {
  static func holds(_ node: BoundNode, object: any UnmanagedObject) -> Bool {
    switch node {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { holds($0, object: object) }
    case .or(let parts): parts.contains { holds($0, object: object) }
    case .not(let part): !holds(part, object: object)
    case .values(let expression, let condition):
      holds(condition, expression: expression, object: object)
    case .pair(let left, let condition, let right):
      pair(left, right: right, object: object, test: condition.test(isMixed: true))
    case .collection(let path, let constant, let isEqual):
      equals(constant, path: path, object: object, isEqual: isEqual)
    case .spatial(let path, let condition, let shape):
      passes(path, object: object, test: SpatialTest(condition, shape: shape).holds)
    case .spatialPair(let path, let condition, let other, let edges):
      holds(
        SpatialPairTest(condition, edges: edges), path: path, other: other, object: object)
    }
  }

  /// Whether the values of a path pass with the single value of another.
  private static func holds(
    _ test: SpatialPairTest, path: BoundPath, other: BoundPath, object: any UnmanagedObject
  ) -> Bool {
    let right = values(of: other, object).first ?? .null
    return passes(path, object: object) { test.holds($0, right) }
  }

  /// Whether locations or geometries pass. Without values the result is false, also for ALL.
  private static func passes(
    _ path: BoundPath, object: any UnmanagedObject, test: (Value) -> Bool
  ) -> Bool {
    let values = values(of: path, object)
    if path.quantifier == .all { return !values.isEmpty && values.allSatisfy(test) }
    return values.contains(where: test)
  }

  /// Whether a list or a map in a mixed value equals the constant, or differs from it.
  private static func equals(
    _ constant: CollectionConstant, path: BoundPath, object: any UnmanagedObject, isEqual: Bool
  ) -> Bool {
    let found = items(.object(object), path: path.components[...])
    return path.quantifier == .all
      ? found.allSatisfy { constant.equals($0) == isEqual }
      : found.contains { constant.equals($0) == isEqual }
  }

  private static func holds(
    _ condition: ValueCondition, expression: BoundExpression, object: any UnmanagedObject
  ) -> Bool {
    // Flags and numbers are equal only in mixed values; elsewhere the constant has the type of its
    // property.
    let test = condition.test(isMixed: true)
    let values = values(of: expression, object)
    return expression.path.quantifier == .all
      ? values.allSatisfy(test.holds) : values.contains(where: test.holds)
  }

  private static func pair(
    _ left: BoundExpression, right: BoundExpression, object: any UnmanagedObject,
    test: (Value, Value) -> Bool
  ) -> Bool {
    let others = values(of: right, object)
    let isAll = left.path.quantifier == .all
    let left = values(of: left, object)
    return isAll
      ? left.allSatisfy { a in others.contains { test(a, $0) } }
      : left.contains { a in others.contains { test(a, $0) } }
  }

  // MARK: Values

  private static func values(
    of expression: BoundExpression, _ object: any UnmanagedObject
  ) -> [Value] {
    switch expression {
    case .path(let path): return values(of: path, object)
    case .length(let path):
      return items(.object(object), path: path.components[...], keepsCollections: true)
        .compactMap { item in
          guard case .value(let value) = item else { return nil }
          return value.length
        }
    case .aggregate(let function, let path, let depth):
      let (collection, below) = path.split(at: depth)
      return collections(collection, object: object).map { elements in
        let values = elements.flatMap { items($0, path: below[...]) }.compactMap(value)
        return total(function, values: values)
      }
    case .count(let path, let condition):
      return collections(path.components, object: object).map { elements in
        guard let condition else { return .int(Int64(elements.count)) }
        return .int(
          Int64(
            elements.count {
              guard case .object(let element) = $0 else { return false }
              return holds(condition, object: element)
            }))
      }
    }
  }

  private static func values(of path: BoundPath, _ object: any UnmanagedObject) -> [Value] {
    items(.object(object), path: path.components[...]).compactMap(value)
  }

  /// A value as conditions see it. An unmanaged object equals nothing, and neither does a
  /// collection in a mixed value.
  private static func value(_ item: UnmanagedItem) -> Value? {
    switch item {
    case .value(let value): value
    case .object(let object): object.describedPosition.map { .point($0) } ?? .link(.nowhere)
    case .list, .map, .mixed: .link(.nowhere)
    }
  }

  private static func total(_ function: AggregateFunction, values: [Value]) -> Value {
    var totals = ValueTotals()
    for value in values { totals.add(value) }
    return totals.value(function, type: values.first { !$0.isNull }?.type)
  }

  // MARK: Paths

  /// The collections at the end of a path, each with its elements. Null, as behind a null link, has
  /// none.
  private static func collections(
    _ path: [PropertyPath.Component], object: any UnmanagedObject
  ) -> [[UnmanagedItem]] {
    // `[*]` at the end means all of a list or a map in a mixed value.
    let whole = path.last == .anyElement ? path.dropLast() : path[...]
    return items(.object(object), path: whole, keepsCollections: true).map {
      elements(contents($0)) ?? []
    }
  }

  /// The items that a path leads to from an item.
  ///
  /// - Parameter keepsCollections: Whether a collection at the end is kept whole.
  private static func items(
    _ item: UnmanagedItem, path: ArraySlice<PropertyPath.Component>, keepsCollections: Bool = false
  ) -> [UnmanagedItem] {
    guard let step = path.first else {
      return keepsCollections ? [item] : elements(item) ?? [item]
    }
    let rest = path.dropFirst()
    func go(_ next: UnmanagedItem) -> [UnmanagedItem] {
      items(next, path: rest, keepsCollections: keepsCollections)
    }
    switch (step, contents(item)) {
    case (.property(let name), .object(let object)):
      return object.item(name).map(go) ?? [.value(.null)]
    case (.property, .list), (.property, .map):
      return (elements(item) ?? []).flatMap {
        items($0, path: path, keepsCollections: keepsCollections)
      }
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

  private static func elements(_ item: UnmanagedItem) -> [UnmanagedItem]? {
    switch item {
    case .list(let elements): elements
    case .map(let entries): entries.map(\.value)
    case .value, .object, .mixed: nil
    }
  }

  /// The content of a mixed value.
  private static func contents(_ item: UnmanagedItem) -> UnmanagedItem {
    if case .mixed(let inner) = item { inner } else { item }
  }
}

extension CollectionConstant {
  /// Whether an item of an unstored object is equal.
  func equals(_ item: UnmanagedItem) -> Bool {
    switch (self, item) {
    case (_, .mixed(let inner)): equals(inner)
    case (.value(let constant), .value(let value)):
      constant.isNull ? value.isNull : value.equals(constant)
    case (.list(let constants), .list(let items)):
      constants.count == items.count && zip(constants, items).allSatisfy { $0.equals($1) }
    case (.map(let constants), .map(let entries)):
      constants.count == entries.count
        && constants.allSatisfy { constant in
          let entry = entries.last { $0.key.utf8.elementsEqual(constant.key.utf8) }
          return entry.map { constant.value.equals($0.value) } ?? false
        }
    default: false
    }
  }
}
