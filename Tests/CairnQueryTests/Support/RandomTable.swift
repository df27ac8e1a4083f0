import CairnStorage
import CairnTestSupport
import CairnValues

/// A class with a property of every type, and rows with difficult values.
struct RandomTable {
  static let name = "Thing"

  /// The name, the type, and whether the property is optional and indexed.
  static let columns: [(String, ValueType, Bool, Bool)] = [
    ("id", .int, false, false), ("flag", .bool, true, false), ("n", .int, false, false),
    ("big", .int, true, false), ("pop", .int, true, true), ("f", .float, true, false),
    ("d", .double, true, false), ("price", .double, true, true), ("when", .date, true, false),
    ("kind", .string, true, false), ("text", .string, true, true), ("blob", .data, true, false),
    ("oid", .objectId, true, false), ("uid", .uuid, true, false), ("dec", .decimal128, true, false),
    ("m", .int, true, false), ("e", .double, true, false), ("nick", .string, true, false),
    ("location", .point, true, false), ("home", .point, true, false),
  ]

  static var schemas: [ColumnSchema] {
    columns.enumerated().map { position, column in
      ColumnSchema(
        id: 0, name: column.0, type: column.1, isOptional: column.2, isIndexed: column.3,
        isPrimaryKey: column.0 == "id", position: position)
    }
  }

  /// The eighths below 125, which are divided once.
  private static let eighths = (0..<1000).map {
    Value.decimal(Decimal128(Int64($0)) / Decimal128(Int64(8)))
  }

  /// The values of one row; `id` is the primary key.
  static func row(_ id: Int, _ random: inout SplitMix64) -> [Value] {
    columns.map { column in
      if column.2, random.chance(0.12) { return .null }
      return value(column.0, column.1, id, &random)
    }
  }

  static func value(
    _ name: String, _ type: ValueType, _ id: Int, _ random: inout SplitMix64
  ) -> Value {
    switch name {
    case "id": return .int(Int64(id))
    case "n": return .int(Int64(id / 100))
    case "pop": return .int(Int64(random.below(500)))
    case "price": return .double(Double(random.below(100_000)) / 100)
    case "kind", "nick": return .string(random.word())
    default: break
    }
    switch type {
    case .bool: return .bool(random.chance(0.5))
    case .int: return .int(random.integer())
    case .float: return .float(Float(random.double()))
    case .double: return .double(random.double())
    case .date: return .date(Double(random.below(1000)) * 86400)
    case .string: return .string(random.text())
    case .data: return .data(random.bytes(random.below(4)))
    case .objectId:
      return .objectId(random.bytes(12).withUnsafeBytes { ObjectId(storedBytes: $0) })
    case .uuid: return .uuid(random.bytes(16).withUnsafeBytes { UUIDBytes(storedBytes: $0) })
    case .decimal128: return eighths[random.below(1000)]
    default: return .point(random.position())
    }
  }

  /// Bulk-loads rows, clustered by `location`.
  static func load(
    _ ids: Range<Int>, into store: Store, _ random: inout SplitMix64
  ) throws {
    let columns = Self.columns.map { BulkColumn(name: $0.0, type: $0.1, isOptional: $0.2) }
    let load = try BulkLoad(
      store: store, table: name, columns: columns,
      location: Self.columns.firstIndex { $0.0 == "location" }, primaryKey: 0,
      indexed: Self.columns.indices.filter { Self.columns[$0].3 }, onConflict: .error)
    let section = ColumnBatch(columns: columns)
    for id in ids {
      for (column, value) in zip(section.columns, row(id, &random)) { column.append(value) }
    }
    try load.add(section, number: 0)
    _ = try load.finish()
  }

  /// Creates the class without rows.
  static func create(in store: Store) throws {
    let write = try store.beginWrite()
    _ = try write.createTable(name, columns: schemas)
    try write.commit()
  }

  /// Inserts, changes, moves and deletes individual rows.
  static func edit(
    _ table: TableWriter, inserting ids: Range<Int>, changes: Int, _ random: inout SplitMix64
  ) throws {
    for id in ids { try table.insert(row(id, &random)) }
    for _ in 0..<changes where table.table.endKey > 0 {
      let key = random.below(table.table.endKey)
      guard table.table.isLive(key) else { continue }
      if random.chance(0.3) {
        try table.delete(key)
        continue
      }
      let position = 1 + random.below(columns.count - 1)
      let column = columns[position]
      let isNull = column.2 && random.chance(0.1)
      try table.set(
        isNull ? .null : value(column.0, column.1, key, &random), position: position, at: key)
    }
  }
}

extension ColumnBuilder {
  /// Appends a value of any type.
  func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .bool(let flag): append(bool: flag)
    case .int(let number): append(int: number)
    case .float(let number): append(float: number)
    case .double(let number): append(double: number)
    case .date(let seconds): append(date: seconds)
    case .string(let text): Array(text.utf8).withUnsafeBytes { append(bytes: $0) }
    case .data(let bytes), .geometry(let bytes): bytes.withUnsafeBytes { append(bytes: $0) }
    case .objectId(let id): id.withStoredBytes { append(fixed: $0) }
    case .uuid(let id): id.withStoredBytes { append(fixed: $0) }
    case .decimal(let number): number.withStoredBytes { append(fixed: $0) }
    case .point(let place): append(longitude: place.longitude, latitude: place.latitude)
    case .link(let link): append(int: Int64(link.key))
    case .box(let box): box.withStoredBytes { append(fixed: $0) }
    }
  }
}
