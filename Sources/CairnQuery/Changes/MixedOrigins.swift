import CairnStorage
import CairnValues

/// Finds the rows whose mixed values, or those in their collections, are given objects.
///
/// No index knows them, so it looks through the column.
struct MixedOrigins {
  private let table: Table
  private let column: Column

  /// - Parameter column: of mixed values, one or many.
  init(_ table: Table, _ column: ColumnSchema) {
    self.table = table
    self.column = table.column(column.position)
  }

  /// The live rows that hold one of the objects, by number of their class, whether those live or not.
  func rows(of targets: [UInt32: KeyRuns]) -> KeyRuns {
    var found = KeyRuns()
    if targets.isEmpty { return found }
    let live = LiveRows(table)
    let workspace = Workspace()
    for chunk in 0..<table.chunkCount {
      var rows = Selection(workspace.borrowBitmap())
      defer { workspace.returnBitmap() }
      rows.selectLive(chunk, live)
      let values = column.chunk(chunk)
      rows.forEachRow { row -> Void in
        guard !values.isRowNull(row), holds(values, row, targets) else { return }
        let key = chunk << ChunkShape.shift | row
        found.append(key..<key + 1)
      }
    }
    return found
  }

  /// Whether a row holds one of the objects.
  func holds(_ key: Int, _ targets: [UInt32: KeyRuns]) -> Bool {
    let values = column.chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    return !targets.isEmpty && !values.isRowNull(row) && holds(values, row, targets)
  }

  private func holds(_ values: Chunk, _ row: Int, _ targets: [UInt32: KeyRuns]) -> Bool {
    guard column.schema.collection != .none else {
      return Self.isAny(of: targets, in: values.rowBytes(row))
    }
    let elements = values.collection(at: row, of: column.schema)
    return (0..<elements.count).contains {
      !elements.isNull(at: $0) && Self.isAny(of: targets, in: elements.bytes(at: $0))
    }
  }

  /// Whether a mixed value as it is stored is one of the objects, or has one in it.
  private static func isAny(
    of targets: [UInt32: KeyRuns], in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    // Values of other types are by far the most: their first byte says so.
    guard let tag = bytes.first, tag == ValueType.link.rawValue || ValueType(rawValue: tag) == nil
    else { return false }
    guard let element = try? Element(decoding: bytes) else { return false }
    return isAny(of: targets, in: element)
  }

  private static func isAny(of targets: [UInt32: KeyRuns], in element: Element) -> Bool {
    switch element {
    case .value(.link(let link)): targets[link.table]?.contains(link.key) == true
    case .value: false
    case .list(let elements): elements.contains { isAny(of: targets, in: $0) }
    case .map(let entries): entries.contains { isAny(of: targets, in: $0.value) }
    }
  }
}
