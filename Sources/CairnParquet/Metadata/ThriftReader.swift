/// The type of a value in Thrift's compact protocol.
enum ThriftType: UInt8 {
  case yes = 1
  case no
  case byte
  case int16
  case int32
  case int64
  case double
  case binary
  case list
  case set
  case map
  case structure
}

/// The head of a field.
struct ThriftField {
  let id: Int16
  let type: ThriftType
}

/// Reads values of Thrift's compact protocol, in which a Parquet file describes itself.
///
/// Source: "Thrift compact protocol encoding", thrift-compact-protocol.md of apache/thrift.
struct ThriftReader {
  private(set) var cursor: ByteCursor
  /// The deepest nesting of structures and lists that is read.
  private static let deepest = 64
  private var depth = 0

  init(_ bytes: UnsafeRawBufferPointer) { cursor = ByteCursor(bytes) }

  /// Reads a structure. `take` reads the value of a field and returns true, or false to skip it.
  mutating func structure(
    _ take: (inout ThriftReader, ThriftField) throws(ParquetError) -> Bool
  ) throws(ParquetError) {
    try descend()
    var last: Int16 = 0
    while true {
      let head = try cursor.byte()
      if head == 0 { break }
      guard let type = ThriftType(rawValue: head & 0x0F) else { throw Self.damage }
      if head >> 4 != 0 {
        last &+= Int16(head >> 4)
      } else {
        last = Int16(truncatingIfNeeded: try cursor.zigzag())
      }
      let field = ThriftField(id: last, type: type)
      if try !take(&self, field) { try skip(type) }
    }
    depth -= 1
  }

  /// Reads a list of elements, or returns without a call for an empty one.
  mutating func list(
    of wanted: ThriftType, _ take: (inout ThriftReader) throws(ParquetError) -> Void
  ) throws(ParquetError) {
    try descend()
    let (count, type) = try listHead()
    guard count == 0 || type == wanted else { throw Self.damage }
    for _ in 0..<count { try take(&self) }
    depth -= 1
  }

  /// Reads the number and the type of the elements of a list. An element takes at least a byte.
  private mutating func listHead() throws(ParquetError) -> (Int, ThriftType?) {
    let head = try cursor.byte()
    let count = head >> 4 < 15 ? Int(head >> 4) : try cursor.varint(upTo: Int(Int32.max))
    guard count <= cursor.remaining else { throw .truncated }
    return (count, ThriftType(rawValue: head & 0x0F))
  }

  mutating func int() throws(ParquetError) -> Int64 { try cursor.zigzag() }

  /// Reads a number of 32 bits.
  mutating func int32() throws(ParquetError) -> Int32 {
    guard let value = Int32(exactly: try cursor.zigzag()) else { throw Self.damage }
    return value
  }

  mutating func byte() throws(ParquetError) -> Int8 { Int8(bitPattern: try cursor.byte()) }

  mutating func double() throws(ParquetError) -> Double {
    Double(bitPattern: try cursor.number(as: UInt64.self))
  }

  mutating func bytes() throws(ParquetError) -> UnsafeRawBufferPointer {
    try cursor.take(try cursor.varint(upTo: cursor.remaining))
  }

  mutating func text() throws(ParquetError) -> String {
    String(decoding: try bytes(), as: UTF8.self)
  }

  private mutating func descend() throws(ParquetError) {
    depth += 1
    guard depth <= Self.deepest else { throw Self.damage }
  }

  /// Skips the value of a field.
  private mutating func skip(_ type: ThriftType) throws(ParquetError) {
    switch type {
    case .yes, .no: break
    case .byte: _ = try cursor.byte()
    case .int16, .int32, .int64: _ = try cursor.varint()
    case .double: _ = try cursor.take(8)
    case .binary: _ = try bytes()
    case .list, .set: try skipList()
    case .map: try skipMap()
    case .structure: try structure { (_, _) in false }
    }
  }

  private mutating func skipList() throws(ParquetError) {
    try descend()
    let (count, type) = try listHead()
    for _ in 0..<count { try skipElement(type) }
    depth -= 1
  }

  private mutating func skipMap() throws(ParquetError) {
    try descend()
    let count = try cursor.varint(upTo: cursor.remaining)
    if count > 0 {
      let types = try cursor.byte()
      for _ in 0..<count {
        try skipElement(ThriftType(rawValue: types >> 4))
        try skipElement(ThriftType(rawValue: types & 0x0F))
      }
    }
    depth -= 1
  }

  /// Skips an element of a list. Bools have a byte there.
  private mutating func skipElement(_ type: ThriftType?) throws(ParquetError) {
    switch type {
    case nil: throw Self.damage
    case .yes, .no: _ = try cursor.byte()
    case let type?: try skip(type)
    }
  }

  static var damage: ParquetError { ParquetError("the description is damaged") }
}
