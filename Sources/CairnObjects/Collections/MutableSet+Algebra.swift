import CairnStorage

/// Questions.
extension MutableSet {
  /// Whether the set holds the element; objects of a realm are compared by their rows.
  public func contains(_ object: Element) -> Bool {
    guard let place else { return loose.contains(object) || looseContains(object) }
    return place.elements.setContains(object)
  }

  /// Whether a set in no realm holds an object under another instance.
  private func looseContains(_ element: Element) -> Bool {
    guard let object = element as? ObjectBase, object.row != nil else { return false }
    return loose.keys.contains { ($0 as? ObjectBase)?.isSameObject(as: object) == true }
  }

  /// Whether all elements are in the other set too.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    allSatisfy(possibleSuperset.contains)
  }

  /// Whether the sets have an element in common.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    contains(where: otherSet.contains)
  }
}

/// Changes. Of a set in a realm they need a write transaction.
extension MutableSet {
  /// Adds an element; one that is there already changes nothing.
  public func insert(_ object: Element) { insert(objectsIn: CollectionOfOne(object)) }

  /// Adds elements.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    let objects = Array(objects)
    guard let place else {
      for object in objects { loose.set(object, ()) }
      return
    }
    let stored = place.stored(objects)
    place.editSet { draft in
      for element in stored { _ = draft.insert(element) }
    }
  }

  /// Removes an element; one that is not there changes nothing.
  public func remove(_ object: Element) { remove(all: CollectionOfOne(object)) }

  /// Removes all elements.
  public func removeAll() {
    guard let place else { return loose.removeAll() }
    place.editSet { $0.removeAll() }
  }

  /// Adds the elements of another set.
  public func formUnion(_ other: MutableSet<Element>) { insert(objectsIn: other) }

  /// Removes the elements that another set has too.
  public func subtract(_ other: MutableSet<Element>) { remove(all: other) }

  /// Removes the elements that another set does not have.
  public func formIntersection(_ other: MutableSet<Element>) {
    remove(all: filter { !other.contains($0) } as [Element])
  }

  private func remove<S: Sequence>(all objects: S) where S.Element == Element {
    let objects = Array(objects)
    guard let place else {
      for object in objects { loose.remove(object) }
      return
    }
    place.checkWriting()
    let stored = objects.compactMap { place.elements.known($0) }
    place.editSet { draft in
      for element in stored { _ = draft.remove(element) }
    }
  }
}

extension StoredElements {
  /// What is stored for an element that may be among these; nil for an object that cannot be.
  func known<T: RealmCollectionValue>(_ element: T) -> StoredElement? {
    if let object = element.linkedObject {
      guard let row = object.row, row.handle.session === session, row.handle.table.isLive(row.key)
      else { return nil }
    }
    return element._element(in: CollectionOwner(session: session, embedding: nil))
  }

  /// Whether an element is in a set.
  func setContains<T: RealmCollectionValue>(_ element: T) -> Bool {
    known(element).map { place(inSet: $0) != nil } ?? false
  }

  /// The place of an element in a set; nil when it is not there.
  func place(inSet element: StoredElement) -> Int? {
    if case .draft(let draft) = content, let set = draft as? SetDraft, !set.contains(element) {
      return nil
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      switch StoredElement.setOrder(self.element(at: middle), element) {
      case .equal: return middle
      case .less: low = middle + 1
      case .greater: high = middle
      }
    }
    return nil
  }
}

extension RealmCollectionValue {
  /// The object that the element is or holds.
  var linkedObject: ObjectBase? {
    if let object = self as? ObjectBase { return object }
    if case .object(let object)? = self as? AnyRealmValue { return object }
    return nil
  }
}
