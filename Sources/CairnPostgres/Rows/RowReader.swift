import CairnStorage
import CairnValues

/// Reads the rows of a result into a batch of columns. For use by one thread.
package final class RowReader {
  private let columns: [PostgresColumn]
  private let geometries: GeometryReader
  private let table: String?
  private let leavesOut: Bool
  /// The columns of the primary key, by which messages name rows.
  private let key: [Int]
  /// The number of rows that were read.
  private var rowsRead: Int
  /// The rows of the batch that are left out.
  private var unreadable: [Int] = []
  /// The rows that were left out.
  package private(set) var leftOut = LeftOutRows()
  /// The values that were changed in the other rows.
  package private(set) var changes: ValueChanges
  /// The changes of the row that is being read.
  private var pending: [(kind: ValueChanges.Kind, column: Int)] = []
  private let rows: ColumnBatch

  /// Makes a reader of the columns of a result, in their order.
  ///
  /// - Parameters:
  ///   - table: The name of the table, for messages.
  ///   - repairs: Whether invalid geometries are repaired; otherwise they cannot be read.
  ///   - leavesOut: Whether rows with a value that cannot be read are left out; otherwise they are errors.
  ///   - rows: The number of rows of the result that others have read.
  package init(
    _ columns: [PostgresColumn], of table: String? = nil, repairs: Bool = false,
    leavesOut: Bool = false, after rows: Int = 0
  ) {
    rowsRead = rows
    self.columns = columns
    self.table = table
    self.leavesOut = leavesOut
    key = columns.indices.filter { columns[$0].isInKey }
    geometries = GeometryReader(repairs: repairs)
    changes = ValueChanges(of: columns.map(\.name))
    self.rows = ColumnBatch(columns: columns.map(\.bulkColumn))
  }

  /// The number of rows in the batch, with those that are left out.
  package var rowCount: Int { rows.rowCount }

  /// The number of bytes of the batch.
  package var byteCount: Int { rows.byteCount }

  /// The rows that were read since the batch was last emptied, without those that are left out.
  package var batch: ColumnBatch {
    if !unreadable.isEmpty {
      var isKept = Array(repeating: true, count: rows.rowCount)
      for row in unreadable { isKept[row] = false }
      rows.keep(isKept)
      unreadable.removeAll()
    }
    return rows
  }

  /// Appends a row to the batch.
  ///
  /// - Throws: ``PostgresError`` of the kind `data` that names the row and the column whose value cannot be
  ///   read, unless such rows are left out. The batch must then be dropped.
  package func append(_ row: PostgresRowView) throws(PostgresError) {
    rowsRead += 1
    for index in columns.indices {
      let builder = rows.columns[index]
      guard let bytes = row.bytes(index) else {
        appendNull(to: builder, of: columns[index])
        if columns[index].collection != .none { pending.append((.nullArray, index)) }
        continue
      }
      do throws(ValueProblem) {
        try append(bytes, column: index, to: builder)
      } catch {
        let problem = describe(error, column: index, of: row)
        guard error.isOfRow else { throw PostgresError(.data, message: problem.description) }
        guard leavesOut else { throw PostgresError(problem) }
        return leaveOut(problem, from: index)
      }
    }
    if !pending.isEmpty {
      for (kind, column) in pending { changes.add(kind, column: column) }
      pending.removeAll()
    }
  }

  @inline(__always)
  private func appendNull(to builder: ColumnBuilder, of column: PostgresColumn) {
    if column.collection == .none {
      builder.appendNull()
    } else {
      builder.append(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  /// Empties the batch, but keeps its memory.
  package func removeAll() {
    unreadable.removeAll()
    rows.removeAll()
  }

  // MARK: Values that cannot be read

  private func describe(
    _ problem: ValueProblem, column: Int, of row: PostgresRowView
  ) -> UnreadableRow {
    let name = columns[column].name
    return UnreadableRow(
      table: table, name: keyText(row) ?? "row \(rowsRead)", column: name, problem: problem.text,
      reason: "'\(name)': \(problem.reason)")
  }

  private func keyText(_ row: PostgresRowView) -> String? {
    var parts: [String] = []
    for index in key {
      guard let bytes = row.bytes(index),
        let value = try? BinaryArray.value(bytes, columns[index].form)
      else { return nil }
      parts.append("\(columns[index].name) \(value.plainText)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Completes the row with nulls, and removes it before the batch is used.
  private func leaveOut(_ problem: UnreadableRow, from column: Int) {
    for index in column..<columns.count {
      appendNull(to: rows.columns[index], of: columns[index])
    }
    unreadable.append(rows.rowCount - 1)
    pending.removeAll()
    leftOut.add(problem)
  }

  // MARK: Values

  @inline(__always)
  private func append(
    _ bytes: UnsafeRawBufferPointer, column: Int, to builder: ColumnBuilder
  ) throws(ValueProblem) {
    switch columns[column].form {
    case .int16: builder.append(int: Int64(try BinaryValue.integer(bytes, as: Int16.self)))
    case .int32: builder.append(int: Int64(try BinaryValue.integer(bytes, as: Int32.self)))
    case .int64: builder.append(int: try BinaryValue.integer(bytes, as: Int64.self))
    case .oid: builder.append(int: Int64(try BinaryValue.integer(bytes, as: UInt32.self)))
    case .bool: builder.append(bool: try BinaryValue.integer(bytes, as: UInt8.self) != 0)
    case .double:
      builder.append(
        double: Double(bitPattern: try BinaryValue.integer(bytes, as: UInt64.self)))
    case .float:
      builder.append(float: Float(bitPattern: try BinaryValue.integer(bytes, as: UInt32.self)))
    case .text, .castText, .bytes: builder.append(bytes: bytes)
    case .uuid:
      guard bytes.count == 16 else { throw .damaged }
      builder.append(fixed: bytes)
    case .timestamp:
      let date = try BinaryValue.timestamp(bytes)
      builder.append(date: date)
      if try BinaryValue.isRounded(date, from: bytes) { pending.append((.roundedDate, column)) }
    case .date: builder.append(date: try BinaryValue.date(bytes))
    case .geometry:
      try geometries.append(
        bytes, of: columns[column], to: builder)
      if builder.isNull(builder.count - 1) {
        pending.append((.emptyShape, column))
      } else if BinaryValue.hasMeasures(bytes) {
        pending.append((.measures, column))
      }
    case .numeric:
      try BinaryValue.numeric(bytes).withStoredBytes { builder.append(fixed: $0) }
    case .objectId:
      try BinaryValue.objectId(bytes).withStoredBytes { builder.append(fixed: $0) }
    case .array(let element):
      let values = try BinaryArray.values(bytes, of: element)
      StoredCollection.encode(values, of: columns[column].type)
        .withUnsafeBytes { builder.append(bytes: $0) }
    case .set(let element):
      let values = try BinaryArray.values(bytes, of: element)
      StoredCollection.encode(set: values, of: columns[column].type)
        .withUnsafeBytes { builder.append(bytes: $0) }
    }
  }
}
