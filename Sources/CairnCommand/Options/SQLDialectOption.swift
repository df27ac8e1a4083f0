import ArgumentParser
import CairnSQL

/// The value of `--dialect postgis|duckdb|sedona`, and of `--sql`.
enum SQLDialectOption: String, WordArgument {
  case postgis
  case duckdb
  case sedona

  var dialect: SQLDialect {
    switch self {
    case .postgis: .postgis
    case .duckdb: .duckdb
    case .sedona: .sedona
    }
  }
}
