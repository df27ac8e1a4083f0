import CairnGeometry
import CairnQuery
import CairnStorage

// MARK: Sorting

extension RealmCollection {
  /// The objects by the values of a property; what was equal stays in the order it had.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects by several properties, the first of which counts most.
  public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    let results = stored
    if case .values(let values) = results.content {
      return Results(.values(values.sorted(by: Array(descriptors))))
    }
    return results.ordered(by: Array(descriptors))
  }

  /// The objects by their distance from a place; those without a location come last.
  ///
  /// - Parameter keyPath: the location; needed only where the class has several.
  public func sorted(
    byKeyPath keyPath: String? = nil, distanceTo place: GeoPoint, ascending: Bool = true
  ) -> Results<Element> {
    stored.ordered(byDistanceOf: keyPath, to: place, ascending)
  }

  /// The objects nearest to a place first; with a limit only as many are looked for.
  ///
  /// - Parameter keyPath: the location; needed only where the class has several.
  public func nearest(to place: GeoPoint, byKeyPath keyPath: String? = nil) -> Results<Element> {
    sorted(byKeyPath: keyPath, distanceTo: place)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects by the values of a property, also one of a linked or embedded object, such as
  /// `\.favoriteToy?.name`; of a computed property by the stored one that it reads.
  public func sorted<Value: _Persistable>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    sorted(byKeyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }

  /// The objects by the distance of a location, a `GeoPoint` or an embedded object that is one, from a place; those
  /// without a location come last. With a limit only as many are looked for.
  public func sorted<Location: _QueryLocation>(
    by keyPath: KeyPath<Element, Location>, distanceTo place: GeoPoint, ascending: Bool = true
  ) -> Results<Element> {
    sorted(
      byKeyPath: PropertyNames.path(of: keyPath), distanceTo: place, ascending: ascending)
  }
}

extension RealmCollection where Element: SortableType {
  /// The values in their order; nulls come first, or last when large values do.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension Results {
  /// An order on top of the one there is, which decides between equals from then on.
  fileprivate func ordered(by descriptors: [SortDescriptor]) -> Results {
    let keys = descriptors.map { descriptor in
      let keyPath = PropertyKeyPath(descriptor.keyPath, of: Element.self)
      keyPath.check(for: "sort", from: handle.table)
      return SortKey.property(keyPath.path, ascending: descriptor.ascending)
    }
    let results = asking { $0.steps.append(.sort(keys)) }
    trapping { try results.found.bind() }
    return results
  }

  fileprivate func ordered(
    byDistanceOf keyPath: String?, to place: GeoPoint, _ isAscending: Bool
  ) -> Results {
    // The location is known to be one, so that nothing is left to be checked.
    let location = trapping { try handle.location(keyPath) }
    return asking {
      $0.steps.append(
        .sort([
          .distance(
            location.name, longitude: place.longitude, latitude: place.latitude,
            ascending: isAscending)
        ]))
    }
  }
}

extension FoundValues {
  /// The values in an order; they have no properties.
  fileprivate func sorted(by descriptors: [SortDescriptor]) -> FoundValues {
    descriptors.reversed().reduce(self) { values, descriptor in
      guard descriptor.keyPath == "self" else {
        programmingError(
          "Cannot sort on key path '\(descriptor.keyPath)': arrays of '\(place.typeName)' can only be sorted on 'self'"
        )
      }
      return values.adding(.sort(ascending: descriptor.ascending))
    }
  }
}

// MARK: The first

extension Results {
  /// The first elements, `maxLength` of them at most; the others are not even counted.
  public func prefix(_ maxLength: Int) -> Slice<Results> {
    Slice(base: self, bounds: 0..<count(upTo: maxLength))
  }

  private func count(upTo most: Int) -> Int {
    guard most > 0 else {
      if most < 0 { programmingError("Can't take a prefix of negative length from a collection") }
      return 0
    }
    guard case .objects(let found) = content, found.key(at: most - 1) != nil else {
      return Swift.min(most, count)
    }
    return most
  }
}

// MARK: Distinct and limit

extension RealmCollection {
  /// Of objects that are equal in these properties the first alone.
  public func distinct(by keyPaths: some Sequence<String>) -> Results<Element> {
    let results = stored
    let paths = keyPaths.map { PropertyKeyPath($0, of: Element.self) }
    for path in paths { path.check(for: "distinct", from: results.handle.table) }
    let distinct = results.asking { $0.steps.append(.distinct(paths.map(\.path))) }
    trapping { try distinct.found.bind() }
    return distinct
  }

  /// The values, each once; of objects the first for each row.
  public func distinct() -> Results<Element> {
    let results = stored
    guard case .values(let values) = results.content else { return results.eachOnce }
    return Results(.values(values.adding(.distinct)))
  }

  /// The first elements alone, `count` of them at most.
  public func limit(_ count: Int) -> Results<Element> {
    limit(count, offset: 0)
  }

  /// `count` elements at most, after the first `offset` of them.
  public func limit(_ count: Int, offset: Int) -> Results<Element> {
    guard count >= 0, offset >= 0 else {
      programmingError("A limit and an offset are not negative.")
    }
    let results = stored
    if case .values(let values) = results.content {
      return Results(.values(values.adding(.limit(offset: offset, count: count))))
    }
    return results.asking { $0.steps.append(.limit(offset: offset, count: count)) }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Of objects that are equal in these properties the first alone.
  public func distinct(by keyPaths: some Sequence<PartialKeyPath<Element>>) -> Results<Element> {
    distinct(by: keyPaths.map { PropertyNames.path(of: $0) })
  }
}
