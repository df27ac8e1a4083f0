import CairnValues

extension TableWriter {
  /// Ends the row; gives its key.
  ///
  /// - Parameter owner: the object that an embedded object lives in; it may be the one that is inserted next.
  /// - Throws: what is wrong with the row; then the transaction is as it was.
  @discardableResult
  package func finishRow(owner: Owner? = nil) throws(StoreError) -> Int {
    let key = overlay.endKey
    let row = key & (ChunkShape.rows - 1)
    if draft.chunk != key >> ChunkShape.shift { beginChunk(key) }
    do throws(StoreError) {
      try checkDraft(owner, key)
    } catch {
      abandonRow(row)
      throw error
    }
    for column in 0..<draft.columnCount { draft.cells[column].memory.count = row + 1 }
    overlay.endKey = key + 1
    overlay.liveCount += 1
    if draft.primaryKey >= 0 { overlay.primaryKeys[draft.key] = key }
    if draft.marksRows { editLiveness(of: key).mark(row) }
    if let owner { setOwner(owner, key) }
    draft.reset()
    return key
  }

  /// Clears the cells of a row that is not to be.
  private func abandonRow(_ row: Int) {
    for column in 0..<draft.columnCount {
      draft.cells[column].memory.setNull(false, at: row)
      draft.cells[column].memory.clear(row)
    }
    draft.reset()
  }

  private func setOwner(_ owner: Owner, _ key: Int) {
    guard let columns = draft.owner else { return }
    let row = key & (ChunkShape.rows - 1)
    draft.cells[columns.key].memory.integers[row] = Int64(owner.key)
    draft.cells[columns.column].memory.integers[row] = owner.place
    draft.note(key, ownedBy: owner)
  }

  /// Throws what is wrong with the row as a whole; sets the locations behind its embedded objects.
  private func checkDraft(_ owner: Owner?, _ key: Int) throws(StoreError) {
    if let fault = draft.fault { throw fault }
    guard draft.position == draft.propertyCount else {
      throw StoreError(
        .invalidValue,
        "class '\(schema.name)' has \(draft.propertyCount) properties, not \(draft.position)")
    }
    if draft.primaryKey >= 0 { try checkUnique(draft.key, draft.primaryKey) }
    if owner != nil || draft.owner != nil { try checkOwner(owner) }
    for link in 0..<draft.links.count { try settle(draft.links[link], key) }
  }

  /// Throws where a link leads to no object that it may lead to; sets the location behind it.
  @inline(__always)
  private func settle(_ link: RowDraft.LinkCell, _ key: Int) throws(StoreError) {
    let row = key & (ChunkShape.rows - 1)
    let cell = draft.cells[link.column.position].memory
    guard link.column.collection == .none else {
      let collection = StoredCollection(
        cell.bytes(at: row), of: link.column.type, isMap: link.column.collection == .map)
      for linked in collection.linkedKeys { try checkLink(linked, link.column, at: key) }
      return
    }
    var place: Position?
    if !cell.isNull(row) {
      let linked = Int(cell.integers[row])
      if !link.target.isLast(linked, owner: key, place: link.place) {
        try checkLink(linked, link.column, at: key)
      }
      if link.point != nil { place = self.place(of: linked, link) }
    }
    guard let point = link.point else { return }
    draft.cells[point].memory.setNull(place == nil, at: row)
    draft.cells[point].memory.setPoint(place ?? Position(latitude: 0, longitude: 0), at: row)
  }

  /// What an embedded object describes; that is usually the last one that was inserted.
  private func place(of linked: Int, _ link: RowDraft.LinkCell) -> Position? {
    guard link.target.chunk == linked >> ChunkShape.shift else {
      return table.target(of: link.column.position)?.describedPlace(at: linked)
    }
    return link.target.place(linked & (ChunkShape.rows - 1))
  }
}
