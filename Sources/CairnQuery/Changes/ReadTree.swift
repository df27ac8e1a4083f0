import CairnStorage

/// What is read of an object: its own properties, and what lies behind them.
struct ReadTree: Hashable, Sendable {
  /// The numbers of its columns.
  var columns: Set<UInt16> = []
  /// All of its properties, besides.
  var hasEveryProperty = false
  /// What is read of the objects that a column's links lead to; the columns are read too.
  var links: [UInt16: ReadTree] = [:]
  /// What is read of the objects that link here; that they do is read too.
  var inverses: [InverseSchema: ReadTree] = [:]

  /// Whether a change of that column of the object itself counts.
  func reads(_ column: UInt16, of schema: TableSchema) -> Bool {
    if columns.contains(column) || links[column] != nil { return true }
    return hasEveryProperty && schema.properties.contains { $0.id == column }
  }

  mutating func add(_ other: ReadTree) {
    columns.formUnion(other.columns)
    hasEveryProperty = hasEveryProperty || other.hasEveryProperty
    links.merge(other.links) { $0.adding($1) }
    inverses.merge(other.inverses) { $0.adding($1) }
  }

  private func adding(_ other: ReadTree) -> ReadTree {
    var sum = self
    sum.add(other)
    return sum
  }
}
