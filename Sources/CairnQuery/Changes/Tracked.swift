import CairnStorage

/// The results of a query in one state, in the shape in which it is quickest to say what becomes of them.
class Tracked {
  /// Results.
  var count: Int { 0 }
  /// The keys of the results, in their order.
  var keys: [Int] { [] }

  func key(at place: Int) -> Int { 0 }

  /// Moves on to the newer state of a step; gives what became of the results.
  func update(_ step: TrackingStep) throws -> Changes { Changes() }
}

/// One step of a tracked query from an older state to a newer one.
struct TrackingStep {
  let changes: ObjectChanges
  /// The query as it is asked in the newer state.
  let query: TableQuery
  /// The class in both states; nil: the state does not have it.
  let old: Table?
  let new: Table?
  /// What became of the rows of the class.
  let rows: TableChanges
  /// Rows that live in both states, and of which something was changed that the query reads.
  let reread: KeyRuns
  /// Rows that live in both states, and changed in what is observed.
  let observed: KeyRuns

  /// Whether anything happened on which the results depend.
  var concernsResults: Bool { !rows.inserted.isEmpty || !rows.deleted.isEmpty || !reread.isEmpty }

  /// Those of the rows that were inserted or must be asked again that are results in the newer state, rising.
  func matching() throws -> (keys: [Int], execution: Execution?) {
    let candidates = rows.inserted.union(reread)
    guard let new, !candidates.isEmpty else { return ([], nil) }
    let execution = try Execution(query, on: new)
    return (execution.matching(Array(candidates.keys)), execution)
  }
}

extension Execution {
  /// Those of these live keys, which rise, for which the condition holds.
  func matching(_ keys: [Int]) -> [Int] {
    if plan.filters.isEmpty { return keys }
    if keys.count == 1 { return matches(keys[0]) ? keys : [] }
    let sink = KeySink()
    _ = Scan(table, .keys(keys, .result), plan.filters)
      .run(0..<table.chunkCount, into: sink, workspace)
    return sink.keys
  }
}
