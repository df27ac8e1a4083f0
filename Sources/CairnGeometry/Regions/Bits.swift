/// Gathers up to 64 tests into one word; bit i is test i.
@inline(__always)
func gather(_ count: Int, _ test: (Int) -> Bool) -> UInt64 {
  var word: UInt64 = 0
  for index in 0..<count {
    word |= (test(index) ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
  }
  return word
}
