import ArgumentParser
import CairnFormats

/// `--format`, and what a file's ending says in its place.
enum FormatOption: String, ExpressibleByArgument, CaseIterable {
  case table
  case csv
  case tsv
  case json
  case jsonl
  case geojson
  case geojsonl
  case wkt
  case markdown
  case map
  case svg
  case html

  var format: OutputFormat {
    switch self {
    case .table: .table
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .jsonl: .jsonl
    case .geojson: .geojson
    case .geojsonl: .geojsonl
    case .wkt: .wkt
    case .markdown: .markdown
    case .map: .map
    case .svg: .svg
    case .html: .html
    }
  }

  /// `table, csv, … or html`.
  static var list: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// The format that the ending of a path names; nil: none that is known.
  init?(endingOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "txt": self = .table
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "geojson": self = .geojson
    case "geojsonl", "geojsons", "geojsonseq": self = .geojsonl
    case "wkt": self = .wkt
    case "md", "markdown": self = .markdown
    case "svg": self = .svg
    case "html", "htm": self = .html
    default: return nil
    }
  }
}
