/// The SQL of one engine.
public enum SQLDialect: String, Hashable, Sendable, CaseIterable {
  /// PostgreSQL 14 or later with PostGIS 3.
  case postgis
  /// DuckDB 1.4 or later with its extension `spatial`.
  case duckdb
  /// Apache Sedona: SedonaDB, and the same text on Spark. It has no parameters.
  case sedona
  /// BigQuery's GoogleSQL, with locations and geometries as geographies. It has no parameters.
  case bigquery
  /// Snowflake, with locations and geometries as geographies. It has no parameters.
  case snowflake
  /// Databricks SQL, with locations and geometries as geometries in WGS 84. It has no parameters.
  case databricks

  /// Whether a statement has parameters `$1`, `$2` and so on. Otherwise its values are literals.
  public var hasParameters: Bool { self == .postgis || self == .duckdb }

  /// Whether geometries have geodesic edges, and are compared and measured on the sphere only.
  var hasOnlyGeographies: Bool { self == .bigquery || self == .snowflake }

  /// Whether a backslash in a text begins an escape.
  var hasBackslashEscapes: Bool {
    switch self {
    case .bigquery, .snowflake, .databricks: true
    case .postgis, .duckdb, .sedona: false
    }
  }

  /// Returns a name in the quotes of the dialect.
  public func quoted(_ name: String) -> String {
    switch self {
    case .postgis, .duckdb, .snowflake: Self.doubled("\"", in: name)
    case .sedona, .databricks: Self.doubled("`", in: name)
    case .bigquery:
      "`" + name.replacing("\\", with: "\\\\").replacing("`", with: "\\`") + "`"
    }
  }

  private static func doubled(_ quote: Character, in name: String) -> String {
    let doubled = name.split(separator: quote, omittingEmptySubsequences: false)
      .joined(separator: "\(quote)\(quote)")
    return "\(quote)\(doubled)\(quote)"
  }

  /// The name of a column of a result. BigQuery has no names with a point in it.
  func title(_ name: String) -> String {
    self == .bigquery ? name.replacing(".", with: "_") : name
  }
}
