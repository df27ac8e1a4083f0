import CairnStorage

extension JoinExecution {
  /// A key by which pairs are sorted.
  package enum SortKey: Hashable, Sendable {
    /// By a property of one side, as rows are sorted by it. Left objects without a partner come last
    /// ascending by a property of the right side, and first descending.
    case property(Property, ascending: Bool)
    /// By the distance between the two.
    case distance(ascending: Bool)
  }

  /// Every pair, sorted. Pairs that are equal in all keys are in the order of ``pairs()``.
  ///
  /// - Throws: `QueryError` if a property does not exist or has no order.
  package func pairs(sortedBy keys: [SortKey]) throws -> [JoinPair] {
    let columns = try keys.map { try PairSortColumn($0, of: self) }
    let pairs = try pairs()
    guard let first = columns.first else { return pairs }
    let sortKeys = pairs.map { first.sortKey($0) }
    let order = pairs.indices.sorted { one, other in
      if sortKeys[one] != sortKeys[other] { return sortKeys[one] < sortKeys[other] }
      for column in columns {
        let order = column.order(pairs[one], and: pairs[other])
        if order != 0 { return order < 0 }
      }
      return one < other
    }
    return order.map { pairs[$0] }
  }
}

/// One key of an order of pairs.
private struct PairSortColumn {
  /// The sort column of a property, and its side; nil for distances.
  private let property: (column: SortColumn, side: JoinQuery.Side)?
  private let isAscending: Bool

  init(_ key: JoinExecution.SortKey, of join: JoinExecution) throws(QueryError) {
    switch key {
    case .distance(let isAscending):
      property = nil
      self.isAscending = isAscending
    case .property(let property, let isAscending):
      let table = (property.side == .left ? join.left : join.right).table
      let key = SortKey.property(property.name, ascending: isAscending)
      self.property = (
        try StepBinder(paths: PathBinder(table: table)).sortColumn(key), property.side
      )
      self.isAscending = isAscending
    }
  }

  /// The sort key of a pair, in the direction of the order.
  func sortKey(_ pair: JoinPair) -> UInt64 {
    let ascending: UInt64
    if let property {
      ascending = row(pair, property.side).map { property.column.ascendingSortKey($0) } ?? .max
    } else {
      ascending = pair.right == nil ? .max : NormalizedKey.of(pair.radians)
    }
    return isAscending ? ascending : ~ascending
  }

  /// The order of two pairs: negative, zero or positive.
  func order(_ one: JoinPair, and other: JoinPair) -> Int {
    if let property, let a = row(one, property.side), let b = row(other, property.side) {
      return property.column.fullOrder(a, and: b)
    }
    let (a, b) = (sortKey(one), sortKey(other))
    return a == b ? 0 : a < b ? -1 : 1
  }

  private func row(_ pair: JoinPair, _ side: JoinQuery.Side) -> Int? {
    side == .left ? pair.left : pair.right
  }
}
