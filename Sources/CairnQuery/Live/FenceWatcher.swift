import CairnGeometry
import CairnStorage
import CairnValues

/// A row that enters or leaves a fence.
package struct FenceEvent: Equatable, Sendable {
  /// The kinds of events.
  package enum Kind: String, Sendable {
    /// The earlier events of the row, or of the fence, are out of date. The fences or rows that are still
    /// right follow as `enter`.
    case reset
    /// The row is within the fence at the beginning.
    case initial
    /// The row is within the fence now, and was not before.
    case enter
    /// The row left the fence, or one of the two was deleted.
    case leave
  }

  /// The kind of the event.
  package let kind: Kind
  /// The key of the row; nil for the reset of a fence.
  package let row: Int?
  /// The key of the fence; nil for the reset of a row.
  package let fence: Int?
}

/// The events of one step, with the states that their rows and fences are in.
package struct FenceEvents {
  /// The events. A reset comes before the events that follow from it.
  package internal(set) var events: [FenceEvent] = []
  /// The classes of the rows after and before the step; nil for a class that does not exist.
  package let rows: (new: Table?, old: Table?)
  /// The classes of the fences after and before the step.
  package let fences: (new: Table?, old: Table?)

  /// Whether a row was deleted.
  package func isDeleted(_ row: Int) -> Bool { rows.new?.isLive(row) != true }

  /// The class with the values of a row: the newer state, or the older one for a row that was deleted;
  /// nil if the values are no longer known.
  package func table(of row: Int) -> Table? { isDeleted(row) ? rows.old : rows.new }

  /// The primary key of a fence, or its number if the class has none; nil if the fence is no longer
  /// known.
  package func identifier(of fence: Int) -> Value? {
    let table = [fences.new, fences.old].compactMap { $0 }.first { $0.isLive(fence) }
    return table.map { table in
      table.schema.primaryKey.map { table.value($0, at: fence) } ?? .int(Int64(fence))
    }
  }
}

