/// A value in a statement.
public enum SQLValue: Hashable, Sendable {
  /// A null.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer of 64 bits.
  case int(Int64)
  /// A number of double precision, perhaps NaN or infinite.
  case double(Double)
  /// A decimal number in decimal digits, perhaps with an exponent.
  case decimal(String)
  /// A text.
  case text(String)
  /// Bytes.
  case data([UInt8])
  /// A time in microseconds since 1970-01-01T00:00:00Z, with a time zone or in UTC without one.
  /// `Int64.min` and `Int64.max` mean minus and plus infinity.
  case timestamp(Int64, hasZone: Bool)
  /// A day, in days since 1970-01-01. `Int.min` and `Int.max` mean minus and plus infinity.
  case day(Int)
  /// A UUID in its text form.
  case uuid(String)
  /// A planar geometry in well-known binary, with the number of its coordinate system; 0 for none.
  case geometry(wkb: [UInt8], srid: Int)
  /// A geometry on the sphere in well-known binary, in longitude and latitude.
  case geography(wkb: [UInt8])
}

extension SQLValue {
  /// The value of a parameter as text, which the cast next to its placeholder reads; nil for null.
  ///
  /// It suits PostgreSQL's parameters in text format without a type, and texts as parameters of
  /// DuckDB.
  public var parameterText: String? {
    switch self {
    case .null: nil
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .double(let number): Self.text(of: number)
    case .decimal(let digits): digits
    case .text(let text): text
    case .data(let bytes): "\\x" + Hexadecimal.text(of: bytes)
    case .timestamp(let microseconds, let hasZone):
      SQLDate.text(microseconds: microseconds, hasZone: hasZone)
    case .day(let days): SQLDate.text(days: days)
    case .uuid(let text): text
    case .geometry(let wkb, let srid): Hexadecimal.text(of: Self.extended(wkb, srid: srid))
    case .geography(let wkb): Hexadecimal.text(of: Self.extended(wkb, srid: 4326))
    }
  }

  /// The number in a form that reads back to the same bits in every dialect.
  private static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return "\(number)"
  }

  /// Well-known binary with a coordinate system, as PostGIS extends it: a flag in the type, and the
  /// number behind the type.
  private static func extended(_ wkb: [UInt8], srid: Int) -> [UInt8] {
    guard srid != 0, wkb.count >= 5 else { return wkb }
    var bytes = Array(wkb[..<5])
    bytes[4] |= 0x20
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: srid).littleEndian) { bytes += $0 }
    return bytes + wkb[5...]
  }
}

extension SQLValue {
  /// The placeholder of a parameter, with a cast: engines would otherwise guess the type.
  func placeholder(_ number: Int, dialect: SQLDialect) -> String {
    Self.converted("$\(number)", to: self, dialect: dialect)
  }

  /// The value as a literal, which no text can leave.
  func literal(_ dialect: SQLDialect) -> String {
    switch self {
    case .null: return "NULL"
    case .bool(let flag): return flag ? "TRUE" : "FALSE"
    case .int(let number) where number > .min: return number < 0 ? "(\(number))" : "\(number)"
    case .text(let text): return SQLText.quoted(text, dialect: dialect)
    default: break
    }
    if !dialect.hasParameters, let bytes = binary {
      let digits = Hexadecimal.text(of: bytes)
      return Self.converted(
        dialect == .bigquery || dialect == .snowflake ? "'\(digits)'" : "X'\(digits)'", to: self,
        dialect: dialect)
    }
    let text = SQLText.quoted(text(for: dialect), dialect: dialect)
    return Self.converted(text, to: self, dialect: dialect)
  }

  /// The bytes of data or of a shape.
  private var binary: [UInt8]? {
    switch self {
    case .data(let bytes), .geometry(let bytes, _), .geography(let bytes): bytes
    default: nil
    }
  }

  /// The text that the cast of a literal reads.
  private func text(for dialect: SQLDialect) -> String {
    switch (self, dialect) {
    case (.double(let number), .bigquery), (.double(let number), .snowflake):
      number.isInfinite ? (number < 0 ? "-inf" : "inf") : Self.text(of: number)
    case (.timestamp(_, true), .bigquery), (.timestamp(_, true), .snowflake),
      (.timestamp(_, true), .databricks):
      (parameterText ?? "") + ":00"
    default: parameterText ?? ""
    }
  }

