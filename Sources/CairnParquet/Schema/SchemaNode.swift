/// A column of values.
struct LeafColumn: Sendable {
  /// The index among the column chunks of a row group.
  let index: Int
  /// The names that lead to the column, with points between them.
  let path: String
  let type: PhysicalType
  /// The size of a fixed byte array.
  let length: Int
  let kind: ValueKind
  /// The level at which a value is not null.
  let maxDefinition: Int
  /// The number of lists that the column lies in.
  let maxRepetition: Int

  /// The size of a value in bytes; nil for bools and byte arrays.
  var width: Int? { type == .fixedByteArray ? length : type.size }
}

/// The content of a node in the tree of columns.
///
/// Source: Dremel's levels, as in "Nested Encoding" of apache/parquet-format.
indirect enum SchemaContent: Sendable {
  case leaf(LeafColumn)
  case group([SchemaNode])
}

/// A column, or a group of columns.
struct SchemaNode: Sendable {
  let name: String
  let repetition: SchemaElement.Repetition
  let logical: LogicalType?
  /// The level at which the node is present.
  let definition: Int
  /// The number of lists that the node lies in, itself counted if it is repeated.
  let repetitionLevel: Int
  let content: SchemaContent

  /// The columns of values, in the order of the file.
  var leaves: [LeafColumn] {
    switch content {
    case .leaf(let leaf): [leaf]
    case .group(let children): children.flatMap(\.leaves)
    }
  }

  /// The nodes of a group; none of a leaf.
  var children: [SchemaNode] {
    if case .group(let children) = content { children } else { [] }
  }

  /// The leaf, if the node is one.
  var leaf: LeafColumn? { if case .leaf(let leaf) = content { leaf } else { nil } }

  /// The elements of a list, which lie below a repeated node; nil if the node is not a list. A map
  /// without values is a list of its keys.
  ///
  /// Source: "Backward-compatibility rules" of LogicalTypes.md in apache/parquet-format.
  var list: (repeated: SchemaNode, element: SchemaNode)? {
    guard logical == .list || logical == .map, children.count == 1, let repeated = children.first,
      repeated.repetition == .repeated, logical == .list || repeated.children.count == 1
    else { return nil }
    let isElement =
      repeated.children.count != 1 || repeated.name == "array" || repeated.name == name + "_tuple"
      || repeated.children[0].repetition == .repeated
    return (repeated, isElement ? repeated : repeated.children[0])
  }

  /// The pairs of a map, which lie below a repeated node; nil if the node is not a map.
  var map: (repeated: SchemaNode, key: SchemaNode, value: SchemaNode)? {
    guard logical == .map, children.count == 1, let repeated = children.first,
      repeated.repetition == .repeated, repeated.children.count == 2
    else { return nil }
    return (repeated, repeated.children[0], repeated.children[1])
  }
}

extension SchemaNode {
  /// The deepest nesting of groups that is read.
  private static let deepest = 64

  /// Returns the top-level nodes of a schema.
  static func tree(_ elements: [SchemaElement]) throws(ParquetError) -> [SchemaNode] {
    guard let root = elements.first else { throw ParquetError("the file has no schema") }
    var builder = Builder(elements: elements)
    let nodes = try builder.children(
      of: root, path: "", definition: 0, repetition: 0, depth: 0)
    guard builder.next == elements.count else {
      throw ParquetError("the schema has columns that belong to no group")
    }
    return nodes
  }

  private struct Builder {
    let elements: [SchemaElement]
    var next = 1
    var leafCount = 0

    mutating func children(
      of element: SchemaElement, path: String, definition: Int, repetition: Int, depth: Int
    ) throws(ParquetError) -> [SchemaNode] {
      guard depth < SchemaNode.deepest else {
        throw ParquetError("the schema has more than \(SchemaNode.deepest) levels")
      }
      var nodes: [SchemaNode] = []
      for _ in 0..<element.childCount {
        guard next < elements.count else { throw ParquetError("the schema ends too early") }
        nodes.append(
          try node(path: path, definition: definition, repetition: repetition, depth: depth))
      }
      return nodes
    }

    private mutating func node(
      path: String, definition: Int, repetition: Int, depth: Int
    ) throws(ParquetError) -> SchemaNode {
      let element = elements[next]
      next += 1
      let definition = definition + (element.repetition == .required ? 0 : 1)
      let repetition = repetition + (element.repetition == .repeated ? 1 : 0)
      let path = path.isEmpty ? element.name : "\(path).\(element.name)"
      let content: SchemaContent
      if let type = element.type {
        guard element.childCount == 0 else {
          throw ParquetError("the column `\(path)` has values and columns")
        }
        content = .leaf(
          try leaf(element, type, path: path, definition: definition, repetition: repetition))
      } else {
        content = .group(
          try children(
            of: element, path: path, definition: definition, repetition: repetition,
            depth: depth + 1))
      }
      return SchemaNode(
        name: element.name, repetition: element.repetition, logical: element.logical,
        definition: definition, repetitionLevel: repetition, content: content)
    }

    private mutating func leaf(
      _ element: SchemaElement, _ type: PhysicalType, path: String, definition: Int,
      repetition: Int
    ) throws(ParquetError) -> LeafColumn {
      if type == .fixedByteArray, element.length == 0 {
        throw ParquetError("the column `\(path)` has values of 0 bytes")
      }
      defer { leafCount += 1 }
      return LeafColumn(
        index: leafCount, path: path, type: type, length: element.length,
        kind: ValueKind(type, logical: element.logical, length: element.length),
        maxDefinition: definition, maxRepetition: repetition)
    }
  }
}
