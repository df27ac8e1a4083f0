extension [Int] {
  /// The same keys, rising, each once.
  func sortedWithoutRepeats() -> [Int] {
    guard count > 1 else { return self }
    var result: [Int] = []
    result.reserveCapacity(count)
    for key in sorted() where result.last != key { result.append(key) }
    return result
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
