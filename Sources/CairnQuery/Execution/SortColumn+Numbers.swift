import CairnStorage

/// Bools and integers.
final class IntegerSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : Rank.of(chunk.rowInteger(row))
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool { rank == 2 }

  override func order(_ a: Int, _ b: Int) -> Int {
    let first = integer(a)
    let second = integer(b)
    return first < second ? -1 : first > second ? 1 : 0
  }

  private func integer(_ key: Int) -> Int64 {
    column.chunk(key >> ChunkShape.shift).rowInteger(key & (ChunkShape.rows - 1))
  }

  override func rankBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    return (zone.nullCount == 0 ? Rank.of(zone.minimum) : 0)...Rank.of(zone.maximum)
  }

  override func narrow(
    _ rows: inout Selection, _ chunk: Chunk, bar: UInt64, _ workspace: Workspace
  ) {
    let rank = isAscending ? bar : ~bar
    guard rank > 2 else { return }
    let value = Int64(bitPattern: rank ^ 1 << 63)
    let bounds: Bounds<Int64> =
      isAscending ? Bounds(low: .min, high: value) : Bounds(low: value, high: .max)
    RangeCondition([bounds], nullsMatch: isAscending).narrow(&rows, chunk, workspace) { $0 }
  }
}

/// Doubles and dates.
final class DoubleSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    let scale = chunk.scale
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : Rank.of(chunk.rowDouble(row, scale))
      place += 1
    }
  }

  override func rankBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = zone.nullCount != 0 ? 0 : zone.hasNaN ? 1 : Rank.of(zone.doubleMinimum)
    return low...Rank.of(zone.doubleMaximum)
  }
}

/// Floats.
final class FloatSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : Rank.of(Double(chunk.rowFloat(row)))
      place += 1
    }
  }

  override func rankBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = zone.nullCount != 0 ? 0 : zone.hasNaN ? 1 : Rank.of(zone.doubleMinimum)
    return low...Rank.of(zone.doubleMaximum)
  }
}
