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
  static func items<Item>(
    _ text: String, of schema: TableSchema, option: String, resolve: (String) -> Item?
  ) throws -> [Item] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var items: [Item] = []
    var start = 0
    while start < parts.count {
      guard let (item, end) = longest(parts, from: start, resolve) else {
        throw unknown(parts[start], in: schema, option: option)
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

  private static func unknown(_ name: String, in schema: TableSchema, option: String) -> Failure {
    guard !name.isEmpty else { return Failure(.usage, "\(option) has an empty name in its list") }
    let words = name.split(separator: ":").first.map(String.init) ?? name
    let hint = Hint.text(words, among: schema.properties.map(\.name))
    return Failure(.usage, "\(option): '\(schema.name)' has no column '\(name)'\(hint)")
  }
}
