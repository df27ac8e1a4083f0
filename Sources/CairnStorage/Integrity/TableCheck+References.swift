import CairnValues

/// Links must lead to objects that there are or were; an embedded object, its owner, and the location that it describes
/// must agree.
extension TableCheck {
  func checkReferences(among checks: [TableCheck]) {
    guard isLivenessSound else { return }
    for column in table.schema.columns where isColumnSound[column.position] {
      switch column.role {
      case .property where column.isLink: checkLinks(of: column, among: checks)
      case .property where column.type == .mixed: checkMixedLinks(of: column)
      case .point(let source): checkPlaces(column, of: source, among: checks)
      default: break
      }
    }
    checkOwners(among: checks)
  }

  /// Calls `body` with the rows of the class that live.
  private func forEachLiveKey(_ body: (Int) -> Void) {
    for key in 0..<table.endKey where table.isLive(key) { body(key) }
  }

  private func checkLinks(of column: ColumnSchema, among checks: [TableCheck]) {
    guard let target = table.target(of: column.position) else {
      return note(
        .data, column, nil, "leads to class '\(column.target ?? "")', which cannot be read")
    }
    let isEmbedded = column.type == .embedded
    let other = checks.first { $0.table === target }
    guard !isEmbedded || other?.knowsOwners == true else { return }
    forEachLiveKey { key in
      for linked in table.linkedKeys(column.position, at: key) {
        guard linked >= 0, linked < target.endKey else {
          return noteRow(column, key, "leads to object \(linked), which there never was")
        }
        guard isEmbedded, target.isLive(linked) else { continue }
        if target.owner(of: linked) != Owner(table: table.id, column: column.id, key: key) {
          noteRow(column, key, "holds object \(linked), which lives in another one")
        }
      }
    }
  }

  /// Whether each row says in which object it lives.
  fileprivate var knowsOwners: Bool {
    guard isLivenessSound, let columns = table.schema.ownerColumns else { return false }
    return isColumnSound[columns.key] && isColumnSound[columns.column]
  }

  /// Every embedded object is held by the object that it names.
  private func checkOwners(among checks: [TableCheck]) {
    guard table.schema.isEmbedded, knowsOwners else { return }
    forEachLiveKey { key in
      guard let owner = table.owner(of: key),
        let other = checks.first(where: { $0.table.id == owner.table }),
        let column = other.table.schema.properties.first(where: { $0.id == owner.column })
      else { return noteRow(nil, key, "lives in an object of a class that cannot be read") }
      guard other.isLivenessSound, other.isColumnSound[column.position] else { return }
      guard other.table.isLive(owner.key),
        other.table.linkedKeys(column.position, at: owner.key).contains(key)
      else {
        return noteRow(
          nil, key, "lives in object \(owner.key) of '\(other.name)', which does not hold it")
      }
    }
  }

  private func checkMixedLinks(of column: ColumnSchema) {
    forEachLiveKey { key in
      for link in table.mixedLinks(column.position, at: key) {
        guard let target = table.sibling(id: link.table), link.key >= 0, link.key < target.endKey
        else { return noteRow(column, key, "leads to an object that there never was") }
      }
    }
  }

  /// The location behind an embedded object is the one that it describes.
  private func checkPlaces(_ column: ColumnSchema, of source: UInt16, among checks: [TableCheck]) {
    guard let link = table.schema.properties.first(where: { $0.id == source }),
      isColumnSound[link.position], let target = table.target(of: link.position),
      let parts = target.schema.locationColumns,
      let other = checks.first(where: { $0.table === target }), other.isLivenessSound,
      other.isColumnSound[parts.type.position], other.isColumnSound[parts.coordinates.position]
    else { return }
    forEachLiveKey { key in
      let place = table.link(link.position, at: key).flatMap { target.describedPlace(at: $0) }
      let found = table.value(column.position, at: key)
      if found != place.map({ Value.point($0) }) ?? .null {
        noteRow(column, key, "is searched at another place than its object describes")
      }
    }
  }

  private func noteRow(_ column: ColumnSchema?, _ key: Int, _ message: String) {
    note(.data, column, key >> ChunkShape.shift, "object \(key) \(message)")
  }
}

extension Table {
  /// The links in a mixed value, or in the mixed values of a collection.
  func mixedLinks(_ position: Int, at key: Int) -> [Link] {
    let column = schema.columns[position]
    let chunk = self.column(position).chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard !chunk.isNull(row) else { return [] }
    guard column.collection != .none else {
      return (try? Element(decoding: chunk.bytes(at: row)))?.links ?? []
    }
    let collection = chunk.collection(at: row, of: column)
    return (0..<collection.count).flatMap { collection.element(at: $0).links }
  }
}

extension Element {
  /// The links in it, however deep.
  var links: [Link] {
    switch self {
    case .value(.link(let link)): [link]
    case .value: []
    case .list(let elements): elements.flatMap(\.links)
    case .map(let entries): entries.flatMap(\.value.links)
    }
  }
}
