import CairnGeometry
import CairnValues

/// Geometries, and the columns with their boxes.
extension TableWriter {
  /// Throws for a geometry of a kind that the column does not hold, for one with a vertex that is
  /// not on the earth, and for lines and rings that are too short or not closed.
  func checkGeometry(
    _ bytes: UnsafeRawBufferPointer, column: ColumnSchema
  ) throws(StoreError) {
    let view = GeometryView(bytes)
    guard bytes.isEmpty || column.holds(view.kind) else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' is of type \(column.type.name) "
          + "and cannot hold a \(view.kind.name)"
      )
    }
    do throws(GeometryError) {
      try view.checkRules()
    } catch {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' cannot hold the geometry: \(error)")
    }
  }

  /// Sets the box of a geometry that was set.
  func setBounds(_ box: Envelope?, of column: ColumnSchema, at key: Int) {
    guard let bounds = schema.bounds(for: column) else { return }
    let value = box.map { Value.box(Box($0)) } ?? .null
    guard value != table.value(bounds.position, at: key) else { return }
    edit(bounds.position, chunk: RowAddress(key).chunk).set(value, at: RowAddress(key).row)
    overlay.noteModified(key, column: bounds)
    overlay.noteLocation(key, at: bounds.position)
  }

  /// Appends a geometry as the next property, in its packed form.
  package func append(geometry bytes: UnsafeRawBufferPointer) { append(.geometry(Array(bytes))) }

  /// Sets the boxes of a row that is being built.
  func setDraftBounds(row: Int) {
    for (geometry, bounds) in draft.bounds {
      let source = draft.cell(geometry).memory
      let target = draft.cell(bounds).memory
      let bytes =
        overlay.largeValue(geometry, at: overlay.endKey)?.bytes ?? source.bytes(at: row)
      let box = source.isNull(row) ? nil : GeometryView(bytes).bounds
      target.set(box.map { .box(Box($0)) } ?? .null, at: row)
    }
  }
}

/// Geometries of many bytes, whose rows refer to values under keys of their own.
extension TableWriter {
  /// Sets a row of a chunk. The value was checked.
  func setCell(
    _ value: Value, of column: ColumnSchema, in memory: ChunkMemory, at key: Int
  ) {
    let row = RowAddress(key).row
    guard column.isGeometry else { return memory.set(value, at: row) }
    guard value.isLargeGeometry, case .geometry(let bytes) = value else {
      overlay.setLargeValue(nil, column.position, at: key)
      return memory.set(value, at: row)
    }
    bytes.withUnsafeBytes { bytes in
      memory.setReference(LargeReference(to: bytes), at: row)
      overlay.setLargeValue(OwnedBytes(bytes), column.position, at: key)
    }
  }

  /// Writes the large values of a column that were set, and frees those that were replaced or
  /// belonged to deleted rows.
  func storeLargeValues(
    of column: ColumnSchema, _ state: TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    func name(_ key: Int) -> StorageKey {
      let (extent, number) = state.storage(ofChunk: RowAddress(key).chunk)
      return .largeValue(
        schema.id, column: column.id, extent: extent, chunk: number, row: RowAddress(key).row)
    }
    if !overlay.isCleared {
      for key in replacedLargeValues(of: column) { try lmdb.delete(name(key)) }
    }
    for (key, value) in overlay.largeValues[column.position] ?? [:] where table.isLive(key) {
      try lmdb.put(name(key), value: value.bytes)
    }
  }

  /// Returns the older rows whose stored large value nothing refers to any more.
  private func replacedLargeValues(of column: ColumnSchema) -> [Int] {
    let stored = table.column(column.position)
    let edited = overlay.buffers[column.position]
    return Set(edited.keys).union(overlay.deleted.chunks).flatMap { chunk -> [Int] in
      guard let before = stored.stored(chunk), before.hasReferences else { return [] }
      let now = edited[chunk]?.view
      return before.references.map { RowAddress.firstKey(ofChunk: chunk) + $0.row }
        .filter { key in
          !table.isLive(key) || (now.map { $0.reference(at: RowAddress(key).row) == nil } ?? false)
        }
    }
  }
}

extension Value {
  /// Whether the value is a geometry that is stored under a key of its own.
  var isLargeGeometry: Bool {
    guard case .geometry(let bytes) = self else { return false }
    return bytes.count > LargeReference.threshold
  }

  /// Calls `body` with the value as its column stores it: for a large geometry a reference, and the
  /// value that it refers to.
  func withLargeReference(_ body: (StoredCell, OwnedBytes?) -> Void) {
    guard isLargeGeometry, case .geometry(let bytes) = self else {
      return withStoredCell { body($0, nil) }
    }
    bytes.withUnsafeBytes { bytes in
      LargeReference(to: bytes).withBytes { body(.bytes($0), OwnedBytes(bytes)) }
    }
  }

  /// The box of a geometry; nil for other values and for a geometry without a vertex.
  var bounds: Envelope? {
    guard case .geometry(let bytes) = self else { return nil }
    return bytes.withUnsafeBytes { GeometryView($0).bounds }
  }
}

extension ColumnSchema {
  /// Returns whether the column holds geometries of that kind.
  func holds(_ kind: Geometry.Kind) -> Bool {
    switch type {
    case .lineString: kind == .lineString
    case .polygon: kind == .polygon || kind == .multiPolygon
    default: true
    }
  }
}

extension Geometry.Kind {
  /// The name of the kind in WKT.
  var name: String {
    switch self {
    case .point: "Point"
    case .lineString: "LineString"
    case .polygon: "Polygon"
    case .multiPoint: "MultiPoint"
    case .multiLineString: "MultiLineString"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    }
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes. Unlike `withUnsafeBytes`, it rethrows an error of a known type.
  func withTypedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = withUnsafeBytes { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
