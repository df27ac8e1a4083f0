import CairnGeometry
import CairnStorage
import CairnSystem

extension JoinExecution {
  /// Runs the join to count its pairs, and describes the run: the condition, the side whose rows are
  /// visited, how the rows of either side are found, the number of pairs, and the time.
  package func explain() throws -> String {
    let start = MonotonicClock.seconds
    let pairs = try count()
    let seconds = MonotonicClock.seconds - start
    let (driver, other) = (side(usualDriver), side(usualDriver.other))
    let suffix = query.isOuter ? ", outer" : query.isOnce ? ", each pair once" : ""
    var lines = [
      "\(left.name) \(query.condition.text) \(right.name)\(suffix)",
      "└─ visit \(driver.description)",
      "      \(driver.visitDescription)",
      "└─ find \(other.description)",
      "      in \(other.tableDescription)",
    ]
    lines += query.comparisons.map { "and \($0.left) \($0.comparison.rawValue) \($0.right)" }
    lines += ["pairs \(pairs)", "time  \(Explanation.time(seconds))"]
    return lines.joined(separator: "\n")
  }
}

extension JoinRows {
  /// The order in which the rows of a driver are visited.
  fileprivate var visitDescription: String {
    (self as? JoinSide)?.order ?? "chunk by chunk"
  }

  /// The structure in memory in which candidates are found.
  fileprivate var tableDescription: String {
    self is JoinSide ? "an R-tree in memory" : "a hash table in memory"
  }
}

extension JoinSide {
  fileprivate var order: String {
    if hasLinks { return "through links to \(endTable.schema.name), along the Hilbert curve" }
    let count = runs.count
    let runs = "\(count) base run\(count == 1 ? "" : "s")"
    return "in \(runs) of the R-tree, then the rows outside of them"
  }
}

extension JoinQuery.Condition {
  /// The condition between the names of its sides.
  fileprivate var text: String {
    switch self {
    case .relation(let relation, let edges): "\(relation) (\(edges) edges)"
    case .distance(let distance, .planar): "within \(distance.asDegrees()) planar degrees of"
    case .distance(let distance, .geodesic): "within \(distance) of"
    case .nearest(let count, let edges):
      "with the nearest \(count) of" + (edges == .planar ? " (planar edges)" : "")
    case .equal: "=="
    }
  }
}
