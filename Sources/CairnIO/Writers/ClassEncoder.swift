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
  ///   - columns: The properties, one for each column of the output.
  ///   - primaryKey: The index of the primary key; nil for none.
  ///   - indexed: The properties with an index.
  ///   - fullText: The properties with a full-text index.
  ///   - cancellation: Stops between rows.
  /// - Throws: A `StoreError` if the store cannot be written or two properties have one name.
  package init(
    _ name: String, of store: Store, columns: [BulkColumn], primaryKey: Int? = nil,
    indexed: [Int] = [], fullText: [Int] = [], cancellation: Cancellation? = nil
  ) throws(StoreError) {
    self.columns = columns
    self.cancellation = cancellation
    load = try BulkLoad(
      store: store, table: name, columns: columns,
      location: columns.firstIndex { $0.type == .point }, primaryKey: primaryKey,
      indexed: indexed, fullText: fullText, onConflict: .error)
    batch = ColumnBatch(columns: columns)
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
