import CairnStorage
import CairnValues

extension FilterBuilder {
  /// A condition on a subject.
  func filter(_ subject: Subject, _ leaf: Leaf, _ node: Node) throws(QueryError) -> Filter {
    if case .path(let path) = subject { return try filter(path, leaf, node) }
    let reader = try reader(subject)
    return ReaderFilter(
      reader, leaf.test(isMixed: false), words: Predicate(node).description)
  }

  /// Reads what a condition speaks of.
  private func reader(_ subject: Subject) throws(QueryError) -> SubjectReader {
    switch subject {
    case .path(let path): return .path(PathReader(try route(path)), path.quantifier)
    case .aggregate(let function, let path, let below):
      let whole = path.with(.any).appending(below?.components ?? [])
      return try each(path) { (first: Int) throws(QueryError) -> SubjectReader in
        .aggregate(function, PathReader(try route(whole, behind: first)))
      }
    case .count(let path, let condition):
      return try each(path) { (first: Int) throws(QueryError) -> SubjectReader in
        let reader = PathReader(try route(path.with(.any), behind: first))
        return try count(reader, condition, path)
      }
    }
  }

  private func count(
    _ reader: PathReader, _ condition: Node?, _ path: PropertyPath
  ) throws(QueryError) -> SubjectReader {
    guard let condition else { return .count(reader) }
    guard case .object = reader.route.end else {
      throw QueryError(.unsupportedType, "'\(path)' leads to no objects that a condition can ask")
    }
    let elements = reader.route.endTable
    let filter = try FilterBuilder(table: elements).filter(condition)
    return .matches(reader, KeySet(elements, filter, deadMatch: false))
  }

  /// A number for every collection that a path with a quantifier leads to, each in an object of its own.
  private func each(
    _ path: PropertyPath, _ number: (Int) throws(QueryError) -> SubjectReader
  ) throws(QueryError) -> SubjectReader {
    guard path.quantifier != .one else { return try number(0) }
    let whole = try route(path)
    // The last collection is the one that the number is made of.
    let last =
      whole.end.isMany || whole.below.contains(where: \.isMany)
      ? whole.hops.count : whole.hops.lastIndex(where: \.isMany) ?? 0
    let objects = PathReader(
      Route(
        hops: Array(whole.hops[..<last]), end: .object,
        endTable: last == 0 ? table : whole.hops[last - 1].target, below: []))
    return .each(objects, isAll: path.quantifier == .all, try number(last))
  }

  /// Where a path leads from the objects behind its first hops on.
  private func route(_ path: PropertyPath, behind first: Int) throws(QueryError) -> Route {
    let whole = try route(path)
    return Route(
      hops: Array(whole.hops[first...]), end: whole.end, endTable: whole.endTable,
      below: whole.below)
  }

  /// A condition on two subjects of one row.
  func pair(
    _ subject: Subject, _ leaf: PairLeaf, _ other: Subject, _ node: Node
  ) throws(QueryError) -> Filter {
    if case .path(let path) = subject, case .path(let second) = other,
      let left = try directColumn(path), let right = try directColumn(second)
    {
      switch leaf {
      case .compare(let comparison, let options):
        return try comparePair(left, comparison, right, options)
      case .match(let match, let options): return try matchPair(left, match, right, options)
      }
    }
    let (left, right) = (try reader(subject), try reader(other))
    return PairFilter(
      left, right, pairTest(leaf, isMixed: left.isMixed || right.isMixed),
      words: Predicate(node).description)
  }

  private func pairTest(
    _ leaf: PairLeaf, isMixed: Bool
  ) -> @Sendable (Value, Value) -> Bool {
    switch leaf {
    case .compare(let comparison, let options):
      if options.isEmpty { return { comparison.holdsInRow($0, $1, isMixed: isMixed) } }
      return { FilterBuilder.foldedComparison($0, comparison, $1, options) }
    case .match(let match, let options):
      return { FilterBuilder.matches($0, match, $1, options) }
    }
  }
}

extension PropertyPath {
  /// The path with more steps behind its own.
  fileprivate func appending(_ more: [Component]) -> PropertyPath {
    PropertyPath(quantifier, components + more)
  }
}
