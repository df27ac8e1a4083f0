/// Rows of a layer, by column, read in place.
package struct LayerBatch {
  /// The number of the first row in the layer.
  package let firstRow: Int
  package let rowCount: Int
  package let columns: [Column]
  /// The distances of the rows from the first one of the block; nil if all rows are there.
  private let distances: [Int]?

  /// The values of a column. The caller calls the function that matches its type.
  package struct Column {
    /// A ``LayerMark`` for each row.
    private let marks: UnsafeRawPointer
    private let values: UnsafeRawPointer
    /// The bytes of texts, of data and of geometries. Valid as long as the batch.
    package let heap: UnsafeRawBufferPointer
    private let rowCount: Int

    /// Creates a column of values in memory, which must outlive it.
    ///
    /// - Parameters:
    ///   - marks: A ``LayerMark`` for each row.
    ///   - values: A value of 8 bytes for each row, of one byte for bools, or the end of each value in
    ///     `heap` in 4 bytes, none of them less than the one before.
    ///   - heap: The bytes of texts, of data and of geometries. Memory that can be read follows them.
    package init(
      marks: UnsafeRawPointer, values: UnsafeRawPointer, heap: UnsafeRawBufferPointer, rows: Int
    ) {
      self.marks = marks
      self.values = values
      self.heap = heap
      rowCount = rows
    }

    @inline(__always)
    package func isNull(_ row: Int) -> Bool {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return marks.load(fromByteOffset: row, as: UInt8.self) == LayerMark.null.rawValue
    }

    /// Whether the time of a row does not name its zone.
    @inline(__always)
    package func isLocal(_ row: Int) -> Bool {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return marks.load(fromByteOffset: row, as: UInt8.self) == LayerMark.local.rawValue
    }

    @inline(__always)
    package func int(_ row: Int) -> Int64 {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return values.loadUnaligned(fromByteOffset: row * 8, as: Int64.self)
    }

    @inline(__always)
    package func double(_ row: Int) -> Double {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return values.loadUnaligned(fromByteOffset: row * 8, as: Double.self)
    }

    @inline(__always)
    package func bool(_ row: Int) -> Bool {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return values.load(fromByteOffset: row, as: UInt8.self) != 0
    }

    @inline(__always)
    package func range(_ row: Int) -> Range<Int> { (row == 0 ? 0 : end(row - 1))..<end(row) }

    /// The bytes of a text, of data or of a geometry. Valid as long as the batch.
    @inline(__always)
    package func bytes(_ row: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: heap[range(row)])
    }

    /// Calls `body` with the bytes of a text, which are followed by readable memory.
    @inline(__always)
    package func withText<R>(_ row: Int, _ body: (UnsafePointer<UInt8>, Int) -> R?) -> R? {
      let bytes = bytes(row)
      return bytes.baseAddress.flatMap {
        body($0.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
    }

    /// The values, with as many bytes for each row as its type has.
    var memory: UnsafeRawPointer { values }

    /// A ``LayerMark`` for each row.
    var markBytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: marks, count: rowCount)
    }

    @inline(__always)
    private func end(_ row: Int) -> Int {
      assert(row >= 0 && row < rowCount, "a row is outside of the batch")
      return Int(values.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
    }
  }

  /// Creates a batch of columns with as many rows each.
  ///
  /// - Parameter distances: The distances of the rows from the first one of the block, if rows were left
  ///   out.
  package init(firstRow: Int, rowCount: Int, columns: [Column], distances: [Int]? = nil) {
    assert(distances.map { $0.count == rowCount } ?? true, "each row has a distance")
    self.firstRow = firstRow
    self.rowCount = rowCount
    self.columns = columns
    self.distances = distances
  }

  /// Returns the distance of a row from the first one of the block.
  func distance(_ row: Int) -> Int { distances.map { $0[row] } ?? row }

  /// The same rows with other columns.
  func with(_ columns: [Column]) -> LayerBatch {
    LayerBatch(firstRow: firstRow, rowCount: rowCount, columns: columns, distances: distances)
  }
}

/// The byte before the values of a column that says what each row has.
package enum LayerMark: UInt8 {
  case value = 0
  case null
  /// A time that does not name its zone.
  case local
}
