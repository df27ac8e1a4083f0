/// Names that other tools give to options, and options that are arguments here.
enum OptionSynonyms {
  /// The advice for a name, without its dashes, that is not an option of the command; nil for an unknown name.
  static func advice(on name: String, _ table: OptionTable) -> String? {
    let options = table.entries.map(\.name)
    let longer = options.filter { name.count > 1 && $0.hasPrefix(name) }
    let meant = (longer.count == 1 ? longer.first : nil) ?? meant(by: name, among: options)
    if let meant { return "Did you mean '--\(meant)'?" }
    return argument(name, table.positionals)
  }

  private static func meant(by name: String, among options: [String]) -> String? {
    synonyms.first { options.contains($0.key) && $0.value.contains(name) }?.key
  }

  /// In the order in which they are tried.
  private static let synonyms: KeyValuePairs<String, Set<String>> = [
    "output": ["o", "out", "to", "save", "outfile", "output-file", "dest", "destination"],
    "format": ["f", "fmt", "as", "output-format", "input-format", "of", "type", "t"],
    "sort": ["s", "order", "order-by", "orderby", "sort-by", "sortby", "desc"],
    "select": ["columns", "column", "cols", "col", "fields", "field", "properties", "only", "c"],
    "limit": ["n", "l", "top", "first", "head", "max", "count", "rows", "number"],
    "offset": ["skip", "start", "from"],
    "distinct": ["unique", "uniq"],
    "bbox": ["box", "bounds", "bounding-box", "extent", "rect", "spat", "b"],
    "within": ["polygon", "inside", "area", "region", "intersects", "geojson", "wkt", "clip"],
    "radius": ["distance", "dist", "buffer", "range", "r"],
    "near": ["at", "around", "center", "centre", "nearest", "point", "close-to", "from-point"],
    "crs": ["srid", "epsg", "srs", "proj", "projection", "t_srs", "s_srs", "a_srs"],
    "class": ["name", "table", "layer", "into", "as-class"],
    "by": ["group", "group-by", "groupby"],
    "of": ["column", "columns", "col", "sum", "field", "fields", "select"],
    "delimiter": ["sep", "separator", "d", "delim"],
    "lat": ["latitude", "lat-col", "lat-column"],
    "lon": ["longitude", "lng", "long", "lon-col", "lon-column"],
    "key": ["id", "primary-key", "pk", "unique"],
    "encoding": ["charset", "enc"],
    "on-error": ["skip-errors", "ignore-errors", "keep-going", "force"],
    "on-conflict": ["replace", "update", "upsert", "overwrite"],
    "dry-run": ["n", "preview", "check", "pretend"],
    "quiet": ["q", "silent"],
    "progress": ["v", "verbose"],
    "explain": ["plan", "analyze"],
    "histogram": ["hist", "distribution"],
    "bins": ["buckets", "bars"],
    "version": ["v", "V"],
  ]

  /// The words of the command line that belong to no option.
  private static func argument(_ name: String, _ positionals: [String]) -> String? {
    switch name {
    case "class", "table", "layer", "name", "c", "from":
      guard positionals.contains("class") else { return nil }
      return "The class needs no option: it follows the store, as in 'world.cairn cities'."
    case "where", "filter", "predicate", "query", "condition", "w", "q", "sql":
      guard positionals.contains("predicate") else { return nil }
      return
        "A condition needs no option: it follows the class, in quotes, as in \"population > 1000\"."
    case "store", "database", "db":
      return "The store needs no option: it comes first, as in 'world.cairn'."
    case "file", "input", "i", "in", "files":
      guard positionals.contains("file") else { return nil }
      return "Files need no option: they follow the store, as in 'world.cairn cities.csv'."
    default: return nil
    }
  }
}
