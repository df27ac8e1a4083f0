import ArgumentParser
import CairnFormats

/// `--format`, and what a file's ending says in its place.
enum FormatOption: String, ExpressibleByArgument, CaseIterable {
  case table
  case csv
  case json
  case jsonl
  case geojson
  case geojsonl

  var format: OutputFormat {
    switch self {
    case .table: .table
    case .csv: .csv
    case .json: .json
    case .jsonl: .jsonl
    case .geojson: .geojson
    case .geojsonl: .geojsonl
    }
  }

  /// The format that the ending of a path names; nil: none that is known.
  init?(endingOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "txt": self = .table
    case "csv": self = .csv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "geojson": self = .geojson
    case "geojsonl", "geojsons", "geojsonseq": self = .geojsonl
    default: return nil
    }
  }
}
