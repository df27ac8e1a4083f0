import CairnGeometry
import CairnQuery
import CairnStorage

// MARK: Sorting

extension RealmCollection {
  /// The objects, sorted by a property. The sort is stable.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects, sorted by several properties in order of precedence.
  public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Element> {
    let results = stored
    if case .values(let values) = results.content {
      return Results(.values(values.sorted(by: Array(descriptors))))
    }
    return results.ordered(by: Array(descriptors))
  }

  /// The objects, sorted by their distance from a point or another shape; 0 where they have a point
  /// in common. Objects without a location or geometry come last.
  ///
  /// - Parameters:
  ///   - keyPath: the location or geometry; needed only if the class has several.
  ///   - shape: the shape; with planar edges, a circle is a programming error.
  ///   - edges: what joins the vertices of the shape and of the objects. With planar edges, distances
  ///     are lengths in longitude and latitude, as on a flat map, otherwise lengths on the sphere.
  public func sorted(
    byKeyPath keyPath: String? = nil, distanceTo shape: some GeoShape,
    edges: GeoPolygon.Edges = .geodesic, ascending: Bool = true
  ) -> Results<Element> {
    stored.ordered(
      byDistanceOf: keyPath, from: shape.checkedShape(), edges: edges, isAscending: ascending)
  }

  /// The objects, nearest to a point or another shape first. With a limit, the query searches only
  /// for that many.
  ///
  ///     let five = stations.nearest(to: river).limit(5)
  ///
  /// - Parameters:
  ///   - shape: the shape; with planar edges, a circle is a programming error.
  ///   - keyPath: the location or geometry; needed only if the class has several.
  ///   - edges: what joins the vertices of the shape and of the objects. With planar edges, distances
  ///     are lengths in longitude and latitude, as on a flat map, otherwise lengths on the sphere.
  public func nearest(
    to shape: some GeoShape, byKeyPath keyPath: String? = nil, edges: GeoPolygon.Edges = .geodesic
  ) -> Results<Element> {
    sorted(byKeyPath: keyPath, distanceTo: shape, edges: edges)
  }
}

// MARK: Relevance

