import CairnValues

extension TableSchema {
  /// Encodes the schema as the store keeps it.
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(name)
    writer.write(isEmbedded)
    writer.write(UInt16(columns.count))
    for column in columns { column.encode(into: &writer) }
    writer.write(UInt16(inverses.count))
    for inverse in inverses { inverse.encode(into: &writer) }
    writer.write(nextColumn)
    writer.write(version)
    return writer.bytes
  }

  init(id: UInt32, decoding bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var reader = ByteReader(bytes, what: "the schema of class \(id)")
    let name = try reader.readString()
    let isEmbedded = try reader.readBool()
    var columns: [ColumnSchema] = []
    for position in 0..<Int(try reader.read(UInt16.self)) {
      columns.append(try ColumnSchema(decoding: &reader, position: position))
    }
    var inverses: [InverseSchema] = []
    for _ in 0..<(try reader.read(UInt16.self)) {
      inverses.append(try InverseSchema(decoding: &reader))
    }
    let visible = columns.prefix { !$0.isHidden }
    guard columns[visible.count...].allSatisfy(\.isHidden) else { throw reader.nonsense() }
    let nextColumn = try reader.read(UInt16.self)
    self.init(
      id: id, name: name, columns: columns, isEmbedded: isEmbedded, inverses: inverses,
      version: try reader.read(), nextColumn: nextColumn)
  }
}

extension ColumnSchema {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(id)
    writer.write(name)
    writer.write(type.rawValue)
    writer.write(collection.rawValue)
    writer.write(isOptional)
    writer.write((isIndexed ? 1 : 0) | (isFullText ? 2 : 0) as UInt8)
    writer.write(isPrimaryKey)
    writer.write(target ?? "")
    let role = role.encoded
    writer.write(role.number)
    writer.write(role.column)
  }

  fileprivate init(decoding reader: inout ByteReader, position: Int) throws(StoreError) {
    let id = try reader.read(UInt16.self)
    let name = try reader.readString()
    guard let type = ValueType(rawValue: try reader.read(UInt8.self)),
      let collection = CollectionKind(rawValue: try reader.read(UInt8.self))
    else { throw reader.nonsense() }
    let isOptional = try reader.readBool()
    let indexes = try reader.read(UInt8.self)
    guard indexes < 4 else { throw reader.nonsense() }
    let isPrimaryKey = try reader.readBool()
    let target = try reader.readString()
    let number = try reader.read(UInt8.self)
    guard let role = ColumnRole(number: number, column: try reader.read(UInt16.self)) else {
      throw reader.nonsense()
    }
    self.init(
      id: id, name: name, type: type, collection: collection, isOptional: isOptional,
      isIndexed: indexes & 1 != 0, isFullText: indexes & 2 != 0, isPrimaryKey: isPrimaryKey,
      target: target.isEmpty ? nil : target, role: role, position: position)
  }
}

extension InverseSchema {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(name)
    writer.write(origin)
    writer.write(property)
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    let name = try reader.readString()
    let origin = try reader.readString()
    self.init(name: name, origin: origin, property: try reader.readString())
  }
}
