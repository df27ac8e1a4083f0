import CairnStorage
import CairnValues

/// Changes to a collection: in the transaction's draft of it. Outside a write transaction they are programming errors.
extension CollectionPlace {
  func editList<Result>(_ body: (ListDraft) -> Result) -> Result {
    edit({ ListDraft($0) }, body)
  }

  func editSet<Result>(_ body: (SetDraft) -> Result) -> Result {
    edit({ SetDraft($0) }, body)
  }

  func editMap<Result>(_ body: (MapDraft) -> Result) -> Result {
    edit({ MapDraft(self.keys, $0) }, body)
  }

  /// Ends the program outside a write transaction.
  func checkWriting() { _ = session.writer(of: row.handle) }

  private var keys: [MapKey] {
    let elements = elements
    return (0..<elements.count).map { MapKey(elements.key(at: $0)) }
  }

  private func edit<Draft: CollectionDraft, Result>(
    _ make: ([StoredElement]) -> Draft, _ body: (Draft) -> Result
  ) -> Result {
    checkWriting()
    if isInvalidated { programmingError("Object has been deleted or invalidated.") }
    if let (row, column) = site.cell {
      let draft = openDraft(row, column, make)
      draft.isDirty = true
      defer { session.noteChange() }
      return body(draft)
    }
    let draft = make(elements.all)
    defer { replace(with: StoredElement(draft.nested)) }
    return body(draft)
  }

  private func openDraft<Draft: CollectionDraft>(
    _ row: Row, _ column: ColumnSchema, _ make: ([StoredElement]) -> Draft
  ) -> Draft {
    if let open = session.openCollections.draft(of: row, column) as? Draft { return open }
    let elements = elements
    let made = make(elements.all)
    // A map keeps its keys to objects that were deleted since it was packed, and must not be packed with them.
    if let target = elements.target, target.table.deadCount > 0 {
      made.keepLinks(target.table.isLive)
    }
    session.openCollections.add(made, of: row, column, to: elements.target)
    return made
  }

  /// Stores a collection in the mixed value that this one is in.
  private func replace(with element: StoredElement) {
    switch site {
    case .property, .mixed: break
    case .index(let parent, let place): parent.editList { $0.list[place] = element }
    case .key(let parent, let key): parent.editMap { _ = $0.set(MapKey(key), element) }
    }
  }
}

extension CollectionPlace.Site {
  /// The cell that holds the collection and nothing else.
  fileprivate var cell: (Row, ColumnSchema)? {
    switch self {
    case .property(let row, let column): (row, column)
    case .mixed(let row, let column): (row, row.handle.table.schema.columns[column])
    case .index, .key: nil
    }
  }
}
