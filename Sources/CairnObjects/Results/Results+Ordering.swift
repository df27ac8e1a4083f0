import CairnGeometry
import CairnQuery
import CairnStorage

extension Results {
  /// The objects by the values of a property; what was equal stays in the order it had.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects by several properties, the first of which counts most.
  public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results {
    ordered(by: descriptors.map { .property($0.keyPath, ascending: $0.ascending) })
  }

  /// The objects by their distance from a place; those without a location come last.
  ///
  /// - Parameter keyPath: the location; needed only where the class has several.
  public func sorted(
    byKeyPath keyPath: String? = nil, distanceTo place: GeoPoint, ascending: Bool = true
  ) -> Results {
    let location = trapping { try handle.location(keyPath) }
    // The location is known to be one, so that nothing is left to be checked.
    return unchecked(by: [
      .distance(
        location.name, longitude: place.longitude, latitude: place.latitude, ascending: ascending)
    ])
  }

  /// The objects nearest to a place first; with a limit only as many are looked for.
  ///
  /// - Parameter keyPath: the location; needed only where the class has several.
  public func nearest(to place: GeoPoint, byKeyPath keyPath: String? = nil) -> Results {
    sorted(byKeyPath: keyPath, distanceTo: place)
  }

  /// An order on top of the one there is, which decides between equals from then on.
  private func ordered(by keys: [SortKey]) -> Results {
    let results = unchecked(by: keys)
    trapping { try results.found.bind() }
    return results
  }

  private func unchecked(by keys: [SortKey]) -> Results {
    if !query.distinct.isEmpty {
      programmingError("Distinct results cannot be sorted; sort before distinct(by:).")
    }
    return asking { $0.sort = keys + $0.sort }
  }

  /// Of objects that are equal in these properties the first alone.
  public func distinct(by keyPaths: some Sequence<String>) -> Results {
    if !query.distinct.isEmpty {
      programmingError(
        "The results are distinct already; name all properties in one distinct(by:).")
    }
    let results = asking { $0.distinct = keyPaths.map { PropertyPath($0) } }
    trapping { try results.found.bind() }
    return results
  }

  /// The first objects alone, `count` of them at most.
  public func limit(_ count: Int) -> Results {
    limit(count, offset: 0)
  }

  /// `count` objects at most, after the first `offset` of them.
  public func limit(_ count: Int, offset: Int) -> Results {
    guard count >= 0, offset >= 0 else {
      programmingError("A limit and an offset are not negative.")
    }
    var query = query
    query.limit = Swift.max(0, Swift.min(count, (query.limit ?? .max) - offset))
    query.offset += offset
    return Results(handle: handle, query: query)
  }
}

/// A property to sort by, and the direction.
public struct SortDescriptor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The property.
  public let keyPath: String
  /// Whether small values come first.
  public let ascending: Bool

  /// Sorts by the property.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Sorts by the property of that name, small values first.
  public init(stringLiteral keyPath: String) {
    self.init(keyPath: keyPath)
  }

  /// The same property in the other direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}
