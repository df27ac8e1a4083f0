package import CairnGeometry
package import CairnStorage
package import CairnValues

/// Writes rows into a new class of a store. They appear together when the last one is written, or
/// not at all.
package final class ClassEncoder: RowEncoder {
  /// The size in bytes of the rows that are kept until they are sorted.
  private static let batchSize = 8 << 20

  private let columns: [BulkColumn]
  private let load: BulkLoad
  private let batch: ColumnBatch
  private var batchCount = 0
  private let cancellation: Cancellation?

  /// Prepares a class.
  ///
  /// - Parameters:
  ///   - columns: The columns of the output, which become properties.
  ///   - origin: Returns the stored column that a column of the output shows unchanged. The property
  ///     has its indexes.
  ///   - hasKey: Whether each row comes once, so that a primary key remains one.
  ///   - cancellation: Stops between rows.
  /// - Throws: `.file` if the class exists, the store cannot be written, a column has lists or
  ///   objects, or two columns have one name.
  package init(
    _ name: String, of store: Store, columns: [OutputColumn],
    from origin: (OutputColumn) -> ColumnSchema?, hasKey: Bool, cancellation: Cancellation? = nil
  ) throws(OutputError) {
    let origins = columns.map(origin)
    for (column, origin) in zip(columns, origins) {
      guard let origin, origin.collection != .none || origin.isLink || origin.type == .mixed else {
        continue
      }
      throw .file(
        .usage,
        "a new class does not take '\(column.name)', a \(origin.typeText); choose other columns")
    }
    func positions(_ condition: (ColumnSchema) -> Bool) -> [Int] {
      origins.indices.filter { origins[$0].map(condition) ?? false }
    }
    let properties = zip(columns, origins).map { column, origin in
      BulkColumn(name: column.name, type: column.type, isOptional: origin?.isNullable ?? true)
    }
    self.cancellation = cancellation
    self.columns = properties
    batch = ColumnBatch(columns: properties)
    do throws(StoreError) {
      guard try store.snapshot().schema.table(named: name) == nil else {
        throw StoreError(
          .schemaMismatch,
          message:
            "\(store.path) already has a class '\(name)'; give another name, or drop it first")
      }
      load = try BulkLoad(
        store: store, table: name, columns: properties,
        location: properties.firstIndex { $0.type == .point },
        primaryKey: hasKey ? positions(\.isPrimaryKey).first : nil,
        indexed: positions { $0.isIndexed && !$0.isPrimaryKey }, fullText: positions(\.isFullText),
        onConflict: .error)
    } catch {
      throw .file(.usage, error.message)
    }
  }

  /// Does nothing: the class begins with its first row.
  package func begin(_ sink: OutputSink) {}

  /// Adds a row.
  package func encode(
    _ row: UnsafeBufferPointer<Cell>, sink: OutputSink
  ) throws(OutputError) {
    if batch.rowCount & 0x3FF == 0, cancellation?.isCancelled == true {
      load.cancel()
      throw .file(.output, "the work was stopped; nothing was written")
    }
    for (index, cell) in row.enumerated() { try append(cell, to: index) }
    if batch.byteCount >= Self.batchSize { try flush() }
  }

  /// Commits the class.
  package func end(_ sink: OutputSink) throws(OutputError) {
    if batch.rowCount > 0 || batchCount == 0 { try flush() }
    try storing { () throws(StoreError) in _ = try load.finish() }
  }

  private func flush() throws(OutputError) {
    try storing { () throws(StoreError) in try load.add(batch, number: batchCount) }
    batchCount += 1
    batch.removeAll()
  }

  private func storing(_ body: () throws(StoreError) -> Void) throws(OutputError) {
    do throws(StoreError) { try body() } catch {
      load.cancel()
      throw .file(.output, error.message)
    }
  }

  private func append(_ cell: Cell, to index: Int) throws(OutputError) {
    let column = batch.columns[index]
    switch cell {
    case .null: column.appendNull()
    case .bool(let flag): column.append(bool: flag)
    case .int(let number):
      if columns[index].type == .double {
        column.append(double: Double(number))
      } else {
        column.append(int: number)
      }
    case .float(let number): column.append(float: number)
    case .double(let number): column.append(double: number)
    case .date(let seconds, _): column.append(date: seconds)
    case .text(let bytes): column.append(bytes: bytes)
    case .string(let text): Self.append(text, to: column)
    case .point(let position): try append(position, to: column, of: index)
    case .geometry(let geometry):
      geometry.withView {
        column.append(bytes: UnsafeRawBufferPointer(start: $0.base, count: $0.size))
      }
    case .decimal(let number): number.withStoredBytes { column.append(fixed: $0) }
    case .other(let text): append(text, to: column, type: columns[index].type)
    case .json, .projected:
      throw .file(
        .data, "'\(columns[index].name)' has lists or objects, which a new class does not take")
    }
  }

  private static func append(_ text: String, to column: ColumnBuilder) {
    var text = text
    text.withUTF8 { column.append(bytes: UnsafeRawBufferPointer($0)) }
  }

  private func append(
    _ position: Position, to column: ColumnBuilder, of index: Int
  ) throws(OutputError) {
    guard position.altitude == 0 else {
      let name = columns[index].name
      throw .file(
        .data,
        "a location in '\(name)' has an altitude, which a new class does not take; "
          + "centroid(\(name)) AS \(name) leaves it out")
    }
    column.append(longitude: position.longitude, latitude: position.latitude)
  }

  /// Appends a value that cells have as a text.
  private func append(_ text: String, to column: ColumnBuilder, type: ValueType) {
    switch type {
    case .uuid:
      guard let id = UUIDBytes(text) else { return column.appendNull() }
      id.withStoredBytes { column.append(fixed: $0) }
    case .objectId:
      guard let id = ObjectId(digits: text) else { return column.appendNull() }
      id.withStoredBytes { column.append(fixed: $0) }
    case .data:
      guard let bytes = Base64.decode(text) else { return column.appendNull() }
      bytes.withUnsafeBytes { column.append(bytes: $0) }
    default: Self.append(text, to: column)
    }
  }
}
