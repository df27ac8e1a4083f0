import CairnGeometry
import CairnPostgres
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Random rows of every type go to a server and come back. The store that they come from is the oracle.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct RoundTripTests {
  private static func column(
    _ name: String, _ type: ValueType, _ collection: CollectionKind = .none, isKey: Bool = false
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, collection: collection, isOptional: !isKey,
      isPrimaryKey: isKey,
      position: 0)
  }

  private static let scalars: [ValueType] = [
    .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128, .point,
    .geometry, .lineString, .polygon,
  ]
  private static let elements: [ValueType] = [
    .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
  ]

  private static let columns =
    [column("id", .int, isKey: true)]
    + scalars.map { column("a \"\($0.name)\"", $0) }
    + elements.map { column("list of \($0.name)", $0, .list) } + [column("set", .int, .set)]

  @Test func rowsOfEveryTypeReturnUnchanged() throws {
    let seed = Soak.seed(17)
    var source = RandomValues(seed: seed)
    let store = try Store.openInMemory(identifier: "round trip \(seed)")
    let transaction = try store.beginWrite()
    let writer = try transaction.createTable("it's \"all\"", columns: Self.columns)
    for id in 0..<500 {
      try writer.insert(
        Self.columns.map { $0.isPrimaryKey ? .int(Int64(id)) : source.value(of: $0) })
    }
    try transaction.commit()
    let connection = try PostgresConnection(PostgresAddress(Cluster.url()))
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("it's \"all\""))
    let push = try PostgresPush(table, of: snapshot, to: connection, existing: .replace)
    let summary = try push.run()
    #expect(summary.rows == 500 && summary.roundedDates == 0, "seed \(seed)")

    let back = try Store.openInMemory(identifier: "back \(seed)")
    for turn in 0..<2 {
      let target = try PostgresSource("it's \"all\"", in: connection)
      let result = try target.pull(target.table.columns).run(
        into: back, className: "Back", hasKey: true)
      // The second turn replaces every row by key.
      #expect(result.inserted == (turn == 0 ? 500 : 0), "seed \(seed)")
    }
    let other = try #require(try back.snapshot().table("Back"))
    #expect(other.liveCount == 500)
    for (column, wanted) in zip(other.schema.properties, table.schema.properties) {
      #expect(column.type == wanted.type && column.collection == wanted.collection)
      #expect(column.isPrimaryKey == wanted.isPrimaryKey)
    }
    for id in 0..<500 {
      let key = try #require(other.find(primaryKey: .int(Int64(id))))
      for position in Self.columns.indices {
        let (a, b) = (table.value(position, at: id), other.value(position, at: key))
        let column = Self.columns[position]
        #expect(Self.identical(a, b, of: column), "seed \(seed), row \(id), \(column.name)")
      }
    }
    try connection.execute("DROP TABLE \"it's \"\"all\"\"\"")
  }

  /// Bits are compared, so that zeros and NaNs with signs differ. Decimals need only be equal, because
  /// PostgreSQL writes 1E+2 as 100.
  private static func identical(_ a: Value, _ b: Value, of column: ColumnSchema) -> Bool {
    switch (a, b) {
    case (.data(let x), .data(let y)) where column.type == .decimal128:
      return elements(x, of: column) == elements(y, of: column)
    case (.double(let x), .double(let y)): return x.bitPattern == y.bitPattern
    case (.float(let x), .float(let y)): return x.bitPattern == y.bitPattern
    default: return a == b
    }
  }

  private static func elements(_ bytes: [UInt8], of column: ColumnSchema) -> [Value] {
    bytes.withUnsafeBytes {
      let list = StoredCollection($0, of: column.type, isMap: false)
      return (0..<list.count).map { list.value(at: $0) }
    }
  }

  @Test func aSecondPushReplacesRowsByKeyAndKeepsOthers() throws {
    let connection = try PostgresConnection(PostgresAddress(Cluster.url()))
    let store = try Store.openInMemory(identifier: "merged")
    let transaction = try store.beginWrite()
    let writer = try transaction.createTable(
      "merged", columns: [Self.column("id", .string, isKey: true), Self.column("n", .int)])
    for id in 0..<3 { try writer.insert([.string("k\(id)"), .int(Int64(id))]) }
    try transaction.commit()
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("merged"))
    _ = try PostgresPush(table, of: snapshot, to: connection).run()
    try connection.execute("UPDATE merged SET n = 7 WHERE id = 'k1'")
    try connection.execute("INSERT INTO merged VALUES ('other', 9)")
    let summary = try PostgresPush(table, of: snapshot, to: connection).run()
    #expect(summary.isMerged)
    let rows = try connection.execute("SELECT id, n FROM merged ORDER BY id COLLATE \"C\"")
    #expect(rows == [["k0", "0"], ["k1", "1"], ["k2", "2"], ["other", "9"]])
    _ = try PostgresPush(table, of: snapshot, to: connection, existing: .replace).run()
    #expect(try connection.execute("SELECT count(*) FROM merged") == [["3"]])
    try connection.execute("DROP TABLE merged")
  }

  @Test func valuesThatPostgreSQLCannotKeepAreNamed() throws {
    let connection = try PostgresConnection(PostgresAddress(Cluster.url()))
    let cases: [(ValueType, Value, String)] = [
      (.string, .string("a\0b"), "U+0000"), (.date, .date(1e18), "beyond the years"),
      (.date, .date(.nan), "beyond the years"),
    ]
    for (type, value, words) in cases {
      let store = try Store.openInMemory(identifier: "refused \(type) \(words)")
      let transaction = try store.beginWrite()
      let writer = try transaction.createTable("refused", columns: [Self.column("c", type)])
      try writer.insert([value])
      try transaction.commit()
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("refused"))
      let error = #expect(throws: PostgresError.self) {
        try PostgresPush(table, of: snapshot, to: connection).run()
      }
      #expect(error?.description.contains(words) == true && error?.kind == .data)
      #expect(error?.description.contains("column 'c', row 0") == true)
      // Nothing remains, and the connection works.
      #expect(try connection.execute("SELECT to_regclass('refused')") == [[nil]])
    }
  }
}

