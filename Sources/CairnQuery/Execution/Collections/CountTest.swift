import CairnValues

/// What a condition says of a number of elements; of small ones that is worked out beforehand.
struct CountTest: Sendable {
  private let test: ValueTest
  /// A bit for every number below 64.
  private let small: UInt64

  init(_ test: ValueTest) {
    self.test = test
    var small: UInt64 = 0
    for count in 0..<64 where test.holds(.int(Int64(count))) { small |= 1 << UInt64(count) }
    self.small = small
  }

  @inline(__always)
  func holds(_ count: Int) -> Bool {
    count < 64 ? small &>> UInt64(count) & 1 != 0 : test.holds(.int(Int64(count)))
  }
}
