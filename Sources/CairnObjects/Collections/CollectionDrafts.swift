import CairnStorage
import CairnValues

/// The collections that the open write transaction edits, unpacked.
///
/// So that a thousand appends to one list do not pack it a thousand times: that happens once, before something
/// else reads the store's bytes.
final class CollectionDrafts {
  private struct Site: Hashable {
    let table: ObjectIdentifier
    let column: Int
    let key: Int

    init(_ row: Row, _ column: ColumnSchema) {
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
    /// Dead rows of the target when the draft was last held against it.
    var dead: Int
  }

  private var entries: [Site: Entry] = [:]
  /// More of them than these are packed at once: whoever edits so many does not come back to each.
  private static let most = 256

  var isEmpty: Bool { entries.isEmpty }

  /// The collection as it is edited; nil when nobody edits it.
  func draft(of row: Row, _ column: ColumnSchema) -> CollectionDraft? {
    guard !entries.isEmpty, let entry = entries[Site(row, column)] else { return nil }
    if let target = entry.target, target.table.deadCount != entry.dead {
      entry.draft.keepLinks(target.table.isLive)
      entry.draft.isDirty = true
      entries[Site(row, column)]?.dead = target.table.deadCount
    }
    return entry.draft
  }

  /// Takes a collection that is edited from now on.
  func add(_ draft: CollectionDraft, of row: Row, _ column: ColumnSchema, to target: ClassHandle?) {
    if entries.count >= CollectionDrafts.most {
      row.handle.session.packCollections()
      entries = [:]
    }
    entries[Site(row, column)] = Entry(
      row: row, column: column, draft: draft, target: target, dead: target?.table.deadCount ?? 0)
  }

  /// Forgets the edits of a collection that is about to be replaced.
  func forget(_ row: Row, _ column: ColumnSchema) {
    if !entries.isEmpty { entries[Site(row, column)] = nil }
  }

  /// Forgets all edits.
  func forgetAll() { entries = [:] }

  /// Packs what was edited into the rows; true when there was something.
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
      trapping { try writer.set(.data(bytes), entry.column.position, at: entry.row.key) }
    }
    return isAnyPacked
  }
}

extension Session {
  /// Packs the collections that were edited, so that the tables of the transaction hold them.
  ///
  /// Before whatever reads those past `StoredElements`: queries, deleting, committing.
  func packCollections() {
    guard !openCollections.isEmpty, transaction != nil else { return }
    if openCollections.pack() { noteChange() }
  }
}

extension Table {
  /// Rows that were deleted.
  var deadCount: Int { endKey - liveCount }
}
