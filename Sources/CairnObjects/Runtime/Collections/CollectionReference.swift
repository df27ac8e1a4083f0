import CairnStorage
import CairnValues

/// A reference to a stored collection, with its elements in the present snapshot.
public final class CollectionReference: _SnapshotCache {
  enum Site {
    /// A property that holds a collection.
    case property(Row, ColumnSchema)
    /// A property of type mixed.
    case mixed(Row, column: Int)
    /// An element of a list of mixed values.
    case index(CollectionReference, Int)
    /// The value of a key in a map of mixed values.
    case key(CollectionReference, String)
  }

  let site: Site
  let kind: CollectionKind
  /// The cached elements. Those of a frozen collection are read at once, so that a read on another
  /// thread changes nothing.
  private var cached: StoredElements?
  private var version: Int

  init(_ site: Site, kind: CollectionKind) {
    self.site = site
    self.kind = kind
    let handle = site.row.handle
    version = handle.session.version
    super.init()
    if handle.isFrozen { cached = site.read(kind) }
  }

  /// Creates a reference to a property of a row.
  convenience init(_ row: Row, column: Int) {
    let schema = row.handle.table.schema.columns[column]
    self.init(.property(row, schema), kind: schema.collection)
  }

  var row: Row { site.row }
  var session: Session { site.row.handle.session }
  /// Whether the object was deleted, or its mixed property now holds something else.
  var isInvalidated: Bool {
    session.checkQuickly()
    session.trackLife(row.handle, key: row.key)
    return !row.handle.table.isLive(row.key) || !site.isThere(kind)
  }

  /// The elements in the present snapshot.
  var elements: StoredElements {
    let session = session
    session.checkQuickly()
    track()
    var elements: StoredElements
    if let cached, version == session.version {
      elements = cached
    } else {
      elements = site.read(kind)
      if !session.isFrozen { willCache(session) }
      cached = elements
      version = session.version
    }
    elements.origin = self
    return elements
  }

  /// Makes the present tracking depend on the elements.
  func track() {
    guard session.isTracked else { return }
    session.trackRead(row.handle, column: site.column, key: row.key)
  }

  override func evict() -> Any? {
    defer { cached = nil }
    return cached
  }

  /// The elements in the present snapshot, unaffected by later changes.
  var settledElements: StoredElements {
    session.transaction == nil ? elements : elements.unchanging
  }

  /// The owner of added elements.
  var owner: CollectionOwner {
    guard case .property(let row, let column) = site else {
      return CollectionOwner(session: session, embedding: nil, nesting: site.nesting)
    }
    return CollectionOwner(row, column: column)
  }

  /// The name of the elements' type.
  var typeName: String {
    if case .property(_, let column) = site { column.type.name } else { ValueType.mixed.name }
  }

  func isSame(as other: CollectionReference) -> Bool { site.isSame(as: other.site) }
}

extension CollectionReference.Site {
  /// The object that contains the collection.
  var row: Row {
    switch self {
    case .property(let row, _), .mixed(let row, _): row
    case .index(let parent, _), .key(let parent, _): parent.row
    }
  }

  /// The position of the column that stores the whole collection.
  fileprivate var column: Int {
    switch self {
    case .property(_, let column): column.position
    case .mixed(_, let column): column
    case .index(let parent, _), .key(let parent, _): parent.site.column
    }
  }

  /// The number of lists and maps in a mixed value that surround the elements.
  fileprivate var nesting: Int {
    switch self {
    case .property: 0
    case .mixed: 1
    case .index(let parent, _), .key(let parent, _): parent.site.nesting + 1
    }
  }

  fileprivate func isSame(as other: CollectionReference.Site) -> Bool {
    switch (self, other) {
    case (.property(let a, let x), .property(let b, let y)):
      a.isSame(as: b) && x.position == y.position
    case (.mixed(let a, let x), .mixed(let b, let y)): a.isSame(as: b) && x == y
    case (.index(let a, let x), .index(let b, let y)): x == y && a.isSame(as: b)
    case (.key(let a, let x), .key(let b, let y)): x == y && a.isSame(as: b)
    default: false
    }
  }

  /// The content of the mixed value; nil if the path to it no longer exists.
  private var nested: Element? {
    switch self {
    case .property: return nil
    case .mixed(let row, let column):
      if let draft = mixedDraft { return draft.nested }
      return row.handle.element(column, at: row.key).nested
    case .index(let parent, let index):
      return index < parent.elements.count ? parent.elements.element(at: index).nested : nil
    case .key(let parent, let key):
      return parent.elements.index(ofKey: key).flatMap { parent.elements.element(at: $0).nested }
    }
  }

  /// The draft of a collection in a mixed property; nil if the transaction does not edit it.
  private var mixedDraft: CollectionDraft? {
    guard case .mixed(let row, let column) = self else { return nil }
    let schema = row.handle.table.schema.columns[column]
    return row.handle.session.openCollections.draft(of: row, schema)
  }

  fileprivate func isThere(_ kind: CollectionKind) -> Bool {
    if let mixedDraft { return mixedDraft.kind == kind }
    return switch (self, nested) {
    case (.property, _): true
    case (_, .list): kind == .list
    case (_, .map): kind == .map
    default: false
    }
  }

