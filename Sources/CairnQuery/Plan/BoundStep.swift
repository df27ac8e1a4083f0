import CairnStorage

/// A step of a query bound to the columns of its table.
enum BoundStep {
  case sort(RowOrder)
  case distinct([RowKey])
  case limit(offset: Int, count: Int?)
}

extension FilterBuilder {
  func steps(_ steps: [TableQuery.Step]) throws(QueryError) -> [BoundStep] {
    var bound: [BoundStep] = []
    for step in steps {
      switch step {
      case .sort(let keys):
        if let order = try order(keys) { bound.append(.sort(order)) }
      case .distinct(let paths): bound.append(.distinct(try rowKeys(paths)))
      case .limit(let offset, let count): bound.append(.limit(offset: offset, count: count))
      }
    }
    return bound
  }

  func rowKeys(_ paths: [PropertyPath]) throws(QueryError) -> [RowKey] {
    var keys: [RowKey] = []
    for path in paths { keys.append(try rowKey(path)) }
    return keys
  }

  private func rowKey(_ path: PropertyPath) throws(QueryError) -> RowKey {
    if let column = try directColumn(path) { return .column(column) }
    let route = try route(path)
    let column = route.hops.first.map(\.ownColumn) ?? route.end.column
    guard let column, !route.isMany else {
      throw QueryError(
        .unsupportedType,
        "'\(path)' of class '\(table.schema.name)' leads to several values; distinct needs one")
    }
    return .path(PathReader(route), column, name: "\(path)")
  }
}

extension BoundStep {
  /// The rows that are left, in their new order.
  func applied(to keys: [Int]) -> [Int] {
    switch self {
    case .sort(let order): return order.sorted(keys)
    case .distinct(let columns):
      let seen = Seen(columns)
      return keys.filter(seen.isNew)
    case .limit(let offset, let count):
      let left = keys.dropFirst(offset)
      return count.map { Array(left.prefix($0)) } ?? Array(left)
    }
  }
}
