import CairnValues

/// What a mixed property or an element of a collection holds, as rows of `.bytes` store it.
///
/// A mixed value is one element; a list or a set is its elements, a map its texts and elements, each
/// behind their count. Every element says its own type, so that one coding serves all of them.
package indirect enum Element: Equatable, Sendable {
  case value(Value)
  case list([Element])
  case map([Entry])

  /// One entry of a map.
  package struct Entry: Equatable, Sendable {
    package let key: String
    package let value: Element

    package init(key: String, value: Element) {
      self.key = key
      self.value = value
    }
  }

  private static let nullTag: UInt8 = 0
  private static let listTag: UInt8 = 32
  private static let mapTag: UInt8 = 33
  /// Deeper nesting than this is damage, or an attack on the stack.
  private static let mostDepth = 100

  /// The element as it is stored.
  package func encoded() -> [UInt8] {
    var writer = ByteWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads an element back.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var reader = ByteReader(bytes, "a stored value")
    try self.init(&reader, depth: 0)
  }

  private func encode(into writer: inout ByteWriter) {
    switch self {
    case .value(let value): value.encode(into: &writer, nullTag: Self.nullTag)
    case .list(let elements):
      writer.write(Self.listTag)
      writer.write(UInt32(elements.count))
      for element in elements { element.encode(into: &writer) }
    case .map(let entries):
      writer.write(Self.mapTag)
      writer.write(UInt32(entries.count))
      for entry in entries {
        writer.write(entry.key)
        entry.value.encode(into: &writer)
      }
    }
  }

  private init(_ reader: inout ByteReader, depth: Int) throws(StoreError) {
    guard depth < Self.mostDepth else { throw reader.nonsense() }
    let tag = try reader.read(UInt8.self)
    switch tag {
    case Self.nullTag: self = .value(.null)
    case Self.listTag:
      var elements: [Element] = []
      for _ in 0..<(try reader.read(UInt32.self)) {
        elements.append(try Element(&reader, depth: depth + 1))
      }
      self = .list(elements)
    case Self.mapTag:
      var entries: [Entry] = []
      for _ in 0..<(try reader.read(UInt32.self)) {
        entries.append(
          Entry(key: try reader.readString(), value: try Element(&reader, depth: depth + 1)))
      }
      self = .map(entries)
    default:
      guard let type = ValueType(rawValue: tag) else { throw reader.nonsense() }
      self = .value(try Value(&reader, type))
    }
  }
}

extension Value {
  fileprivate func encode(into writer: inout ByteWriter, nullTag: UInt8) {
    guard let type else { return writer.write(nullTag) }
    writer.write(type.rawValue)
    switch self {
    case .null: break
    case .bool(let flag): writer.write(flag)
    case .int(let number): writer.write(number)
    case .float(let number): writer.write(number.bitPattern)
    case .double(let number), .date(let number): writer.write(number.bitPattern)
    case .string(let text): writer.write(text)
    case .data(let bytes):
      writer.write(UInt32(bytes.count))
      for byte in bytes { writer.write(byte) }
    case .objectId(let id): id.withStoredBytes { $0.forEach { writer.write($0) } }
    case .uuid(let id): id.withStoredBytes { $0.forEach { writer.write($0) } }
    case .decimal(let number): number.withStoredBytes { $0.forEach { writer.write($0) } }
    case .point(let position):
      for number in [position.longitude, position.latitude, position.altitude] {
        writer.write(number.bitPattern)
      }
    case .link(let link):
      writer.write(link.table)
      writer.write(Int64(link.key))
    }
  }

  fileprivate init(_ reader: inout ByteReader, _ type: ValueType) throws(StoreError) {
    switch type {
    case .bool: self = .bool(try reader.readBool())
    case .int: self = .int(try reader.read())
    case .float: self = .float(Float(bitPattern: try reader.read()))
    case .double: self = .double(try reader.readDouble())
    case .date: self = .date(try reader.readDouble())
    case .string: self = .string(try reader.readString())
    case .data: self = .data(try reader.readBytes(Int(try reader.read(UInt32.self))))
    case .objectId:
      self = .objectId(try reader.readBytes(12).withUnsafeBytes { ObjectId(storedBytes: $0) })
    case .uuid:
      self = .uuid(try reader.readBytes(16).withUnsafeBytes { UUIDBytes(storedBytes: $0) })
    case .decimal128:
      self = .decimal(try reader.readBytes(16).withUnsafeBytes { Decimal128(storedBytes: $0) })
    case .point:
      let longitude = try reader.readDouble()
      let latitude = try reader.readDouble()
      self = .point(
        Position(
          latitude: latitude, longitude: longitude, altitude: try reader.readDouble()))
    case .link: self = .link(Link(table: try reader.read(), key: try reader.readInt()))
    case .mixed, .embedded: throw reader.nonsense()
    }
  }
}
