import CairnValues

extension Table {
  /// Whose an embedded object is; nil for objects of other classes.
  package func owner(of key: Int) -> Owner? {
    guard let columns = schema.ownerColumns else { return nil }
    let chunk = key >> ChunkShape.shift
    let row = key & (ChunkShape.rows - 1)
    return Owner(
      place: column(columns.column).chunk(chunk).int(at: row),
      key: Int(column(columns.key).chunk(chunk).int(at: row)))
  }

  /// The keys that a link column holds in a row, dead ones included.
  package func linkedKeys(_ position: Int, at key: Int) -> [Int] {
    let column = schema.columns[position]
    let chunk = self.column(position).chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard !chunk.isNull(row) else { return [] }
    guard column.collection != .none else { return [Int(chunk.int(at: row))] }
    return chunk.collection(at: row, of: column).linkedKeys
  }

  /// The place that a row of the shape of a location describes; nil where it describes none.
  func describedPlace(at key: Int) -> Position? {
    guard let columns = schema.locationColumns else { return nil }
    let row = key & (ChunkShape.rows - 1)
    let type = column(columns.type.position).chunk(key >> ChunkShape.shift)
    guard !type.isNull(row) else { return nil }
    let place = column(columns.coordinates.position).chunk(key >> ChunkShape.shift)
      .collection(at: row, of: columns.coordinates)
    return Position(type: type.bytes(at: row), place)
  }
}

extension Position {
  /// The place that a GeoJSON point describes: a type and, at least, longitude and latitude; nil where there is none.
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
  /// The keys of a collection of links that are not null, dead ones included.
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
