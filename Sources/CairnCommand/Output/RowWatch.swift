import CairnFormats
import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The work of `watch`: waits for commits, and reports the rows that they changed.
final class RowWatch {
  private let store: Store
  private let watcher: RowWatcher
  private let origin: QueryRequest.Origin?
  private let options: WatchOptions
  private var eventsLeft: Int
  /// The point from which a later run continues behind the last event.
  private var resume: CommitCursor

  /// The class in the state that was reported last.
  private var source: OpenedClass {
    OpenedClass(store: store, snapshot: watcher.snapshot, table: watcher.table)
  }

  init(_ target: TargetArguments, area: AreaOptions, options: WatchOptions) throws {
    let source = try OpenedClass(target)
    let request = try QueryRequest(source, target: target, area: area.resolved(in: source))
    store = source.store
    origin = request.origin
    self.options = options
    eventsLeft = options.limit ?? .max
    watcher = try RowWatcher(
      TableQuery(table: source.schema.name, predicate: request.predicate), on: source.snapshot,
      table: source.table, of: store)
    resume = watcher.cursor
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
      try report(changes(since: since), after: since)
    } else if options.initial {
      try report(watcher.initial(), after: resume)
    }
    note("watching")
  }

  private func changes(since cursor: CommitCursor) throws -> RowEvents {
    do { return try watcher.changes(since: cursor) } catch let problem as CommitCursor.Problem {
      switch problem {
      case .ofAnotherFile:
        throw Failure(
          .badData,
          message:
            "the cursor \(cursor) is not one of \(store.path), or the store was compacted since; "
            + "begin again with --initial")
      case .tooOld:
        throw Failure(
          .badData,
          message: "the cursor \(cursor) is too old: \(store.path) remembers the changes of its "
            + "last \(Snapshot.loggedCommits) commits; begin again with --initial")
      }
    }
  }

  /// Reports the changes between the last state and the present one.
  private func advance() throws {
    if let events = try watcher.advance() { try report(events, after: resume) }
    guard !watcher.isRemoved else {
      throw Failure(
        .other,
        message: "the class '\(watcher.query.table)' was removed from \(store.path)")
    }
  }

  /// Prints events, or runs the command for them. Only behind the last one can a later run continue
  /// with the present state.
  ///
  /// - Parameter start: The cursor before the events.
  private func report(_ events: RowEvents, after start: CommitCursor) throws {
    let end = watcher.cursor
    var left = events.count
    resume = left == 0 ? end : start
    guard left > 0 else { return }
    let lines = try WatchLines(options.select, of: source, origin: origin)
    let target = try OutputTarget(nil)
    for event in events {
      guard eventsLeft > 0, !WakeUp.isEnded else { break }
      left -= 1
      let cursor = left == 0 ? end : start
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
    try target.finish()
  }

  private func run(
    _ command: String, _ event: RowEvent, line: String, cursor: CommitCursor, start: CommitCursor
  ) throws {
    let code = try ShellLine(command).run(
      input: line,
      environment: [
        "CAIRN_EVENT": event.kind.rawValue, "CAIRN_ROW": "\(event.key)",
        "CAIRN_CURSOR": cursor.description, "CAIRN_STORE": store.path,
        "CAIRN_CLASS": watcher.query.table,
      ])
    guard code == 0 || WakeUp.isEnded else {
      throw Failure(
        .other,
        message: "the command of --exec ended with \(code) for the row \(event.key); "
          + "--since \(start) begins again with this commit")
    }
  }
}
