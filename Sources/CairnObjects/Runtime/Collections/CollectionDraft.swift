import CairnStorage
import CairnSystem
import CairnValues

/// A collection that a transaction edits. It is decoded once, and encoded again when a query or the
/// commit needs it.
class CollectionDraft {
  /// Whether the draft has changes that are not in the store yet.
  var isDirty = false

  var kind: CollectionKind { requireOverride() }
  var count: Int { requireOverride() }
  /// The elements in order.
  var elements: [StoredElement] { requireOverride() }
  func element(at index: Int) -> StoredElement { requireOverride() }
  /// The bytes that the store keeps.
  func packed(_ type: ValueType) -> [UInt8] { requireOverride() }
  /// The collection as a mixed value holds it.
  var nested: Element { requireOverride() }
  /// Removes the links for which the test is false.
  func keepLinks(_ isLive: (Int) -> Bool) { requireOverride() }
}

/// An edited list.
final class ListDraft: CollectionDraft {
  var list: [StoredElement]

  override var kind: CollectionKind { .list }

  init(_ list: [StoredElement]) { self.list = list }

  override var count: Int { list.count }
  override var elements: [StoredElement] { list }
  override func element(at index: Int) -> StoredElement { list[index] }
  override var nested: Element { .list(list.map(\.element)) }

  override func packed(_ type: ValueType) -> [UInt8] {
    type == .mixed
      ? StoredCollection.encode(list.map(\.element))
      : StoredCollection.encode(list.map(\.value), of: type)
  }

  override func keepLinks(_ isLive: (Int) -> Bool) { list.removeAll { !$0.isLink(isLive) } }
}

/// An edited set.
final class SetDraft: CollectionDraft {
  private var entries = KeyedEntries<StoredElement, Void>(by: StoredElement.setOrder)

  override var kind: CollectionKind { .set }

  init(_ elements: [StoredElement]) {
    for element in elements { entries.set(element, payload: ()) }
  }

  override var count: Int { entries.count }

  override var elements: [StoredElement] {
    entries.sort()
    return entries.keys
  }

  override func element(at index: Int) -> StoredElement {
    entries.sort()
    return entries.keys[index]
  }

  override var nested: Element { programmingError("A mixed value cannot hold a set.") }

  override func packed(_ type: ValueType) -> [UInt8] {
    type == .mixed
      ? StoredCollection.encode(set: entries.keys.map(\.element))
      : StoredCollection.encode(set: entries.keys.map(\.value), of: type)
  }

  override func keepLinks(_ isLive: (Int) -> Bool) {
    for element in entries.keys where !element.isLink(isLive) { entries.remove(element) }
  }

  func contains(_ element: StoredElement) -> Bool { entries.contains(element) }
  /// Inserts an element; returns true if it was not in the set.
  func insert(_ element: StoredElement) -> Bool { entries.set(element, payload: ()) == nil }
  func remove(_ element: StoredElement) -> Bool { entries.remove(element) != nil }
  func removeAll() { entries.removeAll() }
}

/// An edited map.
final class MapDraft: CollectionDraft {
  private var entries = KeyedEntries<MapKey, StoredElement>(by: MapKey.order)

  override var kind: CollectionKind { .map }

  init(_ keys: [MapKey], elements: [StoredElement]) {
    for (key, element) in zip(keys, elements) { entries.set(key, payload: element) }
  }

  override var count: Int { entries.count }

  override var elements: [StoredElement] {
    entries.sort()
    return entries.payloads
  }

  override func element(at index: Int) -> StoredElement {
    entries.sort()
    return entries.payloads[index]
  }

  override func packed(_ type: ValueType) -> [UInt8] {
    guard type != .mixed else { return StoredCollection.encode(map: nestedEntries) }
    let pairs = zip(entries.keys, entries.payloads).map { (key: $0.text, value: $1.value) }
    return StoredCollection.encode(map: pairs, of: type)
  }

  override var nested: Element { .map(nestedEntries) }

  private var nestedEntries: [Element.Entry] {
    zip(entries.keys, entries.payloads).map { Element.Entry(key: $0.text, value: $1.element) }
  }

  /// Sets links that fail the test to null; their keys remain.
  override func keepLinks(_ isLive: (Int) -> Bool) {
    for (key, element) in zip(entries.keys, entries.payloads)
    where !element.isNull && !element.isLink(isLive) {
      entries.set(key, payload: .null)
    }
  }

  var keys: [MapKey] {
    entries.sort()
    return entries.keys
  }

  func key(at index: Int) -> MapKey {
    entries.sort()
    return entries.keys[index]
  }

  func index(of key: MapKey) -> Int? {
    entries.sort()
    return entries.index(of: key)
  }

  func set(_ key: MapKey, element: StoredElement) -> StoredElement? {
    entries.set(key, payload: element)
  }
  func remove(_ key: MapKey) -> StoredElement? { entries.remove(key) }
  func removeAll() { entries.removeAll() }
}

extension StoredElement {
  /// Whether the element is a link for which the test is true.
  fileprivate func isLink(_ isLive: (Int) -> Bool) -> Bool {
    guard case .int(let key) = value else { return false }
    return isLive(Int(key))
  }
}

/// Unique keys with their payloads, sorted only when a position is needed.
struct KeyedEntries<Key: Hashable, Payload> {
  private(set) var keys: [Key]
  private(set) var payloads: [Payload]
  private var indexes: [Key: Int]
  private var isOrdered = true
  /// The order of the keys; nil for insertion order.
  private let order: ((Key, Key) -> Ordering)?

  /// Creates an empty collection of entries.
  init(by order: ((Key, Key) -> Ordering)?) {
    keys = []
    payloads = []
    indexes = [:]
    self.order = order
  }

  var count: Int { keys.count }

  /// The present position of a key. Sorting changes it.
  func index(of key: Key) -> Int? { indexes[key] }

  func contains(_ key: Key) -> Bool { indexes[key] != nil }

  /// Sets the payload of a key; returns the old one.
  @discardableResult
  mutating func set(_ key: Key, payload: Payload) -> Payload? {
    if let index = indexes[key] {
      defer { payloads[index] = payload }
      return payloads[index]
    }
    isOrdered = isOrdered && isBehindAll(key)
    indexes[key] = keys.count
    keys.append(key)
    payloads.append(payload)
    return nil
  }

  /// Removes a key; returns its payload.
  @discardableResult
  mutating func remove(_ key: Key) -> Payload? {
    guard let index = indexes.removeValue(forKey: key) else { return nil }
    let payload = payloads[index]
    let (lastKey, lastPayload) = (keys.removeLast(), payloads.removeLast())
    if index < keys.count {
      keys[index] = lastKey
      payloads[index] = lastPayload
      indexes[lastKey] = index
      isOrdered = false
    }
    return payload
  }

  mutating func removeAll() {
    keys = []
    payloads = []
    indexes = [:]
    isOrdered = true
  }

  /// Sorts the entries.
  mutating func sort() {
    guard !isOrdered, let order else { return }
    let sorted = keys.indices.sorted { order(keys[$0], keys[$1]) == .less }
    keys = sorted.map { keys[$0] }
    payloads = sorted.map { payloads[$0] }
    for (index, key) in keys.enumerated() { indexes[key] = index }
    isOrdered = true
  }

  private func isBehindAll(_ key: Key) -> Bool {
    guard let order, let last = keys.last else { return true }
    return order(last, key) == .less
  }
}
