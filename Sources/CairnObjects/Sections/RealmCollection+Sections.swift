import CairnStorage

extension RealmCollection where Element: ObjectBase {
  /// The objects in sections by a property, in its order; of a computed property in the order of the stored one
  /// that it reads.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let order = SortDescriptor(keyPath: keyPath, ascending: ascending)
    return sectioned(by: keyPath, sortDescriptors: [order])
  }

  /// The objects in sections by a property, in an order whose first descriptor is of that property, or, for a computed
  /// one, of the stored one that it reads.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    requireNoLink(Key.self)
    let path = PropertyNames.path(of: keyPath)
    guard sortDescriptors[0].keyPath == path else {
      programmingError(
        "The section key path must match the primary sort descriptor: '\(path)', not '\(sortDescriptors[0].keyPath)'."
      )
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// The objects in sections by what the callback makes of each, in an order. The callback must not write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    requireNoLink(Key.self)
    return SectionedResults(sorted(by: sortDescriptors), block)
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// The projections in sections by a property of theirs, in its order.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let path = Element.orderPath(of: keyPath)
    let order = SortDescriptor(keyPath: path, ascending: ascending)
    return sectioned(by: keyPath, sortDescriptors: [order])
  }

  /// The projections in sections by a property of theirs, in an order whose first descriptor is of that property.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    let wanted = PropertyKeyPath(Element.orderPath(of: keyPath), of: Element.self)
    guard PropertyKeyPath(sortDescriptors[0].keyPath, of: Element.self).text == wanted.text else {
      programmingError(
        "The section key path must match the primary sort descriptor: '\(wanted.text)', not '\(sortDescriptors[0].keyPath)'."
      )
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }

  /// The projections in sections by what the callback makes of each, in an order. The callback must not write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sortDescriptors.requireOne()
    requireNoLink(Key.self)
    return SectionedResults(sorted(by: sortDescriptors), block)
  }
}

extension RealmCollection where Element: _MappedValue, Element.PersistedType: SortableType {
  /// The values in sections by what the callback makes of each, in their order. The callback must not write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    requireNoLink(Key.self)
    return SectionedResults(sorted(ascending: ascending), block)
  }
}

extension RealmCollection where Element: SortableType {
  /// The values in sections by what the callback makes of each, in their order. The callback must not write.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    requireNoLink(Key.self)
    return SectionedResults(sorted(ascending: ascending), block)
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
