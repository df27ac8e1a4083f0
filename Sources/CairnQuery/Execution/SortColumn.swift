import CairnGeometry
import CairnStorage
import CairnValues

/// One key of an order, bound to a column.
///
/// A row's rank is an unsigned integer of the same order, so that ranks compare before values do;
/// where equal ranks may hide different values, `order` decides.
class SortColumn: @unchecked Sendable {
  let column: Column
  let isAscending: Bool
  private final var preparedRanks: [UInt64] = []

  init(_ column: Column, isAscending: Bool) {
    self.column = column
    self.isAscending = isAscending
  }

  /// Writes the ascending ranks of the selected rows one after the other.
  func ascendingRanks(_ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>) {}

  /// The order of two rows as values: below, at or above zero. Only asked of rows of equal rank.
  func order(_ a: Int, _ b: Int) -> Int { 0 }

  /// Whether rows of that ascending rank may differ.
  func isAmbiguous(_ rank: UInt64) -> Bool { false }

  /// The least and greatest ascending rank that rows of the chunk can have.
  func rankBounds(_ chunk: Int) -> ClosedRange<UInt64> { 0...UInt64.max }

  /// Takes away rows that rank after `bar`, where that is cheap.
  func narrow(_ rows: inout Selection, _ chunk: Chunk, bar: UInt64, _ workspace: Workspace) {}

  /// Ranks turned by direction: the least comes first.
  final func ranks(_ index: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>) {
    ascendingRanks(column.chunk(index), rows, ranks)
    if isAscending { return }
    for place in 0..<rows.count { ranks[place] = ~ranks[place] }
  }

  /// The least rank, turned by direction, that a row of the chunk can have. Once `prepare` was
  /// called, of the chunks it named what it found, and 0, which says nothing, of others.
  final func bestRank(_ chunk: Int) -> UInt64 {
    if !preparedRanks.isEmpty { return chunk < preparedRanks.count ? preparedRanks[chunk] : 0 }
    return boundRank(chunk)
  }

  private func boundRank(_ chunk: Int) -> UInt64 {
    let bounds = rankBounds(chunk)
    return isAscending ? bounds.lowerBound : ~bounds.upperBound
  }

  /// The order of two rows of equal rank, turned by direction.
  final func tie(_ a: Int, _ b: Int) -> Int { isAscending ? order(a, b) : order(b, a) }

  /// Resolves the chunks on the snapshot's own thread.
  final func prepare(_ chunks: [Int]) {
    var ranks = [UInt64](repeating: 0, count: (chunks.max() ?? -1) + 1)
    for chunk in chunks {
      _ = column.chunk(chunk)
      ranks[chunk] = boundRank(chunk)
    }
    preparedRanks = ranks
  }

  /// One row's ascending rank.
  final func ascendingRank(_ key: Int) -> UInt64 {
    var word: UInt64 = 0
    var rank: UInt64 = 0
    let row = key & (ChunkShape.rows - 1)
    withUnsafeMutablePointer(to: &word) { pointer in
      // A selection of one row of one word: `words` is addressed from the row's own word.
      var one = Selection(pointer - row >> 6)
      one.add(row >> 6, 1 << UInt64(row & 63))
      withUnsafeMutablePointer(to: &rank) {
        ascendingRanks(column.chunk(key >> ChunkShape.shift), one, $0)
      }
    }
    return rank
  }

  /// The order of two rows, turned by direction.
  final func fullOrder(_ a: Int, _ b: Int) -> Int {
    let first = ascendingRank(a)
    let second = ascendingRank(b)
    if first != second { return (first < second) == isAscending ? -1 : 1 }
    return isAmbiguous(first) ? tie(a, b) : 0
  }
}

/// Ranks of values: null is 0, NaN is 1.
enum Rank {
  static func of(_ number: Int64) -> UInt64 { max(2, UInt64(bitPattern: number) ^ 1 << 63) }

  static func of(_ number: Double) -> UInt64 {
    if number.isNaN { return 1 }
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { max(2, bytePrefix(bytes)) }
}

/// Bools and integers.
final class IntegerSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
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
    _ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
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
    _ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
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

/// Texts, data, object ids and UUIDs, by their bytes.
final class BytesSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : Rank.of(chunk.rowBytes(row))
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool { rank >= 2 }

  override func order(_ a: Int, _ b: Int) -> Int { byteOrder(bytes(a), bytes(b)) }

  private func bytes(_ key: Int) -> UnsafeRawBufferPointer {
    column.chunk(key >> ChunkShape.shift).rowBytes(key & (ChunkShape.rows - 1))
  }

  override func rankBounds(_ chunk: Int) -> ClosedRange<UInt64> {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return 0...UInt64.max }
    let low = max(2, UInt64(bitPattern: zone.minimum))
    let high = max(2, UInt64(bitPattern: zone.maximum))
    guard low <= high else { return 0...UInt64.max }
    return (zone.nullCount == 0 ? low : 0)...high
  }
}

/// Decimals and mixed values, by the total order of values.
final class ValueSort: SortColumn, @unchecked Sendable {
  override func ascendingRanks(
    _ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? 0 : 1
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool { rank == 1 }

  override func order(_ a: Int, _ b: Int) -> Int {
    let first = value(a)
    let second = value(b)
    return Int(Value.sortOrder(first, second).rawValue)
  }

  private func value(_ key: Int) -> Value {
    column.chunk(key >> ChunkShape.shift)
      .value(at: key & (ChunkShape.rows - 1), type: column.schema.type)
  }
}

/// Locations by their distance from a point; rows without one come last either way.
final class DistanceSort: SortColumn, @unchecked Sendable {
  let longitude: Double
  let latitude: Double

  init(_ column: Column, longitude: Double, latitude: Double, isAscending: Bool) {
    self.longitude = longitude
    self.latitude = latitude
    super.init(column, isAscending: isAscending)
  }

  override func ascendingRanks(
    _ chunk: Chunk, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    var place = 0
    let missing: UInt64 = isAscending ? .max : 0
    rows.forEachRow { row -> Void in
      ranks[place] = chunk.isRowNull(row) ? missing : Rank.of(distance(chunk, row))
      place += 1
    }
  }

  /// Radians from the point to the location of a row.
  func distance(_ chunk: Chunk, _ row: Int) -> Double {
    let place = chunk.position(at: row)
    return Sphere.angle(place.latitude, place.longitude, latitude, longitude)
  }

  /// Radians from the point to the location of a row; nil where it has none.
  func distance(_ key: Int) -> Double? {
    let chunk = column.chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    return chunk.isRowNull(row) ? nil : distance(chunk, row)
  }
}
