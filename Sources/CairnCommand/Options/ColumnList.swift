import CairnStorage
import CairnValues

/// Lists of columns, as `--select`, `--sort` and their like take them.
enum ColumnList {
  /// The columns of lists with commas between them, one list for each time the option is given.
  ///
  /// - Throws: a usage failure that names the nearest column where one is unknown, or named twice.
  static func columns(
    _ texts: [String], of schema: TableSchema, option: String
  ) throws -> [ColumnSchema] {
    let columns = try items(texts, of: schema, option: option) { schema.column(named: $0) }
    for (index, column) in columns.enumerated() {
      if columns[..<index].contains(where: { $0.position == column.position }) {
        throw Failure(.usage, "\(option) names '\(column.name)' twice")
      }
    }
    return columns
  }

  /// What `resolve` makes of each item of the lists, in order. A name may hold commas: the longest that is known
  /// counts.
  ///
  /// - Parameter others: what may stand in the lists besides columns.
  static func items<Item>(
    _ texts: [String], of schema: TableSchema, option: String, others: [String] = [],
    resolve: (String) -> Item?
  ) throws -> [Item] {
    var items: [Item] = []
    for text in texts {
      var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[...]
      while !parts.isEmpty {
        guard let (item, end) = longest(parts, resolve) else {
          throw unknown(parts[parts.startIndex], in: schema, option: option, others)
        }
        items.append(item)
        parts = parts[end...]
      }
    }
    return items
  }

  private static func longest<Item>(
    _ parts: ArraySlice<String>, _ resolve: (String) -> Item?
  ) -> (Item, Int)? {
    for end in stride(from: parts.endIndex, to: parts.startIndex, by: -1) {
      let name = parts[..<end].joined(separator: ",")
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
    let hint =
      spelling(name, names, isSort: option == "--sort")
      ?? (isAxis(name) ? location(schema, name) : nil).map { "; did you mean '\($0)'?" }
      ?? Hint.text(words.first ?? name, among: names)
    return Failure(.usage, "\(option): '\(schema.name)' has no column '\(name)'\(hint)")
  }

  /// What to say of words with spaces between them, and of a direction that is not behind its column.
  private static func spelling(_ name: String, _ names: [String], isSort: Bool) -> String? {
    let words = name.split(separator: " ").map(String.init)
    let isDirection = words.last.map { ["asc", "desc"].contains($0.lowercased()) } ?? false
    if isSort, isDirection {
      let column = words.count == 2 && names.contains(words[0]) ? words[0] : "name"
      return
        "; a direction follows its column with a colon: \(column):\(words[words.count - 1].lowercased())"
    }
    guard words.count > 1, words.allSatisfy(names.contains) else { return nil }
    return "; columns are parted by commas: \(words.joined(separator: ","))"
  }

  private static func isAxis(_ name: String) -> Bool {
    ["lat", "lon", "lng", "long", "latitude", "longitude"].contains(name.lowercased())
  }

  private static func location(_ schema: TableSchema, _ name: String) -> String? {
    let part = name.lowercased().hasPrefix("lat") ? "latitude" : "longitude"
    return schema.properties.first { $0.type == .point }.map { "\($0.name).\(part)" }
  }
}
