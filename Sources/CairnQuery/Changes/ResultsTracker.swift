import CairnStorage

/// The results of a query as somebody was told of them last, to say what becomes of them.
///
/// Of unordered results it keeps a bit a row, of ordered ones 16 bytes a result, and no state of the store. What a step
/// costs grows with what it changed: rows that changed in what the query reads, there or behind links, are asked
/// again, the others are not looked at. Queries with a limit or distinct values, and those over given rows, are
/// worked out anew, where anything happened at all on which they depend. Confined to one thread at a time.
package final class ResultsTracker {
  package let query: TableQuery
  /// The number of the state that the results are of.
  package private(set) var version: UInt64
  private let tracked: Tracked
  private var source: TableQuery.Source
  /// What the query reads of an object of its class; made anew when classes were altered.
  private var reads: ReadTree

  /// Runs the query in a state.
  ///
  /// - Parameter table: the query's class in that state.
  /// - Throws: what is wrong with the query.
  package init(_ query: TableQuery, on state: Snapshot, _ table: Table) throws {
    self.query = query
    version = state.version
    source = query.source
    let execution = try Execution(query, on: table)
    reads = try ReadTree(query, of: table)
    tracked = Self.tracked(execution)
  }

  private static func tracked(_ execution: Execution) -> Tracked {
    let plan = execution.plan
    guard plan.isPlain, plan.distinct.isEmpty, plan.offset == 0, plan.limit == nil else {
      return TrackedKeys(execution)
    }
    return plan.order.map { TrackedOrder(execution, $0) } ?? TrackedMembers(execution)
  }

  /// Results in the state.
  package var count: Int { tracked.count }

  /// The keys of the results, in their order.
  package var keys: [Int] { tracked.keys }

  /// The key at a place, at little cost.
  package func key(at place: Int) -> Int { tracked.key(at: place) }

  /// Moves on to the newer state of a step, which begins at the state that the tracker has; gives what became of the
  /// results.
  ///
  /// An object that stays among the results is a modification where it changed in what is observed and stands at the
  /// same place among those that nothing the query reads was changed of; one that moved is a deletion and an
  /// insertion.
  ///
  /// - Parameter source: where the rows come from in the newer state, for queries over given rows; nil: as before.
  /// - Throws: what is wrong with the query in the newer state, whose classes may have been altered; the tracker stays
  ///   as it was.
  package func update(
    _ changes: ObjectChanges, observed: ObservedPaths, source: TableQuery.Source? = nil
  ) throws -> Changes {
    let log = changes.log
    var asked = query
    asked.source = source ?? self.source
    let new = log.new.table(query.table)
    if let new, log.isAltered { reads = try ReadTree(query, of: new) }
    let found = try tracked.update(
      TrackingStep(
        changes: changes, query: asked, old: log.old.table(query.table), new: new,
        rows: log.changes(of: query.table), reread: changes.rows(query.table, reads),
        observed: changes.modified(query.table, observed)))
    self.source = asked.source
    version = log.new.version
    return found
  }
}

extension ReadTree {
  /// What a query reads of an object of its class.
  fileprivate init(_ query: TableQuery, of table: Table) throws {
    self.init(try query.predicate.bound(to: table.schema, in: table.classes).root, of: table)
    for step in query.steps {
      switch step {
      case .sort(let keys): add(keys, of: table)
      case .distinct(let paths): for path in paths { add(path, of: table) }
      case .limit: break
      }
    }
  }
}
