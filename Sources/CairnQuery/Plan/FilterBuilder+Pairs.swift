import CairnStorage
import CairnValues

/// Conditions on two expressions of one row.
extension FilterBuilder {
  /// The filter of such a condition.
  func pair(
    _ left: BoundExpression, condition: PairCondition, right: BoundExpression, node: BoundNode
  ) throws(QueryError) -> Filter {
    if case .path(let path) = left, case .path(let other) = right, let first = path.ownColumn,
      let second = other.ownColumn
    {
      return columns(
        table.column(first.position), condition, table.column(second.position), node: node)
    }
    let (left, right) = (try reader(left), try reader(right))
    return PairFilter(
      left, right: right, test: condition.test(isMixed: left.isMixed || right.isMixed),
      description: node.description)
  }

  /// The filter of a condition on two properties of the table's own rows.
  private func columns(
    _ left: Column, _ condition: PairCondition, _ right: Column, node: BoundNode
  ) -> Filter {
    let (type, other) = (left.schema.type, right.schema.type)
    if case .compare(let comparison, let options) = condition {
      if options.isEmpty,
        let filter = ColumnPairFilter(left, comparison: comparison, right: right)
      {
        return filter
      }
      let isFolded = type == .string && !comparison.isOrder
      if type == other, type.isStoredAsBytes, options.isEmpty || isFolded {
        return BytesPairFilter(
          left, comparison: comparison, right: right, options: options,
          description: node.description)
      }
    }
    return RowPairFilter(
      left, right, test: rows(condition, type, other), description: node.description)
  }

  /// The condition as a test of a row in two chunks.
  private func rows(
    _ condition: PairCondition, _ type: ValueType, _ other: ValueType
  ) -> RowPairTest {
    if case .match(let match, let options) = condition, type == other, type.isStoredAsBytes,
      options.isEmpty, let part = BytesPart(match)
    {
      return RowPairTest(cost: 20) { a, b, row in
        guard !a.isRowNull(row), !b.isRowNull(row) else { return false }
        return part.passes(a.rowBytes(row), part: b.rowBytes(row))
      }
    }
    // Folded parts and patterns need a matcher for each row.
    let test = condition.test(isMixed: false)
    return RowPairTest(cost: type == .string ? 300 : 40) { a, b, row in
      test(a.value(at: row, type: type), b.value(at: row, type: other))
    }
  }
}

/// The string operators that search for a part as it is.
private enum BytesPart {
  case prefix, suffix, middle

  /// Nil for patterns and searches.
  init?(_ match: MatchOperator) {
    switch match {
    case .beginsWith: self = .prefix
    case .endsWith: self = .suffix
    case .contains: self = .middle
    case .like, .matches, .search: return nil
    }
  }

  /// Whether the bytes have the part. An empty part matches nothing.
  func passes(_ bytes: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
    guard !part.isEmpty else { return false }
    return switch self {
    case .prefix: hasPrefix(bytes, part: part)
    case .suffix: hasSuffix(bytes, part: part)
    case .middle: isPart(part, of: bytes)
    }
  }
}

extension ValueType {
  /// Whether values are equal, and ordered, as their stored bytes are.
  fileprivate var isStoredAsBytes: Bool {
    switch self {
    case .string, .data, .objectId, .uuid, .geometry, .lineString, .polygon: true
    default: false
    }
  }
}
