package import CairnStorage

/// An encoder of a format that stores columns, which takes many rows of a table at once.
package protocol ColumnarEncoder: RowEncoder {
  /// Writes rows of a table, at most ``PendingRows/step`` of them, so that their largest values fit in
  /// memory. All columns of the output are stored ones of that table.
  mutating func encode(
    _ keys: UnsafeBufferPointer<Int>, of table: Table, sink: OutputSink
  ) throws(OutputError)
}

/// The rows of a table that wait for an encoder.
package struct PendingRows {
  /// The most rows that an encoder takes at once.
  package static let step = 64
  /// The number of rows that wait.
  private static let most = ChunkShape.rows

  private(set) var table: Table?
  private var keys: [Int] = []

  /// Whether an encoder can take rows of the table at once.
  static func fit(_ columns: [OutputColumn], of table: Table) -> Bool {
    columns.allSatisfy { column in
      guard column.table == 0, case .stored(let position) = column.source else { return false }
      return !CellReader.isNeeded(for: table.schema.columns[position])
    }
  }

  var isFull: Bool { keys.count >= Self.most }

  /// Adds a row. All rows between two calls of `take` are of one table.
  mutating func add(_ key: Int, of table: Table) {
    self.table = table
    keys.append(key)
  }

  /// Takes the rows out, some at a time.
  mutating func take(
    _ body: (UnsafeBufferPointer<Int>, Table) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let table, !keys.isEmpty else { return }
    defer { keys.removeAll(keepingCapacity: true) }
    let failure = keys.withUnsafeBufferPointer { keys -> OutputError? in
      do throws(OutputError) {
        for start in stride(from: 0, to: keys.count, by: Self.step) {
          let part = keys[start..<min(start + Self.step, keys.count)]
          try body(UnsafeBufferPointer(rebasing: part), table)
        }
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }
}
