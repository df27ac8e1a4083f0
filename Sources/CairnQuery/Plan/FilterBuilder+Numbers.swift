import CairnStorage
import CairnValues

/// Conditions on a number that is made of a collection.
extension FilterBuilder {
  /// Such a condition is asked of the objects that have the collection, and followed from them back to the table's
  /// own rows.
  ///
  /// - Parameters:
  ///   - below: where the numbers lie below the collection's elements.
  ///   - make: the condition on the objects; its route begins at them.
  func numberFilter(
    _ collection: PropertyPath, below: [PropertyPath.Component] = [], _ leaf: Leaf,
    ofNothing nothing: (Route) -> Value,
    _ make: (FilterBuilder, Route) throws(QueryError) -> Filter
  ) throws(QueryError) -> Filter {
    let owners = try route(collection).hopsToOwners(collection.quantifier)
    let route = try route(PropertyPath(collection.quantifier, collection.components + below))
    func origin(_ place: Int) -> Table { place == 0 ? table : route.hops[place - 1].target }
    let ofNothing = leaf.test(isMixed: false).holds(nothing(route))
    var found = try make(FilterBuilder(table: origin(owners)), route.behind(owners))
    for place in (0..<owners).reversed() {
      let isMany = route.hops[(place + 1)..<owners].contains(where: \.isMany)
      found = route.hops[place]
        .filter(
          found, of: origin(place), collection.quantifier,
          nullMatches: isMany ? collection.quantifier == .all : ofNothing)
    }
    return found
  }

  /// `@count`.
  func count(
    _ route: Route, _ leaf: Leaf, _ words: @escaping @Sendable () -> String
  ) -> Filter {
    let test = leaf.test(isMixed: false)
    if let hop = route.onlyLinks, route.endsAtObject {
      return CountFilter(hop.column, hop.live, test, words: words())
    }
    if route.hops.isEmpty, route.below.isEmpty, route.end.isMany, let column = route.end.column {
      return CountFilter(column, nil, test, words: words())
    }
    return ReaderFilter(.count(PathReader(route)), test, words: words())
  }

  /// `SUBQUERY(…).@count`.
  func matchCount(
    _ route: Route, _ keys: KeySet, _ leaf: Leaf, _ words: @escaping @Sendable () -> String
  ) -> Filter {
    let test = leaf.test(isMixed: false)
    if let hop = route.onlyLinks {
      return MatchCountFilter(hop.column, keys, test, words: words())
    }
    return ReaderFilter(.matches(PathReader(route), keys), test, words: words())
  }

  /// `@sum` and its like.
  func aggregate(
    _ function: AggregateFunction, _ route: Route, _ leaf: Leaf,
    _ words: @escaping @Sendable () -> String
  ) -> Filter {
    if let type = route.valueType, [.int, .double, .float].contains(type) {
      if case .elements(let column) = route.end, route.hops.isEmpty {
        return TotalsFilter(column, function, leaf, words: words())
      }
      if case .column(let column) = route.end, let hop = route.onlyLinks {
        return LinkedTotalsFilter(hop, column, function, leaf, words: words())
      }
    }
    return ReaderFilter(
      .aggregate(function, PathReader(route)), leaf.test(isMixed: false), words: words())
  }
}

extension Route {
  /// How many hops lead to the objects that have the collection which a number is made of: with a quantifier up to the
  /// last collection, without one along links.
  fileprivate func hopsToOwners(_ quantifier: PropertyPath.Quantifier) -> Int {
    if quantifier == .one { return hops.prefix { $0 is LinkHop }.count }
    return placeOfLastCollection
  }

  /// The hop that is the last collection on the way, or the number of hops where that stands at the end.
  var placeOfLastCollection: Int {
    end.isMany || below.contains(where: \.isMany)
      ? hops.count : hops.lastIndex(where: \.isMany) ?? 0
  }

  /// The way on from the objects behind its first hops.
  func behind(_ first: Int) -> Route {
    Route(hops: Array(hops[first...]), end: end, endTable: endTable, below: below)
  }

  /// The list, set or map of links that is its only hop.
  fileprivate var onlyLinks: LinksHop? { hops.count == 1 ? hops[0] as? LinksHop : nil }
}
