import CairnStorage

/// Lists of columns, as `--select`, `--sort` and their like take them.
enum ColumnList {
  /// The columns of a list with commas between them.
  ///
  /// - Throws: a usage failure that names the nearest column where one is unknown, or named twice.
  static func columns(
    _ text: String, of schema: TableSchema, option: String
  ) throws -> [ColumnSchema] {
    let columns = try items(text, of: schema, option: option) { schema.column(named: $0) }
    for (index, column) in columns.enumerated() {
      if columns[..<index].contains(where: { $0.position == column.position }) {
        throw Failure(.usage, "\(option) names '\(column.name)' twice")
      }
    }
    return columns
  }

  /// What `resolve` makes of each item of a list. A name may hold commas: the longest that is known
  /// counts.
  ///
  /// - Parameter others: what may stand in the list besides columns.
  static func items<Item>(
    _ text: String, of schema: TableSchema, option: String, others: [String] = [],
    resolve: (String) -> Item?
  ) throws -> [Item] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var items: [Item] = []
    var start = 0
    while start < parts.count {
      guard let (item, end) = longest(parts, from: start, resolve) else {
        throw unknown(parts[start], in: schema, option: option, others)
      }
      items.append(item)
      start = end
    }
    return items
  }

  private static func longest<Item>(
    _ parts: [String], from start: Int, _ resolve: (String) -> Item?
  ) -> (Item, Int)? {
    for end in stride(from: parts.count, to: start, by: -1) {
      let name = parts[start..<end].joined(separator: ",")
      if let item = resolve(name) ?? resolve(String(name.trimmingSpaces())) { return (item, end) }
    }
    return nil
  }

  private static func unknown(
    _ name: String, in schema: TableSchema, option: String, _ others: [String]
  ) -> Failure {
    guard !name.isEmpty else { return Failure(.usage, "\(option) has an empty name in its list") }
    let names = schema.properties.map(\.name) + others
    let words = name.split(separator: ":", maxSplits: 1).map(String.init)
    if option == "--sort", words.count == 2, names.contains(words[0]) {
      let nearest = words[1].lowercased().hasPrefix("d") ? "desc" : "asc"
      return Failure(
        .usage,
        "--sort: '\(words[1])' is no direction; did you mean '\(nearest)'? A column is followed by :asc or :desc"
      )
    }
    let hint = Hint.text(words.first ?? name, among: names)
    return Failure(.usage, "\(option): '\(schema.name)' has no column '\(name)'\(hint)")
  }
}
