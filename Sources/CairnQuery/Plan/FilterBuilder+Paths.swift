import CairnStorage
import CairnValues

extension FilterBuilder {
  /// The filter of a condition on the values of a path. It is evaluated at the end of the path and
  /// followed back to the table's own rows.
  func filter(
    _ path: BoundPath, comparison: Comparison, node: BoundNode
  ) throws(QueryError) -> Filter {
    let path = comparison.isSpatial ? path.located : path
    if let column = path.ownColumn {
      return try filter(comparison, column: table.column(column.position))
    }
    let linkPath = try LinkPath(path, of: table)
    let test = comparison.test(isMixed: linkPath.isMixed)
    var index = linkPath.linkSteps.count
    var found: Filter
    if case .object = linkPath.end,
      let link = toOneSemiJoinFilter(linkPath, comparison: comparison)
    {
      index -= 1
      found = link
    } else {
      found = try FilterBuilder(table: linkPath.endTable)
        .endFilter(
          linkPath, quantifier: path.quantifier, comparison: comparison, test: test, node: node)
    }
    while index > 0 {
      index -= 1
      let nullMatches =
        linkPath.isMany(behind: index) ? path.quantifier == .all : test.holds(.null)
      let origin = index == 0 ? table : linkPath.linkSteps[index - 1].target
      found = linkPath.linkSteps[index]
        .filter(
          found, of: origin, quantifier: path.quantifier, nullMatches: nullMatches,
          planner: Planner.scan)
    }
    return found
  }

  /// The condition on the objects at the end of the link steps, which are this builder's table.
  private func endFilter(
    _ linkPath: LinkPath, quantifier: PropertyPath.Quantifier, comparison: Comparison,
    test: ValueTest, node: BoundNode
  ) throws(QueryError) -> Filter {
    let isAll = quantifier == .all
    switch linkPath.end {
    case .object: return objectFilter(comparison, node: node)
    case .column(let column) where !linkPath.isMixed: return try filter(comparison, column: column)
    case .elements(let column) where !linkPath.isMixed:
      let test = try elementFilter(comparison, column: column).elementTest ?? .values(test)
      return ElementsFilter(column, test: test, isAll: isAll, description: node.description)
    case .entry(let column, let key) where !linkPath.isMixed:
      let elements = try elementFilter(comparison, column: column).elementTest ?? .values(test)
      return EntryFilter(
        column, key: key, test: elements, nullMatches: test.holds(.null),
        description: node.description)
    case .column, .elements, .entry, .keys:
      let reader = PathReader(
        LinkPath(linkSteps: [], end: linkPath.end, endTable: table, below: linkPath.below))
      return ReaderFilter(.path(reader, quantifier), test: test, description: node.description)
    }
  }

  /// The filter for a column of the elements' type, used for its test of single values.
  private func elementFilter(_ comparison: Comparison, column: Column) throws(QueryError) -> Filter
  {
    // No index covers collections of locations.
    comparison.isSpatial ? Filter() : try filter(comparison, column: column)
  }

  // MARK: Objects

  /// The filter of a condition on the identity of the object.
  private func objectFilter(
    _ comparison: Comparison, node: BoundNode
  ) -> Filter {
    switch comparison {
    case .constant(let value): return ConstantFilter(value)
    case .values(.compare(let comparison, let value, _)) where !comparison.isOrder || value.isNull:
      let isUnequal = comparison == .notEqual
      if value.isNull { return ConstantFilter(isUnequal) }
      return RowKeyFilter(keys(of: [value]), inverted: isUnequal)
    case .values(.isIn(let values, _)): return RowKeyFilter(keys(of: values), inverted: false)
    case .spatial(let test):
      return LocationFilter(table, test: test, description: node.description)
        ?? ConstantFilter(false)
    // Objects are neither ordered nor texts, so nothing matches.
    case .values, .length: return ConstantFilter(false)
    }
  }

  /// The keys of this table's objects among the constants.
  private func keys(of values: [Value]) -> [Int] {
    var keys: [Int] = []
    for case .link(let link) in values where link.table == table.schema.id { keys.append(link.key) }
    return keys.sortedUnique()
  }

  /// A comparison of a link with an object, as a range of stored keys that an index can answer. Nil
  /// if that does not cover the comparison.
  private func toOneSemiJoinFilter(_ linkPath: LinkPath, comparison: Comparison) -> Filter? {
    guard let linkStep = linkPath.linkSteps.last as? ToOneStep,
      case .values(.compare(let comparison, let value, _)) = comparison,
      !comparison.isOrder
    else { return nil }
    let isUnequal = comparison == .notEqual
    if value.isNull {
      return linkStep.live.hasDeletedRows ? nil : NullFilter(linkStep.column, isNull: !isUnequal)
    }
    guard case .link(let link) = value, link.table == linkStep.target.schema.id,
      linkStep.live.holds(link.key)
    else { return nil }
    let key = Int64(link.key)
    return IntegerFilter(
      linkStep.column,
      condition: RangeCondition(
        [Bounds(low: key, high: key)], inverted: isUnequal, nullsMatch: isUnequal))
  }
}
