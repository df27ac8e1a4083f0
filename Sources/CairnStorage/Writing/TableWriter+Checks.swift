import CairnValues

extension TableWriter {
  func requireLive(_ key: Int) throws(StoreError) {
    guard table.isLive(key) else {
      throw StoreError(
        .invalidValue, "class '\(schema.name)' has no object \(key), or it was deleted")
    }
  }

  func checkUnique(_ value: Value, _ position: Int) throws(StoreError) {
    guard table.find(primaryKey: value) == nil else {
      throw StoreError(
        .duplicateKey,
        "Attempting to create an object of type '\(schema.name)' with an existing primary key value '\(value.shown)'."
      )
    }
  }

  func check(_ value: Value, _ column: ColumnSchema) throws(StoreError) {
    if value == .null {
      guard column.isNullable else {
        throw StoreError(
          .invalidValue,
          "property '\(schema.name).\(column.name)' is not optional, so it cannot be null")
      }
      return
    }
    guard column.accepts(value) else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' is of type \(column.type.name), which \(value.shown) is not"
      )
    }
    try checkLocation(value, column)
  }

  /// Throws for a location that is none: it would be in no region, and has no place on the Hilbert curve.
  func checkLocation(_ value: Value, _ column: ColumnSchema) throws(StoreError) {
    guard case .point(let point) = value else { return }
    guard abs(point.latitude) <= 90, abs(point.longitude) <= 180, point.altitude.isFinite else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' cannot hold \(value.shown): latitudes are -90 to 90, longitudes -180 to 180"
      )
    }
  }

  /// Throws when a text would outgrow what a chunk can lead to.
  ///
  /// - Parameter rows: how many rows of the chunk are to hold it.
  func checkRoom(
    _ value: Value, _ position: Int, _ chunk: Int, rows: Int = 1
  ) throws(StoreError) {
    let size = value.heapSize
    guard size > 1 << 16 else { return }
    guard size <= ChunkShape.mostValueBytes else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(schema.columns[position].name)' cannot hold \(size) bytes; \(ChunkShape.mostValueBytes) are the most"
      )
    }
    guard edit(position, chunk).heapSize + size * rows <= ChunkShape.mostHeapBytes else {
      throw StoreError(
        .full,
        "property '\(schema.name).\(schema.columns[position].name)' holds too much in neighbouring objects: \(ChunkShape.mostHeapBytes) bytes are the most for \(ChunkShape.rows) of them"
      )
    }
  }
}

extension ColumnSchema {
  /// Whether a value that is not null may stand in the column.
  fileprivate func accepts(_ value: Value) -> Bool {
    switch storedType {
    case .mixed: value.type == .data
    case .link, .embedded: value.type == .int
    default: value.type == storedType
    }
  }
}

extension Value {
  /// Bytes that the value takes in the heap of its chunk.
  var heapSize: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 0
    }
  }
}
