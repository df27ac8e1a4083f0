internal import CairnStorage
internal import CairnValues

/// One value on its way out, without a copy where it stands in the store.
enum Cell {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case date(Double)
  /// UTF-8 in place; valid while the row is written.
  case text(UnsafeRawBufferPointer)
  case string(String)
  case point(Position)
  /// A location in another coordinate system than WGS 84.
  case projected(x: Double, y: Double, altitude: Double)
  /// Any other value, as text.
  case other(String)
  /// JSON text of a collection or an object, in place; valid while the row is written.
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
    }
  }

  /// The value of a row of a chunk, read in place.
  init(_ chunk: Chunk, row: Int, type: ValueType) {
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
    default: self.init(chunk.value(at: row, type: type))
    }
  }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
