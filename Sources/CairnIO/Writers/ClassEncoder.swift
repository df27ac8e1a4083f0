internal import CairnGeometry
package import CairnStorage
internal import CairnValues

/// Writes rows into a new class of a store. They appear together when the last one is written, or
/// not at all.
package final class ClassEncoder: RowEncoder {
  /// The size in bytes of the rows that are kept until they are sorted.
  private static let batchSize = 8 << 20

  private let columns: [BulkColumn]
  private let load: BulkLoad
  private let batch: ColumnBatch
  private var batchCount = 0
  /// The bytes of texts and geometries in the batch, and eight for every value.
  private var batchBytes = 0
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
      let isSingle = origin.map { $0.collection == .none && Self.isTaken($0.type) } ?? true
      if isSingle, Self.isTaken(column.type) { continue }
      let kind = origin?.typeText ?? column.type.name
      throw .file(
        .usage, "a new class does not take '\(column.name)', a \(kind); choose other columns")
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
      load = try BulkLoad(
        store: store, table: name, columns: properties,
        location: properties.firstIndex { $0.type == .point },
        primaryKey: hasKey ? positions(\.isPrimaryKey).first : nil,
        indexed: positions { $0.isIndexed && !$0.isPrimaryKey }, fullText: positions(\.isFullText),
        onConflict: .error, makesClass: true)
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
    batchBytes += 8 * row.count
    if batchBytes >= Self.batchSize { try flush() }
  }

  /// Commits the class.
  package func end(_ sink: OutputSink) throws(OutputError) {
    if batch.rowCount > 0 || batchCount == 0 { try flush() }
    try storing { () throws(StoreError) in _ = try load.finish() }
  }

  private func flush() throws(OutputError) {
    try storing { () throws(StoreError) in try load.add(batch, number: batchCount) }
    batchCount += 1
    batchBytes = 0
    batch.removeAll()
  }

  private func storing(_ body: () throws(StoreError) -> Void) throws(OutputError) {
    do throws(StoreError) { try body() } catch {
      load.cancel()
      throw .file(.output, error.message)
    }
  }

  /// Whether a class may have values of a type. Links would need the classes that they lead to.
  private static func isTaken(_ type: ValueType) -> Bool {
    switch type {
    case .link, .embedded, .mixed, .box: false
    default: true
    }
  }

  private func append(_ cell: Cell, to index: Int) throws(OutputError) {
    let (column, type) = (batch.columns[index], columns[index].type)
    switch (cell, type) {
    case (.null, _): column.appendNull()
    case (.bool(let flag), .bool): column.append(bool: flag)
    case (.int(let number), .int): column.append(int: number)
    case (.int(let number), .double): column.append(double: Double(number))
    case (.float(let number), .float): column.append(float: number)
    case (.double(let number), .double): column.append(double: number)
    case (.date(let seconds, _), .date): column.append(date: seconds)
    case (.text(let bytes), .string): append(bytes, to: column)
    case (.string(let text), .string), (.other(let text), .string): append(text, to: column)
    case (.other(let text), .uuid), (.other(let text), .objectId), (.other(let text), .data):
      try append(text, to: column, type: type)
    case (.point(let position), .point): try append(position, to: column, of: index)
    case (.decimal(let number), .decimal128):
      number.withStoredBytes { column.append(fixed: $0) }
    case (.geometry(let geometry), _) where type.isGeometry:
      geometry.withView {
        append(UnsafeRawBufferPointer(start: $0.base, count: $0.size), to: column)
      }
    default:
      throw .file(
        .data,
        "'\(columns[index].name)' has a value that is not of the type \(type.name), which a new "
          + "class does not take")
    }
  }

  private func append(_ bytes: UnsafeRawBufferPointer, to column: ColumnBuilder) {
    column.append(bytes: bytes)
    batchBytes += bytes.count
  }

  private func append(_ text: String, to column: ColumnBuilder) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: column) }
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
  private func append(
    _ text: String, to column: ColumnBuilder, type: ValueType
  ) throws(OutputError) {
    if let id = type == .uuid ? UUIDBytes(text) : nil {
      id.withStoredBytes { column.append(fixed: $0) }
    } else if let id = type == .objectId ? ObjectId(digits: text) : nil {
      id.withStoredBytes { column.append(fixed: $0) }
    } else if let bytes = type == .data ? Base64.decode(text) : nil {
      bytes.withUnsafeBytes { append($0, to: column) }
    } else {
      throw .file(.data, "'\(text)' is not a \(type.name)")
    }
  }
}
