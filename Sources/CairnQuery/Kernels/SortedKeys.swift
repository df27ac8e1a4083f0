extension [Int] {
  /// The same keys in ascending order, without duplicates.
  func sortedUnique() -> [Int] {
    guard count > 1 else { return self }
    var result: [Int] = []
    result.reserveCapacity(count)
    for key in radixSorted where result.last != key { result.append(key) }
    return result
  }

  /// The same keys in ascending order.
  private var radixSorted: [Int] {
    // Below 128 keys a comparison sort is as fast as the radix sort.
    guard count > 128 else { return sorted() }
    var rows = map { SortKeyedRow(sortKey: UInt64(bitPattern: Int64($0)) ^ 1 << 63, key: $0) }
    SortKeyRadixSort.sort(&rows)
    return rows.map(\.key)
  }
}

extension [Int] {
  /// The index of the first number that is not below `bound`. The numbers must be sorted.
  func firstIndex(notBelow bound: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [Int] {
  /// Splits the keys into the fewest ascending arrays without duplicates.
  func ascendingLayers() -> [[Int]] {
    var layers: [[Int]] = [[]]
    var depth = 0
    var last: Int?
    for key in sorted() {
      depth = key == last ? depth + 1 : 0
      last = key
      if depth == layers.count { layers.append([]) }
      layers[depth].append(key)
    }
    return layers
  }
}

/// A row in an order: its normalized sort key for the first sort column, inverted if descending,
/// and the row's key.
struct SortKeyedRow {
  var sortKey: UInt64
  var key: Int
}

/// A stable radix sort by sort key, byte by byte. Bytes that all sort keys share cost nothing.
enum SortKeyRadixSort {
  static func sort(_ rows: inout [SortKeyedRow]) {
    var differing: UInt64 = 0
    for row in rows { differing |= row.sortKey ^ rows[0].sortKey }
    var other = [SortKeyedRow](repeating: SortKeyedRow(sortKey: 0, key: 0), count: rows.count)
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xFF != 0 {
      pass(rows, other: &other, shift: shift)
      swap(&rows, &other)
    }
  }

  private static func pass(_ rows: [SortKeyedRow], other: inout [SortKeyedRow], shift: UInt64) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { indexes in
      indexes.initialize(repeating: 0)
      for row in rows { indexes[Int(row.sortKey >> shift & 0xFF) + 1] += 1 }
      for byte in 1...256 { indexes[byte] += indexes[byte - 1] }
      other.withUnsafeMutableBufferPointer { other in
        for row in rows {
          let byte = Int(row.sortKey >> shift & 0xFF)
          other[indexes[byte]] = row
          indexes[byte] += 1
        }
      }
    }
  }
}
