import CairnTestSupport
import Testing

@testable import CairnStorage

@Suite struct DecimalsTests {
  /// Decimals with up to 15 digits after the point are read back as the same number.
  @Test(arguments: 0...15)
  func writtenDecimalsAreExact(places: Int) throws {
    var random = SplitMix64(seed: UInt64(places) + 1)
    let power = Decimals.powers[places]
    for _ in 0..<2000 {
      let digits = Int64.random(in: -2_000_000_000_000_000...2_000_000_000_000_000, using: &random)
      let text = decimalText(digits, places: places)
      let value = try #require(Double(text))
      #expect(value == Double(digits) / power, "\(text)")
      let code = Decimals.nearestInteger(value * power)
      if Decimals.isExact(code, power: power, value: value) {
        #expect((code / power).bitPattern == value.bitPattern, "\(text)")
      } else {
        // Only numbers that need more than 51 bits may be rejected.
        #expect(abs(digits) > 1 << 49 || (digits == 0 && value.sign == .minus), "\(text)")
      }
    }
  }

  @Test func theOrderOfCodesIsTheOrderOfValues() {
    var random = SplitMix64(seed: 5)
    for places in 0...15 {
      let power = Decimals.powers[places]
      for _ in 0..<500 {
        let code = Int64.random(in: -(1 << 50)...1 << 50, using: &random)
        #expect(Double(code) / power < Double(code + 1) / power)
      }
    }
  }

  @Test(arguments: [
    -0.0, .nan, .infinity, -.infinity, 0.1 + 0.2, .pi, 1e300, .leastNonzeroMagnitude,
  ])
  func otherNumbersAreNotEncodedAsDecimals(value: Double) {
    for power in Decimals.powers {
      #expect(!Decimals.isExact(Decimals.nearestInteger(value * power), power: power, value: value))
    }
  }

  @Test func nearestIntegerRoundsToEven() {
    for value in [0.5, 1.5, 2.5, -0.5, -1.5, 1e9 + 0.5, 0, 7] {
      #expect(Decimals.nearestInteger(value) == value.rounded(.toNearestOrEven))
    }
  }

  private func decimalText(_ digits: Int64, places: Int) -> String {
    let whole = String(digits.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - whole.count)) + whole
    let cut = padded.index(padded.endIndex, offsetBy: -places)
    return (digits < 0 ? "-" : "") + padded[..<cut] + "." + padded[cut...] + "0"
  }
}
