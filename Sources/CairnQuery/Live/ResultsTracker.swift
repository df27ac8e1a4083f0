import CairnStorage

/// Tracks the results of a query and computes their changes since the last notification.
///
/// The tracker keeps one bit per row for unordered results, 16 bytes per result for ordered ones,
/// and no snapshot. The cost of a step grows with its changes: only rows that changed in something
/// the query reads, directly or behind links, are tested again. Queries with a limit, distinct
/// values or an order by relevance, and those over given rows, run again if anything changed that
/// they depend on. Confined to one thread at a time.
package final class ResultsTracker {
  /// The query.
  package let query: TableQuery
  /// The version of the snapshot that the results belong to.
  package private(set) var version: UInt64
  private let tracked: any IncrementalResults
  private var source: TableQuery.Source
  /// The bound condition and the dependencies of the query; computed again after classes are
  /// altered.
  private var condition: BoundPredicate
  private var reads: DependencySet

  /// Runs the query in a snapshot.
  ///
  /// - Parameters:
  ///   - table: The query's class in that snapshot.
  ///   - deadline: The time at which the first run of the query ends; nil for no limit.
  /// - Throws: An error in the query; `QueryDeadline.Missed`.
  package init(
    _ query: TableQuery, on state: Snapshot, table: Table, deadline: QueryDeadline? = nil
  ) throws {
    self.query = query
    version = state.version
    source = query.source
    let execution = try Execution(query, on: table, deadline: deadline)
    condition = execution.condition
    reads = try DependencySet(query, condition: condition, of: table)
    tracked = Self.tracked(execution)
    try deadline?.check()
  }

  private static func tracked(_ execution: Execution) -> any IncrementalResults {
    let plan = execution.plan
    guard plan.isPlain, plan.distinct.isEmpty, plan.offset == 0, plan.limit == nil,
      plan.order?.dependsOnAllRows != true
    else {
      return IncrementalKeys(execution)
    }
    guard let order = plan.order else { return IncrementalMembers(execution) }
    return IncrementalOrder(execution, order: order)
  }

  /// The number of results in the snapshot.
  package var count: Int { tracked.count }

  /// The keys of the results, in their order.
  package var keys: [Int] { tracked.keys }

  /// The key at an index, at little cost.
  package func key(at index: Int) -> Int { tracked.key(at: index) }

  /// Advances to the newer snapshot of a step, which must begin at the tracker's snapshot. Returns
  /// the changes of the results.
  ///
  /// An object that is still among the results is a modification if it changed in observed
  /// properties and kept its position relative to the results that did not change in anything the
  /// query reads. An object that moved is a deletion and an insertion.
  ///
  /// - Parameter source: The source of the rows in the newer snapshot, for queries over given rows;
  ///   nil to keep the source.
  /// - Throws: An error in the query in the newer snapshot, whose classes may have been altered.
  ///   The tracker is unchanged then.
  package func update(
    _ changes: ObjectChanges, observed: ObservedPaths, source: TableQuery.Source? = nil
  ) throws -> Changes {
    let log = changes.log
    var asked = query
    asked.source = source ?? self.source
    let new = log.new.table(query.table)
    if let new, log.isAltered {
      condition = try query.predicate.bound(to: new.schema, in: new.classes)
      reads = try DependencySet(query, condition: condition, of: new)
    }
    let found = try tracked.update(
      TrackingStep(
        changes: changes, query: asked, condition: condition, old: log.old.table(query.table),
        new: new, rows: log.changes(of: query.table),
        reread: changes.rows(query.table, tree: reads),
        observed: changes.modified(query.table, paths: observed)))
    self.source = asked.source
    version = log.new.version
    return found
  }
}

extension DependencySet {
  /// The dependencies of a query.
  init(_ query: TableQuery, condition: BoundPredicate, of table: Table) throws(QueryError) {
    self.init(condition.root, of: table)
    for step in query.steps {
      switch step {
      case .sort(let keys): try add(keys, of: table)
      case .distinct(let paths): for path in paths { try add(path, of: table) }
      case .limit: break
      }
    }
  }
}

