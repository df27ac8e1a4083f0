import CairnStorage
import CairnValues

/// Conditions on a number that is computed from a collection.
extension FilterBuilder {
  /// The filter of such a condition. It is evaluated for the objects that own the collection, and
  /// then followed back along the links to the table's own rows.
  ///
  /// - Parameters:
  ///   - path: The path to the collection, or through it to the numbers below its elements.
  ///   - make: Returns the condition on the owners; its path begins at them.
  func numberFilter(
    _ path: BoundPath, comparison: Comparison, ofEmpty emptyValue: (LinkPath) -> Value,
    make: (FilterBuilder, LinkPath) throws(QueryError) -> Filter
  ) throws(QueryError) -> Filter {
    let linkPath = try LinkPath(path, of: table)
    let owners = linkPath.linkStepsToOwners(path.quantifier)
    func origin(_ index: Int) -> Table { index == 0 ? table : linkPath.linkSteps[index - 1].target }
    let ofEmpty = comparison.test(isMixed: false).holds(emptyValue(linkPath))
    var found = try make(FilterBuilder(table: origin(owners)), linkPath.behind(owners))
    for index in (0..<owners).reversed() {
      let isMany = linkPath.linkSteps[(index + 1)..<owners].contains(where: \.isMany)
      found = linkPath.linkSteps[index]
        .filter(
          found, of: origin(index), quantifier: path.quantifier,
          nullMatches: isMany ? path.quantifier == .all : ofEmpty, planner: Planner.scan)
    }
    return found
  }

  /// The filter of `@count`.
  func count(
    _ linkPath: LinkPath, comparison: Comparison, node: BoundNode
  ) -> Filter {
    let test = comparison.test(isMixed: false)
    if let linkStep = linkPath.onlyToManyStep, linkPath.endsAtObject {
      return CountFilter(
        linkStep.column, live: linkStep.live, test: test, description: node.description)
    }
    if linkPath.linkSteps.isEmpty, linkPath.below.isEmpty, linkPath.end.isMany,
      let column = linkPath.end.column
    {
      return CountFilter(column, live: nil, test: test, description: node.description)
    }
    return ReaderFilter(.count(PathReader(linkPath)), test: test, description: node.description)
  }

  /// The filter of `SUBQUERY(…).@count`.
  func matchCount(
    _ linkPath: LinkPath, keys: SemiJoinSet, comparison: Comparison, node: BoundNode
  ) -> Filter {
    let test = comparison.test(isMixed: false)
    if let linkStep = linkPath.onlyToManyStep {
      return MatchCountFilter(
        linkStep.column, keys: keys, test: test, description: node.description)
    }
    return ReaderFilter(
      .matches(PathReader(linkPath), keys), test: test, description: node.description)
  }

  /// The filter of `@sum` and the like.
  func aggregate(
    _ function: AggregateFunction, linkPath: LinkPath, comparison: Comparison, node: BoundNode
  ) -> Filter {
    if let type = linkPath.valueType, [.int, .double, .float].contains(type) {
      if case .elements(let column) = linkPath.end, linkPath.linkSteps.isEmpty {
        return TotalsFilter(
          column, function: function, comparison: comparison, description: node.description)
      }
      if case .column(let column) = linkPath.end, let linkStep = linkPath.onlyToManyStep {
        return LinkedTotalsFilter(
          linkStep, number: column, function: function, comparison: comparison,
          description: node.description)
      }
    }
    return ReaderFilter(
      .aggregate(function, PathReader(linkPath)), test: comparison.test(isMixed: false),
      description: node.description)
  }
}

extension LinkPath {
  /// The number of link steps to the objects that own the collection: with a quantifier up to the
  /// last collection, without one along the to-one links.
  fileprivate func linkStepsToOwners(_ quantifier: PropertyPath.Quantifier) -> Int {
    if quantifier == .one { return linkSteps.prefix { $0 is ToOneStep }.count }
    return indexOfLastCollection
  }

  /// The index of the last to-many step, or the number of link steps if the path ends in a
  /// collection.
  var indexOfLastCollection: Int {
    end.isMany || below.contains(where: \.isMany)
      ? linkSteps.count : linkSteps.lastIndex(where: \.isMany) ?? 0
  }

  /// The rest of the path behind its first link steps.
  func behind(_ first: Int) -> LinkPath {
    LinkPath(linkSteps: Array(linkSteps[first...]), end: end, endTable: endTable, below: below)
  }

  /// The only link step, if it is a list, set or map of links.
  fileprivate var onlyToManyStep: ToManyStep? {
    linkSteps.count == 1 ? linkSteps[0] as? ToManyStep : nil
  }
}
