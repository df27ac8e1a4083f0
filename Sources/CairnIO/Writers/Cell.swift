package import CairnStorage
package import CairnValues

/// One value to be written, without a copy if it is in the store.
package enum Cell {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  /// A date in seconds since 2001, and the form in which it is written.
  case date(Double, ISODate.Form = .shortest)
  /// UTF-8 in the store; valid while the row is written.
  case text(UnsafeRawBufferPointer)
  case string(String)
  case point(Position)
  /// A geometry, in WGS 84 or in the coordinate system of the output.
  case geometry(GeometryCell)
  /// A location in a coordinate system other than WGS 84.
  case projected(x: Double, y: Double, altitude: Double)
  /// Any other value, as text.
  case other(String)
  /// JSON text of a collection or an object, in a buffer; valid while the row is written.
  case json(UnsafeRawBufferPointer)
  /// A number too precise for a double.
  case decimal(Decimal128)

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let int): self = .int(int)
    case .float(let float): self = .float(float)
    case .double(let double): self = .double(double)
    case .decimal(let decimal): self = .decimal(decimal)
    case .string(let string): self = .string(string)
    case .data(let bytes): self = .other(Base64.encode(bytes))
    case .date(let date): self = .date(date)
    case .objectId(let id): self = .other(id.description)
    case .uuid(let id): self = .other(id.description)
    case .link(let link): self = .int(Int64(link.key))
    case .point(let position): self = .point(position)
    case .geometry(let bytes): self = .geometry(.owned(bytes))
    case .box: self = .other(value.plainText)
    }
  }

  /// Creates a cell for a row of a chunk, without copying the value.
  package init(_ chunk: Chunk, row: Int, type: ValueType) {
    if chunk.isNull(row) {
      self = .null
      return
    }
    switch type {
    case .bool: self = .bool(chunk.int(at: row) != 0)
    case .int: self = .int(chunk.int(at: row))
    case .float: self = .float(chunk.float(at: row))
    case .double: self = .double(chunk.double(at: row))
    case .date: self = .date(chunk.double(at: row))
    case .string: self = .text(chunk.bytes(at: row))
    case .point: self = .point(chunk.position(at: row))
    case .geometry, .lineString, .polygon: self = .geometry(.stored(chunk.bytes(at: row)))
    default: self.init(chunk.value(at: row, type: type))
    }
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// Reads the values of one output column that a plain cell cannot take from its chunk: collections,
/// mixed values, links, embedded objects, and values at the end of a path.
///
/// A link is written as the primary key of its object, or as the object's key if the class has no
/// primary key. A collection, an embedded object and a mixed value that is a collection are written
/// as JSON.
final class CellReader {
  /// The JSON text of the current row.
  private let text = OutputSink.memory()

  /// Whether values of the column need a reader.
  static func isNeeded(for column: ColumnSchema) -> Bool {
    column.collection != .none || column.isLink || column.type == .mixed
  }

  /// Returns the value of a column of a row; valid until the next call.
  ///
  /// - Throws: `.tooDeep` if objects or collections are nested more deeply than
  ///   `NestedText.maxDepth`.
  func cell(_ position: Int, of table: Table, at key: Int) throws(OutputError) -> Cell {
    let column = table.schema.columns[position]
    let chunk = table.column(position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    guard column.collection == .none else {
      return try json { (writer) throws(OutputError) in
        try writer.append(chunk.collection(at: row, of: column), column: column, of: table)
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

  /// Returns the value at the end of a path, or null when the path ends early. Every column but the
  /// last must be a link to one object.
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

  /// Returns a cell for a single value; a link becomes the key of its object.
  static func cell(_ value: Value, of table: Table) -> Cell {
    guard case .link(let link) = value else { return Cell(value) }
    return Self.link(to: link.key, in: table.sibling(id: link.table))
  }

  /// Returns the primary key of an object, or its key if its class has no primary key; null if it
  /// was deleted.
  static func link(to key: Int, in target: Table?) -> Cell {
    guard let target, target.isLive(key) else { return .null }
    guard let primary = target.schema.primaryKey else { return .int(Int64(key)) }
    return Cell(
      target.column(primary).chunk(RowAddress(key).chunk), row: RowAddress(key).row,
      type: target.schema.columns[primary].type)
  }

  /// Decodes a stored mixed value. Returns null if the bytes are invalid.
  static func element(_ bytes: UnsafeRawBufferPointer) -> Element {
    guard !bytes.isEmpty, let element = try? Element(decoding: bytes) else { return .value(.null) }
    return element
  }
}
