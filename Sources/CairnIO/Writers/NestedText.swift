internal import CairnStorage
internal import CairnValues

/// Writes collections, mixed values and embedded objects as JSON: lists and sets as arrays, maps
/// and objects as objects.
struct NestedText {
  /// The deepest nesting of objects and collections. Deeper nesting would exhaust the stack, and
  /// few programs can read it.
  static let maxDepth = 512

  private let sink: OutputSink

  init(_ sink: OutputSink) { self.sink = sink }

  /// Writes a list, a set or a map. Links to deleted objects are left out of lists and sets, and
  /// null in maps.
  func append(
    _ collection: StoredCollection, column: ColumnSchema, of table: Table, depth: Int = 0
  ) throws(OutputError) {
    let depth = try deeper(depth)
    let isMap = column.collection == .map
    let target = column.isLink ? table.target(of: column.position) : nil
    var isFirst = true
    sink.append(isMap ? "{" : "[")
    for index in 0..<collection.count {
      let isNull = collection.isNull(at: index)
      if column.isLink, !isMap, !isNull, target?.isLive(Int(collection.int(at: index))) != true {
        continue
      }
      if !isFirst { sink.append(",") }
      isFirst = false
      if isMap { appendName(collection.key(at: index)) }
      guard !isNull else {
        sink.append("null")
        continue
      }
      try append(collection, at: index, column: column, of: table, target: target, depth: depth)
    }
    sink.append(isMap ? "}" : "]")
  }

  private func append(
    _ collection: StoredCollection, at index: Int, column: ColumnSchema, of table: Table,
    target: Table?, depth: Int
  ) throws(OutputError) {
    switch column.type {
    case .link:
      JSONText.append(CellReader.link(to: Int(collection.int(at: index)), in: target), to: sink)
    case .embedded:
      let key = Int(collection.int(at: index))
      guard let target, target.isLive(key) else { return sink.append("null") }
      try append(objectAt: key, of: target, depth: depth)
    case .mixed: try append(collection.element(at: index), of: table, depth: depth)
    case .string: JSONText.append(collection.bytes(at: index), to: sink)
    default: JSONText.append(Cell(collection.value(at: index)), to: sink)
    }
  }

  /// Writes a mixed value.
  func append(_ element: Element, of table: Table, depth: Int = 0) throws(OutputError) {
    switch element {
    case .value(let value): JSONText.append(CellReader.cell(value, of: table), to: sink)
    case .list(let elements):
      let depth = try deeper(depth)
      sink.append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { sink.append(",") }
        try append(element, of: table, depth: depth)
      }
      sink.append("]")
    case .map(let entries):
      let depth = try deeper(depth)
      sink.append("{")
      for (index, entry) in entries.enumerated() {
        if index > 0 { sink.append(",") }
        JSONText.append(string: entry.key, to: sink)
        sink.append(":")
        try append(entry.value, of: table, depth: depth)
      }
      sink.append("}")
    }
  }

  /// Writes an embedded object with all its properties.
  func append(objectAt key: Int, of table: Table, depth: Int = 0) throws(OutputError) {
    let depth = try deeper(depth)
    sink.append("{")
    for (index, column) in table.schema.properties.enumerated() {
      if index > 0 { sink.append(",") }
      JSONText.append(string: column.name, to: sink)
      sink.append(":")
      try append(column, of: table, at: key, depth: depth)
    }
    sink.append("}")
  }

  private func append(
    _ column: ColumnSchema, of table: Table, at key: Int, depth: Int
  ) throws(OutputError) {
    let chunk = table.column(column.position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    guard column.collection == .none else {
      return try append(
        chunk.collection(at: row, of: column), column: column, of: table, depth: depth)
    }
    guard !chunk.isNull(row) else { return sink.append("null") }
    switch column.type {
    case .link, .embedded:
      let target = table.target(of: column.position)
      let key = Int(chunk.int(at: row))
      guard column.type == .embedded, let target, target.isLive(key) else {
        let cell = column.type == .link ? CellReader.link(to: key, in: target) : .null
        return JSONText.append(cell, to: sink)
      }
      try append(objectAt: key, of: target, depth: depth)
    case .mixed:
      try append(CellReader.element(chunk.bytes(at: row)), of: table, depth: depth)
    default: JSONText.append(Cell(chunk, row: row, type: column.type), to: sink)
    }
  }

  private func appendName(_ bytes: UnsafeRawBufferPointer) {
    JSONText.append(bytes, to: sink)
    sink.append(":")
  }

  private func deeper(_ depth: Int) throws(OutputError) -> Int {
    guard depth < Self.maxDepth else { throw .tooDeep }
    return depth + 1
  }
}
