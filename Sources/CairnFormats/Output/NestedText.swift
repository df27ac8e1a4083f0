internal import CairnStorage
internal import CairnValues

/// Writes collections, mixed values and embedded objects as JSON: lists and sets as arrays, maps and objects as objects.
struct NestedText {
  /// Objects and collections may be nested this deep: deeper nesting would exhaust the stack, and few programs read it.
  static let mostDepth = 512

  private let sink: OutputSink

  init(_ sink: OutputSink) { self.sink = sink }

  /// Writes a list, a set or a map. Lists and sets leave out links to deleted objects; in maps such links are null.
  func append(
    _ collection: StoredCollection, _ column: ColumnSchema, of table: Table, depth: Int = 0
  ) throws(OutputError) {
    let depth = try deeper(depth)
    let isMap = column.collection == .map
    let target = column.isLink ? table.target(of: column.position) : nil
    var isFirst = true
    sink.append(isMap ? "{" : "[")
    for place in 0..<collection.count {
      let isNull = collection.isNull(at: place)
      if column.isLink, !isMap, !isNull, target?.isLive(Int(collection.int(at: place))) != true {
        continue
      }
      if !isFirst { sink.append(",") }
      isFirst = false
      if isMap { appendName(collection.key(at: place)) }
      guard !isNull else {
        sink.append("null")
        continue
      }
      try append(collection, place, column, of: table, target, depth)
    }
    sink.append(isMap ? "}" : "]")
  }

  private func append(
    _ collection: StoredCollection, _ place: Int, _ column: ColumnSchema, of table: Table,
    _ target: Table?, _ depth: Int
  ) throws(OutputError) {
    switch column.type {
    case .link:
      JSONText.append(CellReader.link(to: Int(collection.int(at: place)), in: target), to: sink)
    case .embedded:
      let key = Int(collection.int(at: place))
      guard let target, target.isLive(key) else { return sink.append("null") }
      try append(objectAt: key, of: target, depth: depth)
    case .mixed: try append(collection.element(at: place), of: table, depth: depth)
    case .string: JSONText.append(collection.bytes(at: place), to: sink)
    default: JSONText.append(Cell(collection.value(at: place)), to: sink)
    }
  }

  /// Writes a mixed value.
  func append(_ element: Element, of table: Table, depth: Int = 0) throws(OutputError) {
    switch element {
    case .value(let value): JSONText.append(CellReader.cell(value, of: table), to: sink)
    case .list(let elements):
      let depth = try deeper(depth)
      sink.append("[")
      for (place, element) in elements.enumerated() {
        if place > 0 { sink.append(",") }
        try append(element, of: table, depth: depth)
      }
      sink.append("]")
    case .map(let entries):
      let depth = try deeper(depth)
      sink.append("{")
      for (place, entry) in entries.enumerated() {
        if place > 0 { sink.append(",") }
        JSONText.append(string: entry.key, to: sink)
        sink.append(":")
        try append(entry.value, of: table, depth: depth)
      }
      sink.append("}")
    }
  }

  /// Writes an embedded object with all of its properties.
  func append(objectAt key: Int, of table: Table, depth: Int = 0) throws(OutputError) {
    let depth = try deeper(depth)
    sink.append("{")
    for (place, column) in table.schema.properties.enumerated() {
      if place > 0 { sink.append(",") }
      JSONText.append(string: column.name, to: sink)
      sink.append(":")
      try append(column, of: table, at: key, depth)
    }
    sink.append("}")
  }

  private func append(
    _ column: ColumnSchema, of table: Table, at key: Int, _ depth: Int
  ) throws(OutputError) {
    let chunk = table.column(column.position).chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard column.collection == .none else {
      return try append(
        chunk.collection(at: row, of: column), column, of: table, depth: depth)
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
    guard depth < Self.mostDepth else { throw .tooDeep }
    return depth + 1
  }
}
