/// What takes the rows that a scan finds, chunk by chunk. One sink belongs to one thread.
class Sink: @unchecked Sendable {
  /// Whether rows of the chunk can still matter: asked before the chunk is touched.
  func wants(_ chunk: Int) -> Bool { true }

  /// Resolves the chunks on the snapshot's own thread, for sinks that read columns.
  func prepare(_ chunks: [Int]) {}

  /// Takes the rows of a chunk; false ends the scan.
  func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool { true }
}

/// Counts rows, up to a number of them.
final class CountSink: Sink, @unchecked Sendable {
  private(set) var total = 0
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    total = min(limit, total + selection.count)
    return total < limit
  }
}

/// Gathers keys, rising, up to a number of them.
final class KeySink: Sink, @unchecked Sendable {
  private(set) var keys: [Int] = []
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    let count = selection.keys(chunk, into: workspace.keys)
    let wanted = min(count, limit - keys.count)
    keys.append(contentsOf: UnsafeBufferPointer(start: workspace.keys, count: wanted))
    return keys.count < limit
  }
}

/// Hands every key to a closure until that says no.
final class VisitSink: Sink, @unchecked Sendable {
  private let visit: (Int) -> Bool

  init(_ visit: @escaping (Int) -> Bool) { self.visit = visit }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    let first = chunk << 12
    return selection.forEachRow { row -> Bool in visit(first | row) }
  }
}

extension Selection {
  /// Writes the keys of the selected rows, rising, and gives their number.
  func keys(_ chunk: Int, into keys: UnsafeMutablePointer<Int>) -> Int {
    let first = chunk << 12
    var count = 0
    forEachRow { row -> Void in
      keys[count] = first | row
      count += 1
    }
    return count
  }
}
