import CairnValues

/// Checks the values of one column, chunk by chunk; the chunks are known to be well formed.
struct ColumnValuesCheck {
  private let table: Table
  private let column: ColumnSchema

  init(_ table: Table, _ column: ColumnSchema) {
    self.table = table
    self.column = column
  }

  /// What is wrong with the first value of a live row that may not stand there; nil: nothing.
  func objection(_ index: Int) -> String? {
    let chunk = table.column(column.position).chunk(index)
    if column.layout == .bytes, chunk.encoding == .dictionary, column.collection == .none,
      column.type == .string
    {
      return dictionaryObjection(chunk) ?? nullObjection(chunk, index)
    }
    // A dead row may hold any value, but for a place: an R-tree goes by those of whole blocks.
    for row in 0..<min(chunk.count, table.rowCount(ofChunk: index))
    where column.type == .point || isLive(row, index) {
      if let objection = objection(chunk, row) {
        return "object \(index * ChunkShape.rows + row): \(objection)"
      }
    }
    return nil
  }

  private func isLive(_ row: Int, _ chunk: Int) -> Bool {
    table.isLive(chunk * ChunkShape.rows + row)
  }

  private func nullObjection(_ chunk: Chunk, _ index: Int) -> String? {
    guard !column.isNullable, chunk.nulls != nil else { return nil }
    let row = (0..<chunk.count).first { chunk.isNull($0) && isLive($0, index) }
    return row.map { "object \(index * ChunkShape.rows + $0): is null, and may not be" }
  }

  private func dictionaryObjection(_ chunk: Chunk) -> String? {
    let isText = (0..<chunk.dictionaryCount).allSatisfy { chunk.entry($0).isUTF8 }
    return isText ? nil : "a text is no UTF-8"
  }

  private func objection(_ chunk: Chunk, _ row: Int) -> String? {
    if chunk.isNull(row) { return column.isNullable ? nil : "is null, and may not be" }
    guard column.collection == .none else {
      return CollectionForm.objection(chunk.bytes(at: row), column)
    }
    switch column.type {
    case .bool: return (0...1).contains(chunk.int(at: row)) ? nil : "is neither true nor false"
    case .string: return chunk.bytes(at: row).isUTF8 ? nil : "a text is no UTF-8"
    case .mixed: return Element.isWhole(chunk.bytes(at: row)) ? nil : "a mixed value makes no sense"
    case .point: return chunk.position(at: row).isOnEarth ? nil : "is no place on the earth"
    default: return nil
    }
  }
}

extension Position {
  fileprivate var isOnEarth: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180 && altitude.isFinite
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are a text.
  var isUTF8: Bool {
    var isPlain = true
    for byte in self where byte >= 0x80 {
      isPlain = false
      break
    }
    return isPlain || String(decoding: self, as: UTF8.self).utf8.elementsEqual(self)
  }
}