  /// An expression with the type of a value.
  private static func converted(
    _ expression: String, to value: SQLValue, dialect: SQLDialect
  ) -> String {
    switch dialect {
    case .postgis: return "\(expression)::\(value.postgresType)"
    case .duckdb:
      switch value {
      case .geometry, .geography: return "ST_GeomFromHEXWKB(\(expression))"
      case .data: return "from_hex(substr(\(expression), 3))"
      default: return "\(expression)::\(value.duckDBType)"
      }
    case .sedona:
      switch value {
      // SedonaDB compares shapes of one coordinate system only.
      case .geometry(_, let srid) where srid != 0:
        return "ST_SetSRID(ST_GeomFromWKB(\(expression)), \(srid))"
      case .geometry, .geography: return "ST_GeomFromWKB(\(expression))"
      case .data: return expression
      default: return "CAST(\(expression) AS \(value.sparkType))"
      }
    case .databricks:
      switch value {
      case .geometry, .geography: return "ST_GeomFromWKB(\(expression), 4326)"
      case .data: return expression
      case .timestamp(_, false): return "CAST(\(expression) AS TIMESTAMP_NTZ)"
      default: return "CAST(\(expression) AS \(value.sparkType))"
      }
    case .bigquery:
      switch value {
      case .geometry, .geography: return "ST_GEOGFROMWKB(FROM_HEX(\(expression)))"
      case .data: return "FROM_HEX(\(expression))"
      default: return "CAST(\(expression) AS \(value.bigQueryType))"
      }
    case .snowflake:
      switch value {
      case .geometry, .geography: return "TO_GEOGRAPHY(\(expression))"
      case .data: return "TO_BINARY(\(expression), 'HEX')"
      default: return "CAST(\(expression) AS \(value.snowflakeType))"
      }
    }
  }

  private var postgresType: String {
    switch self {
    case .null, .text: "text"
    case .bool: "boolean"
    case .int: "bigint"
    case .double: "float8"
    case .decimal: "numeric"
    case .data: "bytea"
    case .timestamp(_, let hasZone): hasZone ? "timestamptz" : "timestamp"
    case .day: "date"
    case .uuid: "uuid"
    case .geometry: "geometry"
    case .geography: "geography"
    }
  }

  private var duckDBType: String {
    switch self {
    case .null, .text: "VARCHAR"
    case .bool: "BOOLEAN"
    case .int: "BIGINT"
    case .double: "DOUBLE"
    case .decimal(let digits): Self.decimalType(digits)
    case .data: "BLOB"
    case .timestamp(_, let hasZone): hasZone ? "TIMESTAMPTZ" : "TIMESTAMP"
    case .day: "DATE"
    case .uuid: "UUID"
    case .geometry, .geography: "GEOMETRY"
    }
  }

  /// The type in Spark, which Sedona and Databricks have.
  private var sparkType: String {
    switch self {
    case .null, .text, .uuid: "STRING"
    case .bool: "BOOLEAN"
    case .int: "BIGINT"
    case .double: "DOUBLE"
    case .decimal(let digits): Self.decimalType(digits)
    case .timestamp: "TIMESTAMP"
    case .day: "DATE"
    case .data, .geometry, .geography: "BINARY"
    }
  }

  private var bigQueryType: String {
    switch self {
    case .null, .text, .uuid: "STRING"
    case .bool: "BOOL"
    case .int: "INT64"
    case .double: "FLOAT64"
    case .decimal: "BIGNUMERIC"
    case .timestamp(_, let hasZone): hasZone ? "TIMESTAMP" : "DATETIME"
    case .day: "DATE"
    case .data, .geometry, .geography: "BYTES"
    }
  }

  private var snowflakeType: String {
    switch self {
    case .null, .text, .uuid: "VARCHAR"
    case .bool: "BOOLEAN"
    case .int: "BIGINT"
    case .double: "FLOAT"
    case .decimal(let digits): Self.decimalType(digits)
    case .timestamp(_, let hasZone): hasZone ? "TIMESTAMP_TZ" : "TIMESTAMP_NTZ"
    case .day: "DATE"
    case .data, .geometry, .geography: "BINARY"
    }
  }

  /// The type of a number in plain digits: its width and the digits behind the point.
  private static func decimalType(_ digits: String) -> String {
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let scale = parts.count > 1 ? parts[1].count : 0
    return "DECIMAL(38, \(scale))"
  }
}
