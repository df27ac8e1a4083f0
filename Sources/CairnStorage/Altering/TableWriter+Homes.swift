import CairnValues

/// Objects that become embedded, and locations behind embedded objects.
extension TableWriter {
  /// Lets every object of a class that is embedded now live in the first one that links to it.
  func findOwners() {
    forEachHome { owner, key in
      if table.owner(of: key)?.place == 0 { setOwner(owner, of: key) }
    }
  }

  /// Lets every object of a class that is embedded now live in the one that links to it; those that lost theirs meanwhile
  /// are deleted.
  ///
  /// - Throws: that no object ever led to one, or that several do.
  func settleOwners() throws(StoreError) {
    sharesObjects = false
    var homes: [Int: [Owner]] = [:]
    forEachHome { owner, key in homes[key, default: []].append(owner) }
    for key in 0..<overlay.endKey where table.isLive(key) {
      guard let owners = homes[key] else {
        guard table.owner(of: key)?.place != 0 else { throw homeless("no object leads to it", key) }
        deleteWithEmbedded(key)
        continue
      }
      guard owners.count == 1 else {
        throw homeless("\(owners.count) objects lead to it", key)
      }
      if table.owner(of: key) != owners[0] { setOwner(owners[0], of: key) }
    }
  }

  private func setOwner(_ owner: Owner, of key: Int) {
    guard let columns = schema.ownerColumns else { return }
    let chunk = key >> ChunkShape.shift
    let row = key & (ChunkShape.rows - 1)
    edit(columns.key, chunk).set(.int(Int64(owner.key)), at: row)
    edit(columns.column, chunk).set(.int(owner.place), at: row)
  }

  private func homeless(_ fault: String, _ key: Int) -> StoreError {
    StoreError(
      .schemaMismatch,
      "class '\(schema.name)' cannot be embedded: \(fault), and an embedded object lives in exactly one "
        + "(object \(key)); delete or copy such objects in the migration block")
  }

  /// Visits every link to a live object of the class.
  private func forEachHome(_ visit: (Owner, Int) -> Void) {
    for place in table.set.schemas.indices {
      let origin = table.set.schemas[place]
      for column in origin.properties where column.type == .embedded {
        guard schema.isNamed(column.target ?? "") else { continue }
        let source = table.set.table(at: place)
        for key in 0..<source.endKey where source.isLive(key) {
          let owner = Owner(table: origin.id, column: column.id, key: key)
          for linked in source.linkedKeys(column.position, at: key) where table.isLive(linked) {
            visit(owner, linked)
          }
        }
      }
    }
  }

  /// Deletes the objects that live in properties which are no more.
  func deleteObjects(in homes: Set<Int64>) {
    for key in 0..<overlay.endKey where table.isLive(key) {
      if let owner = table.owner(of: key), homes.contains(owner.place) { deleteWithEmbedded(key) }
    }
  }

  /// Works out the locations behind embedded objects that had no column for them.
  func fillNewLocations() {
    for column in schema.properties where column.type == .embedded {
      guard let point = schema.point(for: column), let target = table.target(of: column.position),
        !table.column(point.position).isStored
      else { continue }
      fillLocations(column, point, target)
    }
  }

  /// Works out the locations behind the embedded objects of a column.
  func fillLocations(_ column: ColumnSchema, _ point: ColumnSchema, _ target: Table) {
    overlay.rebuilt.insert(point.position)
    for chunk in 0..<table.chunkCount {
      let buffer = ChunkBuffer(layout: point.layout)
      buffer.count = table.rowCount(ofChunk: chunk)
      for row in 0..<buffer.count {
        let key = chunk << ChunkShape.shift + row
        let place = table.link(column.position, at: key).flatMap(target.describedPlace)
        buffer.set(place.map { .point($0) } ?? .null, at: row)
      }
      overlay.adopt(buffer, point.position, chunk)
    }
  }
}

extension Column {
  /// Whether any chunk of the column was ever written.
  var isStored: Bool { (0..<storedCount).contains { stored($0) != nil } }
}

extension TableSchema {
  /// The numbers of the columns that make up a location.
  var locationIDs: [UInt16] { locationColumns.map { [$0.type.id, $0.coordinates.id] } ?? [] }
}
