import CairnStorage
import CairnSystem
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// The kernels: constant bounds, code ranges, wide sums and the radix sort.
@Suite(.tags(.threads)) struct KernelTests {
  private let integers: [Int64] = [
    .min, .min + 1, -9_007_199_254_740_993, -5, -1, 0, 1, 4, 9_007_199_254_740_993, .max - 1, .max,
  ]
  private let doubles: [Double] = [
    -.infinity, -1e300, -0x1p63, -9_007_199_254_740_992, -5.5, -0.0, 0, 0.5, 4,
    9_007_199_254_740_994, 0x1p63, 1e300, .infinity,
  ]

  private func stands(_ order: Ordering?, _ relation: Relation) -> Bool {
    switch relation {
    case .equal: order == .equal
    case .less: order == .less
    case .lessOrEqual: order == .less || order == .equal
    case .greater: order == .greater
    case .greaterOrEqual: order == .greater || order == .equal
    }
  }

  @Test(arguments: [
    Relation.equal, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ])
  func constantBoundsAgreeWithValues(relation: Relation) throws {
    let constants =
      integers.map(Value.int) + doubles.map(Value.double)
      + doubles.filter(\.isFinite).map { Value.decimal(Decimal128($0)) }
    for constant in constants {
      let integerBounds = try #require(ConstantBounds<Int64>(constant)).bounds(relation)
      for number in integers {
        #expect(
          (integerBounds?.contains(number) ?? false)
            == stands(Value.int(number).order(to: constant), relation), "\(number) \(constant)")
      }
      let doubleBounds = try #require(ConstantBounds<Double>(constant)).bounds(relation)
      let floatBounds = ConstantBounds<Float>(try #require(ConstantBounds<Double>(constant)))
        .bounds(relation)
      for number in doubles {
        #expect(
          (doubleBounds?.contains(number) ?? false)
            == stands(Value.double(number).order(to: constant), relation), "\(number) \(constant)")
        let float = Float(number)
        #expect(
          (floatBounds?.contains(float) ?? false)
            == stands(Value.float(float).order(to: constant), relation), "\(float) \(constant)")
      }
    }
  }

  @Test func scaledBoundsAgreeWithDivision() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2000 {
      let exponent = random.below(8)
      let power = Decimals.powers[exponent]
      let low = Double(random.below(2_000_000) - 1_000_000) / pow10(random.below(9))
      let range = Bounds(low: low, high: low + Double(random.below(1000)) / power)
      let scaled = range.scaled(power)
      for code in [scaled?.low ?? 0, scaled?.high ?? 0, Int64(low * power)] {
        for near in code - 2...code + 2 {
          #expect(
            range.contains(Double(near) / power) == (scaled?.contains(near) ?? false),
            "\(range) \(power) \(near)")
        }
      }
    }
  }

  private func pow10(_ exponent: Int) -> Double { Decimals.powers[exponent] }

  @Test func wideSums() {
    var sum = Int128Sum()
    for _ in 0..<3 { sum += Int64.max }
    #expect(sum.exact == nil)
    #expect(sum.value == .decimal(Decimal128(Int64.max) * Decimal128(Int64(3))))
    sum.add(.min, times: 3)
    #expect(sum.exact == -3)
    for _ in 0..<5 { sum += Int64.min }
    let least = Decimal128(Int64.min) * Decimal128(Int64(5))
    #expect(sum.value == .decimal(least - Decimal128(Int64(3))))
    #expect(abs(sum.double - 5 * Double(Int64.min)) < 1e5)
  }

  @Test func radixSortIsStable() {
    var random = SplitMix64(seed: 8)
    for bits in [1, 9, 20, 64] {
      var rows = (0..<5000).map { key in
        SortKeyedRow(
          sortKey: bits == 64 ? random.next() : random.next() & (1 << UInt64(bits) - 1), key: key)
      }
      let expected = rows.sorted { ($0.sortKey, $0.key) < ($1.sortKey, $1.key) }
      SortKeyRadixSort.sort(&rows)
      #expect(rows.map(\.key) == expected.map(\.key))
    }
  }

  @Test func codesFollowFirstAppearance() {
    var random = SplitMix64(seed: 3)
    let bytes = DistinctBytes()
    var words = WordTable()
    var known: [[UInt8]: Int] = [:]
    for _ in 0..<5000 {
      let value = random.bytes(random.below(3))
      let number = known[value] ?? known.count
      known[value] = number
      #expect(value.withUnsafeBytes { bytes.number(of: $0) } == number)
      #expect(Array(bytes[number]) == value)
    }
    for number in 0..<3000 { #expect(words.number(of: UInt64(number) << 40) == number) }
    for number in 0..<3000 { #expect(words.number(of: UInt64(number) << 40) == number) }
  }

  @Test func thePoolRunsEveryTaskOnce() {
    for count in [0, 1, 2, 3, 100] {
      var done = [Int](repeating: 0, count: count)
      done.withUnsafeMutableBufferPointer { done in
        nonisolated(unsafe) let done = done
        WorkerPool.shared.run(count) { task in
          // A task that submits to the pool runs that work itself.
          WorkerPool.shared.run(2) { _ in }
          done[task] += 1
        }
      }
      #expect(done.allSatisfy { $0 == 1 })
    }
  }
}