/// Follows the rows of one class into and out of fences, the geometries of the objects of another
/// class, from commit to commit.
///
/// A step looks up only the rows that moved, in an R-tree over the fences, and searches only the
/// fences that changed. A row with a geometry is within a fence if the two meet. The query's condition
/// may only read properties of its own class. Confined to one thread at a time.
package final class FenceWatcher {
  private let store: Store
  private let query: TableQuery
  private let fenceClass: String
  /// The state that was seen last in which both classes existed.
  package private(set) var snapshot: Snapshot
  private var rows: FencedRows
  private var fenceTable: Table
  private var index: FenceIndex
  /// Whether one of the classes was removed.
  package private(set) var isRemoved = false

  /// The class of the rows in that state.
  package var table: Table { rows.table }

  /// Begins with a snapshot of a store.
  ///
  /// - Parameters:
  ///   - query: The rows that move: a class and a condition.
  ///   - table: Its class in the snapshot.
  ///   - fences: The class of the fences in the snapshot.
  ///   - deadline: The time at which the queries of the beginning end; nil for no limit.
  /// - Throws: An error in the query; `QueryError` if one of the classes lacks a geometry.
  package init(
    _ query: TableQuery, on snapshot: Snapshot, table: Table, fences: Table, of store: Store,
    deadline: QueryDeadline? = nil
  ) throws {
    (self.query, self.store, self.snapshot) = (query, store, snapshot)
    fenceClass = fences.schema.name
    rows = try FencedRows(query, of: table, deadline: deadline)
    fenceTable = fences
    index = try Self.index(fences)
    try deadline?.check()
  }

  /// The geometry that makes the objects of a class fences.
  private static func column(_ schema: TableSchema) throws(QueryError) -> ColumnSchema {
    guard let column = schema.properties.first(where: \.isGeometry) else {
      throw QueryError(
        .unsupportedType, message: "'\(schema.name)' has no geometry, so its objects are not fences"
      )
    }
    return column
  }

  private static func index(_ table: Table) throws -> FenceIndex {
    let keys = try Execution(TableQuery(table: table.schema.name), on: table).keys()
    return FenceIndex(keys, of: table, column: try column(table.schema))
  }

  /// The point behind the events so far.
  package var cursor: CommitCursor { CommitCursor(snapshot.version, of: store) }

  /// Every row that is within a fence.
  package func initial() throws -> FenceEvents {
    var result = FenceEvents(rows: (rows.table, nil), fences: (fenceTable, nil))
    for fence in index.allKeys {
      for row in try keys(of: fence, rows: rows, index: index) {
        result.events.append(FenceEvent(kind: .initial, row: row, fence: fence))
      }
    }
    return result
  }

  private func keys(of fence: Int, rows: FencedRows?, index: FenceIndex?) throws -> [Int] {
    guard let geometry = index?.geometry(fence) else { return [] }
    return try rows?.keys(meeting: geometry) ?? []
  }

  /// The changes up to the present state since an earlier watch, whose state is gone: a reset of each
  /// row and each fence that changed, and where they are now.
  ///
  /// - Throws: ``CommitCursor/Problem`` if the changes are not known.
  package func changes(since cursor: CommitCursor) throws -> FenceEvents {
    let moved = rows.moved(try cursor.changes(of: query.table, in: snapshot, of: store))
    let changed = Self.all(try cursor.changes(of: fenceClass, in: snapshot, of: store))
    var result = FenceEvents(rows: (rows.table, nil), fences: (fenceTable, nil))
    for row in moved.keys {
      result.events.append(FenceEvent(kind: .reset, row: row, fence: nil))
    }
    for fence in changed.keys {
      result.events.append(FenceEvent(kind: .reset, row: nil, fence: fence))
    }
    var fences: [Int] = []
    for row in moved.keys {
      guard let place = rows.place(of: row) else { continue }
      try index.find(place, into: &fences)
      for fence in fences {
        result.events.append(FenceEvent(kind: .enter, row: row, fence: fence))
      }
    }
    for fence in changed.keys {
      for row in try keys(of: fence, rows: rows, index: index) where !moved.contains(row) {
        result.events.append(FenceEvent(kind: .enter, row: row, fence: fence))
      }
    }
    return result
  }

  private static func all(_ changes: TableChanges) -> KeyRangeSet {
    changes.inserted.union(changes.deleted).union(changes.modified { _ in true })
  }

  /// Advances to the last commit. Returns the events, or nil if there was no commit.
  package func advance() throws -> FenceEvents? {
    let newest = try store.snapshot()
    guard newest.version != snapshot.version, !isRemoved else { return nil }
    let log = newest.changes(since: snapshot)
    let (newTable, newFences) = (newest.table(query.table), newest.table(fenceClass))
    let newRows = try newTable.map { try FencedRows(query, of: $0) }
    let changed = Self.all(log.changes(of: fenceClass))
    let newIndex =
      changed.isEmpty && newFences != nil ? index : try newFences.map { try Self.index($0) }
    let moved = (newRows ?? rows).moved(log.changes(of: query.table))
    var result = FenceEvents(
      rows: (newTable, rows.table), fences: (newFences, fenceTable))
    try addMoved(moved, rows: newRows, index: newIndex, to: &result.events)
    // Rows that moved have met all fences already.
    for fence in changed.keys {
      let before = try keys(of: fence, rows: rows, index: index).filter { !moved.contains($0) }
      let after = try keys(of: fence, rows: newRows, index: newIndex)
        .filter { !moved.contains($0) }
      Self.compare(before, after) { kind, row in
        result.events.append(FenceEvent(kind: kind, row: row, fence: fence))
      }
    }
    guard let newRows, let newFences, let newIndex else {
      isRemoved = true
      return result
    }
    (snapshot, rows, fenceTable, index) = (newest, newRows, newFences, newIndex)
    return result
  }

  /// Adds the events of rows that moved.
  private func addMoved(
    _ moved: KeyRangeSet, rows newRows: FencedRows?, index newIndex: FenceIndex?,
    to events: inout [FenceEvent]
  ) throws {
    var (before, after): ([Int], [Int]) = ([], [])
    for row in moved.keys {
      before.removeAll(keepingCapacity: true)
      after.removeAll(keepingCapacity: true)
      if let place = rows.place(of: row) { try index.find(place, into: &before) }
      if let newIndex, let place = newRows?.place(of: row) {
        try newIndex.find(place, into: &after)
      }
      Self.compare(before, after) { kind, fence in
        events.append(FenceEvent(kind: kind, row: row, fence: fence))
      }
    }
  }

  /// Compares two sorted lists: what only the first one has leaves, and what only the second one has
  /// enters.
  private static func compare(
    _ before: [Int], _ after: [Int], visit: (FenceEvent.Kind, Int) -> Void
  ) {
    if before == after { return }
    for key in before where !after.containsSorted(key) { visit(.leave, key) }
    for key in after where !before.containsSorted(key) { visit(.enter, key) }
  }
}
