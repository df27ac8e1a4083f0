import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// The work of `watch`: waits for commits, and reports the rows that they changed.
final class RowWatch {
  private let store: Store
  private let watcher: any WatchSource
  private let origin: QueryRequest.Origin?
  private let options: WatchOptions
  private var eventsLeft: Int
  /// The point from which a later run continues behind the last event.
  private var resume: CommitCursor
  private var monitor = SnapshotMonitor()
  /// The time of the last look at the oldest snapshot, in seconds.
  private var lookedAt = -Double.infinity

  /// The seconds between two looks at the oldest snapshot.
  private static let lookInterval = 5.0

  /// The class in the state that was reported last.
  private var source: OpenedClass {
    OpenedClass(store: store, snapshot: watcher.snapshot, table: watcher.table)
  }

  init(_ arguments: RowArguments, options: WatchOptions) throws {
    _ = try arguments.reference.requireStore()
    let source = try OpenedClass(arguments)
    let request = try QueryRequest(source, arguments)
    if let formula = request.formulas.formulas.first {
      throw Failure(
        .usage, message: "'\(formula)' is a formula; a watched condition compares columns")
    }
    store = source.store
    origin = request.origin
    self.options = options
    eventsLeft = options.limit ?? .max
    watcher = try Self.watcher(source, request: request, fences: options.fences)
    resume = watcher.cursor
    // Errors of --select come at the beginning.
    _ = try WatchLines(options.select, of: source, origin: origin)
  }

  private static func watcher(
    _ source: OpenedClass, request: QueryRequest, fences: String?
  ) throws -> any WatchSource {
    let query = TableQuery(table: source.schema.name, predicate: request.predicate)
    guard let fences else {
      return RowSource(
        watcher: try RowWatcher(
          query, on: source.snapshot, table: source.table, of: source.store))
    }
    let other = try source.sibling(fences)
    do {
      let watcher = try FenceWatcher(
        query, on: source.snapshot, table: source.table, fences: other.table, of: source.store)
      return FenceSource(watcher: watcher, classes: [source.schema.name, other.schema.name])
    } catch let error as QueryError {
      throw Failure(.usage, message: "--fences: \(error.message)")
    }
  }

  /// Reports changes until a signal ends the command, its output is closed, or the limit is reached.
  func run() throws {
    try WakeUp.prepare(watchesOutput: options.exec == nil)
    let watch = store.watch { _ in WakeUp.notify() }
    defer { withExtendedLifetime(watch) {} }
    try begin()
    // A commit may have come before the watch.
    WakeUp.notify()
    while eventsLeft > 0, WakeUp.wait() {
      try advance()
      try requireInPlace()
      noteOldSnapshot()
    }
    if eventsLeft == 0 || WakeUp.isEnded { note("ended") }
  }

  /// Throws if no further commit can reach this file, because it was deleted or replaced.
  private func requireInPlace() throws {
    guard store.isReplaced else { return }
    throw Failure(
      .io,
      message: "\(store.path) was deleted, or replaced by another file as by an online compaction; "
        + "watch it again with --initial")
  }

  private func note(_ verb: String) {
    if !options.quiet { Console.printMessage("Note: \(verb) at the cursor \(resume)") }
  }

  /// Prints a note if a reader makes the file grow. Commits wake the command, and nothing grows without
  /// them.
  private func noteOldSnapshot() {
    let now = MonotonicClock.seconds
    guard now - lookedAt >= Self.lookInterval else { return }
    lookedAt = now
    guard let oldest = try? monitor.look(at: store), oldest.isWarningDue else { return }
    Console.printMessage("Note: \(store.path): \(oldest.warning)")
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

  private func changes(since cursor: CommitCursor) throws -> WatchStep {
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
      let snapshot = try store.snapshot()
      let name = watcher.classes.first { snapshot.table($0) == nil } ?? watcher.classes[0]
      throw Failure(
        .other, message: "the class '\(name)' was removed from \(store.path)")
    }
  }

  /// Prints events, or runs the command for them. Only behind the last one can a later run continue
  /// with the present state.
  ///
  /// - Parameter start: The cursor before the events.
  private func report(_ step: WatchStep, after start: CommitCursor) throws {
    let end = watcher.cursor
    var left = step.count
    resume = left == 0 ? end : start
    guard left > 0 else { return }
    let lines = try WatchLines(options.select, of: source, origin: origin)
    let target = try OutputTarget(nil)
    for event in step.events {
      guard eventsLeft > 0, !WakeUp.isEnded else { break }
      left -= 1
      let cursor = left == 0 ? end : start
      let line = try event.text(lines, cursor)
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
    _ command: String, _ event: WatchEvent, line: String, cursor: CommitCursor, start: CommitCursor
  ) throws {
    let variables = [
      "CAIRN_CURSOR": cursor.description, "CAIRN_STORE": store.path,
      "CAIRN_CLASS": watcher.classes[0],
    ]
    let code = try ShellLine(command).run(
      input: line, environment: variables.merging(event.environment) { $1 })
    guard code == 0 || WakeUp.isEnded else {
      let subject =
        event.row.map { "the row \($0)" } ?? event.fence.map { "the fence \($0)" } ?? "an event"
      throw Failure(
        .other,
        message: "the command of --exec ended with \(code) for \(subject); "
          + "--since \(start) begins again with this commit")
    }
  }
}
