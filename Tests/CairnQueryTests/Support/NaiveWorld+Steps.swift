import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// Orders and distinct over paths.
extension NaiveWorld {
  /// The keys of a query's result, in order.
  func keys(_ query: TableQuery, _ table: Table) throws -> [Int] {
    let name = query.table
    let bound = try query.predicate.bound(to: table.schema, in: table.classes).root
    var found = tables[name]?.keys ?? []
    if case .keys(let keys) = query.source { found = keys.filter { isLive(name, $0) } }
    found = found.filter { holds(bound, name, $0) }
    for step in query.steps {
      switch step {
      case .sort(let keys): found = sorted(found, keys, name)
      case .distinct(let paths):
        var seen: [[Value]] = []
        found = found.filter { key in
          if paths.contains(where: { isCutOff($0, name, key) }) { return false }
          let values = paths.map { read(name, key, $0.components[...])[0] }
          if seen.contains(where: { zip($0, values).allSatisfy(NaiveWorld.areOne) }) {
            return false
          }
          seen.append(values)
          return true
        }
      case .limit(let offset, let count):
        let left = found.dropFirst(offset)
        found = count.map { Array(left.prefix($0)) } ?? Array(left)
      }
    }
    return found
  }

  private static func areOne(_ a: Value, _ b: Value) -> Bool {
    a == b || a.equals(b) || (a.isNaN && b.isNaN)
  }

  /// Whether a link on the way is null.
  private func isCutOff(_ path: PropertyPath, _ name: String, _ key: Int) -> Bool {
    for length in 1..<max(1, path.components.count) {
      // What a subscript is of is no link.
      guard case .property = path.components[length] else { continue }
      if read(name, key, path.components[..<length])[0].isNull { return true }
    }
    return false
  }

  private func sorted(_ found: [Int], _ keys: [SortKey], _ name: String) -> [Int] {
    found.enumerated().sorted { a, b in
      for key in keys {
        let order = order(a.element, b.element, key, name)
        if order != .equal { return order == .less }
      }
      return a.offset < b.offset
    }
    .map(\.element)
  }

  private func order(_ a: Int, _ b: Int, _ key: SortKey, _ name: String) -> Ordering {
    switch key {
    case .property(let path, let ascending):
      let cut = (isCutOff(path, name, a), isCutOff(path, name, b))
      // A null link comes last ascending, first descending.
      var order = Ordering(cut.0 ? 1 : 0, cut.1 ? 1 : 0)
      if order == .equal, !cut.0 {
        order = Value.sortOrder(
          read(name, a, path.components[...])[0], read(name, b, path.components[...])[0])
      }
      return ascending ? order : order.reversed
    case .distance(let path, let longitude, let latitude, let ascending):
      let places = [a, b].map { place(read(name, $0, path.components[...])[0]) }
      guard let first = places[0], let second = places[1] else {
        return Ordering(places[0] == nil ? 1 : 0, places[1] == nil ? 1 : 0)
      }
      let order = Ordering(
        Sphere.angle(first.latitude, first.longitude, latitude, longitude),
        Sphere.angle(second.latitude, second.longitude, latitude, longitude))
      return ascending ? order : order.reversed
    }
  }
}