/// Random values, many of them at the edges of their types.
struct RandomValues {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func value(of column: ColumnSchema) -> Value {
    guard column.collection == .none else {
      let values = (0..<random.below(4)).map { _ in
        random.chance(0.1) ? Value.null : scalar(column.type)
      }
      return .data(
        column.collection == .set
          ? StoredCollection.encode(set: values, of: column.type)
          : StoredCollection.encode(values, of: column.type))
    }
    return random.chance(0.1) ? .null : scalar(column.type)
  }

  private mutating func scalar(_ type: ValueType) -> Value {
    switch type {
    case .bool: return .bool(random.chance(0.5))
    case .int: return .int(random.pick([0, -1, .min, .max, Int64(bitPattern: random.next())]))
    case .float:
      return .float(
        random.pick([0, -0.0, .nan, .infinity, Float(bitPattern: UInt32(random.next() >> 33))]))
    case .double:
      return .double(
        random.pick([0, -0.0, -.infinity, 0.1, Double(bitPattern: random.next() >> 1)]))
    case .string: return .string(random.pick(["", "a", "zürich 🗻", "x'\"\\\n\t", "\u{1}"]))
    case .data: return .data((0..<random.below(6)).map { _ in UInt8(random.below(256)) })
    case .date:
      // Whole microseconds are what PostgreSQL keeps.
      return .date(
        Double(Int64.random(in: -3_000_000_000_000_000...3_000_000_000_000_000, using: &random))
          / 1e6)
    case .objectId:
      return .objectId(.generate(seconds: UInt32(random.below(1 << 30)), machine: 7, process: 9))
    case .uuid: return .uuid(UUIDBytes(high: random.next(), low: random.next()))
    case .decimal128: return .decimal(decimal())
    case .point:
      return .point(Position(latitude: degrees(90), longitude: degrees(180)))
    case .lineString: return .geometry(line())
    case .polygon: return .geometry(square())
    default: return .geometry(random.chance(0.5) ? line() : square())
    }
  }

  private mutating func decimal() -> Decimal128 {
    let texts = [
      "0", "-0.1", "12345678901234567890.12345678901234", "1E+30", "-1.5E-20", "NaN", "100",
      "0.0001",
      "\(random.below(1_000_000))E\(random.below(60) - 30)",
    ]
    return Decimal128(text: random.pick(texts)) ?? Decimal128()
  }

  private mutating func degrees(_ limit: Double) -> Double {
    random.pick([0, limit, -limit, Double.random(in: -limit...limit, using: &random)])
  }

  private mutating func line() -> [UInt8] {
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for step in 0..<(2 + random.below(5)) {
      builder.add(
        longitude: Double(step) + Double.random(in: 0..<1, using: &random),
        latitude: Double.random(in: -80..<80, using: &random))
    }
    builder.end()
    return builder.geometry().bytes
  }

  private mutating func square() -> [UInt8] {
    let (x, y) = (
      Double.random(in: -170..<170, using: &random), Double.random(in: -80..<80, using: &random)
    )
    var builder = GeometryBuilder()
    builder.begin(.polygon)
    builder.beginRing()
    for (dx, dy) in [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)] {
      builder.add(longitude: x + dx, latitude: y + dy)
    }
    builder.endRing()
    builder.end()
    return builder.geometry().bytes
  }
}
