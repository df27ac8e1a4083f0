import CairnValues

/// A column whose rows are those of another column, converted to another type. Chunks are converted
/// on access, so that a derived column takes no memory.
final class ColumnDerivation {
  private let source: Column
  private let before: ColumnSchema
  private let column: ColumnSchema
  private let endKey: Int
  /// The most recently read chunk.
  private var last: (number: Int, buffer: ChunkBuffer)?

  /// - Throws: The first value without an exact equivalent in the new type.
  init(_ column: ColumnSchema, from before: ColumnSchema, of old: Table) throws(StoreError) {
    source = old.column(before.position)
    self.before = before
    self.column = column
    endKey = old.endKey
    if before.type == .string, column.type != .string, !old.isAllNull(before.position) {
      throw StoreError(
        .invalidValue,
        message:
          "'\(old.schema.name).\(column.name)' cannot become \(column.type.name): it holds text"
      )
    }
    guard before.type == .int, column.type == .double else { return }
    guard let number = old.firstInexact(before.position) else { return }
    throw StoreError(
      .invalidValue,
      message: "'\(old.schema.name).\(column.name)' cannot become a double: "
        + "it holds \(number), which no double holds exactly"
    )
  }

  /// Returns a chunk for reading. It is valid until the next call.
  func chunk(_ number: Int) -> Chunk {
    if let last, last.number == number { return last.buffer.view }
    let buffer = made(number)
    last = (number, buffer)
    return buffer.view
  }

  /// Returns a new buffer with a converted chunk.
  func made(_ number: Int) -> ChunkBuffer {
    let chunk = source.chunk(number)
    let buffer = ChunkBuffer(layout: column.layout)
    buffer.count = min(ChunkShape.rows, endKey - number * ChunkShape.rows)
    let isNumber = before.type == .int && column.type == .double
    // Only deleted rows can hold text that does not convert.
    let discardsText = before.type == .string && column.type != .string
    for row in 0..<buffer.count {
      if discardsText || chunk.isNull(row) {
        buffer.set(column.isNullable ? .null : .defaultValue(of: column.type), at: row)
      } else if isNumber {
        buffer.doubles[row] = Double(chunk.int(at: row))
      } else {
        buffer.set(.string(chunk.value(at: row, type: before.type).plainText), at: row)
      }
    }
    return buffer
  }
}

extension Table {
  /// Returns whether a column is null in every live row.
  func isAllNull(_ position: Int) -> Bool {
    ColumnProfile(column(position), of: self).nullCount == liveCount
  }

  /// Returns the first integer in a column that a double cannot represent exactly, ignoring deleted
  /// rows.
  func firstInexact(_ position: Int) -> Int64? {
    let column = column(position)
    for index in 0..<chunkCount {
      let zone = column.zone(index)
      if zone.isKnown, !zone.hasBounds || zone.isWithinExactDoubles { continue }
      let chunk = column.chunk(index)
      for row in 0..<rowCount(ofChunk: index)
      where !chunk.isNull(row) && isLive(RowAddress.firstKey(ofChunk: index) + row) {
        let number = chunk.int(at: row)
        if Int64(exactly: Double(number)) != number { return number }
      }
    }
    return nil
  }
}

extension Zone {
  fileprivate var isWithinExactDoubles: Bool {
    minimum.magnitude <= 1 << 53 && maximum.magnitude <= 1 << 53
  }
}

extension Snapshot {
  /// Returns whether a class has rows and all of them are null in a property.
  package func isAllNull(_ property: String, of name: String) -> Bool {
    guard let table = table(name), let column = table.schema.column(named: property) else {
      return false
    }
    return table.liveCount > 0 && table.isAllNull(column.position)
  }

  /// Returns the first integer in a property that a double cannot represent exactly; nil if every
  /// integer converts.
  package func firstInexactNumber(in name: String, _ property: String) -> Int64? {
    guard let table = table(name), let column = table.schema.stored(property),
      column.type == .int, column.collection == .none
    else { return nil }
    return table.firstInexact(column.position)
  }
}
