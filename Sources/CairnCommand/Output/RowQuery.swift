import CairnFormats
import CairnQuery
import CairnStorage

/// What `query` and `export` do: find rows, and write them or how they are found.
struct RowQuery {
  private let source: Source
  private let query: Query
  private let rows: RowOptions

  init(_ target: TargetArguments, _ area: AreaOptions, _ rows: RowOptions) throws {
    source = try Source(target.store, className: target.className)
    self.rows = rows
    var query = try Question(source, target, area).query
    query.sort = try Order(area, rows, source).keys
    query.distinct = try Self.columns(rows.distinct, source.schema, "--distinct").map(\.name)
    query.offset = rows.offset
    query.limit = rows.limit
    self.query = query
  }

  private static func columns(
    _ list: String?, _ schema: TableSchema, _ option: String
  ) throws -> [ColumnSchema] {
    try list.map { try ColumnList.columns($0, of: schema, option: option) } ?? []
  }

  /// Writes the answer to a file, or to standard output for nil and `-`.
  func write(_ format: FormatOption, to path: String?) throws {
    let columns = try outputColumns(format)
    try source.refuse(path)
    let execution = try Execution(query, on: source.table)
    let target = try OutputTarget(path)
    if rows.explain {
      target.sink.append(execution.explain().description + "\n")
    } else {
      try write(execution, RowWriter(format.format, columns: columns, to: target.sink))
    }
    try target.finish()
  }

  private func write(_ execution: Execution, _ writer: RowWriter) throws {
    let table = source.table
    var failure: OutputError?
    execution.forEachKey { key in
      do throws(OutputError) {
        try writer.write(key: key, of: table)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    try writer.finish()
  }

  /// The chosen columns, or all; a GeoJSON format cannot do without the location.
  private func outputColumns(_ format: FormatOption) throws -> [OutputColumn] {
    var chosen = try Self.columns(rows.select, source.schema, "--select")
    if rows.select == nil { chosen = source.schema.columns }
    let needsLocation = format == .geojson || format == .geojsonl
    if needsLocation, !chosen.contains(where: \.hasSpatialIndex) {
      chosen.append(try source.location(for: "GeoJSON needs one"))
    }
    return chosen.map { OutputColumn(name: $0.name, type: $0.type, source: .stored($0.position)) }
  }
}