  fileprivate func read(_ kind: CollectionKind) -> StoredElements {
    let session = row.handle.session
    if case .property(let row, let column) = self { return read(row, column: column) }
    let content: StoredElements.Content
    if let draft = mixedDraft, draft.kind == kind {
      return StoredElements(
        content: .draft(draft), session: session, target: nil, table: row.handle.table,
        isMap: kind == .map)
    }
    switch nested {
    case .list(let list): content = .copied(list.map { StoredElement($0) }, keys: [])
    case .map(let entries):
      content = .copied(
        entries.map { StoredElement($0.value) }, keys: entries.map { MapKey($0.key) })
    default: content = .copied([], keys: [])
    }
    return StoredElements(
      content: content, session: session, target: nil, table: row.handle.table, isMap: kind == .map)
  }

  private func read(_ row: Row, column: ColumnSchema) -> StoredElements {
    row.handle.checkLive(row.key)
    let session = row.handle.session
    let target = column.target == nil ? nil : row.handle.targetHandle(column.position)
    let table = row.handle.table
    let content: StoredElements.Content
    if let draft = session.openCollections.draft(of: row, column) {
      content = .draft(draft)
    } else {
      let collection = table.collection(column, at: row.key)
      content = collection.content(target, isMap: column.collection == .map)
    }
    return StoredElements(
      content: content, session: session, target: target, table: table,
      isMap: column.collection == .map)
  }
}

extension Table {
  /// The collection of a row.
  func collection(_ column: ColumnSchema, at key: Int) -> StoredCollection {
    self.column(column.position).chunk(forRow: key)
      .collection(at: RowAddress(key).row, of: column)
  }
}

extension StoredCollection {
  /// The elements without links to deleted objects; maps retain those under their keys.
  fileprivate func content(_ target: ClassHandle?, isMap: Bool) -> StoredElements.Content {
    guard let table = target?.table, table.deletedCount > 0, !isMap else { return .packed(self) }
    let keys = (0..<count).map { Int(int(at: $0)) }
    let live = keys.filter(table.isLive)
    return live.count == keys.count ? .packed(self) : .links(live)
  }
}

extension Row {
  func isSame(as other: Row) -> Bool { handle === other.handle && key == other.key }
}

/// Changes to a collection, made in the transaction's draft of it. Outside a write transaction they
/// are programming errors.
extension CollectionReference {
  func editList<Result>(_ body: (ListDraft) -> Result) -> Result {
    edit({ ListDraft($0) }, body: body)
  }

  func editSet<Result>(_ body: (SetDraft) -> Result) -> Result {
    edit({ SetDraft($0) }, body: body)
  }

  func editMap<Result>(_ body: (MapDraft) -> Result) -> Result {
    edit({ MapDraft(self.keys, elements: $0) }, body: body)
  }

  /// Ends the program outside a write transaction.
  func checkWriting() { _ = session.writer(of: row.handle) }

  private var keys: [MapKey] {
    let elements = elements
    return (0..<elements.count).map { MapKey(elements.key(at: $0)) }
  }

  private func edit<Draft: CollectionDraft, Result>(
    _ make: ([StoredElement]) -> Draft, body: (Draft) -> Result
  ) -> Result {
    checkWriting()
    if isInvalidated { programmingError("Object has been deleted or invalidated.") }
    if let (row, column) = site.cell {
      return session.settingProperty(column, at: [row.key], of: row.handle) {
        // Not before the report: a query that runs within it packs the drafts.
        let draft = openDraft(row, column: column, make: make)
        draft.isDirty = true
        defer { session.markChanged() }
        return body(draft)
      }
    }
    let draft = make(elements.all)
    defer { replace(with: StoredElement(draft.nested)) }
    return body(draft)
  }

  private func openDraft<Draft: CollectionDraft>(
    _ row: Row, column: ColumnSchema, make: ([StoredElement]) -> Draft
  ) -> Draft {
    if let open = session.openCollections.draft(of: row, column) as? Draft { return open }
    let elements = elements
    let draft = make(elements.all)
    // A map retains the keys of links to deleted objects, which must not be encoded again as links.
    if let target = elements.target, target.table.deletedCount > 0 {
      draft.keepLinks(target.table.isLive)
    }
    session.openCollections.add(draft, of: row, column: column, to: elements.target)
    return draft
  }

  /// Stores a changed collection in the mixed value that contains it.
  private func replace(with element: StoredElement) {
    switch site {
    case .property, .mixed: break
    case .index(let parent, let index): parent.editList { $0.list[index] = element }
    case .key(let parent, let key): parent.editMap { _ = $0.set(MapKey(key), element: element) }
    }
  }
}

extension CollectionReference.Site {
  /// The cell that holds only this collection; nil for a nested collection.
  fileprivate var cell: (Row, ColumnSchema)? {
    switch self {
    case .property(let row, let column): (row, column)
    case .mixed(let row, let column): (row, row.handle.table.schema.columns[column])
    case .index, .key: nil
    }
  }
}
