import CairnGeometry
import CairnIO
import CairnStorage
import CairnSystem
import CairnValues

/// The columns in which items are written.
struct ItemColumns {
  /// The column of the ids, the geometry if there is one, and the properties.
  let features: [OutputColumn]
  /// The index of the geometry among them.
  let geometry: Int?
  /// The columns of a table of items.
  let table: [OutputColumn]

  init(_ query: [ColumnSchema], of collection: Collection) {
    self.init(query, of: collection.schema, in: collection.context.state.snapshot.schema)
  }

  /// - Parameter classes: The classes of the store, to which links lead.
  init(_ query: [ColumnSchema], of schema: TableSchema, in classes: StoreSchema) {
    func output(_ column: ColumnSchema) -> [OutputColumn] {
      ColumnPath(column.name, of: schema, in: classes).map { [$0.output(column.name, in: classes)] }
        ?? []
    }
    let id =
      schema.primaryKey.map { position in
        OutputColumn(
          name: "id", type: schema.columns[position].type, source: .stored(position))
      } ?? OutputColumn(name: "id", type: .int, source: .given(0))
    let shape = schema.spatialColumn.map(output) ?? []
    let properties = query.flatMap(output)
    features = [id] + shape + properties
    geometry = shape.isEmpty ? nil : 1
    let hasID = query.contains { $0.isPrimaryKey }
    let isFree = !properties.contains { $0.name == id.name }
    table =
      (hasID ? [] : [isFree ? id : id.named("fid")]) + properties + shape
  }
}

/// Writes items in one of the formats.
struct ItemWriter {
  private let writer: RowWriter
  private let table: Table
  private let sink = OutputSink.memory()

  /// Creates a writer of GeoJSON.
  ///
  /// - Parameters:
  ///   - members: More members of the collection, or of the feature, as JSON with commas behind
  ///     them.
  ///   - isCollection: Whether to write a collection, and not one feature.
  init(
    features columns: ItemColumns, of table: Table, in system: ServedSystem, members: String,
    isCollection: Bool
  ) throws {
    self.table = table
    var style = OutputStyle()
    style.features = FeatureStyle(id: 0, geometry: columns.geometry)
    style.features?.members = members
    style.dates = .time
    writer = try RowWriter(
      isCollection ? .geojson : .geojsonl, columns: columns.features, in: system.output(),
      style: style, to: sink)
  }

  /// Creates a writer of CSV, or of an object on each line.
  ///
  /// - Parameter dates: The form of dates: that of the schema, RFC 3339 with a time, or nil for the one
  ///   that is easiest to read.
  init(
    _ format: OutputFormat, columns: ItemColumns, of table: Table, in system: ServedSystem,
    dates: ISODate.Form? = .time
  ) throws {
    self.table = table
    var style = OutputStyle()
    style.dates = dates
    writer = try RowWriter(
      format, columns: columns.table, in: system.output(), style: style, to: sink)
  }

  /// Creates a writer of FlatGeobuf for given rows. Its axes are always east before north.
  init(
    flatGeobuf columns: ItemColumns, keys: [Int], of table: Table, in system: ServedSystem
  ) throws {
    self.table = table
    var style = OutputStyle()
    style.flatGeobuf = FlatGeobufStyle(
      name: table.schema.name, keys: keys, of: table, columns: columns.table,
      geometry: columns.geometry == nil ? nil : columns.table.count - 1)
    writer = try RowWriter(
      .fgb, columns: columns.table, in: system.code.map { try OutputSystem($0) }, style: style,
      to: sink)
  }

  /// Writes a row.
  func write(_ key: Int) throws(OutputError) {
    try writer.write(key: key, of: table) { _ in .int(Int64(key)) }
  }

  /// Writes a row of another state of the same class.
  func write(_ key: Int, of table: Table) throws(OutputError) {
    try writer.write(key: key, of: table) { _ in .int(Int64(key)) }
  }

  /// Writes what follows the last row.
  func finish() throws(OutputError) { try writer.finish() }

  /// The number of bytes that `take` would return.
  var count: Int { sink.collected.count }

  /// Returns the bytes that were written since the last call.
  func take() -> [UInt8] {
    defer { sink.removeAll() }
    return Array(sink.collected)
  }
}

/// A page of items that is written while it is sent.
final class ItemStream: @unchecked Sendable {
  // Sendable: the reader of the stream asks for the next bytes when it has the last ones, so one thread
  // at a time uses the stream and its snapshot.
  private let keys: [Int]
  private let writer: ItemWriter
  /// The state that the rows come from.
  private let snapshot: Snapshot
  private let deadline: Double
  private let threads: RequestThreads
  private var index = 0
  private var isFinished = false

  private static let chunkSize = 1 << 17

  init(_ keys: [Int], writer: ItemWriter, context: RequestContext) {
    self.keys = keys
    self.writer = writer
    snapshot = context.state.snapshot
    threads = context.service.threads
    deadline = MonotonicClock.seconds + context.options.maxStreamSeconds
  }

  /// Returns the next bytes; nil at the end.
  func next() throws -> [UInt8]? {
    guard !isFinished else { return nil }
    guard MonotonicClock.seconds < deadline else { throw StreamTimeout() }
    while index < keys.count, writer.count < Self.chunkSize {
      try writer.write(keys[index])
      index += 1
    }
    if index == keys.count {
      try writer.finish()
      isFinished = true
    }
    return writer.take()
  }

  /// The body of the response: all bytes if there are few of them.
  func body() throws -> Response.Body {
    let first = try next() ?? []
    if isFinished { return .bytes(first) }
    let head = Mutex<[UInt8]?>(first)
    return .stream(
      ByteStream {
        let pending = head.withLock { head -> [UInt8]? in
          defer { head = nil }
          return head
        }
        if let pending { return pending }
        return try await self.threads.run { try self.next() }
      })
  }
}

/// A client read a response too slowly.
struct StreamTimeout: Error {}
