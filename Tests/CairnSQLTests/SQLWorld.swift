import CairnGeometry
import CairnQuery
import CairnSQL
import CairnStorage
import CairnTestSupport
import CairnValues

/// A table of every type with difficult values, in a store and as statements of SQL.
struct SQLWorld {
  static let name = "Thing"

  /// The properties, with their types in the engine.
  static let columns: [(name: String, type: SQLColumnType, postgres: String)] = [
    ("id", .int, "bigint PRIMARY KEY"), ("flag", .bool, "boolean"), ("n", .int, "integer"),
    ("big", .int, "bigint"), ("f", .float, "real"), ("d", .double, "float8"),
    ("e", .double, "float8"), ("born", .date(.timestamp(hasZone: true)), "timestamptz"),
    ("local", .date(.timestamp(hasZone: false)), "timestamp"), ("day", .date(.day), "date"),
    ("seconds", .date(.seconds), "float8"), ("kind", .text, "text"), ("text", .text, "text"),
    ("blob", .data, "bytea"), ("uid", .uuid, "uuid"), ("oid", .objectId, "text"),
    ("dec", .decimal, "numeric"),
    ("home", .location(.geometry(srid: 4326)), "geometry(Point, 4326)"),
    ("geo", .location(.geography), "geography(Point, 4326)"),
    (
      "place", .location(.coordinates(longitude: "\"x\"", latitude: "\"y\"")),
      "integer, x float8, y float8"
    ),
    ("area", .geometry(.geometry(srid: 4326)), "geometry(Geometry, 4326)"),
  ]

  static let table = SQLTable(
    name: name, columns: columns.map { SQLColumn($0.name, type: $0.type) }, key: ["id"])

  static let locations = ["home", "geo", "place"]

  /// The values of the rows, in the order of the columns.
  let rows: [[Value]]

  init(rows count: Int, random: inout SplitMix64) {
    rows = (0..<count).map { id in
      Self.columns.map { column in
        if column.name == "id" { return .int(Int64(id)) }
        return random.chance(0.12) ? .null : Self.value(column.name, random: &random)
      }
    }
  }

  static func value(_ name: String, random: inout SplitMix64) -> Value {
    switch name {
    case "flag": .bool(random.chance(0.5))
    case "id", "n": .int(Int64(random.below(10)))
    case "big": .int(random.integer())
    case "f": .float(Float(random.double()))
    case "d", "e": .double(random.double())
    case "born", "local": .date(SQLDate.seconds(microseconds: random.microseconds()))
    case "day": .date(SQLDate.seconds(days: random.below(40_000) - 20_000))
    case "seconds": .date(random.chance(0.2) ? random.double() : Double(random.below(50)))
    case "kind", "text": .string(random.text())
    case "blob": .data((0..<random.below(4)).map { _ in UInt8(random.below(256)) })
    case "uid": .uuid(random.bytes(16).withUnsafeBytes { UUIDBytes(storedBytes: $0) })
    case "oid": .objectId(random.bytes(12).withUnsafeBytes { ObjectId(storedBytes: $0) })
    case "dec": .decimal(Decimal128(Int64(random.below(1000) - 500)) / Decimal128(Int64(8)))
    case "area": .geometry(random.geometry().bytes)
    default: .point(random.position())
    }
  }

  /// Keeps the rows in a store.
  func load(into store: Store) throws {
    let columns = Self.columns.enumerated().map { position, column in
      ColumnSchema(
        id: 0, name: column.name, type: column.type.valueType ?? .mixed,
        isOptional: column.name != "id", isPrimaryKey: column.name == "id", position: position)
    }
    _ = try store.write { transaction in
      let writer = try transaction.createTable(Self.name, columns: columns)
      for row in rows { try writer.insert(row) }
    }
  }

  // MARK: SQL

  /// The statements that create and fill the table in PostgreSQL, in a schema of its own, because
  /// tests run at the same time.
  func postgres(schema: String) -> String {
    let definitions = Self.columns.map { "\"\($0.name)\" \($0.postgres)" }
    let names = Self.columns.map { "\"\($0.name)\"" }.joined(separator: ", ") + ", x, y"
    let indexes = ["home", "geo", "area"].map {
      "CREATE INDEX ON \"\(Self.name)\" USING gist (\"\($0)\");"
    }
    let rows = rows.map { "(\(literals($0, dialect: .postgis)))" }.joined(separator: ",\n")
    return """
      CREATE SCHEMA "\(schema)";
      SET search_path = "\(schema)", public;
      CREATE TABLE "\(Self.name)" (\(definitions.joined(separator: ", ")));
      \(indexes.joined(separator: "\n"))
      INSERT INTO "\(Self.name)" (\(names)) VALUES \(rows);
      ANALYZE "\(Self.name)";

      """
  }

  /// The values of a row as literals, with the two coordinates of `place` at the end.
  func literals(_ row: [Value], dialect: SQLDialect) -> String {
    var values: [SQLValue] = zip(Self.columns, row).map { Self.value($1, type: $0.type) }
    if case .point(let place)? = zip(Self.columns, row).first(where: { $0.0.name == "place" })?.1 {
      values += [.double(place.longitude), .double(place.latitude)]
    } else {
      values += [.null, .null]
    }
    return values.map { SQLFragment("\(literal: $0)").text(dialect) }.joined(separator: ", ")
  }

