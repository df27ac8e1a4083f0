import CairnValues

// What has been appended, read again: for those who want to know what a load would bring.
extension ColumnBuilder {
  /// Whether a row is null.
  package func isNull(_ row: Int) -> Bool {
    row < nulls.count && nulls.base.load(fromByteOffset: row, as: UInt8.self) != 0
  }

  /// Rows that are null.
  package var nullCount: Int { (0..<nulls.count).count { isNull($0) } }

  /// The value of a row, for the types that files have.
  package func value(at row: Int) -> Value {
    if isNull(row) { return .null }
    switch type {
    case .bool: return .bool(int(row) != 0)
    case .int: return .int(int(row))
    case .double: return .double(double(rows, row))
    case .date: return .date(double(rows, row))
    case .point:
      return .point(Position(latitude: double(heap, row), longitude: double(rows, row)))
    default: return .string(String(decoding: bytes(at: row), as: UTF8.self))
    }
  }

  /// The bytes of a row of text; valid until the next append.
  package func bytes(at row: Int) -> UnsafeRawBufferPointer {
    let start = row == 0 ? 0 : end(row - 1)
    return UnsafeRawBufferPointer(start: heap.base + start, count: end(row) - start)
  }

  private func end(_ row: Int) -> Int {
    Int(rows.base.load(fromByteOffset: row * 4, as: UInt32.self))
  }

  private func int(_ row: Int) -> Int64 { rows.base.load(fromByteOffset: row * 8, as: Int64.self) }

  private func double(_ bytes: GrowingBytes, _ row: Int) -> Double {
    bytes.base.load(fromByteOffset: row * 8, as: Double.self)
  }
}
