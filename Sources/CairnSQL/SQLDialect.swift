/// The SQL of one engine.
public enum SQLDialect: String, Hashable, Sendable, CaseIterable {
  /// PostgreSQL 14 or later with PostGIS 3.
  case postgis
  /// DuckDB 1.4 or later with its extension `spatial`.
  case duckdb
  /// Apache Sedona: SedonaDB, and the same text on Spark. It has no parameters.
  case sedona

  /// Whether a statement has parameters `$1`, `$2` and so on. Otherwise its values are literals.
  public var hasParameters: Bool { self != .sedona }

  /// Returns a name in the quotes of the dialect.
  public func quoted(_ name: String) -> String {
    let quote: Character = self == .sedona ? "`" : "\""
    let doubled = name.split(separator: quote, omittingEmptySubsequences: false)
      .joined(separator: "\(quote)\(quote)")
    return "\(quote)\(doubled)\(quote)"
  }
}