  private static func value(_ value: Value, type: SQLColumnType) -> SQLValue {
    switch (value, type) {
    case (.bool(let flag), _): .bool(flag)
    case (.int(let number), _): .int(number)
    case (.float(let number), _): .double(Double(number))
    case (.double(let number), _), (.date(let number), .date(.seconds)): .double(number)
    case (.date(let seconds), .date(.day)): .day(Int((seconds / 86400).rounded()) + 11_323)
    case (.date(let seconds), .date(.timestamp(let hasZone))):
      .timestamp(Int64((seconds * 1e6).rounded()) + 978_307_200_000_000, hasZone: hasZone)
    case (.string(let text), _): .text(text)
    case (.data(let bytes), _): .data(bytes)
    case (.uuid(let id), _): .uuid("\(id)")
    case (.objectId(let id), _): .text("\(id)")
    case (.decimal(let number), _): .decimal("\(number)")
    case (.geometry(let bytes), _):
      .geometry(wkb: Geometry(packed: bytes).wkb, srid: 4326)
    case (.point(let position), .location(let storage)): location(position, storage: storage)
    default: .null
    }
  }

  private static func location(_ position: Position, storage: SQLLocationStorage) -> SQLValue {
    guard
      let point = GeoPoint(latitude: position.latitude, longitude: position.longitude)
    else { return .null }
    return switch storage {
    case .geometry(let srid): .geometry(wkb: Geometry(point).wkb, srid: srid)
    case .geography: .geography(wkb: Geometry(point).wkb)
    case .coordinates: .null
    }
  }
}

/// Difficult values.
extension SplitMix64 {
  mutating func integer() -> Int64 {
    switch below(12) {
    case 0: .min
    case 1: .max
    case 2: Int64.max - 1
    case 3: 1 << 53 + Int64(below(3))
    case 4: 0
    default: Int64(below(200)) - 100
    }
  }

  mutating func double() -> Double {
    switch below(14) {
    case 0: .nan
    case 1: .infinity
    case 2: -.infinity
    case 3: -0.0
    case 4: 0
    case 5: 0x1p53
    case 6: 1e300
    case 7: 0x1p-1074
    default: chance(0.5) ? Double(below(20)) / 2 : Double.random(in: -10...10, using: &self)
    }
  }

  /// A time between 1900 and 2100, often close to another one.
  mutating func microseconds() -> Int64 {
    let day = Int64(below(73_000) - 25_000) * 86_400_000_000
    return chance(0.3) ? 1_000_000_000_000_000 + Int64(below(5)) : day + Int64(below(3)) * 333_333
  }

  mutating func word() -> String {
    pick([
      "", "a", "A", "ab", "Abc", "b", "B", "Zürich", "zurich", "École", "ж", "日本", "a b", "10", "9",
      "🎉", "%", "_", "\\", "'", "!", "\n", "?", "*", "\"", "e\u{301}",
    ])
  }

  mutating func text() -> String {
    (0..<below(4)).map { _ in word() }.joined(separator: pick(["", " "]))
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(below(256)) } }

  mutating func position() -> Position {
    Position(
      latitude: coordinate(90), longitude: coordinate(180),
      altitude: 0)
  }

  /// A coordinate that is often on a grid or at the end of the world.
  private mutating func coordinate(_ limit: Int) -> Double {
    switch below(12) {
    case 0: pick([-Double(limit), Double(limit), 0])
    case 1...6: Double(below(2 * limit / 5 + 1) * 5 - limit)
    default: Double.random(in: -Double(limit)...Double(limit), using: &self)
    }
  }

  mutating func point() -> GeoPoint {
    let position = position()
    return GeoPoint(clampedLatitude: position.latitude, longitude: position.longitude)
  }

  mutating func geometry() -> Geometry {
    switch below(5) {
    case 0: Geometry(point())
    case 1: Geometry(points: [point(), point()])
    case 2: GeoLineString([point(), point()]).map { Geometry($0) } ?? Geometry(points: [])
    case 3: Geometry(points: [])
    default: Geometry(polygon(.planar))
    }
  }

  /// A triangle or a rectangle, perhaps with a hole.
  mutating func polygon(_ edges: GeoPolygon.Edges) -> GeoPolygon {
    while true {
      let corner = point()
      let (width, height) = (pick([1.0, 10, 30]), pick([1.0, 10, 30]))
      let outer =
        chance(0.5) ? [(0.0, 0.0), (1, 0), (1, 1), (0, 1)] : [(0, 0), (1, 0.2), (0.3, 1)]
      let rings = [outer] + (chance(0.3) ? [[(0.3, 0.3), (0.5, 0.3), (0.4, 0.5)]] : [])
      let points = rings.map { ring in
        (ring + [ring[0]]).compactMap {
          GeoPoint(
            latitude: corner.latitude + $0.1 * height, longitude: corner.longitude + $0.0 * width)
        }
      }
      if let polygon = try? GeoPolygon(polygons: [points], edges: edges),
        (try? polygon.validate()) != nil
      {
        return polygon
      }
    }
  }
}