/// The results of a query in one snapshot, in a form that is quick to update.
protocol IncrementalResults: AnyObject {
  /// The number of results.
  var count: Int { get }
  /// The keys of the results, in their order.
  var keys: [Int] { get }

  /// Returns the key of a result by its index in the order.
  func key(at index: Int) -> Int

  /// Advances to the newer snapshot of a step. Returns the changes of the results.
  func update(_ step: TrackingStep) throws -> Changes
}

/// A step of a tracked query from an older snapshot to a newer one.
struct TrackingStep {
  let changes: ObjectChanges
  /// The query for the newer snapshot.
  let query: TableQuery
  /// The query's condition, bound to the class in the newer snapshot.
  let condition: BoundPredicate
  /// The class in both snapshots; nil if the snapshot does not have it.
  let old: Table?
  let new: Table?
  /// The changes to the rows of the class.
  let rows: TableChanges
  /// The rows that are live in both snapshots and changed in something that the query reads.
  let reread: KeyRangeSet
  /// The rows that are live in both snapshots and changed in observed properties.
  let observed: KeyRangeSet

  /// Whether anything changed that the results depend on.
  var concernsResults: Bool { !rows.inserted.isEmpty || !rows.deleted.isEmpty || !reread.isEmpty }

  /// The results in the newer snapshot among the rows that were inserted or must be tested again,
  /// in ascending order.
  func matching() throws -> (keys: [Int], execution: Execution?) {
    let candidates = rows.inserted.union(reread)
    guard let new, !candidates.isEmpty else { return ([], nil) }
    let execution = try Execution(query, condition: condition, on: new)
    return (execution.matching(Array(candidates.keys)), execution)
  }
}

extension Execution {
  /// The keys that meet the condition. The given keys must be live and sorted.
  func matching(_ keys: [Int]) -> [Int] {
    if plan.filters.isEmpty { return keys }
    if keys.count == 1 { return matches(keys[0]) ? keys : [] }
    let sink = KeySink()
    _ = Scan(table, accessPath: .keys(keys, .result), filters: plan.filters)
      .run(0..<table.chunkCount, into: sink, scratch: scratch)
    return sink.keys
  }
}

/// Results that are computed again after a change that they depend on.
final class IncrementalKeys: IncrementalResults {
  private var cachedKeys: [Int]
  private var source: TableQuery.Source

  init(_ execution: Execution) {
    cachedKeys = execution.keys()
    source = execution.query.source
  }

  var count: Int { cachedKeys.count }
  var keys: [Int] { cachedKeys }
  func key(at index: Int) -> Int { cachedKeys[index] }

  func update(_ step: TrackingStep) throws -> Changes {
    var keys = cachedKeys
    if step.concernsResults || step.query.source != source {
      keys =
        try step.new.map {
          try Execution(step.query, condition: step.condition, on: $0).keys()
        } ?? []
    }
    source = step.query.source
    let changes = Changes(ofKeys: cachedKeys, to: keys, modified: step.observed, pairs: false)
    cachedKeys = keys
    return changes
  }
}

/// Results in key order.
final class IncrementalMembers: IncrementalResults {
  private var members: KeyBitSet

  init(_ execution: Execution) { members = KeyBitSet(execution) }

  var count: Int { members.count }
  var keys: [Int] { members.keys }
  func key(at index: Int) -> Int { members.key(at: index) }

  func update(_ step: TrackingStep) throws -> Changes {
    let matching = try step.matching().keys
    let asked = KeyRangeSet(rising: matching)
    let gone = members.members(among: step.rows.deleted.union(step.reread.subtracting(asked)))
    let new = matching.filter { !members.contains($0) }
    var changes = Changes()
    changes.deletedKeys = gone
    changes.deletions = members.ranks(of: gone)
    changes.insertedKeys = new
    changes.modifiedKeys = members.members(
      among: step.observed.subtracting(KeyRangeSet(rising: gone)))
    changes.modifications = members.ranks(of: changes.modifiedKeys)
    for key in gone { members.remove(key) }
    for key in new { members.insert(key) }
    changes.insertions = members.ranks(of: new)
    return changes
  }
}
