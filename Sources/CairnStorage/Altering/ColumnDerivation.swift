import CairnValues

/// A column whose rows are those of another, in another type: converted chunk by chunk as they are asked for, so that
/// none of it waits in memory.
final class ColumnDerivation {
  private let source: Column
  private let before: ColumnSchema
  private let column: ColumnSchema
  private let endKey: Int
  /// The chunk that was asked for last.
  private var last: (number: Int, buffer: ChunkBuffer)?

  /// - Throws: the first value that has none in the new type that is the same.
  init(_ column: ColumnSchema, from before: ColumnSchema, of old: Table) throws(StoreError) {
    source = old.column(before.position)
    self.before = before
    self.column = column
    endKey = old.endKey
    if before.type == .string, column.type != .string, !old.isAllNull(before.position) {
      throw StoreError(
        .invalidValue,
        "'\(old.schema.name).\(column.name)' cannot become of type \(column.type.name): it holds text"
      )
    }
    guard before.type == .int, column.type == .double else { return }
    guard let number = old.firstInexact(before.position) else { return }
    throw StoreError(
      .invalidValue,
      "'\(old.schema.name).\(column.name)' cannot become a double: it holds \(number), which no double holds exactly"
    )
  }

  /// A chunk to read; valid until another one is asked for.
  func chunk(_ number: Int) -> Chunk {
    if let last, last.number == number { return last.buffer.view }
    let buffer = made(number)
    last = (number, buffer)
    return buffer.view
  }

  /// A chunk of its own.
  func made(_ number: Int) -> ChunkBuffer {
    let chunk = source.chunk(number)
    let buffer = ChunkBuffer(layout: column.layout)
    buffer.count = min(ChunkShape.rows, endKey - number * ChunkShape.rows)
    let isNumber = before.type == .int && column.type == .double
    // Only deleted rows hold text that becomes something else.
    let isForgotten = before.type == .string && column.type != .string
    for row in 0..<buffer.count {
      if isForgotten || chunk.isNull(row) {
        buffer.set(column.isNullable ? .null : .blank(column.type), at: row)
      } else if isNumber {
        buffer.doubles[row] = Double(chunk.int(at: row))
      } else {
        buffer.set(.string(chunk.value(at: row, type: before.type).shown), at: row)
      }
    }
    return buffer
  }
}

extension Table {
  /// Whether no live row has a value in a column.
  func isAllNull(_ position: Int) -> Bool {
    ColumnProfile(column(position), of: self).nullCount == liveCount
  }

  /// The first whole number in a column that no double holds exactly; dead rows do not count.
  func firstInexact(_ position: Int) -> Int64? {
    let column = column(position)
    for index in 0..<chunkCount {
      let zone = column.zone(index)
      if zone.isKnown, !zone.hasBounds || zone.isWithinExactDoubles { continue }
      let chunk = column.chunk(index)
      for row in 0..<rowCount(ofChunk: index)
      where !chunk.isNull(row) && isLive(index << ChunkShape.shift + row) {
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
  /// Whether a class has rows, all of which are null in a property.
  package func isAllNull(_ property: String, of name: String) -> Bool {
    guard let table = table(name), let column = table.schema.column(named: property) else {
      return false
    }
    return table.liveCount > 0 && table.isAllNull(column.position)
  }

  /// The first whole number in a property that no double holds exactly; nil where there is none.
  package func firstInexactNumber(in name: String, _ property: String) -> Int64? {
    guard let table = table(name), let column = table.schema.stored(property),
      column.type == .int, column.collection == .none
    else { return nil }
    return table.firstInexact(column.position)
  }
}
