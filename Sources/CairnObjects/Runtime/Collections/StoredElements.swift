import CairnStorage
import CairnValues

/// The elements of a stored collection in one snapshot of the store, decoded one by one on access.
public struct StoredElements {
  enum Content {
    /// The encoded elements of the store.
    case packed(StoredCollection)
    /// Links, without those to deleted objects.
    case links([Int])
    /// The present content of the open transaction's draft.
    case draft(CollectionDraft)
    /// A collection in a mixed value, or a copy.
    case copied([StoredElement], keys: [MapKey])
  }

  let content: Content
  let session: Session
  /// The class that links lead to.
  let target: ClassHandle?
  /// Keeps the memory alive that `packed` refers to.
  let table: Table
  let isMap: Bool
  /// The reference to the collection, for collections nested in mixed values.
  var origin: CollectionReference?

  var count: Int {
    switch content {
    case .packed(let collection): collection.count
    case .links(let keys): keys.count
    case .draft(let draft): draft.count
    case .copied(let elements, _): elements.count
    }
  }

  /// The stored element at an index; links are bare keys.
  func element(at index: Int) -> StoredElement {
    switch content {
    case .packed(let collection) where collection.type == .mixed:
      StoredElement(collection.element(at: index))
    case .packed(let collection): StoredElement(collection.value(at: index))
    case .links(let keys): StoredElement(.int(Int64(keys[index])))
    case .draft(let draft): draft.element(at: index)
    case .copied(let elements, _): elements[index]
    }
  }

  /// The value at an index.
  func value(at index: Int) -> Value {
    if case .packed(let collection) = content { return collection.value(at: index) }
    return element(at: index).value
  }

  /// The object at an index; nil if the element is null or the object was deleted.
  func row(at index: Int) -> Row? {
    guard let target else { return nil }
    let key: Int
    switch content {
    case .packed(let links):
      if links.isNull(at: index) { return nil }
      key = Int(links.int(at: index))
    case .links(let keys): key = keys[index]
    default:
      guard case .int(let number) = element(at: index).value else { return nil }
      key = Int(number)
    }
    return target.table.isLive(key) ? Row(handle: target, key: key) : nil
  }

  /// The key at an index of a map; empty for other collections.
  func key(at index: Int) -> String {
    switch content {
    case .packed(let collection): collection.keyText(at: index)
    case .draft(let draft): (draft as? MapDraft)?.key(at: index).text ?? ""
    case .copied(_, let keys): keys[index].text
    case .links: ""
    }
  }

  /// The index of a key of a map; nil if the key is absent.
  func index(ofKey key: String) -> Int? {
    switch content {
    case .packed(let collection): collection.index(ofKey: key)
    case .draft(let draft): (draft as? MapDraft)?.index(of: MapKey(key))
    case .copied(_, let keys): keys.firstIndex(of: MapKey(key))
    case .links: nil
    }
  }

  /// The keys of all linked objects. A map may have null for some of its keys.
  var links: [Int] {
    switch content {
    case .packed(let collection) where !isMap:
      (0..<collection.count).map { Int(collection.int(at: $0)) }
    case .links(let keys): keys
    default: (0..<count).compactMap { row(at: $0)?.key }
    }
  }

  /// The same elements, unaffected by later changes in an open transaction.
  var unchanging: StoredElements {
    switch content {
    case .links, .copied: return self
    case .packed, .draft: break
    }
    if target != nil, !isMap { return with(.links(links)) }
    let keys = isMap ? (0..<count).map { MapKey(key(at: $0)) } : []
    return with(.copied(all, keys: keys))
  }

  private func with(_ content: Content) -> StoredElements {
    StoredElements(
      content: content, session: session, target: target, table: table, isMap: isMap,
      origin: origin)
  }

  /// All elements, decoded.
  var all: [StoredElement] {
    switch content {
    case .draft(let draft): draft.elements
    case .copied(let elements, _): elements
    case .packed, .links: (0..<count).map(element)
    }
  }
}

/// The stored form of one element of a collection: a value, or a collection in a mixed value.
public struct StoredElement {
  /// Null if `nested` is set. A link in a collection of objects is a bare key.
  let value: Value
  /// A list or a map.
  let nested: Element?

  init(_ value: Value) {
    self.value = value
    nested = nil
  }

  /// Creates an element of a mixed value.
  init(_ element: Element) {
    switch element {
    case .value(let value):
      self.value = value
      nested = nil
    case .list, .map:
      value = .null
      nested = element
    }
  }

  static var null: StoredElement { StoredElement(.null) }

  /// The element as a mixed value stores it.
  var element: Element { nested ?? .value(value) }

  var isNull: Bool { nested == nil && value.isNull }

  /// The order of elements in a set.
  static func setOrder(_ a: StoredElement, to b: StoredElement) -> Ordering {
    Value.setOrder(a.value, to: b.value)
  }
}

extension StoredElement: Hashable {
  /// Returns whether both have the same content.
  public static func == (a: StoredElement, b: StoredElement) -> Bool {
    a.value == b.value && a.nested == b.nested
  }

  /// Hashes the element consistently with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A key of a map, compared by its UTF-8 bytes, as in the store.
struct MapKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: MapKey, b: MapKey) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) { text.utf8.withBytes { hasher.combine(bytes: $0) } }

  /// The order of keys in a map.
  static func order(_ a: MapKey, b: MapKey) -> Ordering { .between(a.text, and: b.text) }
}
