import CairnStorage

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects in sections by a property, sorted by it. For a computed property, they are
  /// sorted by the stored property that it reads.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let order = SortDescriptor(keyPath: keyPath, ascending: ascending)
    return sectioned(by: keyPath, sortDescriptors: [order])
  }

  /// Returns the objects in sections by a property, sorted by descriptors. The first descriptor
  /// must name that property or, for a computed property, the stored property that it reads.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    requireNoLink(Key.self)
    let path = PropertyNames.path(of: keyPath)
    guard sortDescriptors[0].keyPath == path else {
      programmingError(
        "The section key path must match the primary sort descriptor: '\(path)', not "
          + "'\(sortDescriptors[0].keyPath)'.")
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// Returns the objects in sections by the key that the block computes, sorted by descriptors. The
  /// block must not write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    requireNoLink(Key.self)
    return SectionedResults(sorted(by: sortDescriptors), key: block)
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Returns the projections in sections by one of their properties, sorted by it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let path = Element.orderPath(of: keyPath)
    let order = SortDescriptor(keyPath: path, ascending: ascending)
    return sectioned(by: keyPath, sortDescriptors: [order])
  }

  /// Returns the projections in sections by one of their properties, sorted by descriptors. The
  /// first descriptor must name that property.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    let wanted = PropertyKeyPath(Element.orderPath(of: keyPath), of: Element.self)
    guard PropertyKeyPath(sortDescriptors[0].keyPath, of: Element.self).text == wanted.text else {
      programmingError(
        "The section key path must match the primary sort descriptor: '\(wanted.text)', not "
          + "'\(sortDescriptors[0].keyPath)'.")
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// Returns the projections in sections by the key that the block computes, sorted by descriptors.
  /// The block must not write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    requireNoLink(Key.self)
    return SectionedResults(sorted(by: sortDescriptors), key: block)
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// Returns the sorted values in sections by the key that the block computes. The block must not
  /// write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    requireNoLink(Key.self)
    return SectionedResults(sorted(ascending: ascending), key: block)
  }
}

private func requireNoLink<Key: _Persistable>(_ type: Key.Type) {
  let kind = Key._kind
  if kind.target != nil { programmingError("Links are not supported as section keys.") }
  if kind.collection != .none {
    programmingError("Collections are not supported as section keys.")
  }
}

extension [SortDescriptor] {
  fileprivate func requireOne() {
    if isEmpty {
      programmingError("There must be at least one SortDescriptor when using SectionedResults.")
    }
  }
}
