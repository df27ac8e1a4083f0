/// The changes between two snapshots of a store, by class.
///
/// They are read from the change log of the commits between, in time proportional to the changes.
/// If the log does not reach back far enough, the snapshots are compared instead. This gives the
/// same result at a higher cost, without the writes of equal values that objects record; chunks on
/// the same page of the file are skipped. Confined to one
/// thread at a time, as the snapshots are.
package final class ChangeLog {
  /// The older snapshot.
  package let old: Snapshot
  /// The newer snapshot.
  package let new: Snapshot
  /// The logged changes by class number; nil if the log does not reach back far enough.
  private let recorded: [UInt32: [TableChanges]]?
  /// The results so far, by class name.
  private var known: [String: TableChanges] = [:]

  init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    recorded = new.changeLog(after: old.version)
  }

  /// Whether no class has changed.
  package var isEmpty: Bool {
    if old.version == new.version { return true }
    if let recorded, !isAltered { return recorded.values.joined().allSatisfy(\.isEmpty) }
    return classNames.allSatisfy { changes(of: $0).isEmpty }
  }

  /// The classes of both snapshots.
  package var classNames: [String] {
    let names = new.schema.tables.map(\.name)
    return names + old.schema.tables.map(\.name).filter { new.schema.table(named: $0) == nil }
  }

  /// Whether classes were made, altered or deleted between the snapshots.
  package private(set) lazy var isAltered = old.schema.tables != new.schema.tables

  /// Returns the changes to the rows of a class; empty if neither snapshot has the class.
  ///
  /// If the class was altered in between, every row counts as modified in columns that are new or
  /// have another type. If it was deleted and made again, all old rows are deleted and all new rows
  /// inserted.
  package func changes(of name: String) -> TableChanges {
    if old.version == new.version { return TableChanges() }
    if let known = known[name] { return known }
    let changes = workOut(name)
    known[name] = changes
    return changes
  }

  private func workOut(_ name: String) -> TableChanges {
    let before = old.schema.table(named: name)
    let after = new.schema.table(named: name)
    guard let recorded, before?.columns == after?.columns, before?.id == after?.id else {
      return TableChanges(
        from: before.flatMap { old.table($0.name) }, to: after.flatMap { new.table($0.name) })
    }
    guard let after, let steps = recorded[after.id] else { return TableChanges() }
    var changes = TableChanges(merging: steps)
    if let table = new.table(name) {
      // The log of a bulk load includes rows that it dropped.
      changes.inserted = KeyRangeSet(changes.inserted.runs.flatMap { table.liveKeys($0).runs })
    }
    return changes
  }
}

extension Snapshot {
  /// Returns the changes since another snapshot of the same store.
  package func changes(since old: Snapshot) -> ChangeLog { ChangeLog(from: old, to: self) }

  /// The number of commits that the change log covers.
  package static var loggedCommits: Int { Int(CommitLog.length) }

  /// Returns the logged changes to the rows of a class since a commit, whose state may be gone; nil
  /// if the log does not reach back to the commit. Changes to the schema are not among them.
  ///
  /// The deleted rows include those that were inserted after the commit too, since somebody may have
  /// seen them.
  package func changes(of name: String, since version: UInt64) -> TableChanges? {
    guard let recorded = changeLog(after: version) else { return nil }
    guard let table = table(name), let steps = recorded[table.schema.id] else {
      return TableChanges()
    }
    var changes = TableChanges(merging: steps)
    // The log of a bulk load includes rows that it dropped.
    changes.inserted = KeyRangeSet(changes.inserted.runs.flatMap { table.liveKeys($0).runs })
    changes.deleted = KeyRangeSet(steps.flatMap(\.deleted.runs))
    return changes
  }

  /// Returns the logged changes after a commit, by class number; nil if the log lacks a commit.
  fileprivate func changeLog(after version: UInt64) -> [UInt32: [TableChanges]]? {
    guard version <= self.version, self.version - version <= CommitLog.length else { return nil }
    var steps: [UInt32: [TableChanges]] = [:]
    var next = version
    while next < self.version {
      next += 1
      guard let entries = (try? ChangeLogCoding.entries(of: next, in: transaction)) ?? nil else {
        return nil
      }
      for entry in entries { steps[entry.table, default: []].append(entry.changes) }
    }
    return steps
  }
}

/// A watch that reports commits while it lives.
package final class CommitWatch: Sendable {
  private let hold: EnvironmentHandle
  private let number: Int

  fileprivate init(_ hold: EnvironmentHandle, body: @escaping @Sendable (UInt64) -> Void) {
    self.hold = hold
    number = hold.environment.watcher.add(body, environment: hold.environment)
  }

  deinit { hold.environment.watcher.remove(number) }
}

extension Store {
  /// Calls `body` with the number of the latest commit soon after each commit, by this or another
  /// process, until the watch is released. One call may cover several commits in quick succession.
  ///
  /// `body` runs on a separate thread, one call at a time, and should only signal that there is
  /// work to do. A call may still be running when the watch is released. Nothing runs without a
  /// watch, and hardly anything runs without a write.
  package func watch(_ body: @escaping @Sendable (UInt64) -> Void) -> CommitWatch {
    CommitWatch(handle, body: body)
  }
}
