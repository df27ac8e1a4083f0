import CairnStorage
import CairnValues

/// The collections that the open write transaction edits, decoded.
///
/// A thousand appends to one list encode it only once, before something else reads the store's
/// bytes.
final class CollectionDrafts {
  private struct Site: Hashable {
    let table: ObjectIdentifier
    let column: Int
    let key: Int

    init(_ row: Row, column: ColumnSchema) {
      table = ObjectIdentifier(row.handle)
      self.column = column.position
      key = row.key
    }
  }

  private struct Entry {
    let row: Row
    let column: ColumnSchema
    let draft: CollectionDraft
    let target: ClassHandle?
    /// The number of deleted rows of the target when the draft's links were last checked.
    var dead: Int
  }

  private var entries: [Site: Entry] = [:]
  /// The maximum number of drafts, above which all are encoded. A transaction that edits so many
  /// collections rarely returns to each.
  private static let maxDrafts = 256

  var isEmpty: Bool { entries.isEmpty }

  /// The draft of a collection; nil if the collection is not being edited.
  func draft(of row: Row, _ column: ColumnSchema) -> CollectionDraft? {
    guard !entries.isEmpty, let entry = entries[Site(row, column: column)] else { return nil }
    if let target = entry.target, target.table.deletedCount != entry.dead {
      entry.draft.keepLinks(target.table.isLive)
      entry.draft.isDirty = true
      entries[Site(row, column: column)]?.dead = target.table.deletedCount
    }
    return entry.draft
  }

  /// Adds the draft of a collection.
  func add(_ draft: CollectionDraft, of row: Row, column: ColumnSchema, to target: ClassHandle?) {
    if entries.count >= CollectionDrafts.maxDrafts {
      row.handle.session.packCollections()
      entries = [:]
    }
    entries[Site(row, column: column)] = Entry(
      row: row, column: column, draft: draft, target: target, dead: target?.table.deletedCount ?? 0)
  }

  /// Discards the edits of a collection that is about to be replaced.
  func discard(_ row: Row, column: ColumnSchema) {
    if !entries.isEmpty { entries[Site(row, column: column)] = nil }
  }

  /// Discards all edits.
  func discardAll() { entries = [:] }

  /// Encodes the edited collections into their rows; returns true if there were any.
  func pack() -> Bool {
    var isAnyPacked = false
    for entry in entries.values {
      guard let draft = draft(of: entry.row, entry.column), draft.isDirty,
        entry.row.handle.table.isLive(entry.row.key)
      else { continue }
      draft.isDirty = false
      isAnyPacked = true
      let writer = entry.row.handle.session.writer(of: entry.row.handle)
      let isMixed = entry.column.collection == .none
      let bytes = isMixed ? draft.nested.encoded() : draft.packed(entry.column.type)
      orFatal { try writer.set(.data(bytes), position: entry.column.position, at: entry.row.key) }
    }
    return isAnyPacked
  }
}

extension Session {
  /// Encodes the edited collections, so that the tables of the transaction contain them.
  ///
  /// Call this before any read that bypasses `StoredElements`: queries, deletions, the commit.
  func packCollections() {
    guard !openCollections.isEmpty, transaction != nil else { return }
    if openCollections.pack() { markChanged() }
  }
}

extension Table {
  /// The number of deleted rows.
  var deletedCount: Int { endKey - liveCount }
}
