import CairnStorage
import CairnValues

/// A collection that a transaction edits: decoded once, and packed again when a query or the commit needs it.
class CollectionDraft {
  /// Whether the store does not have it yet.
  var isDirty = false

  var kind: CollectionKind { .list }
  var count: Int { 0 }
  /// The elements in order.
  var elements: [StoredElement] { [] }
  func element(at place: Int) -> StoredElement { .null }
  /// The bytes that the store keeps.
  func packed(_ type: ValueType) -> [UInt8] { [] }
  /// The collection as a mixed value holds it.
  var nested: Element { .list([]) }
  /// Does away with links that the test does not hold for.
  func keepLinks(_ isLive: (Int) -> Bool) {}
}

/// A list that is edited.
final class ListDraft: CollectionDraft {
  var list: [StoredElement]

  init(_ list: [StoredElement]) { self.list = list }

  override var count: Int { list.count }
  override var elements: [StoredElement] { list }
  override func element(at place: Int) -> StoredElement { list[place] }
  override var nested: Element { .list(list.map(\.element)) }

  override func packed(_ type: ValueType) -> [UInt8] {
    type == .mixed
      ? StoredCollection.encode(list.map(\.element))
      : StoredCollection.encode(list.map(\.value), of: type)
  }

  override func keepLinks(_ isLive: (Int) -> Bool) { list.removeAll { !$0.isLink(isLive) } }
}

/// A set that is edited.
final class SetDraft: CollectionDraft {
  private var entries = KeyedEntries<StoredElement, Void>(by: StoredElement.setOrder)

  override var kind: CollectionKind { .set }

  init(_ elements: [StoredElement]) {
    for element in elements { entries.set(element, ()) }
  }

  override var count: Int { entries.count }

  override var elements: [StoredElement] {
    entries.settle()
    return entries.keys
  }

  override func element(at place: Int) -> StoredElement {
    entries.settle()
    return entries.keys[place]
  }

  override func packed(_ type: ValueType) -> [UInt8] {
    type == .mixed
      ? StoredCollection.encode(set: entries.keys.map(\.element))
      : StoredCollection.encode(set: entries.keys.map(\.value), of: type)
  }

  override func keepLinks(_ isLive: (Int) -> Bool) {
    for element in entries.keys where !element.isLink(isLive) { entries.remove(element) }
  }

  func contains(_ element: StoredElement) -> Bool { entries.contains(element) }
  /// True when it was not there before.
  func insert(_ element: StoredElement) -> Bool { entries.set(element, ()) == nil }
  func remove(_ element: StoredElement) -> Bool { entries.remove(element) != nil }
  func removeAll() { entries.removeAll() }
}

/// A map that is edited.
final class MapDraft: CollectionDraft {
  private var entries = KeyedEntries<MapKey, StoredElement>(by: MapKey.order)

  override var kind: CollectionKind { .map }

  init(_ keys: [MapKey], _ elements: [StoredElement]) {
    for (key, element) in zip(keys, elements) { entries.set(key, element) }
  }

  override var count: Int { entries.count }

  override var elements: [StoredElement] {
    entries.settle()
    return entries.payloads
  }

  override func element(at place: Int) -> StoredElement {
    entries.settle()
    return entries.payloads[place]
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

  /// The keys stay, with null.
  override func keepLinks(_ isLive: (Int) -> Bool) {
    for (key, element) in zip(entries.keys, entries.payloads)
    where !element.isNull && !element.isLink(isLive) {
      entries.set(key, .null)
    }
  }

  var keys: [MapKey] {
    entries.settle()
    return entries.keys
  }

  func key(at place: Int) -> MapKey {
    entries.settle()
    return entries.keys[place]
  }

  func place(of key: MapKey) -> Int? {
    entries.settle()
    return entries.anyPlace(of: key)
  }

  func set(_ key: MapKey, _ element: StoredElement) -> StoredElement? { entries.set(key, element) }
  func remove(_ key: MapKey) -> StoredElement? { entries.remove(key) }
  func removeAll() { entries.removeAll() }
}

extension StoredElement {
  /// Whether it leads to an object that the test holds for.
  fileprivate func isLink(_ isLive: (Int) -> Bool) -> Bool {
    guard case .int(let key) = value else { return false }
    return isLive(Int(key))
  }
}
