import Cairn

/// Collection changes applied to plain Swift collections.
extension SequenceChange {
  /// The change with transformed elements, or nil if its element is missing.
  func mapped<Other>(_ transform: ([Element]) -> [Other]) -> SequenceChange<Other>? {
    switch self {
    case .append(let elements): return .append(transform(elements))
    case .insert(let element, let place):
      return transform([element]).first.map { .insert($0, at: place) }
    case .replace(let place, let element):
      return transform([element]).first.map { .replace(at: place, $0) }
    case .remove(let place): return .remove(at: place)
    case .removeRange(let a, let b): return .removeRange(a, b)
    case .move(let a, let b): return .move(a, b)
    case .swap(let a, let b): return .swap(a, b)
    case .assign(let elements): return .assign(transform(elements))
    case .removeAll: return .removeAll
    }
  }

  /// The change with valid indexes, or nil if it needs an element of an empty collection.
  func placed(in count: Int) -> SequenceChange? {
    switch self {
    case .insert(let element, let place): return .insert(element, at: place % (count + 1))
    case .removeRange(let a, let b):
      let (low, high) = (a % (count + 1), b % (count + 1))
      return .removeRange(min(low, high), max(low, high))
    case .replace, .remove, .move, .swap: if count == 0 { return nil }
    default: return self
    }
    switch self {
    case .replace(let place, let element): return .replace(at: place % count, element)
    case .remove(let place): return .remove(at: place % count)
    case .move(let a, let b): return .move(a % count, b % count)
    case .swap(let a, let b): return .swap(a % count, b % count)
    default: return nil
    }
  }

  /// Whether the change needs an element of an empty collection.
  func isIdle(in count: Int) -> Bool { placed(in: count) == nil }

  func apply(to array: inout [Element]) {
    switch placed(in: array.count) {
    case nil: break
    case .append(let elements): array += elements
    case .insert(let element, let place): array.insert(element, at: place)
    case .replace(let place, let element): array[place] = element
    case .remove(let place): array.remove(at: place)
    case .removeRange(let low, let high): array.removeSubrange(low..<high)
    case .move(let from, let to): array.insert(array.remove(at: from), at: to)
    case .swap(let a, let b): array.swapAt(a, b)
    case .assign(let elements): array = elements
    case .removeAll: array = []
    }
  }
}

extension SetChange {
  func mapped<Other>(_ transform: ([Element]) -> [Other]) -> SetChange<Other>? {
    switch self {
    case .insert(let elements): .insert(transform(elements))
    case .remove(let element): transform([element]).first.map { .remove($0) }
    case .formUnion(let elements): .formUnion(transform(elements))
    case .subtract(let elements): .subtract(transform(elements))
    case .formIntersection(let elements): .formIntersection(transform(elements))
    case .removeAll: .removeAll
    }
  }
}

extension SetChange where Element == SailorDraft {
  /// The change with sailors. Only existing sailors can be removed.
  func sailors<Other>(_ transform: ([SailorDraft]) -> [Other]) -> SetChange<Other>? {
    mapped { drafts in
      switch self {
      case .insert, .formUnion: return transform(drafts)
      default:
        return transform(drafts.filter { if case .existing = $0 { true } else { false } })
      }
    }
  }
}

extension SetChange where Element: Hashable {
  func apply(to set: inout Set<Element>) {
    switch self {
    case .insert(let elements), .formUnion(let elements): set.formUnion(elements)
    case .remove(let element): set.remove(element)
    case .subtract(let elements): set.subtract(elements)
    case .formIntersection(let elements): set.formIntersection(elements)
    case .removeAll: set = []
    }
  }
}

extension MapChange {
  /// The change with transformed values, in the order of the keys.
  func mapped<Other>(_ transform: (Value) -> Other) -> MapChange<Other> {
    switch self {
    case .set(let key, let value): return .set(key, transform(value))
    case .remove(let key): return .remove(key)
    case .merge(let entries): return .merge(entries.mappedInOrder { transform($1) })
    case .removeAll: return .removeAll
    }
  }

  func apply(to map: inout [String: Value]) {
    switch self {
    case .set(let key, let value): map[key] = .some(value)
    case .remove(let key): map[key] = nil
    case .merge(let entries): map.merge(entries) { _, new in new }
    case .removeAll: map = [:]
    }
  }
}

extension Dictionary where Key == String {
  /// The same keys with transformed values, in the order of the keys.
  func mappedInOrder<Other>(_ transform: (String, Value) -> Other) -> [String: Other] {
    var result: [String: Other] = [:]
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      result[key] = .some(transform(key, value))
    }
    return result
  }
}

/// Collection changes applied to stored collections.
extension SequenceChange where Element: RealmCollectionValue {
  func apply(to list: List<Element>) {
    switch placed(in: list.count) {
    case nil: break
    case .append(let elements):
      if elements.count == 1 { list.append(elements[0]) } else { list.append(objectsIn: elements) }
    case .insert(let element, let place): list.insert(element, at: place)
    case .replace(let place, let element): list[place] = element
    case .remove(let place): list.remove(at: place)
    case .removeRange(let low, let high): list.removeSubrange(low..<high)
    case .move(let from, let to): list.move(from: from, to: to)
    case .swap(let a, let b): list.swapAt(a, b)
    case .assign(let elements): list.replaceSubrange(0..<list.count, with: elements)
    case .removeAll: list.removeAll()
    }
  }
}

extension SetChange where Element: RealmCollectionValue {
  func apply(to set: MutableSet<Element>) {
    func other(_ elements: [Element]) -> MutableSet<Element> {
      let other = MutableSet<Element>()
      other.insert(objectsIn: elements)
      return other
    }
    switch self {
    case .insert(let elements):
      if elements.count == 1 { set.insert(elements[0]) } else { set.insert(objectsIn: elements) }
    case .remove(let element): set.remove(element)
    case .formUnion(let elements): set.formUnion(other(elements))
    case .subtract(let elements): set.subtract(other(elements))
    case .formIntersection(let elements): set.formIntersection(other(elements))
    case .removeAll: set.removeAll()
    }
  }
}

extension MapChange where Value: RealmCollectionValue {
  func apply(to map: Map<String, Value>) {
    switch self {
    case .set(let key, let value): map.updateValue(value, forKey: key)
    case .remove(let key): map.removeObject(for: key)
    case .merge(let entries):
      map.merge(entries.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }) {
        _, new in new
      }
    case .removeAll: map.removeAll()
    }
  }
}
