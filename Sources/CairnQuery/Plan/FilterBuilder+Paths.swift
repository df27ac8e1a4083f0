import CairnGeometry
import CairnStorage
import CairnValues

extension FilterBuilder {
  /// Where a path leads.
  func route(_ path: PropertyPath, isLocation: Bool = false) throws(QueryError) -> Route {
    var finder = RouteFinder(path, from: table)
    return try finder.find(isLocation: isLocation)
  }

  /// The one column of a path that leads to a property of the object itself; nil for others.
  func directColumn(_ path: PropertyPath) throws(QueryError) -> Column? {
    guard let name = path.name, let schema = table.schema.column(named: name),
      schema.collection == .none, !schema.isLink, schema.type != .mixed
    else { return nil }
    return table.column(schema.position)
  }

  /// A condition on what a path leads to, followed from the values at its end back to the table's own rows.
  func filter(_ path: PropertyPath, _ leaf: Leaf, _ node: Node) throws(QueryError) -> Filter {
    if case .within = leaf {
    } else if let column = try directColumn(path) {
      return try filter(leaf, column)
    }
    let route = try route(path, isLocation: leaf.isWithin)
    let test = leaf.test(isMixed: route.isMixed)
    var place = route.hops.count
    var found: Filter
    if case .object = route.end, let link = try linkFilter(route, leaf) {
      place -= 1
      found = link
    } else {
      found = try FilterBuilder(table: route.endTable)
        .endFilter(route, path.quantifier, leaf, test, node)
    }
    while place > 0 {
      place -= 1
      let nullMatches =
        route.isMany(behind: place) ? path.quantifier == .all : test.holds(.null)
      let origin = place == 0 ? table : route.hops[place - 1].target
      found = route.hops[place]
        .filter(found, of: origin, path.quantifier, nullMatches: nullMatches)
    }
    return found
  }

  /// The condition on the objects at the end of the hops, this builder's table.
  private func endFilter(
    _ route: Route, _ quantifier: PropertyPath.Quantifier, _ leaf: Leaf, _ test: ValueTest,
    _ node: Node
  ) throws(QueryError) -> Filter {
    let isAll = quantifier == .all
    let words = { @Sendable in Predicate(node).description }
    switch route.end {
    case .object: return try objectFilter(leaf)
    case .column(let column) where !route.isMixed: return try filter(leaf, column)
    case .elements(let column) where !route.isMixed:
      let test = ElementTest(try elementFilter(leaf, column)) ?? .values(test)
      return ElementsFilter(column, test, isAll: isAll, words: words())
    case .entry(let column, let key) where !route.isMixed:
      let elements = ElementTest(try elementFilter(leaf, column)) ?? .values(test)
      return EntryFilter(
        column, key: key, elements, nullMatches: test.holds(.null), words: words())
    case .column, .elements, .entry, .keys:
      let reader = PathReader(
        Route(hops: [], end: route.end, endTable: table, below: route.below))
      return ReaderFilter(.path(reader, quantifier), test, words: words())
    }
  }

  /// The condition as a column of the elements' type would be asked, for its test of a value.
  private func elementFilter(_ leaf: Leaf, _ column: Column) throws(QueryError) -> Filter {
    if case .within = leaf {
      // Points within a collection are in no index.
      guard column.schema.type == .point else {
        throw mismatch(column, "has no location to lie within a shape")
      }
      return Filter()
    }
    return try filter(leaf, column)
  }

  // MARK: Objects

  /// A condition on which object it is.
  private func objectFilter(_ leaf: Leaf) throws(QueryError) -> Filter {
    switch leaf {
    case .constant(let value): return ConstantFilter(value)
    case .compare(let comparison, let value, _) where !comparison.isOrder || value.isNull:
      let isUnequal = comparison == .notEqual
      if value.isNull { return ConstantFilter(isUnequal) }
      return RowKeyFilter(keys(of: [value]), inverted: isUnequal)
    case .isIn(let values, _): return RowKeyFilter(keys(of: values), inverted: false)
    case .within(let region):
      guard let filter = LocationFilter(table, region) else {
        throw QueryError(
          .typeMismatch, "objects of class '\(table.schema.name)' have no location")
      }
      return filter
    case .compare, .between, .match, .length:
      throw QueryError(
        .typeMismatch, "objects of class '\(table.schema.name)' have no order and no text")
    }
  }

  /// The keys of objects of this table among constants.
  private func keys(of values: [Value]) -> [Int] {
    var keys: [Int] = []
    for case .link(let link) in values where link.table == table.schema.id { keys.append(link.key) }
    return keys.sortedWithoutRepeats()
  }

  /// A comparison of a link with an object, as one of the stored keys, which an index can answer; nil where that does
  /// not say it all.
  private func linkFilter(_ route: Route, _ leaf: Leaf) throws(QueryError) -> Filter? {
    guard let hop = route.hops.last as? LinkHop, case .compare(let comparison, let value, _) = leaf,
      !comparison.isOrder
    else { return nil }
    let isUnequal = comparison == .notEqual
    if value.isNull {
      return hop.live.hasDead ? nil : NullFilter(hop.column, isNull: !isUnequal)
    }
    guard case .link(let link) = value, link.table == hop.target.schema.id,
      hop.live.holds(link.key)
    else { return nil }
    let key = Int64(link.key)
    return IntegerFilter(
      hop.column,
      RangeCondition([Bounds(low: key, high: key)], inverted: isUnequal, nullsMatch: isUnequal))
  }

  // MARK: Locations

  /// `path GEOWITHIN shape`; all of none are in no shape.
  func within(_ path: PropertyPath, _ shape: Shape, _ node: Node) throws(QueryError) -> Filter {
    if let column = locationColumn(path) { return try within(column, region(shape)) }
    let filter = try filter(path, .within(region(shape)), node)
    guard path.quantifier == .all else { return filter }
    return AllFilter([filter, try self.filter(path.with(.any), .constant(true), node)])
  }

  /// The points of a path that is one property of the object itself; nil for others.
  private func locationColumn(_ path: PropertyPath) -> Column? {
    guard let name = path.name, let column = table.schema.column(named: name),
      column.collection == .none, let point = table.schema.point(for: column)
    else { return nil }
    return table.column(point.position)
  }

  /// The shape made ready; a polygon keeps that.
  private func region(_ shape: Shape) -> Region {
    switch shape {
    case .circle(let circle): Region(circle)
    case .box(let box): Region(box)
    case .polygon(let polygon): polygon.region
    }
  }
}
