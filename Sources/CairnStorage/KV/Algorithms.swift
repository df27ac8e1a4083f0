/// Returns the first index below `count` for which `isBefore` is false, by binary search; `count`
/// if it is true for all. The indexes for which it is true come first.
@inline(__always)
func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
