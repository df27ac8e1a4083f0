import CairnStorage
import CairnValues

/// Reads the rows of a result into a batch of columns. For use by one thread.
package final class RowReader {
  private let columns: [PostgresColumn]
  private let geometries: GeometryReader
  /// The rows that were read since the batch was last emptied.
  package let batch: ColumnBatch

  /// Makes a reader of the columns of a result, in their order.
  ///
  /// - Parameter repairs: Whether invalid geometries are repaired; otherwise they are errors.
  package init(_ columns: [PostgresColumn], repairs: Bool = false) {
    self.columns = columns
    geometries = GeometryReader(repairs: repairs)
    batch = ColumnBatch(columns: columns.map(\.bulkColumn))
  }

  /// Appends a row to the batch.
  ///
  /// - Throws: ``PostgresError`` of the kind `data` that names the column whose value does not fit. The
  ///   batch must then be dropped.
  package func append(_ row: PostgresRowView) throws(PostgresError) {
    for index in columns.indices {
      let builder = batch.columns[index]
      guard let bytes = row.bytes(index) else {
        if columns[index].collection == .none {
          builder.appendNull()
        } else {
          builder.append(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        continue
      }
      do throws(ValueProblem) {
        try append(bytes, column: index, to: builder)
      } catch {
        throw PostgresError(.data, message: "column '\(columns[index].name)': \(error.text)")
      }
    }
  }

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
    case .timestamp: builder.append(date: try BinaryValue.timestamp(bytes))
    case .date: builder.append(date: try BinaryValue.date(bytes))
    case .geometry:
      try geometries.append(
        bytes, of: columns[column], to: builder)
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

/// A value that cannot be read.
struct ValueProblem: Error {
  let text: String

  init(_ text: String) { self.text = text }

  static let damaged = ValueProblem("the server has sent a value of another type")
}
