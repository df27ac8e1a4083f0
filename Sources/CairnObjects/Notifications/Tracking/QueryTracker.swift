import CairnQuery
import CairnStorage

/// Finds what became of the objects that a query finds.
final class QueryTracker: SequenceTracker {
  private let found: FoundKeys
  private let paths: ObservedPaths
  private var tracker: ResultsTracker?
  private var isOwnerGone = false

  init(_ found: FoundKeys, _ paths: ObservedPaths) {
    self.found = found
    self.paths = paths
  }

  override var isOver: Bool { isOwnerGone }

  override func begin() throws {
    isOwnerGone = found.source.isInvalidated
    var query = found.query
    query.source = source
    tracker = try ResultsTracker(query, on: found.handle.session.snapshot, found.handle.table)
  }

  override func changes(_ step: ObjectChanges) throws -> Changes {
    isOwnerGone = found.source.isInvalidated
    return try tracker?.update(step, observed: paths, source: source) ?? Changes()
  }

  override func isTouched(_ step: ObjectChanges) -> Bool {
    !step.modified(found.handle.name, .everything).isEmpty
  }

  /// The rows that are asked now.
  private var source: TableQuery.Source {
    found.source.isInvalidated ? .keys([]) : found.source.rows
  }
}

/// Finds what became of a list or a set of objects.
final class LinksTracker: SequenceTracker {
  private let place: CollectionPlace
  private let target: ClassHandle
  private let paths: ObservedPaths
  private var held: [Int] = []

  init(_ place: CollectionPlace, _ target: ClassHandle, _ paths: ObservedPaths) {
    self.place = place
    self.target = target
    self.paths = paths
  }

  override var isOver: Bool { place.isInvalidated }

  override func begin() { held = present }

  override func changes(_ step: ObjectChanges) -> Changes {
    let old = held
    let modified = step.modified(target.name, paths)
    if place.mayDiffer(step, target) {
      held = present
    } else if modified.isEmpty {
      return Changes()
    }
    return Changes(ofKeys: old, to: held, modified: modified, pairs: place.kind == .list)
  }

  private var present: [Int] { place.isInvalidated ? [] : place.elements.links }
}

extension CollectionPlace {
  /// Whether the collection may be another after a step than before.
  func mayDiffer(_ step: ObjectChanges, _ target: ClassHandle? = nil) -> Bool {
    if let target, !step.log.changes(of: target.name).deleted.isEmpty { return true }
    let changes = step.log.changes(of: row.handle.name)
    let column = site.columnID
    return changes.deleted.contains(row.key)
      || changes.modified { $0 == column }.contains(row.key)
  }
}

extension CollectionPlace.Site {
  /// The number of the column that all of it is stored in.
  fileprivate var columnID: UInt16 {
    switch self {
    case .property(_, let column): column.id
    case .mixed(let row, let column): row.handle.table.schema.columns[column].id
    case .index(let parent, _), .key(let parent, _): parent.site.columnID
    }
  }
}
