import CairnIO
import CairnStorage

/// A page of items as a table for people.
struct ItemsTable {
  private let collection: Collection
  private let query: ItemsQuery
  private let rows: ItemRows
  private let next: Link?
  private let matched: Int

  init(
    _ collection: Collection, query: ItemsQuery, keys: [Int], columns: ItemColumns, next: Link?,
    matched: Int
  ) throws {
    self.collection = collection
    self.query = query
    rows = try ItemRows(keys, columns: columns, of: collection, system: query.system)
    self.next = next
    self.matched = matched
  }

  var document: Document {
    Document(title: collection.name, trail: [.collections, .collection(collection.name)]) { page in
      let values = collection.context.query
      page.form(
        [
          ("bbox", "Box (west, south, east, north)", values["bbox"] ?? ""),
          ("filter", "Filter", values["filter"] ?? ""), ("limit", "Rows", "\(query.limit)"),
        ])
      page.text("\(rows.rows.count) of \(matched) items")
      page.table(
        [rows.names.contains("id") ? "item" : "id"] + rows.names,
        rows: zip(rows.ids, rows.rows).map { [ItemRows.cut($0)] + $1 },
        hrefs: rows.ids.map { collection.url + "/items/\(PercentCoding.encoded($0))?f=html" })
      page.links(next.map { [$0] } ?? [])
    }
  }
}

/// An item for people.
struct ItemTable {
  private let collection: Collection
  private let id: String
  private let rows: ItemRows

  init(
    _ collection: Collection, key: Int, id: String, columns: ItemColumns, system: ServedSystem
  ) throws {
    self.collection = collection
    self.id = id
    rows = try ItemRows([key], columns: columns, of: collection, system: system)
  }

  var document: Document {
    Document(
      title: "\(collection.name) \(id)",
      trail: [.collections, .collection(collection.name), .items(collection.name)]
    ) { page in
      page.definitions(zip(rows.names, rows.rows.first ?? []).map { ($0, $1) })
      let links = collection.context.ownLinks().filter { $0.type != .html }
      page.links(links)
    }
  }
}

/// The values of items as text.
private struct ItemRows {
  let names: [String]
  /// The ids, which are not cut because links contain them.
  let ids: [String]
  let rows: [[String]]

  /// Longer values are cut in a table.
  private static let maxLength = 200
  /// Beyond the depth at which a row cannot be written.
  private static let maxDepth = 1200

  init(_ keys: [Int], columns: ItemColumns, of collection: Collection, system: ServedSystem) throws
  {
    // The first column is that of the ids.
    let id = columns.features[0]
    let shown = columns.table.filter { $0.source != .given(0) }
    names = shown.map(\.name)
    let table = collection.table
    let all = ItemColumns(features: [id] + shown)
    let writer = try ItemWriter(.jsonl, columns: all, of: table, in: system, dates: nil)
    var (ids, rows): ([String], [[String]]) = ([], [])
    for key in keys {
      try writer.write(key)
      let line = String(decoding: writer.take(), as: UTF8.self)
      guard case .object(let members) = try JSONReader.read(line, maxDepth: Self.maxDepth).content
      else { continue }
      let texts = members.map { Self.text($0.value) }
      ids.append(texts[0])
      rows.append(texts.dropFirst().map(Self.cut))
    }
    self.ids = ids
    self.rows = rows
  }

  private static func text(_ value: ParsedJSON) -> String {
    switch value.content {
    case .null: ""
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number
    case .string(let string): string
    case .array, .object: value.text
    }
  }

  /// The text of a cell.
  static func cut(_ text: String) -> String {
    text.count <= maxLength ? text : text.prefix(maxLength) + "…"
  }
}

extension ItemColumns {
  /// Creates the columns of a table.
  fileprivate init(features: [OutputColumn]) {
    self.features = features
    geometry = nil
    table = features
  }
}

extension ParsedJSON {
  /// The value as JSON.
  var text: String {
    switch content {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): number
    case .string(let text): JSON.string(text).text
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{" + members.map { "\(JSON.string($0.name).text): \($0.value.text)" }.joined(separator: ", ")
        + "}"
    }
  }
}
