import ArgumentParser
import CairnSQL

/// The value of `--dialect postgis|duckdb|sedona|…`, and of `--sql`.
enum SQLDialectOption: String, WordArgument {
  case postgis
  case duckdb
  case sedona
  case bigquery
  case snowflake
  case databricks

  var dialect: SQLDialect {
    switch self {
    case .postgis: .postgis
    case .duckdb: .duckdb
    case .sedona: .sedona
    case .bigquery: .bigquery
    case .snowflake: .snowflake
    case .databricks: .databricks
    }
  }
}
