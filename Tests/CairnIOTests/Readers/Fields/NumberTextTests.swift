import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct NumberTextTests {
  private func int(_ text: String) -> Int64? { withPadded(text, IntegerText.parse) }
  private func double(_ text: String) -> Double? { withPadded(text, DoubleText.parse) }
  private func nearest(_ text: String) -> Double? { withPadded(text, DoubleText.parseNearest) }

  @Test func integersAreParsed() {
    let good: [(String, Int64)] = [
      ("0", 0), ("7", 7), ("-7", -7), ("12345678", 12_345_678), ("123456789", 123_456_789),
      ("-1234567890123456", -1_234_567_890_123_456), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("1000000000000000000", 1_000_000_000_000_000_000),
      ("-0", 0),
    ]
    for (text, value) in good { #expect(int(text) == value, "\(text)") }
    let bad = [
      "", "-", "-00", "007", "00", "-01", "+1", "1.0", "1e3", "9223372036854775808",
      "-9223372036854775809", "12345678901234567890", "1 ", " 1", "1_0", "0x1", "٣", "1a",
    ]
    for text in bad { #expect(int(text) == nil, "\(text)") }
  }

  @Test func doublesAreParsed() {
    let good: [(String, Double)] = [
      ("0.5", 0.5), ("-0.5", -0.5), ("-0.0", -0.0), (".5", 0.5), ("1e5", 1e5), ("1E-5", 1e-5),
      ("1.5e+3", 1500), ("98.3290051", 98.3290051), ("12345678.12345678", 12_345_678.12345678),
      ("0.1234567890123456", 0.1234567890123456),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("5e-324", .leastNonzeroMagnitude), ("1.00000000000000000000000", 1), ("0.000", 0),
    ]
    for (text, value) in good { #expect(double(text)?.bitPattern == value.bitPattern, "\(text)") }
    let bad = [
      "", "1", "-", ".", "1.", "-.", "007.5", "00.5", "1e", "1e+", "e5", "1.5.5", "1,5", "NaN",
      "inf",
      "Infinity", "1e400", "1e-400", "0x1p3", "1.5 ", "+1.5", "0.123456789012345678", "--1.5",
    ]
    for text in bad { #expect(double(text) == nil, "\(text)") }
  }

  @Test func coordinatesMayHaveAnyNumberOfDigits() {
    #expect(nearest("51") == 51)
    #expect(nearest("0.1000000000000000055511151231257827") == 0.1)
    #expect(nearest("9007199254740993.0000000000000000001") == 9_007_199_254_740_994)
  }

  @Test func doublesAreTheNearestToTheText() {
    let seed = Soak.seed(117)
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(60_000, long: 400_000) {
      let text = Self.number(&random)
      let expected = strtod(text, nil)
      let found = double(text)
      guard let found else {
        #expect(!expected.isFinite || expected == 0 || !Self.isPlain(text), "\(text), seed \(seed)")
        continue
      }
      #expect(found.bitPattern == expected.bitPattern, "\(text), seed \(seed)")
    }
  }

  /// Returns a decimal number with up to 19 digits, half of the time in the spelling of a double.
  private static func number(_ random: inout SplitMix64) -> String {
    let sign = Bool.random(using: &random) ? "-" : ""
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "\(Double(bitPattern: random.next() & ~(1 << 63)))"
    case 1: return "\(sign)\(Double.random(in: 0..<180, using: &random))"
    default:
      let whole = UInt64.random(
        in: 0..<1 << UInt64.random(in: 1..<40, using: &random), using: &random)
      let places = Int.random(in: 1...7, using: &random)
      let fraction = (0..<places).map { _ in String(Int.random(in: 0...9, using: &random)) }
        .joined()
      let exponent =
        Bool.random(using: &random) ? "" : "e\(Int.random(in: -40...40, using: &random))"
      return "\(sign)\(whole).\(fraction)\(exponent)"
    }
  }

  /// Whether the text should be accepted: not `nan`, and at most 17 significant digits.
  private static func isPlain(_ text: String) -> Bool {
    let digits = text.split(separator: "e")[0].filter(\.isNumber)
    let significant = digits.drop { $0 == "0" }
    return !text.contains("n") && significant.count <= DoubleText.significantDigits
  }

  @Test func integersAreExact() {
    let seed = Soak.seed(118)
    var random = SplitMix64(seed: seed)
    for _ in 0..<50_000 {
      let value = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      #expect(int("\(value)") == value, "seed \(seed)")
    }
  }
}
