import CairnStorage

extension JoinExecution {
  /// A property of one side, by its name or by its path through links.
  package struct Property: Hashable, Sendable {
    /// The side.
    package let side: JoinQuery.Side
    /// The name, with dots along links.
    package let name: String

    /// Names a property.
    package init(_ side: JoinQuery.Side, name: String) {
      self.side = side
      self.name = name
    }
  }

  /// Groups the pairs by properties of either side and sorts the groups. Each has the number of its
  /// pairs and the summaries of other properties, in which an object counts once for each pair.
  /// Left objects without a partner are in no group.
  ///
  /// - Parameter figures: The figures of the summaries in addition to the usual ones.
  package func groups(
    by properties: [Property], summarising others: [Property] = [],
    figures: SummaryFigures = SummaryFigures()
  ) throws -> [Group] {
    guard !properties.isEmpty else {
      throw QueryError(.invalidArgument, message: "groups need at least one property to group by")
    }
    let keys = try properties.map { ($0.side, try valuePath($0)) }
    let summarised = try others.map { ($0.side, try valuePath($0)) }
    let driver = usualDriver
    func make(_ candidates: [Int]) -> JoinGroupSink {
      JoinGroupSink(
        keys.map { ($0.1.groupColumn(), isDriver: $0.0 == driver) },
        totals: summarised.map { ($0.1.groupTotals(figures), isDriver: $0.0 == driver) },
        candidates: candidates)
    }
    if case .nearest = query.condition { return try nearestGroups(make) }
    let sinks: [JoinGroupSink] = try run(driver: driver) { candidates in
      let sink = make(candidates)
      sink.prepare(
        driver: self.side(driver).usedChunks, candidates: self.side(driver.other).usedChunks)
      return sink
    }
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    return sinks.first?.groups() ?? []
  }

  private func nearestGroups(_ make: ([Int]) -> JoinGroupSink) throws -> [Group] {
    let pairs = try pairs()
    let sink = make(pairs.map { $0.right ?? 0 })
    let oneRow = OneRow()
    for (index, pair) in pairs.enumerated() where pair.right != nil {
      oneRow.select(pair.left) {
        sink.take(index, chunk: RowAddress(pair.left).chunk, rows: $0)
      }
    }
    return sink.groups()
  }

  private func valuePath(_ property: Property) throws -> ValuePath {
    let table = side(property.side).table
    return try PathBinder(table: table).valuePaths([property.name])[0]
  }
}
