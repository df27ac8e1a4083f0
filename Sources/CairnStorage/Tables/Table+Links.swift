import CairnValues

extension Table {
  /// Returns the class that the links of a property lead to, in the same state; nil if the property
  /// does not hold links.
  package func target(of position: Int) -> Table? {
    if let known = targets[position] { return set.table(at: known) }
    guard let name = schema.columns[position].target, let index = set.index(of: name) else {
      return nil
    }
    targets[position] = index
    return set.table(at: index)
  }

  /// Returns the class of that name in the same state.
  package func sibling(named name: String) -> Table? {
    set.index(of: name).map(set.table)
  }

  /// Returns the class of that number in the same state.
  package func sibling(id: UInt32) -> Table? { set.index(ofID: id).map(set.table) }

  /// Returns the key of the object that a row links to; nil if the link is null or the object was
  /// deleted.
  package func link(_ position: Int, at key: Int) -> Int? {
    let chunk = column(position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    guard !chunk.isNull(row) else { return nil }
    let found = Int(chunk.int(at: row))
    guard let target = target(of: position), target.isLive(found) else { return nil }
    return found
  }

  /// Returns the keys of the objects of this class that link to an object through a property, in
  /// rising order; an object appears once for each time its collection holds the link. Empty if the
  /// linked object was deleted.
  package func sources(of key: Int, through position: Int) -> [Int] {
    guard let target = target(of: position), target.isLive(key) else { return [] }
    let column = schema.columns[position]
    if column.type == .embedded { return owner(through: column, of: key, in: target) }
    guard let index = valueIndex(position) else {
      return sources(of: key, through: position, among: 0..<endKey)
    }
    var candidates: [Int] = []
    index.candidates(ValueRange(equal: .int(Int64(key)))) { source in
      candidates.append(source)
      return true
    }
    return sources(of: key, through: position, among: Set(candidates).sorted())
  }

  /// Returns the live rows among `rows` that link to an object.
  private func sources(
    of key: Int, through position: Int, among rows: some Sequence<Int>
  ) -> [Int] {
    let schema = schema.columns[position]
    let column = column(position)
    var found: [Int] = []
    for source in rows where isLive(source) {
      let chunk = column.chunk(forRow: source)
      let row = RowAddress(source).row
      guard !chunk.isNull(row) else { continue }
      if schema.collection == .none {
        if Int(chunk.int(at: row)) == key { found.append(source) }
        continue
      }
      let links = chunk.collection(at: row, of: schema)
      for index in 0..<links.count
      where !links.isNull(at: index) && Int(links.int(at: index)) == key {
        found.append(source)
      }
    }
    return found
  }

  /// Returns the owner of an embedded object, which stores it.
  private func owner(through column: ColumnSchema, of key: Int, in target: Table) -> [Int] {
    guard let owner = target.owner(of: key), owner.table == schema.id, owner.column == column.id,
      isLive(owner.key)
    else { return [] }
    return [owner.key]
  }
}

extension Table {
  /// Returns the owner of an embedded object; nil for objects of other classes.
  package func owner(of key: Int) -> Owner? {
    guard let columns = schema.ownerColumns else { return nil }
    let chunk = RowAddress(key).chunk
    let row = RowAddress(key).row
    return Owner(
      code: column(columns.column).chunk(chunk).int(at: row),
      key: Int(column(columns.key).chunk(chunk).int(at: row)))
  }

  /// Returns the keys that a link column holds in a row, including those of deleted objects.
  package func linkedKeys(_ position: Int, at key: Int) -> [Int] {
    let column = schema.columns[position]
    let chunk = self.column(position).chunk(forRow: key)
    let row = RowAddress(key).row
    guard !chunk.isNull(row) else { return [] }
    guard column.collection != .none else { return [Int(chunk.int(at: row))] }
    return chunk.collection(at: row, of: column).linkedKeys
  }

  /// Returns the position that a row of a class with the fields of a location describes; nil if it
  /// does not describe one.
  func describedLocation(at key: Int) -> Position? {
    guard let columns = schema.locationColumns else { return nil }
    let row = RowAddress(key).row
    let type = column(columns.type.position).chunk(forRow: key)
    guard !type.isNull(row) else { return nil }
    let coordinates = column(columns.coordinates.position).chunk(forRow: key)
      .collection(at: row, of: columns.coordinates)
    return Position(type: type.bytes(at: row), coordinates)
  }
}

extension Position {
  /// Reads the position of a GeoJSON point from its type and at least a longitude and a latitude;
  /// nil if they do not describe one.
  init?(type: UnsafeRawBufferPointer, _ coordinates: StoredCollection) {
    guard type.isPoint, coordinates.count >= 2, !coordinates.isNull(at: 0),
      !coordinates.isNull(at: 1)
    else { return nil }
    let (longitude, latitude) = (coordinates.double(at: 0), coordinates.double(at: 1))
    guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension StoredCollection {
  /// The keys of a collection of links that are not null, including those of deleted objects.
  var linkedKeys: [Int] {
    (0..<count).compactMap { isNull(at: $0) ? nil : Int(int(at: $0)) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the text is "point" in any case.
  package var isPoint: Bool {
    guard count == 5 else { return false }
    let start = loadUnaligned(as: UInt32.self).littleEndian | 0x2020_2020
    return start == 0x6E69_6F70 && self[4] | 0x20 == 0x74
  }
}

/// The owner of an embedded object: an object and one of its properties.
package struct Owner: Hashable, Sendable {
  /// The class number of the owner.
  package let table: UInt32
  /// The column number of the property.
  package let column: UInt16
  /// The key of the owner.
  package let key: Int

  /// Makes an owner of class number, column number and key.
  package init(table: UInt32, column: UInt16, key: Int) {
    self.table = table
    self.column = column
    self.key = key
  }

  /// Class and property as one number, as the hidden column stores them.
  var code: Int64 { Int64(table) << 16 | Int64(column) }

  init(code: Int64, key: Int) {
    self.init(
      table: UInt32(truncatingIfNeeded: code >> 16), column: UInt16(truncatingIfNeeded: code),
      key: key)
  }
}
