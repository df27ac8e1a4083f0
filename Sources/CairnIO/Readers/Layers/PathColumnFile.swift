internal import CairnQuery
internal import CairnValues

/// The value that the path of a file states for a column of all of its rows.
struct PathValue: Sendable, Equatable {
  let name: String
  /// The type of the column: an integer or a text.
  let type: LayerColumnType
  let value: Value

  /// The bounds of the values of the column.
  var bounds: ValueBounds {
    var bounds = ValueBounds()
    bounds.mayBeNaN = false
    bounds.mayBeNull = value.isNull
    bounds.isAllNull = value.isNull
    if !value.isNull { (bounds.least, bounds.greatest) = (value, value) }
    return bounds
  }
}

/// A file of columns with further ones, which its path states. They replace columns of the file that
/// have the same names, as they do for Spark and DuckDB.
final class PathColumnFile: ColumnFile {
  let schema: LayerSchema
  private let file: any ColumnFile
  /// The values by the indices of their columns.
  private let values: [Int: PathValue]

  init(_ file: any ColumnFile, _ values: [PathValue]) {
    self.file = file
    var (schema, indexed) = (file.schema, [Int: PathValue]())
    for value in values {
      let column = LayerSchema.Column(name: value.name, type: value.type)
      if let own = schema.columns.firstIndex(where: { $0.name == value.name }) {
        schema.columns[own] = column
        indexed[own] = value
      } else {
        indexed[schema.columns.count] = value
        schema.columns.append(column)
      }
    }
    (self.schema, self.values) = (schema, indexed)
  }

  var input: InputFile { file.input }

  func rows(for pruning: LayerPruning) -> RowRanges? {
    let pruning = pruning.knowing(values.mapValues(\.bounds))
    guard pruning.mayHold(UnknownStatistics()) else { return RowRanges() }
    return file.rows(for: pruning)
  }

  var partEnds: [Int64] { file.partEnds }

  func bounds(ofColumn index: Int) -> ValueBounds {
    values[index]?.bounds ?? file.bounds(ofColumn: index)
  }

  func size(of columns: Set<Int>, in rows: RowRanges) -> Int64 {
    file.size(of: columns.filter { values[$0] == nil }, in: rows)
  }

  func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder {
    let columns = values.filter { needed.contains($0.key) }.mapValues { RepeatedValue($0) }
    return PathColumnDecoder(
      try file.makeDecoder(needed.filter { values[$0] == nil }), columns,
      count: schema.columns.count, ownCount: file.schema.columns.count)
  }
}

/// Statistics that say nothing.
struct UnknownStatistics: LayerStatistics {
  func bounds(ofColumn index: Int) -> ValueBounds { ValueBounds() }

  var box: CoordinateBox? { nil }
}

/// Adds the columns that the path of a file states to its rows. For use by one thread.
private final class PathColumnDecoder: LayerDecoder {
  private let decoder: any LayerDecoder
  /// The columns that are needed, by their indices.
  private let columns: [Int: RepeatedValue]
  private let count: Int
  /// The number of the columns of the file itself.
  private let ownCount: Int
  /// The values of the other columns, which may be any.
  private let blank = RepeatedValue(PathValue(name: "", type: .int, value: .null))

  init(
    _ decoder: any LayerDecoder, _ columns: [Int: RepeatedValue], count: Int, ownCount: Int
  ) {
    (self.decoder, self.columns) = (decoder, columns)
    (self.count, self.ownCount) = (count, ownCount)
  }

  func rows(of block: InputBlock) throws(ParseAbort) -> LayerBatch {
    let batch = try decoder.rows(of: block)
    let own = batch.columns
    let all = (0..<count).map { index in
      columns[index]?.column(rows: batch.rowCount)
        ?? (index < own.count ? own[index] : blank.column(rows: batch.rowCount))
    }
    return batch.with(all)
  }

  func leaveOut(by sieve: LayerSieve) {
    // The rows of the file are looked at before they get the further columns.
    if let own = sieve.weakened(to: { columns[$0] == nil && $0 < ownCount }) {
      decoder.leaveOut(by: own)
    }
  }
}

/// The memory of a column that has the same value in every row.
private final class RepeatedValue {
  private let value: Value
  /// The bytes of a text.
  private let text: [UInt8]
  private var marks: UnsafeMutableRawPointer
  private var values: UnsafeMutableRawPointer
  private var heap: UnsafeMutableRawPointer
  /// The number of rows that the memory holds.
  private var rowCount = 0

  private static let alignment = 16

  init(_ column: PathValue) {
    value = column.value
    if case .string(let text) = column.value { self.text = Array(text.utf8) } else { text = [] }
    (marks, values, heap) = (Self.allocate(0), Self.allocate(0), Self.allocate(0))
  }

  deinit { for memory in [marks, values, heap] { memory.deallocate() } }

  private static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + InputBlock.padding, alignment: alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size + InputBlock.padding)
    return memory
  }

  /// The column of some rows, which is valid until the next call.
  func column(rows: Int) -> LayerBatch.Column {
    if rows > rowCount { grow(rows) }
    return LayerBatch.Column(
      marks: marks, values: values,
      heap: UnsafeRawBufferPointer(start: heap, count: rows * text.count), rows: rows)
  }

  private func grow(_ rows: Int) {
    for memory in [marks, values, heap] { memory.deallocate() }
    marks = Self.allocate(rows)
    // Numbers take 8 bytes for a row, and the ends of texts 4.
    values = Self.allocate(rows * 8)
    heap = Self.allocate(rows * text.count)
    rowCount = rows
    for row in 0..<rows {
      assert(row < rowCount, "a row is outside of the memory")
      if value.isNull {
        marks.storeBytes(of: LayerMark.null.rawValue, toByteOffset: row, as: UInt8.self)
      } else if case .int(let number) = value {
        values.storeBytes(of: number, toByteOffset: row * 8, as: Int64.self)
      } else {
        values.storeBytes(
          of: UInt32((row + 1) * text.count), toByteOffset: row * 4, as: UInt32.self)
        text.withUnsafeBytes {
          if let start = $0.baseAddress {
            (heap + row * text.count).copyMemory(from: start, byteCount: text.count)
          }
        }
      }
    }
  }
}
