internal import CairnStorage
internal import CairnValues

/// Reads the values of one output column that a plain cell cannot take from its chunk: collections, mixed values, links,
/// embedded objects, and values at the end of a path.
///
/// A link is written as the primary key of its object, or as the object's key where the class has no primary key. A
/// collection, an embedded object and a mixed value that is a collection are written as JSON.
final class CellReader {
  /// Holds the JSON text of the row at hand.
  private let text = OutputSink.memory()

  /// Whether values of the column need a reader.
  static func isNeeded(for column: ColumnSchema) -> Bool {
    column.collection != .none || column.isLink || column.type == .mixed
  }

  /// The value of a column of a row; valid until the next call.
  ///
  /// - Throws: `.tooDeep` where objects or collections are nested deeper than `NestedText.mostDepth`.
  func cell(_ position: Int, of table: Table, at key: Int) throws(OutputError) -> Cell {
    let column = table.schema.columns[position]
    let chunk = table.column(position).chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard column.collection == .none else {
      return try json { (writer) throws(OutputError) in
        try writer.append(chunk.collection(at: row, of: column), column, of: table)
      }
    }
    guard !chunk.isNull(row) else { return .null }
    switch column.type {
    case .link: return Self.link(to: Int(chunk.int(at: row)), in: table.target(of: position))
    case .embedded:
      guard let child = table.link(position, at: key), let target = table.target(of: position)
      else { return .null }
      return try json { (writer) throws(OutputError) in
        try writer.append(objectAt: child, of: target)
      }
    case .mixed: return try cell(Self.element(chunk.bytes(at: row)), of: table)
    default: return Cell(chunk, row: row, type: column.type)
    }
  }

  /// The value at the end of a path: every column but the last leads to one object. Null where there is none.
  func cell(along path: [Int], of table: Table, at key: Int) throws(OutputError) -> Cell {
    var (table, key) = (table, key)
    for step in path.dropLast() {
      guard let next = table.link(step, at: key), let target = table.target(of: step) else {
        return .null
      }
      (table, key) = (target, next)
    }
    guard let last = path.last else { return .null }
    return try cell(last, of: table, at: key)
  }

  private func cell(_ element: Element, of table: Table) throws(OutputError) -> Cell {
    guard case .value(let value) = element else {
      return try json { (writer) throws(OutputError) in try writer.append(element, of: table) }
    }
    return Self.cell(value, of: table)
  }

  private func json(
    _ write: (NestedText) throws(OutputError) -> Void
  ) throws(OutputError) -> Cell {
    text.removeAll()
    try write(NestedText(text))
    return .json(text.collected)
  }

  /// A single value; links give the key of their object.
  static func cell(_ value: Value, of table: Table) -> Cell {
    guard case .link(let link) = value else { return Cell(value) }
    return Self.link(to: link.key, in: table.sibling(id: link.table))
  }

  /// The primary key of an object, or its key where its class has no primary key; null where it was deleted.
  static func link(to key: Int, in target: Table?) -> Cell {
    guard let target, target.isLive(key) else { return .null }
    guard let primary = target.schema.primaryKey else { return .int(Int64(key)) }
    return Cell(
      target.column(primary).chunk(key >> ChunkShape.shift), row: key & (ChunkShape.rows - 1),
      type: target.schema.columns[primary].type)
  }

  /// A stored mixed value; null where its bytes make no sense.
  static func element(_ bytes: UnsafeRawBufferPointer) -> Element {
    guard !bytes.isEmpty, let element = try? Element(decoding: bytes) else { return .value(.null) }
    return element
  }
}
