import CairnStorage
import CairnValues

/// Where a collection of a store stands, and its elements in the present state.
public final class CollectionPlace: _StateMemory {
  enum Site {
    /// A property that holds a collection.
    case property(Row, ColumnSchema)
    /// A property of mixed values.
    case mixed(Row, column: Int)
    /// An element of a list of mixed values.
    case index(CollectionPlace, Int)
    /// What a map of mixed values has under a key.
    case key(CollectionPlace, String)
  }

  let site: Site
  let kind: CollectionKind
  /// Of a frozen collection read at once, so that whoever reads it on another thread changes nothing.
  private var known: StoredElements?
  private var version: Int

  init(_ site: Site, _ kind: CollectionKind) {
    self.site = site
    self.kind = kind
    let handle = site.row.handle
    version = handle.session.version
    super.init()
    if handle.isFrozen { known = site.read(kind) }
  }

  /// The property of a row.
  convenience init(_ row: Row, _ column: Int) {
    let schema = row.handle.table.schema.columns[column]
    self.init(.property(row, schema), schema.collection)
  }

  var row: Row { site.row }
  var session: Session { site.row.handle.session }
  /// Whether the object was deleted, or its mixed property holds something else by now.
  var isInvalidated: Bool {
    session.checkQuickly()
    return !row.handle.table.isLive(row.key) || !site.isThere(kind)
  }

  /// The elements now.
  var elements: StoredElements {
    let session = session
    session.checkQuickly()
    var elements: StoredElements
    if let known, version == session.version {
      elements = known
    } else {
      elements = site.read(kind)
      if !session.isFrozen { willRemember(session) }
      known = elements
      version = session.version
    }
    elements.origin = self
    return elements
  }

  override func surrender() -> Any? {
    defer { known = nil }
    return known
  }

  /// The elements now, which no later change touches.
  var settledElements: StoredElements {
    session.transaction == nil ? elements : elements.unchanging
  }

  /// Who elements that are added belong to.
  var owner: CollectionOwner {
    guard case .property(let row, let column) = site else {
      return CollectionOwner(session: session, embedding: nil)
    }
    return CollectionOwner(row, column)
  }

  /// The name of the elements' type.
  var typeName: String {
    if case .property(_, let column) = site { column.type.name } else { ValueType.mixed.name }
  }

  func isSame(as other: CollectionPlace) -> Bool { site.isSame(as: other.site) }
}

extension CollectionPlace.Site {
  /// The object that all of it belongs to.
  var row: Row {
    switch self {
    case .property(let row, _), .mixed(let row, _): row
    case .index(let parent, _), .key(let parent, _): parent.row
    }
  }

  fileprivate func isSame(as other: CollectionPlace.Site) -> Bool {
    switch (self, other) {
    case (.property(let a, let x), .property(let b, let y)):
      a.isSame(as: b) && x.position == y.position
    case (.mixed(let a, let x), .mixed(let b, let y)): a.isSame(as: b) && x == y
    case (.index(let a, let x), .index(let b, let y)): x == y && a.isSame(as: b)
    case (.key(let a, let x), .key(let b, let y)): x == y && a.isSame(as: b)
    default: false
    }
  }

  /// What a mixed value holds at the site; nil where the way there has gone.
  private var nested: Element? {
    switch self {
    case .property: return nil
    case .mixed(let row, let column):
      if let draft = mixedDraft { return draft.nested }
      return row.handle.element(column, at: row.key).nested
    case .index(let parent, let place):
      return place < parent.elements.count ? parent.elements.element(at: place).nested : nil
    case .key(let parent, let key):
      return parent.elements.place(ofKey: key).flatMap { parent.elements.element(at: $0).nested }
    }
  }

  /// The collection in a property of mixed values, while the transaction edits it.
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
    if case .property(let row, let column) = self { return read(row, column) }
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

  private func read(_ row: Row, _ column: ColumnSchema) -> StoredElements {
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
    self.column(column.position).chunk(key >> ChunkShape.shift)
      .collection(at: key & (ChunkShape.rows - 1), of: column)
  }
}

extension StoredCollection {
  /// The elements without links that lead nowhere any more; maps keep those under their keys.
  fileprivate func content(_ target: ClassHandle?, isMap: Bool) -> StoredElements.Content {
    guard let table = target?.table, table.deadCount > 0, !isMap else { return .packed(self) }
    let keys = (0..<count).map { Int(int(at: $0)) }
    let live = keys.filter(table.isLive)
    return live.count == keys.count ? .packed(self) : .links(live)
  }
}

extension Row {
  func isSame(as other: Row) -> Bool { handle === other.handle && key == other.key }
}
