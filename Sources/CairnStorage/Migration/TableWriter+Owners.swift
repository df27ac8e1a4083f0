import CairnValues

/// Objects that become embedded, and the locations that embedded objects describe.
extension TableWriter {
  /// Sets the owner of every object of a class that has become embedded to the first object that
  /// links to it.
  func findOwners() {
    forEachOwner { owner, key in
      if table.owner(of: key)?.code == 0 { setOwner(owner, of: key) }
    }
  }

  /// Sets the owner of every object of a class that has become embedded to the only object that
  /// links to it. Objects whose owner was deleted are deleted.
  ///
  /// - Throws: An error for an object that no object ever linked to, or that several link to.
  func finishOwners() throws(StoreError) {
    sharesObjects = false
    var ownersByKey: [Int: [Owner]] = [:]
    forEachOwner { owner, key in ownersByKey[key, default: []].append(owner) }
    for key in 0..<overlay.endKey where table.isLive(key) {
      guard let owners = ownersByKey[key] else {
        guard table.owner(of: key)?.code != 0 else {
          throw ownerError("no object links to it", key: key)
        }
        deleteWithEmbedded(key)
        continue
      }
      guard owners.count == 1 else {
        throw ownerError("\(owners.count) objects link to it", key: key)
      }
      if table.owner(of: key) != owners[0] { setOwner(owners[0], of: key) }
    }
  }

  private func setOwner(_ owner: Owner, of key: Int) {
    guard let columns = schema.ownerColumns else { return }
    let chunk = RowAddress(key).chunk
    let row = RowAddress(key).row
    edit(columns.key, chunk: chunk).set(.int(Int64(owner.key)), at: row)
    edit(columns.column, chunk: chunk).set(.int(owner.code), at: row)
  }

  private func ownerError(_ fault: String, key: Int) -> StoreError {
    StoreError(
      .schemaMismatch,
      message:
        "class '\(schema.name)' cannot be embedded: \(fault), "
        + "and an embedded object belongs to exactly one "
        + "(object \(key)); delete or copy such objects in the migration block")
  }

  /// Visits every link to a live object of the class.
  private func forEachOwner(_ visit: (Owner, Int) -> Void) {
    for index in table.set.schemas.indices {
      let origin = table.set.schemas[index]
      for column in origin.properties where column.type == .embedded {
        guard schema.isNamed(column.target ?? "") else { continue }
        let source = table.set.table(at: index)
        for key in 0..<source.endKey where source.isLive(key) {
          let owner = Owner(table: origin.id, column: column.id, key: key)
          for linked in source.linkedKeys(column.position, at: key) where table.isLive(linked) {
            visit(owner, linked)
          }
        }
      }
    }
  }

  /// Deletes the objects that belonged to removed properties.
  func deleteObjects(in ownersByKey: Set<Int64>) {
    for key in 0..<overlay.endKey where table.isLive(key) {
      if let owner = table.owner(of: key), ownersByKey.contains(owner.code) {
        deleteWithEmbedded(key)
      }
    }
  }

  /// Fills new location columns of embedded objects.
  func fillNewLocations() {
    for column in schema.properties where column.type == .embedded {
      guard let point = schema.point(for: column), let target = table.target(of: column.position),
        !table.column(point.position).isStored
      else { continue }
      fillLocations(column, point: point, target: target)
    }
  }

  /// Fills the location column of embedded objects.
  func fillLocations(_ column: ColumnSchema, point: ColumnSchema, target: Table) {
    overlay.rebuilt.insert(point.position)
    for chunk in 0..<table.chunkCount {
      let buffer = ChunkBuffer(layout: point.layout)
      buffer.count = table.rowCount(ofChunk: chunk)
      for row in 0..<buffer.count {
        let key = RowAddress.firstKey(ofChunk: chunk) + row
        let location = table.link(column.position, at: key).flatMap(target.describedLocation)
        buffer.set(location.map { .point($0) } ?? .null, at: row)
      }
      overlay.adopt(buffer, at: point.position, chunk: chunk)
    }
  }
}

extension Column {
  /// Whether any chunk of the column was ever written.
  var isStored: Bool { (0..<storedCount).contains { stored($0) != nil } }
}

extension TableSchema {
  /// The column numbers of the parts of a location.
  var locationIDs: [UInt16] { locationColumns.map { [$0.type.id, $0.coordinates.id] } ?? [] }
}
