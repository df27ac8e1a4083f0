import CairnStorage

/// The results of a query as somebody was told of them last, to say what becomes of them.
///
/// It keeps no state of the store open. Confined to one thread at a time.
package final class ResultsTracker {
  package let query: TableQuery
  /// The number of the state that the results are of.
  package private(set) var version: UInt64
  private var held: [Int]

  /// Runs the query.
  ///
  /// - Throws: what is wrong with the query.
  package init(_ query: TableQuery, on state: Snapshot, _ table: Table) throws {
    self.query = query
    version = state.version
    held = try Execution(query, on: table).keys()
  }

  /// Results in the state.
  package var count: Int { held.count }

  /// The keys of the results, in their order.
  package var keys: [Int] { held }

  /// The key at a place.
  package func key(at place: Int) -> Int { held[place] }

  /// Moves on to the newer state of the step, which begins at the state that the tracker has; gives what became of the
  /// results.
  ///
  /// An object that stays among the results, and at its place among those that did not change, is a modification where
  /// it changed in what is observed; one that moves is a deletion and an insertion.
  ///
  /// - Parameter source: where the rows come from in the newer state, for queries over given rows; nil: as before.
  /// - Throws: what is wrong with the query in the newer state, whose classes may have been altered.
  package func update(
    _ step: ObjectChanges, observed: ObservedPaths, source: TableQuery.Source? = nil
  ) throws -> Changes {
    var query = query
    if let source { query.source = source }
    let table = step.log.new.table(query.table)
    let keys = try table.map { try Execution(query, on: $0).keys() } ?? []
    let changes = Changes(
      ofKeys: held, to: keys, modified: step.modified(query.table, observed), pairs: false)
    held = keys
    version = step.log.new.version
    return changes
  }
}
