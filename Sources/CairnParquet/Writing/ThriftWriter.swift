/// Writes values of Thrift's compact protocol, as ``ThriftReader`` reads them.
struct ThriftWriter {
  private(set) var bytes: [UInt8] = []
  /// The number of the last field of each open structure.
  private var fields: [Int16] = []

  /// Writes a structure: as the value of a field, or as an element of a list.
  mutating func structure(_ id: Int16? = nil, _ body: (inout ThriftWriter) -> Void) {
    if let id { field(id, .structure) }
    fields.append(0)
    body(&self)
    fields.removeLast()
    bytes.append(0)
  }

  mutating func int32(_ id: Int16, _ value: Int32) {
    field(id, .int32)
    bytes.appendZigzag(Int64(value))
  }

  mutating func int64(_ id: Int16, _ value: Int64) {
    field(id, .int64)
    bytes.appendZigzag(value)
  }

  mutating func byte(_ id: Int16, _ value: Int8) {
    field(id, .byte)
    bytes.append(UInt8(bitPattern: value))
  }

  mutating func bool(_ id: Int16, _ value: Bool) { field(id, value ? .yes : .no) }

  mutating func binary(_ id: Int16, _ value: some Collection<UInt8>) {
    field(id, .binary)
    element(value)
  }

  mutating func text(_ id: Int16, _ value: String) { binary(id, Array(value.utf8)) }

  /// Writes a list of as many elements as `body` writes.
  mutating func list(
    _ id: Int16, of type: ThriftType, count: Int, _ body: (inout ThriftWriter) -> Void
  ) {
    field(id, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | type.rawValue)
    } else {
      bytes.append(0xF0 | type.rawValue)
      bytes.appendVarint(UInt64(count))
    }
    body(&self)
  }

  /// Writes an element of a list of bytes.
  mutating func element(_ value: some Collection<UInt8>) {
    bytes.appendVarint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes an element of a list of integers.
  mutating func element(_ value: Int64) { bytes.appendZigzag(value) }

  /// Writes an element of a list of bools.
  mutating func element(_ value: Bool) {
    bytes.append((value ? ThriftType.yes : ThriftType.no).rawValue)
  }

  private mutating func field(_ id: Int16, _ type: ThriftType) {
    let last = fields.last ?? 0
    if id > last, id - last < 16 {
      bytes.append(UInt8(id - last) << 4 | type.rawValue)
    } else {
      bytes.append(type.rawValue)
      bytes.appendZigzag(Int64(id))
    }
    if !fields.isEmpty { fields[fields.count - 1] = id }
  }
}
