import CairnGeometry
import CairnIndex
import CairnStorage
import CairnSystem

/// The access path of a query and its cost, measured in an actual run.
package struct Explanation: Sendable, CustomStringConvertible {
  /// The name of the class.
  package var className: String
  /// The class, and the conditions as the planner reads them.
  package var query: String
  /// The access path: the name of an index, or a scan.
  package var access: String
  /// The conditions that candidates must still meet, cheapest first.
  package var residual: [String]
  /// The order of the rows; nil if they are ordered by key.
  package var order: String?
  /// The steps applied to the matching rows, in sequence: sort, distinct, offset and limit.
  package var steps: [String]
  /// The number of rows from the access path.
  package var candidates: Int
  /// The number of points or geometries tested individually against the exact shape; nil without a
  /// shape.
  package var exactTests: Int?
  /// The number of result rows; 0 if the run did not count them.
  package var matches: Int
  /// Whether the run counted the result rows, unlike one for figures over them.
  package var areMatchesCounted: Bool
  /// The number of chunks whose columns were read.
  package var chunksVisited: Int
  /// The number of chunks that were skipped.
  package var chunksSkipped: Int
  /// The duration of the whole run in seconds.
  package var seconds: Double

  /// A duration in a suitable unit: `412 µs`, `3.1 ms`.
  static func time(_ seconds: Double) -> String {
    let micros = seconds * 1e6
    if micros < 1000 { return "\(Int(micros.rounded())) µs" }
    if micros < 1e6 { return "\(tenths(micros / 1e3)) ms" }
    return "\(tenths(micros / 1e6)) s"
  }

  private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

extension Execution {
  /// Runs the query for its keys and describes the run.
  package func explain() -> Explanation {
    isWatched = true
    defer { isWatched = false }
    let start = MonotonicClock.seconds
    _ = plan.scan
    cachedScratch = ScratchBuffers(deadline: deadline)
    let matches = keys().count
    return explanation(matches: matches, seconds: MonotonicClock.seconds - start)
  }

  /// Describes the run that has just ended.
  func explanation(matches: Int?, seconds: Double) -> Explanation {
    let scan = plan.scan
    let used = scratch
    let access =
      used.isBestFirst ? (candidates: used.candidates, tested: nil) : access(used.candidates)
    let residual = used.isBestFirst || plan.source != nil ? plan.filters : scan.filters
    return Explanation(
      className: table.schema.name, query: words,
      access: used.isBestFirst ? plan.nearestDescription : plan.accessDescription,
      residual: residual.map(\.explanation), order: plan.orderDescription,
      steps: plan.stepDescriptions,
      candidates: access.candidates,
      exactTests: access.tested ?? (used.exactTests > 0 ? used.exactTests : nil),
      matches: matches ?? 0, areMatchesCounted: matches != nil, chunksVisited: used.chunksVisited,
      chunksSkipped: max(0, table.chunkCount - used.chunksVisited), seconds: seconds)
  }

  /// The figures of the access path, in addition to those that the run itself has counted.
  private func access(_ counted: Int) -> (candidates: Int, tested: Int?) {
    if let source = plan.source { return (source.count, nil) }
    switch plan.scan.accessPath {
    case .chunks: return (counted, nil)
    case .keys(let keys, _): return (keys.count, nil)
    case .spatial(.points(let filter)):
      let found = filter.source.candidates()
      return (found.rows, found.tested)
    case .spatial(.boxes(let filter)):
      return (filter.source.rowCount, scratch.exactTests)
    }
  }

  private var words: String {
    let condition =
      plan.filters.isEmpty
      ? "all" : plan.filters.map(\.explanation).joined(separator: " AND ")
    return "\(table.schema.name): \(condition)"
  }
}

extension Plan {
  /// A description of the access path.
  var accessDescription: String {
    if let source { return "\(source.count) given rows" }
    switch scan.accessPath {
    case .chunks:
      if let search = scan.filters.lazy.compactMap(\.textSearch).first {
        return
          "full-text index of \(search.column.schema.name), \(search.matches.count) candidates "
          + "in bitmaps over \(table.chunkCount) chunk\(table.chunkCount == 1 ? "" : "s")"
      }
      return
        "scan of \(table.chunkCount) chunk\(table.chunkCount == 1 ? "" : "s"), "
        + "skipping those that bounds exclude"
    case .keys(_, .nowhere): return "nothing can match"
    case .keys(_, .primaryKey(let name)): return "primary key \(name)"
    case .keys(let keys, .valueIndex(let name)):
      return "value index of \(name), \(keys.count) candidates"
    case .keys(let keys, .textIndex(let name)):
      return "full-text index of \(name), \(keys.count) candidates"
    case .keys(let keys, .spatialUnion(let names, let searches)):
      return "R-tree of \(names), \(searches) searches, \(keys.count) candidates"
    case .keys(let keys, .result): return "\(keys.count) rows of an earlier result"
    case .spatial(let access):
      return "R-tree of \(access.column.schema.name), \(access.runs.base) base and "
        + "\(access.runs.delta) delta runs, about \(access.estimate) rows"
    }
  }

  /// A description of the best-first traversal that finds the nearest rows.
  var nearestDescription: String {
    "R-tree of \(nearest?.name ?? ""), best-first traversal, nearest first"
  }

  /// A description of the order of the rows.
  var orderDescription: String? {
    if !isPlain {
      return stepDescriptions.isEmpty ? nil : stepDescriptions.joined(separator: "; then ")
    }
    guard let order else { return nil }
    return words(order) + (limit.map { ", top \($0)" } ?? "")
  }

  /// Descriptions of the steps, in sequence.
  var stepDescriptions: [String] {
    var words: [String] = []
    if let order { words.append("order by " + self.words(order)) }
    if !distinct.isEmpty { words.append(self.words(distinct)) }
    if offset != 0 || limit != nil { words.append(self.words(offset, count: limit)) }
    for step in rest {
      switch step {
      case .sort(let order): words.append("order by " + self.words(order))
      case .distinct(let columns): words.append(self.words(columns))
      case .limit(let offset, let count): words.append(self.words(offset, count: count))
      }
    }
    return words
  }

  private func words(_ keys: [RowKey]) -> String {
    "distinct " + keys.map(\.name).joined(separator: ", ")
  }

  private func words(_ offset: Int, count: Int?) -> String {
    (count.map { "the first \($0)" } ?? "all") + (offset == 0 ? "" : " after \(offset) skipped")
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

extension Explanation {
  /// The plan as a tree that rows pass from the bottom up, followed by the figures of the run.
  package var description: String {
    var lines = [query]
    for (depth, level) in levels.enumerated() {
      let indent = String(repeating: "   ", count: depth)
      lines.append(indent + "└─ " + level.what)
      for note in level.notes { lines.append(indent + "      " + note) }
    }
    return (lines + figures).joined(separator: "\n")
  }

  private struct Level {
    let what: String
    var notes: [String] = []
  }

  /// The levels, from the last step to the first.
  private var levels: [Level] {
    var levels = steps.reversed().map { Level(what: $0) }
    if !residual.isEmpty {
      levels.append(
        Level(
          what: "keep those where \(residual[0])", notes: residual.dropFirst().map { "and \($0)" }))
    }
    levels.append(Level(what: access))
    return levels
  }

  private var figures: [String] {
    var lines = ["candidates  \(candidates)"]
    if let exactTests { lines.append("exact tests \(exactTests)") }
    if areMatchesCounted { lines.append("matches     \(matches)") }
    lines.append("chunks      \(chunksVisited) read, \(chunksSkipped) skipped")
    lines.append("time        \(Explanation.time(seconds))")
    return lines
  }
}
