import CairnGeometry
import CairnIndex
import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How a query is answered, and what it took: from an actual run.
package struct Explanation: Sendable, CustomStringConvertible {
  /// The class, and the conditions as the planner reads them.
  package var query: String
  /// How candidates are found: an index by name, or a scan.
  package var access: String
  /// Conditions that candidates must still pass, cheapest first.
  package var residual: [String]
  /// How the rows are ordered; nil: by key.
  package var order: String?
  /// What is done with the rows that match, one after the other: their order, distinct, offset and limit.
  package var steps: [String]
  /// Rows that the access path gave.
  package var candidates: Int
  /// Points that were held against the exact shape one by one; nil without a shape.
  package var exactTests: Int?
  /// Rows of the result.
  package var matches: Int
  /// Chunks whose columns were looked into, and chunks that were passed over.
  package var chunksVisited: Int
  package var chunksSkipped: Int
  /// Seconds for the whole run.
  package var seconds: Double

  /// A duration in its own unit: `412 µs`, `3.1 ms`.
  static func time(_ seconds: Double) -> String {
    let micros = seconds * 1e6
    if micros < 1000 { return "\(Int(micros.rounded())) µs" }
    if micros < 1e6 { return "\(tenths(micros / 1e3)) ms" }
    return "\(tenths(micros / 1e6)) s"
  }

  private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

extension Execution {
  /// Runs the query for its rows' keys and says how that went.
  package func explain() -> Explanation {
    let start = Explanation.now()
    let scan = plan.scan
    workspaceIfMade = Workspace()
    let matches = keys().count
    let seconds = Explanation.now() - start
    let used = workspace
    let access = used.isWalk ? (candidates: used.candidates, tested: nil) : access(used.candidates)
    let residual = used.isWalk || plan.source != nil ? plan.filters : scan.filters
    return Explanation(
      query: words, access: used.isWalk ? plan.walkWords : plan.accessWords,
      residual: residual.map(\.wording), order: plan.orderWords,
      steps: plan.stepWords,
      candidates: access.candidates, exactTests: access.tested,
      matches: matches, chunksVisited: used.chunksVisited,
      chunksSkipped: max(0, table.chunkCount - used.chunksVisited), seconds: seconds)
  }

  /// What the access path gave, beyond what the run itself has counted.
  private func access(_ counted: Int) -> (candidates: Int, tested: Int?) {
    if let source = plan.source { return (source.count, nil) }
    switch plan.scan.driver {
    case .chunks: return (counted, nil)
    case .keys(let keys, _): return (keys.count, nil)
    case .region(let filter):
      let found = filter.source.candidates()
      return (found.rows, found.tested)
    }
  }

  private var words: String {
    let condition =
      plan.filters.isEmpty
      ? "all" : plan.filters.map(\.wording).joined(separator: " AND ")
    return "\(table.schema.name): \(condition)"
  }
}

extension Explanation {
  /// Seconds of a clock that never goes back.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

extension Plan {
  /// How candidates are found, in words.
  var accessWords: String {
    if let source { return "\(source.count) given rows" }
    switch scan.driver {
    case .chunks:
      return
        "scan of \(table.chunkCount) chunk\(table.chunkCount == 1 ? "" : "s"), those excluded by their bounds skipped"
    case .keys(_, .nowhere): return "nothing can match"
    case .keys(_, .primaryKey(let name)): return "primary key \(name)"
    case .keys(let keys, .valueIndex(let name)):
      return "value index of \(name), \(keys.count) candidates"
    case .keys(let keys, .result): return "\(keys.count) rows found before"
    case .region(let filter):
      return "R-tree of \(filter.column.schema.name), \(filter.source.runs.count) clustered and "
        + "\(filter.source.index?.loose.count ?? 0) loose runs, about \(filter.source.estimate) rows"
    }
  }

  /// The walk that finds the nearest rows, in words.
  var walkWords: String {
    "R-tree of \(nearest?.column.schema.name ?? ""), best-first walk from the nearest on"
  }

  /// How the rows are ordered, in words.
  var orderWords: String? {
    if !isPlain { return stepWords.isEmpty ? nil : stepWords.joined(separator: "; then ") }
    guard let order else { return nil }
    return words(order) + (limit.map { ", top \($0)" } ?? "")
  }

  /// What is done with the rows one step after the other.
  var stepWords: [String] {
    var words: [String] = []
    if let order { words.append("order by " + self.words(order)) }
    if !distinct.isEmpty { words.append(self.words(distinct)) }
    if offset != 0 || limit != nil { words.append(self.words(offset, limit)) }
    for step in rest {
      switch step {
      case .sort(let order): words.append("order by " + self.words(order))
      case .distinct(let columns): words.append(self.words(columns))
      case .limit(let offset, let count): words.append(self.words(offset, count))
      }
    }
    return words
  }

  private func words(_ keys: [RowKey]) -> String {
    "distinct " + keys.map(\.name).joined(separator: ", ")
  }

  private func words(_ offset: Int, _ count: Int?) -> String {
    (count.map { "the first \($0)" } ?? "all") + (offset == 0 ? "" : " after \(offset) passed over")
  }

  private func words(_ order: RowOrder) -> String {
    let keys = order.columns.map { column in
      let name = column.name
      return (column.isDistance ? "distance of \(name)" : name)
        + (column.isAscending ? "" : " descending")
    }
    return keys.joined(separator: ", ")
  }
}
