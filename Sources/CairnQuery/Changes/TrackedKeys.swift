import CairnStorage

/// Results that are worked out anew when something happened on which they depend.
final class TrackedKeys: Tracked {
  private var held: [Int]
  private var source: TableQuery.Source

  init(_ execution: Execution) {
    held = execution.keys()
    source = execution.query.source
  }

  override var count: Int { held.count }
  override var keys: [Int] { held }
  override func key(at place: Int) -> Int { held[place] }

  override func update(_ step: TrackingStep) throws -> Changes {
    var keys = held
    if step.concernsResults || step.query.source != source {
      keys = try step.new.map { try Execution(step.query, on: $0).keys() } ?? []
    }
    source = step.query.source
    let changes = Changes(ofKeys: held, to: keys, modified: step.observed, pairs: false)
    held = keys
    return changes
  }
}
