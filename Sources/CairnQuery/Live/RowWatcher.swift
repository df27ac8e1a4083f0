import CairnStorage

/// A change to the rows that a query finds.
package struct RowEvent {
  /// The kinds of events.
  package enum Kind: String, Sendable {
    /// The row matches at the beginning.
    case initial
    /// The row matches now, and did not before.
    case enter
    /// The row still matches, and has other values.
    case change
    /// The row no longer matches, or was deleted.
    case leave
  }

  /// The kind of the event.
  package let kind: Kind
  /// The number of the row in its class.
  package let key: Int
  /// The columns with other values.
  package var changed: [String] = []
  /// The class that has the row's values: the newer state, or the older one for a row that was
  /// deleted; nil if the values are no longer known.
  package let table: Table?
  /// Whether the row was deleted.
  package var isDeleted = false
}

/// The events of one step, which are made one by one when they are read.
package struct RowEvents: Sequence {
  /// The keys of one kind of event.
  typealias Group = (kind: RowEvent.Kind, keys: [Int])

  private let groups: [Group]
  private let make: (RowEvent.Kind, Int) -> RowEvent

  init(_ groups: [Group], make: @escaping (RowEvent.Kind, Int) -> RowEvent) {
    self.groups = groups
    self.make = make
  }

  /// The number of events.
  package var count: Int { groups.reduce(0) { $0 + $1.keys.count } }

  /// Returns an iterator over the events: first the rows that leave, then those that enter, then
  /// those that change.
  package func makeIterator() -> AnyIterator<RowEvent> {
    var (group, index) = (0, 0)
    return AnyIterator {
      while group < groups.count, index == groups[group].keys.count {
        (group, index) = (group + 1, 0)
      }
      guard group < groups.count else { return nil }
      defer { index += 1 }
      return make(groups[group].kind, groups[group].keys[index])
    }
  }
}

/// Follows the rows that a query finds from commit to commit.
///
/// It keeps the state that it saw last, which the next step replaces, so that the file can reuse its
/// pages. Confined to one thread at a time.
package final class RowWatcher {
  /// The query: a class and a condition.
  package let query: TableQuery
  /// The state that was seen last in which the class existed.
  package private(set) var snapshot: Snapshot
  /// The class in that state.
  package private(set) var table: Table
  /// Whether the class was removed.
  package private(set) var isRemoved = false
  private let store: Store
  private let tracker: ResultsTracker

  /// Begins with a snapshot of a store.
  ///
  /// - Parameters:
  ///   - table: The query's class in the snapshot.
  ///   - deadline: The time at which the first run of the query ends; nil for no limit.
  /// - Throws: An error in the query; `QueryDeadline.Missed`.
  package init(
    _ query: TableQuery, on snapshot: Snapshot, table: Table, of store: Store,
    deadline: QueryDeadline? = nil
  ) throws {
    self.query = query
    self.snapshot = snapshot
    self.table = table
    self.store = store
    tracker = try ResultsTracker(query, on: snapshot, table: table, deadline: deadline)
  }

  /// The point behind the events so far.
  package var cursor: CommitCursor { CommitCursor(snapshot.version, of: store) }

  /// The rows that match, as events.
  package func initial() -> RowEvents {
    let table = table
    return RowEvents([(.initial, tracker.keys)]) { kind, key in
      RowEvent(kind: kind, key: key, table: table)
    }
  }

  /// The changes up to the present state since an earlier watch, whose state is gone. A row that was
  /// changed is reported as it is now, whether or not it matched before. A row that was inserted and no
  /// longer matches, or was deleted again, leaves, since a part of the events may have been received.
  ///
  /// - Throws: ``CommitCursor/Problem`` if the changes are not known, or an error in the query.
  package func changes(since cursor: CommitCursor) throws -> RowEvents {
    let changes = try cursor.changes(of: query.table, in: snapshot, of: store)
    let table = table
    let execution = try Execution(query, on: table)
    let modified = changes.modified { _ in true }.keys
    let known = Array(changes.inserted.keys) + modified
    let groups: [RowEvents.Group] = [
      (.leave, Array(changes.deleted.keys) + known.filter { !execution.matches($0) }),
      (.enter, changes.inserted.keys.filter(execution.matches)),
      (.change, modified.filter(execution.matches)),
    ]
    return RowEvents(groups) { kind, key in
      guard table.isLive(key) else {
        return RowEvent(kind: kind, key: key, table: nil, isDeleted: true)
      }
      let columns = Set(changes.modified.filter { $0.keys.contains(key) }.flatMap(\.columns))
      let names = table.schema.properties.filter { columns.contains($0.id) }.map(\.name)
      return RowEvent(kind: kind, key: key, changed: names, table: table)
    }
  }

  /// Advances to the last commit. Returns the changes, or nil if there was no commit.
  package func advance() throws -> RowEvents? {
    let newest = try store.snapshot()
    guard newest.version != snapshot.version, !isRemoved else { return nil }
    let changes = ObjectChanges(newest.changes(since: snapshot))
    let found = try tracker.update(changes, observed: .ownProperties)
    let (old, new) = (table, newest.table(query.table))
    if let new { (snapshot, table) = (newest, new) } else { isRemoved = true }
    let groups: [RowEvents.Group] = [
      (.leave, found.deletedKeys), (.enter, found.insertedKeys), (.change, found.modifiedKeys),
    ]
    return RowEvents(groups) { [name = query.table] kind, key in
      guard let new, new.isLive(key) else {
        return RowEvent(kind: kind, key: key, table: old, isDeleted: true)
      }
      let columns = kind == .change ? changes.modifiedProperties(name, at: key) : []
      return RowEvent(kind: kind, key: key, changed: columns.map(\.name), table: new)
    }
  }
}
