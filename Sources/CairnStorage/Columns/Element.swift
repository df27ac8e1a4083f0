import CairnValues

/// A mixed value, or an element of a collection of mixed values, as `.bytes` rows store it.
///
/// A mixed value is one element. Nested lists and maps begin with their count, and a map stores a
/// text before each element. Every element carries its own type, so that one encoding serves all.
package indirect enum Element: Equatable, Sendable {
  /// A single value.
  case value(Value)
  /// A nested list.
  case list([Element])
  /// A nested map.
  case map([Entry])

  /// One entry of a map.
  package struct Entry: Equatable, Sendable {
    /// The key of the entry.
    package let key: String
    /// The value of the entry.
    package let value: Element

    /// Makes an entry.
    package init(key: String, value: Element) {
      self.key = key
      self.value = value
    }
  }

  private static let nullTag: UInt8 = 0
  private static let listTag: UInt8 = 32
  private static let mapTag: UInt8 = 33
  /// The greatest number of lists and maps around a value. Deeper nesting in a store is damage, or an
  /// attack on the stack.
  package static let maxNesting = 99

  /// Encodes the element as it is stored.
  package func encoded() -> [UInt8] {
    var writer = ByteWriter()
    encode(into: &writer, nesting: 0)
    return writer.bytes
  }

  /// Decodes an element.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var reader = ByteReader(bytes, what: "a stored value")
    try self.init(&reader, nesting: 0)
  }

  private func encode(into writer: inout ByteWriter, nesting: Int) {
    assert(nesting <= Self.maxNesting, "a mixed value is nested too deeply to be read again")
    switch self {
    case .value(let value): value.encode(into: &writer, nullTag: Self.nullTag)
    case .list(let elements):
      writer.write(Self.listTag)
      writer.write(UInt32(elements.count))
      for element in elements { element.encode(into: &writer, nesting: nesting + 1) }
    case .map(let entries):
      writer.write(Self.mapTag)
      writer.write(UInt32(entries.count))
      for entry in entries {
        writer.write(entry.key)
        entry.value.encode(into: &writer, nesting: nesting + 1)
      }
    }
  }

  private init(_ reader: inout ByteReader, nesting: Int) throws(StoreError) {
    guard nesting <= Self.maxNesting else { throw reader.nonsense() }
    let tag = try reader.read(UInt8.self)
    switch tag {
    case Self.nullTag: self = .value(.null)
    case Self.listTag:
      var elements: [Element] = []
      for _ in 0..<(try reader.read(UInt32.self)) {
        elements.append(try Element(&reader, nesting: nesting + 1))
      }
      self = .list(elements)
    case Self.mapTag:
      var entries: [Entry] = []
      for _ in 0..<(try reader.read(UInt32.self)) {
        entries.append(
          Entry(key: try reader.readString(), value: try Element(&reader, nesting: nesting + 1)))
      }
      self = .map(entries)
    default:
      guard let type = ValueType(rawValue: tag) else { throw reader.nonsense() }
      self = .value(try Value(&reader, type: type))
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
    case .data(let bytes), .geometry(let bytes):
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
    case .box(let box): box.withStoredBytes { $0.forEach { writer.write($0) } }
    }
  }

  fileprivate init(_ reader: inout ByteReader, type: ValueType) throws(StoreError) {
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
    case .mixed, .embedded, .geometry, .lineString, .polygon, .box: throw reader.nonsense()
    }
  }
}

extension Value {
  /// The element that the stored bytes of a mixed value encode; nil for null and for invalid bytes.
  package var element: Element? {
    guard case .data(let bytes) = self else { return nil }
    return try? bytes.withUnsafeBytes { try Element(decoding: $0) }
  }
}
