import ArgumentParser
import CairnFormats

/// `--format`, and what a file's ending says in its place.
extension OutputFormat: WordArgument {
  /// The format that the ending of a path names; nil: none that is known.
  init?(endingOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    guard let format = Self.endings[name[name.index(after: dot)...].lowercased()] else {
      return nil
    }
    self = format
  }

  private static let endings: [String: OutputFormat] = [
    "txt": .table, "csv": .csv, "tsv": .tsv, "tab": .tsv, "json": .json, "jsonl": .jsonl,
    "ndjson": .jsonl, "geojson": .geojson, "geojsonl": .geojsonl, "geojsons": .geojsonl,
    "geojsonseq": .geojsonl, "wkt": .wkt, "md": .markdown, "markdown": .markdown, "svg": .svg,
    "html": .html, "htm": .html,
  ]

  /// The format that the ending of a path names.
  ///
  /// - Throws: a usage failure that names what was probably meant.
  static func told(by path: String) throws -> OutputFormat {
    if let format = OutputFormat(endingOf: path) { return format }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    var advice = "say it with --format: \(Hint.list(allCases.map(\.rawValue)))"
    if let packed = OutputFormat(endingOf: String(path.dropLast(ending.count + 1))),
      ["gz", "zip", "bz2", "xz", "zst"].contains(ending.lowercased())
    {
      advice =
        "packed files are not written: --output - --format \(packed.rawValue) | gzip > \(path)"
    } else if let nearest = Hint.nearest(ending.lowercased(), among: endings.keys.sorted()) {
      advice = "did you mean '\(path.dropLast(ending.count))\(nearest)'? Or \(advice)"
    }
    throw Failure(.usage, "'\(path)' does not tell the format; \(advice)")
  }
}
