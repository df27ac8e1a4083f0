package import CairnStorage
package import CairnValues

extension ColumnBuffer {
  /// Appends the values that rows have in a column, without a cell for each.
  ///
  /// - Parameter type: The type of the column, whose values need only a chunk.
  /// - Returns: false if a value is of another type than the buffer; those before it were appended.
  package func append(
    _ keys: UnsafeBufferPointer<Int>, of column: Column, type: ValueType
  ) -> Bool {
    switch (self.type, type) {
    case (.int, .int): append(keys, of: column, as: Int64.self) { $0.int(at: $1) }
    case (.double, .double), (.date, .date):
      append(keys, of: column, as: Double.self) { $0.double(at: $1) }
    case (.double, .float):
      append(keys, of: column, as: Double.self) { Double($0.float(at: $1)) }
    case (.bool, .bool):
      append(keys, of: column, as: UInt8.self) { $0.int(at: $1) == 0 ? 0 : 1 }
    case (.text, .string): appendTexts(keys, of: column)
    default: return appendCells(keys, of: column, type: type)
    }
    return true
  }

  /// Calls `body` for each row, with its chunk.
  @inline(__always)
  private func forEach(
    _ keys: UnsafeBufferPointer<Int>, of column: Column, _ body: (Int, Chunk, Int) -> Void
  ) {
    guard let first = keys.first else { return }
    var number = RowAddress(first).chunk
    var chunk = column.chunk(number)
    for (index, key) in keys.enumerated() {
      let address = RowAddress(key)
      if address.chunk != number {
        number = address.chunk
        chunk = column.chunk(number)
      }
      body(index, chunk, address.row)
    }
  }

  @inline(__always)
  private func append<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ keys: UnsafeBufferPointer<Int>, of column: Column, as number: Number.Type,
    _ value: (Chunk, Int) -> Number
  ) {
    let (marks, numbers) = reserve(keys.count, as: number)
    forEach(keys, of: column) { index, chunk, row in
      let isNull = chunk.isNull(row)
      marks[index] = isNull ? Self.null : Self.value
      numbers[index] = isNull ? 0 : value(chunk, row)
    }
  }

  private func appendTexts(_ keys: UnsafeBufferPointer<Int>, of column: Column) {
    forEach(keys, of: column) { _, chunk, row in
      if chunk.isNull(row) { appendNull() } else { append(bytes: chunk.bytes(at: row)) }
    }
  }

  private func appendCells(
    _ keys: UnsafeBufferPointer<Int>, of column: Column, type: ValueType
  ) -> Bool {
    var fits = true
    forEach(keys, of: column) { _, chunk, row in
      fits = fits && append(Cell(chunk, row: row, type: type))
    }
    return fits
  }
}
