/// What happened in a store between two states of it, class by class.
///
/// Read from the journal of the commits between, at a cost that grows with what they changed. Where the journal does not
/// reach back so far the states are compared, which gives the same and costs more: chunks that are still the same
/// page of the file are not looked into. Confined to one thread at a time, as the snapshots are.
package final class ChangeLog {
  package let old: Snapshot
  package let new: Snapshot
  /// By number of the class; nil: the journal does not reach back.
  private let recorded: [UInt32: [TableChanges]]?
  /// What was put together or compared before.
  private var known: [String: TableChanges] = [:]

  init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    recorded = new.journal(after: old.version)
  }

  /// Whether nothing happened in any class.
  package var isEmpty: Bool {
    if old.version == new.version { return true }
    if let recorded, !isAltered { return recorded.values.joined().allSatisfy(\.isEmpty) }
    return classNames.allSatisfy { changes(of: $0).isEmpty }
  }

  /// The classes of either state.
  package var classNames: [String] {
    let names = new.schema.tables.map(\.name)
    return names + old.schema.tables.map(\.name).filter { new.schema.table(named: $0) == nil }
  }

  /// Whether classes were made, altered or deleted between the states.
  package private(set) lazy var isAltered = old.schema.tables != new.schema.tables

  /// What happened to the rows of a class; nothing, where neither state has it.
  ///
  /// Of one that was altered between the states every row counts as modified in columns that are new or of another
  /// type; of one that was deleted and made again all rows were deleted, and others inserted.
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
      // A bulk load enters rows that it dropped, too.
      changes.inserted = KeyRuns(changes.inserted.runs.flatMap { table.liveKeys($0).runs })
    }
    return changes
  }
}

extension Snapshot {
  /// What happened since another snapshot of the same store.
  package func changes(since old: Snapshot) -> ChangeLog { ChangeLog(from: old, to: self) }

  /// What the commits behind that one did, by number of the class; nil where the journal lacks one of them.
  fileprivate func journal(after version: UInt64) -> [UInt32: [TableChanges]]? {
    guard version <= self.version, self.version - version <= Journal.length else { return nil }
    var steps: [UInt32: [TableChanges]] = [:]
    var next = version
    while next < self.version {
      next += 1
      guard let entries = (try? Journal.entries(of: next, in: transaction)) ?? nil else {
        return nil
      }
      for entry in entries { steps[entry.table, default: []].append(entry.changes) }
    }
    return steps
  }
}
