import CairnStorage
import CairnSystem

/// One column of an order.
///
/// A row's normalized sort key is an unsigned integer in the same order, so that most rows
/// compare without their values. If rows with the same sort key can differ, `order` decides.
///
/// A sort column belongs to the snapshot's own thread. Threads share one within
/// ``WorkerPool/run(_:body:)`` after `prepare`, which completes everything that it computes on demand.
class SortColumn {
  let column: Column
  let isAscending: Bool
  private final var preparedSortKeys: [UInt64] = []

  init(_ column: Column, isAscending: Bool) {
    self.column = column
    self.isAscending = isAscending
  }

  /// Writes the ascending sort keys of the selected rows, in row order.
  ///
  /// - Parameter first: The key of the chunk's first row.
  func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    requireOverride()
  }

  /// The order of two rows with the same sort key, by their values: negative, zero or positive. Zero
  /// for types whose sort key says everything.
  func order(_ a: Int, and b: Int) -> Int { 0 }

  /// Whether rows with that ascending sort key can differ. Override it together with `order`.
  func isAmbiguous(_ sortKey: UInt64) -> Bool { false }

  /// The least and greatest ascending sort key that rows of the chunk can have. The default excludes
  /// nothing, so that every chunk is read.
  func sortKeyBounds(_ chunk: Int) -> ClosedRange<UInt64> { 0...UInt64.max }

  /// Removes rows with a sort key beyond `threshold`, if that is cheap. The caller compares the sort
  /// keys of the rows that are left.
  func refine(_ rows: inout Selection, chunk: Chunk, threshold: UInt64, scratch: ScratchBuffers) {}

  /// Writes the sort keys in the direction of the order: the least comes first.
  final func sortKeys(_ index: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>) {
    assert(rows.count <= ChunkShape.rows, "there are more rows than memory")
    ascendingSortKeys(
      column.chunk(index), first: RowAddress.firstKey(ofChunk: index), rows: rows,
      sortKeys: sortKeys)
    if isAscending { return }
    for position in 0..<rows.count { sortKeys[position] = ~sortKeys[position] }
  }

  /// The least sort key, in the direction of the order, that a row of the chunk can have. After
  /// `prepare`, it is the cached key for the prepared chunks, and 0, which excludes nothing, for
  /// others.
  final func bestSortKey(_ chunk: Int) -> UInt64 {
    if !preparedSortKeys.isEmpty {
      return chunk < preparedSortKeys.count ? preparedSortKeys[chunk] : 0
    }
    return boundSortKey(chunk)
  }

  private func boundSortKey(_ chunk: Int) -> UInt64 {
    let bounds = sortKeyBounds(chunk)
    return isAscending ? bounds.lowerBound : ~bounds.upperBound
  }

  /// The order of two rows with the same sort key, in the direction of the order.
  final func tie(_ a: Int, and b: Int) -> Int { isAscending ? order(a, and: b) : order(b, and: a) }

  /// Resolves the chunks on the snapshot's own thread.
  final func prepare(_ chunks: [Int]) {
    var sortKeys = [UInt64](repeating: 0, count: (chunks.max() ?? -1) + 1)
    for chunk in chunks {
      _ = column.chunk(chunk)
      sortKeys[chunk] = boundSortKey(chunk)
    }
    preparedSortKeys = sortKeys
    prepareFurther(chunks)
  }

  /// Resolves the data of other columns that is read for rows of these chunks. Most types read only
  /// `column`.
  func prepareFurther(_ chunks: [Int]) {}

  /// Whether the column sorts by distance.
  var isDistance: Bool { false }

  /// Whether a link on the path to the value is null. False for a property of the row itself.
  func isMissing(_ key: Int) -> Bool { false }

  /// The radians from the point of a distance to the location of a row; nil if the row has none.
  func radians(_ key: Int) -> Double? { nil }

  /// The name of the column in `explain`.
  var name: String { column.schema.name }

  /// The ascending sort key of one row.
  final func ascendingSortKey(_ key: Int) -> UInt64 {
    assert(key >= 0, "the row does not exist")
    var word: UInt64 = 0
    var sortKey: UInt64 = 0
    let row = RowAddress(key).row
    withUnsafeMutablePointer(to: &word) { pointer in
      // A selection of one row needs only one word; `words` is offset so that the row's word is
      // that one.
      var one = Selection(pointer - row >> 6)
      one.add(row >> 6, bits: 1 << UInt64(row & 63))
      withUnsafeMutablePointer(to: &sortKey) {
        ascendingSortKeys(
          column.chunk(RowAddress(key).chunk), first: key - row, rows: one, sortKeys: $0)
      }
    }
    return sortKey
  }

  /// The order of two rows, in the direction of the order.
  final func fullOrder(_ a: Int, and b: Int) -> Int {
    let first = ascendingSortKey(a)
    let second = ascendingSortKey(b)
    if first != second { return (first < second) == isAscending ? -1 : 1 }
    return isAmbiguous(first) ? tie(a, and: b) : 0
  }
}

/// Computes normalized sort keys of values: null is 0, NaN is 1.
enum NormalizedKey {
  static func of(_ number: Int64) -> UInt64 { max(2, UInt64(bitPattern: number) ^ 1 << 63) }

  static func of(_ number: Double) -> UInt64 {
    if number.isNaN { return 1 }
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { max(2, bytePrefix(bytes)) }
}
