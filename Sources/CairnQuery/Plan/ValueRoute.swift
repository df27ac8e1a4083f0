import CairnStorage
import CairnValues

/// The way to the one value of each row that a summary or a group is made of: a property of the row itself, or of an
/// object that links lead to.
struct ValueRoute {
  private let hops: [LinkHop]
  private let end: Column

  fileprivate init(_ hops: [LinkHop], _ end: Column) {
    self.hops = hops
    self.end = end
  }

  /// Gathers the summary of the values.
  func accumulator() -> Accumulator {
    hops.reversed().reduce(Accumulator.make(end)) { LinkedAccumulator($1, $0) }
  }

  /// Numbers the values.
  func groupColumn() -> GroupColumn {
    hops.reversed().reduce(GroupColumn.make(end)) { LinkedGroupColumn($1, $0) }
  }

  /// Gathers the summary of the values of every group.
  func groupTotals() -> GroupTotals {
    guard let first = hops.first else { return GroupTotals.make(end) }
    return AnyGroupTotals(first.column, accumulator)
  }
}

extension FilterBuilder {
  /// The ways to properties by their names; along links these stand behind one another: `dog.name`.
  func valueRoutes(_ names: [String]) throws(QueryError) -> [ValueRoute] {
    var routes: [ValueRoute] = []
    for name in names { routes.append(try valueRoute(name)) }
    return routes
  }

  private func valueRoute(_ name: String) throws(QueryError) -> ValueRoute {
    let names = name.utf8.split(separator: UInt8(ascii: "."))
    // A name of its own may have dots, and mistakes in a plain one have their own sentences.
    if table.schema.column(named: name) != nil || names.count < 2 {
      return ValueRoute([], try column(name))
    }
    let route = try route(
      PropertyPath(names.map { .property(String(decoding: $0, as: UTF8.self)) }))
    let hops = route.hops.compactMap { $0 as? LinkHop }
    guard hops.count == route.hops.count, case .column(let end) = route.end else {
      throw QueryError(
        .unsupportedType,
        "'\(name)' of class '\(table.schema.name)' leads to no single value of a property")
    }
    return ValueRoute(hops, end)
  }
}
