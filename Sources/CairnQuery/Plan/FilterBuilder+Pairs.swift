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
    if case .compare(let comparison, let options) = condition, options.isEmpty,
      let filter = ColumnPairFilter(left, comparison: comparison, right: right)
    {
      return filter
    }
    return RowPairFilter(
      left, right, test: rows(condition, left.schema.type, right.schema.type),
      description: node.description)
  }

  /// The condition as a test of a row in two chunks.
  private func rows(
    _ condition: PairCondition, _ type: ValueType, _ other: ValueType
  ) -> RowPairTest {
    if type == other, type.isStoredAsBytes {
      switch condition {
      case .compare(let comparison, let options) where options.isEmpty:
        return RowPairTest(cost: 10, holds: compareBytes(comparison))
      case .match(let match, let options) where options.isEmpty:
        if let part = BytesPart(match) {
          return RowPairTest(cost: 20) { a, b, row in
            guard !a.isRowNull(row), !b.isRowNull(row) else { return false }
            return part.passes(a.rowBytes(row), part: b.rowBytes(row))
          }
        }
      default: break
      }
    }
    // Folded texts and patterns need a matcher for each row.
    let test = condition.test(isMixed: false)
    return RowPairTest(cost: type == .string ? 300 : 40) { a, b, row in
      test(a.value(at: row, type: type), b.value(at: row, type: other))
    }
  }

  private func compareBytes(
    _ comparison: ComparisonOperator
  ) -> @Sendable (Chunk, Chunk, Int) -> Bool {
    let relation = comparison.relation
    let isUnequal = comparison == .notEqual
    let nullsMatch = relation.includesEqual
    return { a, b, row in
      let (isNull, isOtherNull) = (a.isRowNull(row), b.isRowNull(row))
      let holds =
        isNull || isOtherNull
        ? isNull && isOtherNull && nullsMatch
        : relation.holds(a.rowBytes(row), and: b.rowBytes(row))
      return holds != isUnequal
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
