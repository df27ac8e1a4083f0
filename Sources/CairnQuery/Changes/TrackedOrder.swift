import CairnStorage

/// Results in an order.
final class TrackedOrder: Tracked {
  private var members: MemberSet
  private var rows: OrderedRows

  /// Rows that come and go, as a part of the results, above which it is quicker to order all of them anew.
  private static let smallPart = 16

  init(_ execution: Execution, _ order: RowOrder) {
    let ranked = execution.rankedRows(order, reach: .max)
    rows = OrderedRows(ranked)
    members = MemberSet(ranked.lazy.map(\.key))
  }

  override var count: Int { rows.count }
  override var keys: [Int] { rows.keys }
  override func key(at place: Int) -> Int { rows.key(at: place) }

  override func update(_ step: TrackingStep) throws -> Changes {
    let (matching, execution) = try step.matching()
    let leaving = members.members(among: step.rows.deleted.union(step.reread))
    let observed = members.members(among: step.observed.subtracting(KeyRuns(rising: leaving)))
    guard !leaving.isEmpty || !observed.isEmpty || !matching.isEmpty else { return Changes() }
    var old: [OrderedRows.Standing] = []
    var quiet: [OrderedRows.Standing] = []
    if !leaving.isEmpty || !observed.isEmpty, let before = try step.order(of: step.old) {
      old = standings(of: leaving, before)
      quiet = standings(of: observed, before)
    }
    leave(old)
    let new = enter(matching, execution)
    return changes(old, new, quiet, step.observed)
  }

  /// Where rows stand that are among the results.
  private func standings(of keys: [Int], _ order: RowOrder) -> [OrderedRows.Standing] {
    guard !keys.isEmpty else { return [] }
    if !isLarge(keys.count) {
      let found = rows.standings(of: keys, in: order)
      if zip(keys.sorted(), found.map(\.key).sorted()).allSatisfy(==) { return found }
    }
    let wanted = MemberSet(keys)
    return rows.standings(where: wanted.contains)
  }

  private func isLarge(_ changed: Int) -> Bool {
    changed > 256 && changed > rows.count / Self.smallPart
  }

  private func leave(_ standings: [OrderedRows.Standing]) {
    rows.remove(standings.map(\.place))
    for standing in standings { members.remove(standing.key) }
  }

  /// Takes up rows that are not there; gives where they stand then.
  private func enter(_ keys: [Int], _ execution: Execution?) -> [OrderedRows.Standing] {
    guard !keys.isEmpty, let execution, let order = execution.plan.order else { return [] }
    for key in keys { members.insert(key) }
    if isLarge(keys.count) {
      rows = OrderedRows(execution.rankedRows(order, reach: .max))
      let wanted = MemberSet(keys)
      return rows.standings(where: wanted.contains)
    }
    for key in keys { rows.insert(order.ranked(key), in: order) }
    return rows.standings(of: keys, in: order)
  }

  /// - Parameters:
  ///   - old: rows that left their places, where they stood, in order.
  ///   - new: rows that took places, where they stand, in order.
  ///   - quiet: rows that changed only in what is observed, where they stood, in order.
  private func changes(
    _ old: [OrderedRows.Standing], _ new: [OrderedRows.Standing],
    _ quiet: [OrderedRows.Standing], _ observed: KeyRuns
  ) -> Changes {
    let stayed = Self.stayed(old, new)
    let newStayed = Set(stayed.map(\.new))
    let oldStayed = Set(stayed.map(\.old))
    var changes = Changes()
    for (number, standing) in old.enumerated() where !oldStayed.contains(number) {
      changes.deletions.append(standing.index)
      changes.deletedKeys.append(standing.key)
    }
    for (number, standing) in new.enumerated() where !newStayed.contains(number) {
      changes.insertions.append(standing.index)
      changes.insertedKeys.append(standing.key)
    }
    let modified = stayed.map { old[$0.old] }.filter { observed.contains($0.key) } + quiet
    for standing in modified.sorted(by: { $0.index < $1.index }) {
      changes.modifications.append(standing.index)
      changes.modifiedKeys.append(standing.key)
    }
    return changes
  }

  /// Rows that stand between the same rows that never left their places, and behind one another as before: as many as
  /// can be said of.
  private static func stayed(
    _ old: [OrderedRows.Standing], _ new: [OrderedRows.Standing]
  ) -> [(old: Int, new: Int)] {
    guard !old.isEmpty, !new.isEmpty else { return [] }
    let numbers = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.key, $0) })
    var pairs: [(old: Int, new: Int)] = []
    for (number, standing) in old.enumerated() {
      guard let other = numbers[standing.key],
        standing.index - number == new[other].index - other
      else { continue }
      pairs.append((number, other))
    }
    return SequenceDifference.longestRising(pairs)
  }
}

extension TrackingStep {
  /// The order of the results in one of the states.
  fileprivate func order(of table: Table?) throws -> RowOrder? {
    try table.flatMap { try Execution(query, on: $0).plan.order }
  }
}

extension RowOrder {
  /// A row with its rank.
  func ranked(_ key: Int) -> RankedRow {
    let rank = first.ascendingRank(key)
    return RankedRow(rank: first.isAscending ? rank : ~rank, key: key)
  }
}
