import CairnQuery
import CairnStorage

/// The changes that a watch reports.
protocol WatchSource {
  /// The state that was seen last.
  var snapshot: Snapshot { get }
  /// The class of the rows in that state.
  var table: Table { get }
  /// The point behind the events so far.
  var cursor: CommitCursor { get }
  /// Whether a class was removed, so that no events follow.
  var isRemoved: Bool { get }
  /// The classes that the watch needs.
  var classes: [String] { get }
  /// The events at the beginning.
  func initial() throws -> WatchStep
  /// The events since a cursor.
  ///
  /// - Throws: `CommitCursor.Problem` if they are not known.
  func changes(since cursor: CommitCursor) throws -> WatchStep
  /// The events of the commits since the last call; nil without one.
  func advance() throws -> WatchStep?
}

/// The events of a step.
struct WatchStep {
  /// The number of events.
  let count: Int
  /// The events.
  let events: AnyIterator<WatchEvent>
}

/// An event of a watch.
struct WatchEvent {
  /// The kind of the event.
  let kind: String
  /// The number of the row; nil for an event that belongs to a fence alone.
  let row: Int?
  /// The number of the fence; nil if the event belongs to none.
  let fence: Int?
  /// Writes the line of the event.
  let text: (WatchLines, CommitCursor) throws -> String

  /// The variables of the environment for a command that handles the event.
  var environment: [String: String] {
    [
      "CAIRN_EVENT": kind, "CAIRN_ROW": row.map { "\($0)" } ?? "",
      "CAIRN_FENCE": fence.map { "\($0)" } ?? "",
    ]
  }
}

/// The rows that enter, change in or leave the result of a query.
struct RowSource: WatchSource {
  let watcher: RowWatcher

  var snapshot: Snapshot { watcher.snapshot }
  var table: Table { watcher.table }
  var cursor: CommitCursor { watcher.cursor }
  var isRemoved: Bool { watcher.isRemoved }
  var classes: [String] { [watcher.query.table] }

  func initial() -> WatchStep { step(watcher.initial()) }

  func changes(since cursor: CommitCursor) throws -> WatchStep {
    step(try watcher.changes(since: cursor))
  }

  func advance() throws -> WatchStep? { try watcher.advance().map(step) }

  private func step(_ found: RowEvents) -> WatchStep {
    let rest = found.makeIterator()
    return WatchStep(
      count: found.count,
      events: AnyIterator {
        rest.next().map { event in
          WatchEvent(kind: event.kind.rawValue, row: event.key, fence: nil) { lines, cursor in
            try lines.text(of: event, cursor: cursor)
          }
        }
      })
  }
}

/// The rows that enter and leave the geometries of the objects of another class.
struct FenceSource: WatchSource {
  let watcher: FenceWatcher
  let classes: [String]

  var snapshot: Snapshot { watcher.snapshot }
  var table: Table { watcher.table }
  var cursor: CommitCursor { watcher.cursor }
  var isRemoved: Bool { watcher.isRemoved }

  func initial() throws -> WatchStep { step(try watcher.initial()) }

  func changes(since cursor: CommitCursor) throws -> WatchStep {
    step(try watcher.changes(since: cursor))
  }

  func advance() throws -> WatchStep? { try watcher.advance().map(step) }

  private func step(_ found: FenceEvents) -> WatchStep {
    var rest = found.events.makeIterator()
    return WatchStep(
      count: found.events.count,
      events: AnyIterator {
        rest.next().map { event in
          WatchEvent(kind: event.kind.rawValue, row: event.row, fence: event.fence) {
            lines, cursor in try lines.text(of: event, in: found, cursor: cursor)
          }
        }
      })
  }
}
