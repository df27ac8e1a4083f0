import CairnRequest
import CairnStorage
import CairnValues

/// Parses lists of columns, as `--select`, `--sort` and similar options take them.
enum ColumnList {
  /// The columns of comma-separated lists, one list for each use of the option.
  ///
  /// - Throws: A usage failure if a column is unknown (with the nearest name) or named twice.
  static func columns(
    _ texts: [String], of schema: TableSchema, option: String
  ) throws -> [ColumnSchema] {
    try columns(texts, of: schema, option: option) { schema.column(named: $0) }
  }

  private static func columns(
    _ texts: [String], of schema: TableSchema, option: String,
    resolve: (String) -> ColumnSchema?
  ) throws -> [ColumnSchema] {
    let columns = try items(texts, of: schema, option: option, resolve: resolve)
    for (index, column) in columns.enumerated() {
      if columns[..<index].contains(where: { $0.position == column.position }) {
        throw Failure(.usage, message: "\(option) names '\(column.name)' twice")
      }
    }
    return columns
  }

  /// The columns of lists that may also have formulas, which `source` computes.
  static func columns(
    _ texts: [String], of source: OpenedClass, option: String
  ) throws -> [ColumnSchema] {
    try columns(texts, of: source.schema, option: option, resolve: source.column)
  }

  /// The column of a name that is an argument.
  ///
  /// - Throws: A usage failure with the nearest name if the column is unknown.
  static func column(_ name: String, of schema: TableSchema) throws -> ColumnSchema {
    if let column = schema.column(named: name) { return column }
    let hint = Hint.text(name, among: schema.properties.map(\.name))
    throw Failure(.usage, message: "'\(schema.name)' has no column '\(name)'\(hint)")
  }

  /// The results of `resolve` for the items of the lists, in order. A name may contain commas: the
  /// longest known name wins.
  ///
  /// - Parameter others: The names that the lists may contain in addition to columns.
  static func items<Item>(
    _ texts: [String], of schema: TableSchema, option: String, others: [String] = [],
    resolve: (String) -> Item?
  ) throws -> [Item] {
    try items(texts, resolve: resolve) {
      unknown($0, in: schema, option: option, others: others)
    }
  }

  /// The results of `resolve` for the items of the lists, in order.
  ///
  /// - Parameter unknown: Returns the failure for a name that `resolve` does not know.
  static func items<Item>(
    _ texts: [String], resolve: (String) -> Item?, unknown: (String) -> Failure
  ) throws -> [Item] {
    var items: [Item] = []
    for text in texts {
      var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[...]
      while !parts.isEmpty {
        guard let (item, end) = longest(parts, resolve: resolve) else {
          throw unknown(parts[parts.startIndex])
        }
        items.append(item)
        parts = parts[end...]
      }
    }
    return items
  }

  private static func longest<Item>(
    _ parts: ArraySlice<String>, resolve: (String) -> Item?
  ) -> (Item, Int)? {
    for end in stride(from: parts.endIndex, to: parts.startIndex, by: -1) {
      let name = parts[..<end].joined(separator: ",")
      if let item = resolve(name) ?? resolve(String(name.trimmingSpaces())) { return (item, end) }
    }
    return nil
  }

  /// The failure for a name that is not a column of a class.
  static func unknown(
    _ name: String, in schema: TableSchema, option: String, others: [String]
  ) -> Failure {
    guard !name.isEmpty else { return Failure(.usage, message: "\(option) contains an empty name") }
    let names = schema.properties.map(\.name) + others
    let words = name.split(separator: ":", maxSplits: 1).map(String.init)
    if option == "--sort", words.count == 2, names.contains(words[0]) {
      let nearest = words[1].lowercased().hasPrefix("d") ? "desc" : "asc"
      return Failure(
        .usage,
        message:
          "--sort: '\(words[1])' is not a direction; did you mean '\(nearest)'? Use :asc or :desc"
      )
    }
    let hint =
      spelling(name, names: names, isSort: option == "--sort")
      ?? (isAxis(name) ? location(schema, name: name) : nil).map { "; did you mean '\($0)'?" }
      ?? Hint.text(words.first ?? name, among: names)
    return Failure(.usage, message: "\(option): '\(schema.name)' has no column '\(name)'\(hint)")
  }

  /// The hint for words separated by spaces, and for a direction that is not joined to its column.
  private static func spelling(_ name: String, names: [String], isSort: Bool) -> String? {
    let words = name.split(separator: " ").map(String.init)
    let isDirection = words.last.map { ["asc", "desc"].contains($0.lowercased()) } ?? false
    if isSort, isDirection {
      let column = words.count == 2 && names.contains(words[0]) ? words[0] : "name"
      let direction = words[words.count - 1].lowercased()
      return "; a direction follows its column after a colon: \(column):\(direction)"
    }
    guard words.count > 1, words.allSatisfy(names.contains) else { return nil }
    return "; columns are separated by commas: \(words.joined(separator: ","))"
  }

  private static func isAxis(_ name: String) -> Bool {
    ["lat", "lon", "lng", "long", "latitude", "longitude"].contains(name.lowercased())
  }

  private static func location(_ schema: TableSchema, name: String) -> String? {
    let part = name.lowercased().hasPrefix("lat") ? "latitude" : "longitude"
    return schema.properties.first { $0.type == .point }.map { "\($0.name).\(part)" }
  }
}
