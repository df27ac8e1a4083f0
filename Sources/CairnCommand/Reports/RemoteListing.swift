import CairnIO
import CairnPostgres
import CairnStorage
import CairnValues

/// The output of `schema` for a database: its tables and views as classes, from the catalogue.
struct RemoteListing {
  private let tables: [PostgresTable]

  /// - Parameter className: The only table to list; nil for all.
  init(_ address: String, of className: String?) throws {
    let connection = try PostgresConnection(PostgresAddress(address))
    let catalogue = PostgresCatalogue(connection)
    tables = try className.map { [try catalogue.table($0)] } ?? catalogue.tables()
  }

  /// Writes a heading for each table and a line for each column, or one JSON object.
  func write(asJSON: Bool) throws {
    let target = try OutputTarget(nil)
    if asJSON {
      let list = JSONBuilder.array(tables.map(\.json))
      target.sink.append(JSONBuilder.object(["classes": list]) + "\n")
    } else {
      if tables.isEmpty { target.sink.append("No classes.\n") }
      for (index, table) in tables.enumerated() {
        if index > 0 { target.sink.append("\n") }
        try table.write(to: target)
      }
    }
    try target.finish()
  }
}

extension PostgresTable {
  fileprivate func write(to target: OutputTarget) throws {
    let rows = estimatedRows.map { "about \(Quantity.counted($0, noun: "row"))" }
    let size = bytes > 0 ? Quantity.bytes(bytes) : nil
    let facts = ([kind.words] + [rows, size].compactMap { $0 }).joined(separator: ", ")
    target.sink.append("\(PrintableText.escaped("\(schema).\(name)")): \(facts)\n\n")
    let writer = try RowWriter(
      .table,
      columns: ["property", "type", "column type", "index"].enumerated().map { index, name in
        OutputColumn(name: name, type: .string, source: .given(index))
      }, style: Display(target.descriptor).style, to: target.sink)
    try writer.write(columns.map(\.line))
    try writer.finish()
  }

  fileprivate var json: String {
    JSONBuilder.object([
      "name": JSONBuilder.string(name),
      "schema": JSONBuilder.string(schema),
      "kind": JSONBuilder.string(kind.words),
      "estimatedRows": estimatedRows.map { "\($0)" } ?? "null",
      "bytes": "\(bytes)",
      "location": JSONBuilder.string(columns.first(where: \.isSpatial)?.name),
      "primaryKey": JSONBuilder.string(columns.first(where: \.isPrimaryKey)?.name),
      "columns": JSONBuilder.array(columns.map(\.json), indent: "  "),
    ])
  }
}

extension PostgresColumn {
  /// The type in Cairn, with that of the collection.
  private var typeName: String {
    switch collection {
    case .none: type.name
    case .list: "list of \(type.name)"
    case .set: "set of \(type.name)"
    case .map: "map of \(type.name)"
    }
  }

  private var indexName: String? {
    if isPrimaryKey { return "primary key" }
    return index.map { $0 == "gist" && isSpatial ? "spatial index" : "index (\($0))" }
  }

  fileprivate var line: [Value] {
    [
      .string(name), .string(typeName + (isOptional ? "?" : "")), .string(sqlType),
      indexName.map { .string($0) } ?? .null,
    ]
  }

  fileprivate var json: String {
    JSONBuilder.object([
      "name": JSONBuilder.string(name),
      "type": JSONBuilder.string(typeName),
      "optional": "\(isOptional)",
      "index": JSONBuilder.string(indexName),
      "columnType": JSONBuilder.string(sqlType),
      "srid": isSpatial ? "\(srid)" : "null",
    ])
  }
}
