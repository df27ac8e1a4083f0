extension [Int] {
  /// The same keys, rising, each once.
  func sortedWithoutRepeats() -> [Int] {
    guard count > 1 else { return self }
    var result: [Int] = []
    result.reserveCapacity(count)
    for key in risen where result.last != key { result.append(key) }
    return result
  }

  /// The same keys, rising.
  private var risen: [Int] {
    // Below that comparing is as quick as going through them byte by byte.
    guard count > 128 else { return sorted() }
    var rows = map { RankedRow(rank: UInt64(bitPattern: Int64($0)) ^ 1 << 63, key: $0) }
    RadixSort.sort(&rows)
    return rows.map(\.key)
  }
}

extension [Int] {
  /// Where the first of the rising numbers stands that is not below `bound`.
  func firstPlace(notBelow bound: Int) -> Int {
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
  /// The same keys in as few rising rows of them as their repeats allow: none stands twice in one.
  func risingLayers() -> [[Int]] {
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
