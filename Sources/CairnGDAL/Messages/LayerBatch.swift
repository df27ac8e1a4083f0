internal import CairnIO

/// The rows of a message, read in place. All offsets are checked when it is made.
struct LayerBatch {
  /// The number of the first row in the layer.
  let firstRow: Int
  let rowCount: Int
  let columns: [Column]

  /// The values of a column. The caller calls the function that matches its type.
  struct Column {
    // The memory is that of the message.
    /// A ``LayerMark`` for each row.
    private let marks: UnsafeRawPointer
    private let values: UnsafeRawPointer
    /// The bytes of texts, of data and of geometries. Valid as long as the message.
    let heap: UnsafeRawBufferPointer
    private let rowCount: Int

    fileprivate init(
      _ type: LayerColumnType, rows: Int, reader: inout LayerMessageReader
    ) throws(LayerMessageReader.Damage) {
      rowCount = rows
      marks = try Self.address(reader.take(count: rows))
      switch type {
      case .int, .double, .date:
        values = try Self.address(reader.take(count: rows * 8))
        heap = UnsafeRawBufferPointer(start: values, count: 0)
      case .bool:
        values = try Self.address(reader.take(count: rows))
        heap = UnsafeRawBufferPointer(start: values, count: 0)
      case .text, .data, .geometry:
        guard let size = Int(exactly: try reader.take(UInt64.self)) else {
          throw LayerMessageReader.Damage()
        }
        values = try Self.address(reader.take(count: rows * 4))
        heap = try reader.take(count: size)
        var last = 0
        for row in 0..<rows {
          let end = Int(values.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
          guard end >= last else { throw LayerMessageReader.Damage() }
          last = end
        }
        guard last <= size else { throw LayerMessageReader.Damage() }
      }
    }

    /// The address of bytes. Valid as long as the message.
    private static func address(
      _ bytes: UnsafeRawBufferPointer
    ) throws(LayerMessageReader.Damage) -> UnsafeRawPointer {
      guard let address = bytes.baseAddress else { throw LayerMessageReader.Damage() }
      return address
    }

    @inline(__always)
    func isNull(_ row: Int) -> Bool {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return marks.load(fromByteOffset: row, as: UInt8.self) == LayerMark.null.rawValue
    }

    /// Whether the time of a row does not name its zone.
    @inline(__always)
    func isLocal(_ row: Int) -> Bool {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return marks.load(fromByteOffset: row, as: UInt8.self) == LayerMark.local.rawValue
    }

    @inline(__always)
    func int(_ row: Int) -> Int64 {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return values.loadUnaligned(fromByteOffset: row * 8, as: Int64.self)
    }

    @inline(__always)
    func double(_ row: Int) -> Double {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return values.loadUnaligned(fromByteOffset: row * 8, as: Double.self)
    }

    @inline(__always)
    func bool(_ row: Int) -> Bool {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return values.load(fromByteOffset: row, as: UInt8.self) != 0
    }

    @inline(__always)
    func range(_ row: Int) -> Range<Int> { (row == 0 ? 0 : end(row - 1))..<end(row) }

    /// The bytes of a text, of data or of a geometry. Valid as long as the message.
    @inline(__always)
    func bytes(_ row: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: heap[range(row)])
    }

    /// Calls `body` with the bytes of a text, which are followed by readable memory.
    @inline(__always)
    func withText<R>(_ row: Int, _ body: (UnsafePointer<UInt8>, Int) -> R?) -> R? {
      let bytes = bytes(row)
      return bytes.baseAddress.flatMap {
        body($0.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
    }

    @inline(__always)
    private func end(_ row: Int) -> Int {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return Int(values.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
    }
  }

  /// Reads the layout of the message in a block.
  init(_ block: InputBlock, schema: LayerSchema) throws(LayerMessageReader.Damage) {
    try self.init(block.content, schema: schema)
  }

  /// Reads the layout of a message, whose memory must outlive the batch.
  init(
    _ bytes: UnsafeRawBufferPointer, schema: LayerSchema
  ) throws(LayerMessageReader.Damage) {
    var reader = LayerMessageReader(bytes)
    guard let first = Int(exactly: try reader.take(UInt64.self)), first <= Int(Int32.max) * 1024
    else { throw LayerMessageReader.Damage() }
    firstRow = first
    rowCount = Int(try reader.take(UInt32.self))
    guard rowCount > 0 else { throw LayerMessageReader.Damage() }
    var columns: [Column] = []
    for column in schema.columns {
      columns.append(try Column(column.type, rows: rowCount, reader: &reader))
    }
    guard reader.isAtEnd else { throw LayerMessageReader.Damage() }
    self.columns = columns
  }
}

/// The byte before the values of a column that says what each row has.
enum LayerMark: UInt8 {
  case value = 0
  case null
  /// A time that does not name its zone.
  case local
}