extension RealmCollection {
  /// The objects whose texts match a full-text search, the most relevant first.
  ///
  /// An object matches if one of its properties matches the search, as with `TEXT` in the predicate
  /// language. The relevance of a text grows with the number of times that it has the words, prefixes
  /// and phrases of the search, more for those that few texts have and less in long texts (BM25). The
  /// relevances of several properties add up.
  ///
  /// - Parameters:
  ///   - words: the search: words, `word*`, `-word` and `"a phrase"`.
  ///   - keyPaths: the properties, at least one; texts of the object itself.
  /// - Complexity: reads the texts that match. Full-text indexes find them.
  public func search(
    _ words: String, inKeyPaths keyPaths: some Sequence<String>
  ) -> Results<Element> {
    stored.searched(words, paths: keyPaths.map { PropertyKeyPath($0, of: Element.self) })
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects whose text matches a full-text search, the most relevant first.
  ///
  ///     let ten = articles.search("lighthouse harb*", in: \.text).limit(10)
  ///
  /// The relevance of a text grows with the number of times that it has the words, prefixes and
  /// phrases of the search, more for those that few texts have and less in long texts (BM25).
  ///
  /// - Parameters:
  ///   - words: the search: words, `word*`, `-word` and `"a phrase"`.
  ///   - keyPath: a text of the object itself.
  /// - Complexity: reads the texts that match. A full-text index finds them.
  public func search<Value: _Persistable>(
    _ words: String, in keyPath: KeyPath<Element, Value>
  ) -> Results<Element> where Value.PersistedType: _QueryText {
    search(words, inKeyPaths: [PropertyNames.path(of: keyPath)])
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects, sorted by a property. The property may belong to a linked or embedded object,
  /// such as `\.favoriteToy?.name`; a computed property sorts by the stored one that it reads.
  public func sorted<Value: _Persistable>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    sorted(byKeyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }

  /// The objects, sorted by the distance of a location or geometry from a point or another shape, on
  /// the sphere or with planar edges in the plane; 0 where they have a point in common. An embedded object may represent a
  /// location. Objects without a location or geometry come last. With a limit, the query searches
  /// only for that many.
  ///
  ///     let parcels = realm.objects(Parcel.self).sorted(by: \.area, distanceTo: station)
  public func sorted<Location: _QueryLocation>(
    by keyPath: KeyPath<Element, Location>, distanceTo shape: some GeoShape,
    edges: GeoPolygon.Edges = .geodesic, ascending: Bool = true
  ) -> Results<Element> {
    sorted(
      byKeyPath: PropertyNames.path(of: keyPath), distanceTo: shape, edges: edges,
      ascending: ascending)
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// The values in the order of their stored values. Nulls come first in ascending order and last in descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension Results {
  /// The results with an additional sort. It takes precedence, and the existing order decides
  /// between equal objects.
  fileprivate func ordered(by descriptors: [SortDescriptor]) -> Results {
    let keys = descriptors.map { descriptor in
      let keyPath = PropertyKeyPath(descriptor.keyPath, of: Element.self)
      keyPath.check(for: "sort", from: handle.table)
      return SortKey.property(keyPath.path, ascending: descriptor.ascending)
    }
    let results = modifyingQuery { $0.steps.append(.sort(keys)) }
    orFatal { try results.found.bind() }
    return results
  }

  fileprivate func searched(_ words: String, paths: [PropertyKeyPath]) -> Results {
    guard !paths.isEmpty else { programmingError("A search needs at least one property.") }
    for path in paths { path.check(for: "search", from: handle.table) }
    let matches = paths.map {
      PredicateNode.match(.path($0.path), .search, .value(.string(words)), [])
    }
    let results = refined(by: Predicate(matches.count == 1 ? matches[0] : .or(matches)))
      .modifyingQuery {
        $0.steps.append(
          .sort([.relevance(paths.map(\.path), search: words, ascending: false)]))
      }
    orFatal { try results.found.bind() }
    return results
  }

  fileprivate func ordered(
    byDistanceOf keyPath: String?, from shape: Shape, edges: GeoPolygon.Edges, isAscending: Bool
  ) -> Results {
    if case .circle = shape, edges == .planar {
      programmingError("A circle has no distances in the plane.")
    }
    // `location(_:)` has checked the property, so the query needs no check.
    let location = orFatal { try handle.location(keyPath) }
    return modifyingQuery {
      $0.steps.append(
        .sort([
          .distance(
            PropertyPath(location.name), from: shape, edges: edges, ascending: isAscending)
        ]))
    }
  }
}

extension ValueResultCache {
  /// The values in sorted order. Values have no properties, so `self` is the only key path.
  fileprivate func sorted(by descriptors: [SortDescriptor]) -> ValueResultCache {
    descriptors.reversed().reduce(self) { values, descriptor in
      guard descriptor.keyPath == "self" else {
        programmingError(
          "Cannot sort on key path '\(descriptor.keyPath)': arrays of '\(reference.typeName)' can "
            + "only be sorted on 'self'"
        )
      }
      return values.adding(.sort(ascending: descriptor.ascending))
    }
  }
}

// MARK: Prefixes

extension Results {
  /// The first elements, at most `maxLength`. The others are not even counted.
  public func prefix(_ maxLength: Int) -> Slice<Results> {
    Slice(base: self, bounds: 0..<count(upTo: maxLength))
  }

  private func count(upTo maxLength: Int) -> Int {
    guard maxLength > 0 else {
      if maxLength < 0 {
        programmingError("Can't take a prefix of negative length from a collection")
      }
      return 0
    }
    guard case .objects(let found) = content, found.key(at: maxLength - 1) != nil else {
      return Swift.min(maxLength, count)
    }
    return maxLength
  }
}

// MARK: Distinct and limit

extension RealmCollection {
  /// The objects without those that equal an earlier one in the given properties.
  public func distinct(by keyPaths: some Sequence<String>) -> Results<Element> {
    let results = stored
    let paths = keyPaths.map { PropertyKeyPath($0, of: Element.self) }
    for path in paths { path.check(for: "distinct", from: results.handle.table) }
    let distinct = results.modifyingQuery { $0.steps.append(.distinct(paths.map(\.path))) }
    orFatal { try distinct.found.bind() }
    return distinct
  }

  /// The values without duplicates; for objects, without repeated rows.
  public func distinct() -> Results<Element> {
    let results = stored
    guard case .values(let values) = results.content else { return results.unique }
    return Results(.values(values.adding(.distinct)))
  }

  /// The first elements, at most `count`.
  public func limit(_ count: Int) -> Results<Element> {
    limit(count, offset: 0)
  }

  /// At most `count` elements, after the first `offset`.
  public func limit(_ count: Int, offset: Int) -> Results<Element> {
    guard count >= 0, offset >= 0 else {
      programmingError("A limit and an offset must not be negative.")
    }
    let results = stored
    if case .values(let values) = results.content {
      return Results(.values(values.adding(.limit(offset: offset, count: count))))
    }
    return results.modifyingQuery { $0.steps.append(.limit(offset: offset, count: count)) }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects without those that equal an earlier one in the given properties.
  public func distinct(by keyPaths: some Sequence<PartialKeyPath<Element>>) -> Results<Element> {
    distinct(by: keyPaths.map { PropertyNames.path(of: $0) })
  }
}

/// A property to sort by, with a direction.
public struct SortDescriptor: Hashable, Sendable, ExpressibleByStringLiteral,
  ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByUnicodeScalarLiteral
{
  /// The property, or a path to one through links and embedded objects: `favoriteToy.name`.
  public let keyPath: String
  /// Whether small values come first.
  public let ascending: Bool

  /// Creates a descriptor for a property or path.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Creates a descriptor for the property of a key path. A computed property sorts by the stored
  /// one that it reads.
  public init<Root: ObjectBase, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool = true) {
    self.init(keyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }

  /// Creates a descriptor for the property of a key path. A computed property sorts by the stored
  /// one that it reads.
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    self.init(keyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }

  /// Creates an ascending descriptor for the property of that name.
  public init(stringLiteral keyPath: String) {
    self.init(keyPath: keyPath)
  }

  /// Returns a descriptor for the same property in the opposite direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: CustomStringConvertible {
  /// The property and the direction.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

/// The stored properties that key paths lead to, as dotted strings.
package enum PropertyNames {
  /// The path of a key path. A key path that reads no stored property, or several in parallel, is a
  /// programming error.
  static func path<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String {
    let names = KeyPathTracer.names(in: keyPath)
    if names.isEmpty {
      programmingError("The key path of '\(Root.self)' reads no stored property.")
    }
    return names.joined(separator: ".")
  }
}
