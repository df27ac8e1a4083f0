import CairnStorage
import CairnValues

/// The elements of a stored collection in one state of the store, read one by one where they stand.
public struct StoredElements {
  enum Content {
    /// As the store has them.
    case packed(StoredCollection)
    /// Links, without those to objects that were deleted.
    case links([Int])
    /// As the open transaction has left them.
    case draft(CollectionDraft)
    /// A collection in a mixed value, or a copy.
    case copied([StoredElement], keys: [MapKey])
  }

  let content: Content
  let session: Session
  /// The class that links lead to.
  let target: ClassHandle?
  /// Keeps the memory that `packed` looks into.
  let table: Table
  let isMap: Bool
  /// Where the elements stand, for collections within mixed values.
  var origin: CollectionPlace?

  var count: Int {
    switch content {
    case .packed(let collection): collection.count
    case .links(let keys): keys.count
    case .draft(let draft): draft.count
    case .copied(let elements, _): elements.count
    }
  }

  /// What is stored at a place; links are bare keys.
  func element(at place: Int) -> StoredElement {
    switch content {
    case .packed(let collection) where collection.type == .mixed:
      StoredElement(collection.element(at: place))
    case .packed(let collection): StoredElement(collection.value(at: place))
    case .links(let keys): StoredElement(.int(Int64(keys[place])))
    case .draft(let draft): draft.element(at: place)
    case .copied(let elements, _): elements[place]
    }
  }

  /// The value at a place.
  func value(at place: Int) -> Value {
    if case .packed(let collection) = content { return collection.value(at: place) }
    return element(at: place).value
  }

  /// The object at a place; nil where there is none, or it was deleted.
  func row(at place: Int) -> Row? {
    guard let target else { return nil }
    let key: Int
    switch content {
    case .packed(let links):
      if links.isNull(at: place) { return nil }
      key = Int(links.int(at: place))
    case .links(let keys): key = keys[place]
    default:
      guard case .int(let number) = element(at: place).value else { return nil }
      key = Int(number)
    }
    return target.table.isLive(key) ? Row(handle: target, key: key) : nil
  }

  /// The keys of a map; those of other collections are empty.
  func key(at place: Int) -> String {
    switch content {
    case .packed(let collection): collection.keyText(at: place)
    case .draft(let draft): (draft as? MapDraft)?.key(at: place).text ?? ""
    case .copied(_, let keys): keys[place].text
    case .links: ""
    }
  }

  /// The place of a key of a map; nil when it has none.
  func place(ofKey key: String) -> Int? {
    switch content {
    case .packed(let collection): collection.place(ofKey: key)
    case .draft(let draft): (draft as? MapDraft)?.place(of: MapKey(key))
    case .copied(_, let keys): keys.firstIndex(of: MapKey(key))
    case .links: nil
    }
  }

  /// The keys of all objects; a map may hold nothing under some of its keys.
  var links: [Int] {
    switch content {
    case .packed(let collection) where !isMap:
      (0..<collection.count).map { Int(collection.int(at: $0)) }
    case .links(let keys): keys
    default: (0..<count).compactMap { row(at: $0)?.key }
    }
  }

  /// The same elements, which later changes of an open transaction leave alone.
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
