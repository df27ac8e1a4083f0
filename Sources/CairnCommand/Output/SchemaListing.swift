import CairnStorage
import CairnValues

/// The classes of a store and their properties, for people and for programs.
struct SchemaListing {
  let snapshot: Snapshot

  /// A heading for each class, and a line for each of its properties.
  var text: String {
    guard !snapshot.schema.tables.isEmpty else { return "No classes.\n" }
    return snapshot.schema.tables.map(text).joined(separator: "\n")
  }

  private func text(_ table: TableSchema) -> String {
    let rows = Quantity.counted(snapshot.table(table).liveCount, "row")
    let names = table.properties.map(\.name)
    let width = names.map(\.count).max() ?? 0
    let types = table.properties.map { Self.type($0) }
    let typeWidth = types.map(\.count).max() ?? 0
    var lines = ["\(table.name): \(rows)"]
    for (column, type) in zip(table.properties, types) {
      let line = "  " + Self.pad(column.name, width) + "  " + Self.pad(type, typeWidth)
      let index = column.indexName.map { "  " + $0 } ?? ""
      lines.append(String((line + index).reversed().drop { $0 == " " }.reversed()))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.count)
  }

  /// `int`, and `int?` where it may be null; of a link the class that it leads to.
  private static func type(_ column: ColumnSchema) -> String {
    column.kind(column.target ?? column.type.name) + (column.isOptional ? "?" : "")
  }

  /// The same as one JSON object.
  var json: String {
    let classes = snapshot.schema.tables.map(json)
    return JSONBuilder.object(["classes": JSONBuilder.array(classes)]) + "\n"
  }

  private func json(_ table: TableSchema) -> String {
    JSONBuilder.object([
      "name": JSONBuilder.string(table.name),
      "rows": "\(snapshot.table(table).liveCount)",
      "location": Self.quoted(table.properties.first(where: \.hasSpatialIndex)?.name),
      "primaryKey": Self.quoted(table.primaryKey.map { table.columns[$0].name }),
      "columns": JSONBuilder.array(table.properties.map(Self.json), indent: "  "),
    ])
  }

  private static func json(_ column: ColumnSchema) -> String {
    JSONBuilder.object([
      "name": JSONBuilder.string(column.name),
      "type": JSONBuilder.string(column.kind(column.type.name)),
      "target": quoted(column.target),
      "optional": "\(column.isOptional)",
      "index": quoted(column.indexName),
    ])
  }

  private static func quoted(_ text: String?) -> String {
    text.map(JSONBuilder.string) ?? "null"
  }
}

extension ColumnSchema {
  /// The type's name, and the collection's where it is one.
  fileprivate func kind(_ type: String) -> String {
    switch collection {
    case .none: type
    case .list: "list of \(type)"
    case .set: "set of \(type)"
    case .map: "map of \(type)"
    }
  }

  /// How the property is indexed; nil: not at all.
  fileprivate var indexName: String? {
    if isPrimaryKey { return "primary key" }
    if hasSpatialIndex { return "spatial index" }
    return isIndexed ? "index" : nil
  }
}
