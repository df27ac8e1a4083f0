import CairnQuery
import CairnStorage

/// A tracker of the changes of a query's results.
final class QueryTracker: SequenceTracker {
  private let found: ResultCache
  private let paths: ObservedPaths
  private var tracker: ResultsTracker?
  private var isOwnerGone = false

  init(_ found: ResultCache, paths: ObservedPaths) {
    self.found = found
    self.paths = paths
  }

  var isOver: Bool { isOwnerGone }

  func begin() throws {
    isOwnerGone = found.source.isInvalidated
    var query = found.query
    query.source = source
    tracker = try ResultsTracker(
      query, on: found.handle.session.snapshot, table: found.handle.table)
  }

  func changes(_ step: ObjectChanges) throws -> Changes {
    isOwnerGone = found.source.isInvalidated
    return try tracker?.update(step, observed: paths, source: source) ?? Changes()
  }

  func isTouched(_ step: ObjectChanges) -> Bool {
    !step.modified(found.handle.name, paths: .everything).isEmpty
  }

  /// The rows that the query reads in the present snapshot.
  private var source: TableQuery.Source {
    found.source.isInvalidated ? .keys([]) : found.source.rows
  }
}

/// A tracker of the changes of a list or a set of objects.
final class LinksTracker: SequenceTracker {
  private let reference: CollectionReference
  private let target: ClassHandle
  private let paths: ObservedPaths
  private var lastElements: [Int] = []

  init(_ reference: CollectionReference, target: ClassHandle, paths: ObservedPaths) {
    self.reference = reference
    self.target = target
    self.paths = paths
  }

  var isOver: Bool { reference.isInvalidated }

  func begin() { lastElements = present }

  func changes(_ step: ObjectChanges) -> Changes {
    let old = lastElements
    let modified = step.modified(target.name, paths: paths)
    if reference.mayDiffer(step, target: target) {
      lastElements = present
    } else if modified.isEmpty {
      return Changes()
    }
    return Changes(
      ofKeys: old, to: lastElements, modified: modified, pairs: reference.kind == .list)
  }

  private var present: [Int] { reference.isInvalidated ? [] : reference.elements.links }
}

extension CollectionReference {
  /// Whether the collection may have changed in a step.
  func mayDiffer(_ step: ObjectChanges, target: ClassHandle? = nil) -> Bool {
    if let target, !step.log.changes(of: target.name).deleted.isEmpty { return true }
    let changes = step.log.changes(of: row.handle.name)
    let column = site.columnID
    return changes.deleted.contains(row.key)
      || changes.modified { $0 == column }.contains(row.key)
  }
}

extension CollectionReference.Site {
  /// The ID of the column that stores the whole collection.
  fileprivate var columnID: UInt16 {
    switch self {
    case .property(_, let column): column.id
    case .mixed(let row, let column): row.handle.table.schema.columns[column].id
    case .index(let parent, _), .key(let parent, _): parent.site.columnID
    }
  }
}

/// A tracker of the changes of values that are sorted or filtered, or of a collection in a mixed
/// value.
final class ValuesTracker: SequenceTracker {
  private let values: ValueResultCache
  private var lastElements: [StoredElement] = []

  init(_ values: ValueResultCache) { self.values = values }

  var isOver: Bool { values.reference.isInvalidated }

  func begin() { lastElements = present }

  func changes(_ step: ObjectChanges) -> Changes {
    guard values.reference.mayDiffer(step) else { return Changes() }
    let old = lastElements
    lastElements = present
    return Changes(
      from: old, to: lastElements, pairs: values.steps.isEmpty && values.reference.kind == .list)
  }

  private var present: [StoredElement] {
    values.reference.isInvalidated ? [] : values.elements.all
  }
}

/// A tracker of the changes of a list or a set of values in a property. It stores no values,
/// because the older snapshot has them.
final class StoredValuesTracker: SequenceTracker {
  private let reference: CollectionReference
  private let column: ColumnSchema

  init?(_ values: ValueResultCache) {
    guard values.steps.isEmpty, case .property(_, let column) = values.reference.site else {
      return nil
    }
    reference = values.reference
    self.column = column
  }

  var isOver: Bool { reference.isInvalidated }

  func begin() {}

  func changes(_ step: ObjectChanges) -> Changes {
    guard reference.mayDiffer(step), let old = reference.stored(in: step.log.old, column) else {
      return Changes()
    }
    guard let new = reference.stored(in: step.log.new, column) else {
      var changes = Changes()
      changes.deletions = Array(0..<old.collection.count)
      return changes
    }
    return withExtendedLifetime((old, new)) {
      reference.kind == .set
        ? Changes(ofSet: old.collection, to: new.collection)
        : Changes(ofList: old.collection, to: new.collection)
    }
  }
}

/// A collection in one snapshot. It refers to the memory of the table.
struct SnapshotCollection {
  let table: Table
  let collection: StoredCollection
}

extension CollectionReference {
  /// The collection in a snapshot; nil if the object did not exist.
  func stored(in state: Snapshot, _ column: ColumnSchema) -> SnapshotCollection? {
    let table = state.table(row.handle.table.schema)
    guard table.isLive(row.key),
      let column = table.schema.columns.first(where: { $0.id == column.id })
    else { return nil }
    return SnapshotCollection(table: table, collection: table.collection(column, at: row.key))
  }
}
