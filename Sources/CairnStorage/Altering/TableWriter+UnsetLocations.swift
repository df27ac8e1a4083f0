import CairnValues

/// Locations that a class requires and its older rows do not have.
///
/// No location stands for a missing one, so that a row of a new column is marked until the program sets it, and the
/// alteration fails while a live row is still marked.
extension TableWriter {
  /// Marks every row of a column that was not there before.
  func markUnset(_ column: ColumnSchema) {
    for chunk in 0..<table.storedChunkCount { markUnset(column, in: chunk) }
  }

  /// Marks the rows of a chunk that was never written.
  func markUnset(_ column: ColumnSchema, in chunk: Int) {
    let buffer = ChunkBuffer(layout: column.layout)
    buffer.count = table.rowCount(ofChunk: chunk)
    for row in 0..<buffer.count { buffer.setPoint(.unset, at: row) }
    overlay.adopt(buffer, column.position, chunk)
  }

  /// Gives the rows that were deleted meanwhile a location again, which the store keeps for them.
  ///
  /// - Throws: that live rows have no location.
  func settleUnset() throws(StoreError) {
    for column in schema.properties where column.requiresLocation {
      var missing = 0
      for chunk in 0..<table.chunkCount {
        guard let buffer = overlay.buffer(column.position, chunk) else { continue }
        for row in 0..<buffer.count where buffer.isUnset(row) {
          if table.isLive(chunk << ChunkShape.shift + row) {
            missing += 1
          } else {
            buffer.setPoint(Position(latitude: 0, longitude: 0), at: row)
          }
        }
      }
      if missing > 0 { throw unset(column, missing) }
    }
  }

  private func unset(_ column: ColumnSchema, _ count: Int) -> StoreError {
    StoreError(
      .schemaMismatch,
      "'\(schema.name).\(column.name)' is a required location, and \(count) "
        + "\(count == 1 ? "object has" : "objects have") none: no location stands for a missing one. Make the "
        + "property optional, or set it for every object in the migration block")
  }
}

extension ColumnSchema {
  /// Whether every row has to have a location.
  package var requiresLocation: Bool { type == .point && collection == .none && !isNullable }
}

extension Position {
  /// The mark of a row that has no location yet: no user can set it.
  static var unset: Position { Position(latitude: .nan, longitude: .nan) }
}

extension ChunkBuffer {
  /// Whether a row is marked.
  fileprivate func isUnset(_ row: Int) -> Bool { longitudes[row].isNaN }
}
