import CairnTestSupport
import Testing

@testable import CairnQuery

/// The results of ranges for a whole chunk, compared with those of its rows.
@Suite struct RangeConditionTests {
  /// A chunk is skipped, or taken as a whole, only if no row contradicts it.
  @Test(arguments: [false, true], [false, true])
  func zoneMapResultsAgreeWithTheRows(inverted: Bool, nullsMatch: Bool) {
    var random = SplitMix64(seed: 5201)
    var skipped = 0
    for _ in 0..<2000 {
      let ranges = (0..<random.below(3)).map { _ in
        let low = Int64(random.below(8))
        return Bounds(low: low, high: low + Int64(random.below(5)))
      }
      let condition = RangeCondition(ranges, inverted: inverted, nullsMatch: nullsMatch)
      let values = (0...random.below(3)).map { _ in Int64(random.below(10)) }
      let hasNulls = random.chance(0.5)
      var matches = values.map { value in
        ranges.contains { $0.low <= value && value <= $0.high } != inverted
      }
      if hasNulls { matches.append(nullsMatch) }
      let result = condition.zoneMapResult(
        minimum: values.min() ?? 0, maximum: values.max() ?? 0, hasNaN: false, hasNulls: hasNulls)
      switch result {
      case .none:
        skipped += 1
        #expect(!matches.contains(true), "\(condition) \(values)")
      case .all: #expect(!matches.contains(false), "\(condition) \(values)")
      case .some: break
      }
    }
    #expect(skipped > 100)
  }
}
