import CairnFormats
import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The work of `watch`: waits for commits, and reports the rows that they changed.
final class RowWatch {
  /// The rows of one kind of event.
  private typealias Rows = (kind: WatchEvent.Kind, keys: [Int])

  private let store: Store
  private let query: TableQuery
  private let origin: QueryRequest.Origin?
  private let options: WatchOptions
  private var eventsLeft: Int
  /// The state that was reported last. The next commit replaces it, so that the file can reuse its
  /// pages.
  private var source: OpenedClass
  private let tracker: ResultsTracker
  /// The point from which a later run continues behind the last event.
  private var resume: WatchCursor

  init(_ target: TargetArguments, area: AreaOptions, options: WatchOptions) throws {
    source = try OpenedClass(target)
    let request = try QueryRequest(source, target: target, area: area.resolved(in: source))
    store = source.store
    origin = request.origin
    query = TableQuery(table: source.schema.name, predicate: request.predicate)
    self.options = options
    eventsLeft = options.limit ?? .max
    tracker = try ResultsTracker(query, on: source.snapshot, table: source.table)
    resume = WatchCursor(source.snapshot.version, of: store)
    // Errors of --select come at the beginning.
    _ = try WatchLines(options.select, of: source, origin: origin)
  }

  /// Reports changes until a signal ends the command, its output is closed, or the limit is reached.
  func run() throws {
    try WakeUp.prepare(watchesOutput: options.exec == nil)
    let watch = store.watch { _ in WakeUp.notify() }
    defer { withExtendedLifetime(watch) {} }
    try begin()
    // A commit may have come before the watch.
    WakeUp.notify()
    while eventsLeft > 0, WakeUp.wait() { try advance() }
    if eventsLeft == 0 || WakeUp.isEnded { note("ended") }
  }

  private func note(_ verb: String) {
    if !options.quiet { Console.printMessage("Note: \(verb) at the cursor \(resume)") }
  }

  /// Reports the rows that match, or the changes since an earlier run.
  private func begin() throws {
    if let since = options.since {
      try report(changesSince: since)
    } else if options.initial {
      try report([(.initial, tracker.keys)], after: resume) { [source] kind, key in
        WatchEvent(kind: kind, key: key, table: source.table)
      }
    }
    note("watching")
  }

  /// Reports changes whose older state is gone. A row that was changed is reported as it is now,
  /// whether or not it matched before.
  private func report(changesSince since: WatchCursor) throws {
    let changes = try since.changes(of: query.table, in: source.snapshot, of: store)
    let execution = try Execution(query, on: source.table)
    let modified = changes.modified { _ in true }.keys
    let rows: [Rows] = [
      (.leave, Array(changes.deleted.keys) + modified.filter { !execution.matches($0) }),
      (.enter, changes.inserted.keys.filter(execution.matches)),
      (.change, modified.filter(execution.matches)),
    ]
    try report(rows, after: since) { [source] kind, key in
      guard source.table.isLive(key) else {
        return WatchEvent(kind: kind, key: key, table: nil, isDeleted: true)
      }
      let columns = Set(changes.modified.filter { $0.keys.contains(key) }.flatMap(\.columns))
      let names = source.schema.properties.filter { columns.contains($0.id) }.map(\.name)
      return WatchEvent(kind: kind, key: key, changed: names, table: source.table)
    }
  }

  /// Reports the changes between the last state and the present one.
  private func advance() throws {
    let snapshot = try store.snapshot()
    let old = source
    guard snapshot.version != old.snapshot.version else { return }
    let changes = ObjectChanges(snapshot.changes(since: old.snapshot))
    let found = try tracker.update(changes, observed: .ownProperties)
    let new = snapshot.table(query.table)
    if let new { source = OpenedClass(store: store, snapshot: snapshot, table: new) }
    let rows: [Rows] = [
      (.leave, found.deletedKeys), (.enter, found.insertedKeys), (.change, found.modifiedKeys),
    ]
    try report(rows, after: resume) { [query] kind, key in
      guard let new, new.isLive(key) else {
        return WatchEvent(kind: kind, key: key, table: old.table, isDeleted: true)
      }
      let columns = kind == .change ? changes.modifiedProperties(query.table, at: key) : []
      return WatchEvent(kind: kind, key: key, changed: columns.map(\.name), table: new)
    }
    guard new != nil else {
      throw Failure(.other, message: "the class '\(query.table)' was removed from \(store.path)")
    }
  }

  /// Prints events, or runs the command for them. Only behind the last one can a later run continue
  /// with the present state.
  ///
  /// - Parameters:
  ///   - start: The cursor before the events.
  ///   - make: Returns the event of a row.
  private func report(
    _ rows: [Rows], after start: WatchCursor, make: (WatchEvent.Kind, Int) -> WatchEvent
  ) throws {
    let end = WatchCursor(source.snapshot.version, of: store)
    var left = rows.reduce(0) { $0 + $1.keys.count }
    resume = left == 0 ? end : start
    guard left > 0 else { return }
    let lines = try WatchLines(options.select, of: source, origin: origin)
    let target = try OutputTarget(nil)
    for (kind, keys) in rows {
      for key in keys where eventsLeft > 0 && !WakeUp.isEnded {
        left -= 1
        let cursor = left == 0 ? end : start
        let event = make(kind, key)
        let line = try lines.text(of: event, cursor: cursor)
        if let command = options.exec {
          try run(command, event, line: line, cursor: cursor, start: start)
        } else {
          target.sink.append(line)
          try target.sink.flushWhenFull()
        }
        eventsLeft -= 1
        resume = cursor
      }
    }
    try target.finish()
  }

  private func run(
    _ command: String, _ event: WatchEvent, line: String, cursor: WatchCursor, start: WatchCursor
  ) throws {
    let code = try ShellLine(command).run(
      input: line,
      environment: [
        "CAIRN_EVENT": event.kind.rawValue, "CAIRN_ROW": "\(event.key)",
        "CAIRN_CURSOR": cursor.description, "CAIRN_STORE": store.path, "CAIRN_CLASS": query.table,
      ])
    guard code == 0 || WakeUp.isEnded else {
      throw Failure(
        .other,
        message: "the command of --exec ended with \(code) for the row \(event.key); "
          + "--since \(start) begins again with this commit")
    }
  }
}
