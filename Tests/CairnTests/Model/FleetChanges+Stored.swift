import Cairn

/// Changes of collections on those of a store.
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
