/// A word with the results of up to 64 tests; bit i is test i.
@inline(__always)
func gather(_ count: Int, test: (Int) -> Bool) -> UInt64 {
  assert(count >= 0 && count <= 64, "a word holds 64 results")
  var word: UInt64 = 0
  for index in 0..<count {
    word |= (test(index) ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
  }
  return word
}

/// A word with the results of the tests whose bits are set in `candidates`.
@inline(__always)
func gather(_ candidates: UInt64, test: (Int) -> Bool) -> UInt64 {
  var word: UInt64 = 0
  var rest = candidates
  while rest != 0 {
    let index = rest.trailingZeroBitCount
    if test(index) { word |= 1 &<< UInt64(truncatingIfNeeded: index) }
    rest &= rest &- 1
  }
  return word
}

/// The word with the lowest `count` bits set.
@inline(__always)
func lowBits(_ count: Int) -> UInt64 {
  assert(count >= 0, "the number of bits is negative")
  return count >= 64 ? .max : 1 &<< UInt64(truncatingIfNeeded: count) &- 1
}

/// A SIMD mask that collects the results of 64 tests, four at a time.
///
/// It has only four lanes, which the compiler turns into single instructions.
struct SIMDMask64 {
  private var lanes = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)

  /// Takes the results of the tests 4 * part and following. Call this once for every part.
  @inline(__always)
  mutating func insert(_ mask: SIMDMask<SIMD4<Int32>>, part: Int) {
    assert(part >= 0 && part < 16, "a word has 16 parts")
    let weights = SIMD4<Int32>(1, 2, 4, 8) &<< Int32(truncatingIfNeeded: 4 * part & 31)
    // A mask of bits, because the compiler turns a choice among the weights into more instructions.
    let all = SIMD4<Int32>(repeating: -1)
    let bits = SIMD4<Int32>.zero.replacing(with: all, where: mask) & weights
    if part < 8 { lanes.0 |= bits } else { lanes.1 |= bits }
  }

  /// The word of all results; bit i is test i.
  @inline(__always)
  var word: UInt64 {
    let words = (
      UInt32(bitPattern: lanes.0.wrappedSum()), UInt32(bitPattern: lanes.1.wrappedSum())
    )
    return UInt64(words.0) | UInt64(words.1) &<< 32
  }
}

extension UnsafePointer where Pointee == Int32 {
  /// Four values from an index on.
  @inline(__always)
  func four(_ index: Int) -> SIMD4<Int32> {
    assert(index >= 0, "the values begin at the pointer")
    return UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Int32>.self)
  }
}
