import CairnStorage
import CairnValues

/// Sorts bools and integers.
final class IntegerSort: SortColumn {
  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    var position = 0
    rows.forEachRow { row -> Void in
      sortKeys[position] = chunk.isRowNull(row) ? 0 : NormalizedKey.of(chunk.rowInteger(row))
      position += 1
    }
  }

  override func isAmbiguous(_ sortKey: UInt64) -> Bool { sortKey == 2 }

  override func order(_ a: Int, and b: Int) -> Int {
    let first = integer(a)
    let second = integer(b)
    return first < second ? -1 : first > second ? 1 : 0
  }

  private func integer(_ key: Int) -> Int64 {
    column.chunk(RowAddress(key).chunk).rowInteger(RowAddress(key).row)
  }

  override func sortKeyBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    return
      (zone.nullCount == 0 ? NormalizedKey.of(zone.minimum) : 0)...NormalizedKey.of(zone.maximum)
  }

  override func refine(
    _ rows: inout Selection, chunk: Chunk, threshold: UInt64, scratch: ScratchBuffers
  ) {
    let sortKey = isAscending ? threshold : ~threshold
    guard sortKey > 2 else { return }
    let value = Int64(bitPattern: sortKey ^ 1 << 63)
    let bounds: Bounds<Int64> =
      isAscending ? Bounds(low: .min, high: value) : Bounds(low: value, high: .max)
    RangeCondition([bounds], nullsMatch: isAscending).refine(&rows, chunk: chunk, scratch: scratch)
    { $0 }
  }
}

/// Sorts doubles and dates.
final class DoubleSort: SortColumn {
  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    var position = 0
    let scale = chunk.scale
    rows.forEachRow { row -> Void in
      sortKeys[position] =
        chunk.isRowNull(row) ? 0 : NormalizedKey.of(chunk.rowDouble(row, scale: scale))
      position += 1
    }
  }

  override func sortKeyBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = zone.nullCount != 0 ? 0 : zone.hasNaN ? 1 : NormalizedKey.of(zone.doubleMinimum)
    return low...NormalizedKey.of(zone.doubleMaximum)
  }
}

/// Sorts floats.
final class FloatSort: SortColumn {
  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    var position = 0
    rows.forEachRow { row -> Void in
      sortKeys[position] = chunk.isRowNull(row) ? 0 : NormalizedKey.of(Double(chunk.rowFloat(row)))
      position += 1
    }
  }

  override func sortKeyBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = zone.nullCount != 0 ? 0 : zone.hasNaN ? 1 : NormalizedKey.of(zone.doubleMinimum)
    return low...NormalizedKey.of(zone.doubleMaximum)
  }
}

/// Sorts texts, data, object ids and UUIDs by their bytes.
final class BytesSort: SortColumn {
  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    var position = 0
    rows.forEachRow { row -> Void in
      sortKeys[position] = chunk.isRowNull(row) ? 0 : NormalizedKey.of(chunk.rowBytes(row))
      position += 1
    }
  }

  override func isAmbiguous(_ sortKey: UInt64) -> Bool { sortKey >= 2 }

  override func order(_ a: Int, and b: Int) -> Int { byteOrder(bytes(a), and: bytes(b)) }

  /// The bytes of a row. Valid as long as the snapshot.
  private func bytes(_ key: Int) -> UnsafeRawBufferPointer {
    column.chunk(RowAddress(key).chunk).rowBytes(RowAddress(key).row)
  }

  override func sortKeyBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = max(2, UInt64(bitPattern: zone.minimum))
    let high = max(2, UInt64(bitPattern: zone.maximum))
    guard low <= high else { return 0...UInt64.max }
    return (zone.nullCount == 0 ? low : 0)...high
  }
}

/// Sorts decimals and mixed values by the total order of values.
final class ValueSort: SortColumn {
  override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    var position = 0
    rows.forEachRow { row -> Void in
      sortKeys[position] = chunk.isRowNull(row) ? 0 : 1
      position += 1
    }
  }

  override func isAmbiguous(_ sortKey: UInt64) -> Bool { sortKey == 1 }

  override func order(_ a: Int, and b: Int) -> Int {
    let first = value(a)
    let second = value(b)
    return Int(Value.sortOrder(first, to: second).rawValue)
  }

  private func value(_ key: Int) -> Value {
    column.chunk(RowAddress(key).chunk)
      .value(at: RowAddress(key).row, type: column.schema.type)
  }
}
