internal import CairnIO
import CairnSystem
internal import CairnValues

/// Reads a column of lists, maps or groups as JSON text. For use by one thread.
///
/// Source: Dremel (Melnik et al., 2010), record assembly.
final class NestedColumnReader: RowReader {
  private let root: AssembledNode
  private let isList: Bool

  init(_ node: SchemaNode, of file: ParquetFile) {
    root = AssembledNode(node, cursors: node.leaves.map { EntryCursor($0, of: file) }[...])
    isList = node.repetition == .repeated
  }

  func append(
    rows: Range<Int64>, of group: Int, to values: ColumnValues
  ) throws(ImportError) {
    guard let first = root.cursors.first else { return values.appendNulls(rows.count) }
    for row in rows {
      for cursor in root.cursors { try cursor.move(to: row, group: group) }
      guard !first.isAtEnd else { throw first.reader.ended }
      if root.isNull {
        try root.pass()
        values.appendNulls(1)
        continue
      }
      if isList {
        try root.appendList(root, to: values.heap)
      } else {
        try root.append(to: values.heap)
      }
      values.endValue()
      do throws(ParquetError) { try values.checkSize() } catch { throw first.reader.failure(error) }
    }
  }
}

/// A node of the schema with the positions in its columns.
final class AssembledNode {
  /// The parts of a value.
  private enum Shape {
    case value(EntryCursor)
    case list(repeated: AssembledNode, element: AssembledNode)
    case map(repeated: AssembledNode, key: AssembledNode, value: AssembledNode)
    /// The nodes of a group, each behind its name in JSON.
    case group([(name: String, node: AssembledNode)])
  }

  let cursors: [EntryCursor]
  private let node: SchemaNode
  private let shape: Shape

  /// - Parameter cursors: The positions in the columns of the node.
  init(_ node: SchemaNode, cursors: ArraySlice<EntryCursor>) {
    self.node = node
    self.cursors = Array(cursors)
    func part(_ part: SchemaNode) -> AssembledNode {
      let first = (part.leaves.first?.index ?? 0) - (node.leaves.first?.index ?? 0)
      let start = cursors.startIndex + first
      return AssembledNode(part, cursors: cursors[start..<start + part.leaves.count])
    }
    if let list = node.list {
      shape = .list(repeated: part(list.repeated), element: part(list.element))
    } else if let map = node.map {
      shape = .map(
        repeated: part(map.repeated), key: part(map.key), value: part(map.value))
    } else if node.leaf != nil, let cursor = cursors.first {
      shape = .value(cursor)
    } else {
      shape = .group(node.children.map { (JSONString.quoted($0.name) + ":", part($0)) })
    }
  }

  /// Whether the node has no value in the current row, list or group.
  var isNull: Bool {
    node.repetition == .optional && (cursors.first.map { $0.definition < node.definition } ?? true)
  }

  /// Passes over the entries of a null or of an empty list.
  func pass() throws(ImportError) {
    for cursor in cursors { try cursor.advance() }
  }

  /// Appends the JSON of a value that is not null.
  func append(to text: ColumnMemory) throws(ImportError) {
    switch shape {
    case .value(let cursor):
      text.append(cursor.reader.values.json(cursor.value, cursor.reader.leaf.kind))
      try cursor.advance()
    case .list(let repeated, let element): try repeated.appendList(element, to: text)
    case .map(let repeated, let key, let value):
      text.append("{")
      try repeated.forEach(appendingTo: text) { (isFirst) throws(ImportError) in
        if !isFirst { text.append(",") }
        try key.appendKey(to: text)
        text.append(":")
        try value.appendNullable(to: text)
      }
      text.append("}")
    case .group(let parts):
      text.append("{")
      for (index, part) in parts.enumerated() {
        if index > 0 { text.append(",") }
        text.append(part.name)
        try part.node.appendNullable(to: text)
      }
      text.append("}")
    }
  }

  /// Appends the elements of this repeated node as a list.
  ///
  /// - Parameter element: The node of an element: this one, or one below it.
  func appendList(_ element: AssembledNode, to text: ColumnMemory) throws(ImportError) {
    text.append("[")
    try forEach(appendingTo: text) { (isFirst) throws(ImportError) in
      if !isFirst { text.append(",") }
      if element.node.repetition == .repeated {
        try element.append(to: text)
      } else {
        try element.appendNullable(to: text)
      }
    }
    text.append("]")
  }

  private func appendNullable(to text: ColumnMemory) throws(ImportError) {
    if node.repetition == .repeated { return try appendList(self, to: text) }
    guard isNull else { return try append(to: text) }
    try pass()
    text.append("null")
  }

  /// Calls `body` for each element of this repeated node, which must read it.
  private func forEach(
    appendingTo text: ColumnMemory, _ body: (_ isFirst: Bool) throws(ImportError) -> Void
  ) throws(ImportError) {
    guard let first = cursors.first, first.definition >= node.definition else { return try pass() }
    var isFirst = true
    repeat {
      try body(isFirst)
      try first.checkSize(of: text)
      isFirst = false
    } while first.repetition >= node.repetitionLevel
  }

  /// Appends a key of a map, which is a text in JSON.
  private func appendKey(to text: ColumnMemory) throws(ImportError) {
    let own = ColumnMemory()
    try appendNullable(to: own)
    let json = String(decoding: own.bytes, as: UTF8.self)
    text.append(json.first == "\"" ? json : JSONString.quoted(json))
  }
}

extension ValueReader {
  /// The JSON of a value that was decoded.
  fileprivate func json(_ index: Int, _ kind: ValueKind) -> String {
    switch kind {
    case .bool, .int: text(index, kind)
    case .float, .double, .half:
      Double(bitPattern: bits[index]).isFinite ? text(index, kind) : "null"
    case .decimalInteger, .decimalBytes: text(index, kind)
    case .data, .geometry: JSONString.quoted(Base64.encode(Array(bytes(index))))
    case .null, .unsupported: "null"
    case .text, .uuid, .interval, .days, .timestamp, .oldTimestamp, .time:
      JSONString.quoted(text(index, kind))
    }
  }
}
