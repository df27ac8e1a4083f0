internal import CairnIO
internal import CairnValues

/// A column of values of a file that is written. Any of them may be null.
struct OutputLeaf: Sendable {
  /// The values of a column.
  enum Kind: Sendable {
    case bool
    case int
    case single
    case double
    /// Microseconds since 1970.
    case date
    case text
    case json
    case data
    /// Geometries in WKB.
    case geometry
  }

  /// The names that lead to the column. One within a group is present whenever the group is.
  let path: [String]
  let kind: Kind

  var type: PhysicalType {
    switch kind {
    case .bool: .boolean
    case .int, .date: .int64
    case .single: .float
    case .double: .double
    case .text, .json, .data, .geometry: .byteArray
    }
  }

  /// The type of the buffer that collects the values.
  var bufferType: LayerColumnType {
    switch kind {
    case .bool: .bool
    case .int: .int
    case .single, .double: .double
    case .date: .date
    case .text, .json: .text
    case .data: .data
    case .geometry: .geometry
    }
  }

  init(path: [String], kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// The column of a column of the output other than the location.
  init(_ column: OutputColumn, name: String) {
    path = [name]
    kind =
      switch column.type {
      case .bool: .bool
      case .int, .link: .int
      case .float: .single
      case .double: .double
      case .date: .date
      case .data: .data
      case .mixed, .embedded: .json
      default: .text
      }
  }

  /// Writes the element of the schema.
  func append(to writer: inout ThriftWriter) {
    writer.structure { writer in
      writer.int32(1, type.rawValue)
      let isInGroup = path.count > 1
      let repetition: SchemaElement.Repetition = isInGroup ? .required : .optional
      writer.int32(3, repetition.rawValue)
      writer.text(4, path.last ?? "")
      appendMeaning(to: &writer)
    }
  }

  /// Writes the logical type, also as older readers know it.
  private func appendMeaning(to writer: inout ThriftWriter) {
    switch kind {
    case .text, .json:
      writer.int32(6, kind == .text ? 0 : 19)
      writer.structure(10) { $0.structure(kind == .text ? 1 : 12) { _ in } }
    case .date:
      writer.int32(6, 10)
      writer.structure(10) { writer in
        writer.structure(8) { writer in
          writer.bool(1, true)
          writer.structure(2) { $0.structure(2) { _ in } }
        }
      }
    case .bool, .int, .single, .double, .data, .geometry: break
    }
  }
}
