import CairnStorage

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
  ///
  /// - Parameter first: the key of the chunk's first row.
  func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {}

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
    ascendingRanks(column.chunk(index), index << ChunkShape.shift, rows, ranks)
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
    prepareFurther(chunks)
  }

  /// Resolves what else is read of rows of these chunks.
  func prepareFurther(_ chunks: [Int]) {}

  /// Whether the key is a distance.
  var isDistance: Bool { false }

  /// Whether a link on the way to the key is null.
  func isMissing(_ key: Int) -> Bool { false }

  /// Radians from the point of a distance to the location of a row; nil where it has none.
  func radians(_ key: Int) -> Double? { nil }

  /// What `explain` calls the key.
  var name: String { column.schema.name }

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
        ascendingRanks(column.chunk(key >> ChunkShape.shift), key - row, one, $0)
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
