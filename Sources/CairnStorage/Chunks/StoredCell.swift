import CairnValues

/// What one cell holds, as bits: to be compared with many rows, and written to them.
enum StoredCell {
  case null
  case integer(Int64)
  case float(Float)
  case double(Double)
  case bytes(UnsafeRawBufferPointer)
  case point(Position)
}

extension Value {
  /// The value as a column of its type stores it; the bytes are there while the body runs.
  func withStoredCell<R>(_ body: (StoredCell) -> R) -> R {
    switch self {
    case .null: body(.null)
    case .bool(let flag): body(.integer(flag ? 1 : 0))
    case .int(let number): body(.integer(number))
    case .link(let link): body(.integer(Int64(link.key)))
    case .float(let number): body(.float(number))
    case .double(let number), .date(let number): body(.double(number))
    case .string(let text): text.utf8.withBytes { body(.bytes($0)) }
    case .data(let bytes): bytes.withUnsafeBytes { body(.bytes($0)) }
    case .objectId(let id): id.withStoredBytes { body(.bytes($0)) }
    case .uuid(let id): id.withStoredBytes { body(.bytes($0)) }
    case .decimal(let number): number.withStoredBytes { body(.bytes($0)) }
    case .point(let position): body(.point(position))
    }
  }
}

extension ChunkMemory {
  /// Whether a row holds the very bits.
  func holds(_ cell: StoredCell, at row: Int) -> Bool {
    if case .null = cell { return isNull(row) }
    guard !isNull(row) else { return false }
    switch cell {
    case .null: return true
    case .integer(let number): return integers[row] == number
    case .float(let number): return floats[row].bitPattern == number.bitPattern
    case .double(let number): return doubles[row].bitPattern == number.bitPattern
    case .bytes(let bytes): return self.bytes(ofCell: row).elementsEqual(bytes)
    case .point(let position):
      return doubles[row] == position.longitude
        && doubles[ChunkShape.rows + row] == position.latitude
        && doubles[2 * ChunkShape.rows + row] == position.altitude
    }
  }

  /// Sets a row; the cell must be one of the column's layout.
  func set(_ cell: StoredCell, at row: Int) {
    if case .null = cell {
      setNull(true, at: row)
      return clear(row)
    }
    setNull(false, at: row)
    switch cell {
    case .null: break
    case .integer(let number): integers[row] = number
    case .float(let number): floats[row] = number
    case .double(let number): doubles[row] = number
    case .bytes(let bytes):
      layout == .bytes ? replaceBytes(bytes, at: row) : setFixed(bytes, at: row)
    case .point(let position): setPoint(position, at: row)
    }
  }

  /// The bytes of a row, of either length.
  private func bytes(ofCell row: Int) -> UnsafeRawBufferPointer {
    guard case .fixed(let width) = layout else { return bytes(at: row) }
    return UnsafeRawBufferPointer(start: rows + row * width, count: width)
  }
}
