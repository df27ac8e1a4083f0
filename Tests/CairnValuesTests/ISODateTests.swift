import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct ISODateTests {
  @Test(
    arguments: [
      ("2001-01-01", 0), ("2001-01-02", 86_400), ("2000-12-31", -86_400),
      ("1970-01-01", -978_307_200),
      ("2024-02-29", 730_857_600), ("0000-01-01", -63_145_526_400), ("9999-12-31", 252_423_907_200),
      ("1900-03-01", -3_182_198_400), ("2001-01-01T00:00:01Z", 1), ("2001-01-01T00:00:00.5Z", 0.5),
      ("2000-12-31T23:59:59.5Z", -0.5), ("2001-01-01 00:01", 60), ("2001-01-01T01:00:00+01:00", 0),
      ("2001-01-01T00:00-0130", 5400), ("2000-12-31T14:00:00-10", 0), ("2001-01-01t00:00:00z", 0),
      ("2001-01-01T00:00:00.000000001Z", 1e-9), ("+012345-01-01", 326_425_075_200),
      ("-000001-12-31", -63_145_612_800),
      ("2024-05-01T12:00:00", 736_257_600), ("2024/05/01", 736_214_400),
      ("2024/05/01 12:00:00", 736_257_600), ("2024-05-01 12:00:00+00", 736_257_600),
      ("2024-05-01 14:00:00 +0200", 736_257_600), ("2024-05-01 12:00 UTC", 736_257_600),
      ("2024-05-01 12:00:00.5 GMT", 736_257_600.5), ("2024-05-01 12:00:00 Z", 736_257_600),
    ] as [(String, Double)])
  func reads(_ text: String, _ seconds: Double) {
    #expect(ISODate.parse(text) == seconds)
  }

  @Test(arguments: [
    "", "2024", "2024-05", "2024-5-1", "2024-13-01", "2024-00-01", "2024-04-31", "2023-02-29",
    "1900-02-29", "2024-05-00", "2024-05-01T", "2024-05-01T12", "2024-05-01T24:00",
    "2024-05-01T12:60", "2024-05/01", "2024/05-01", "2024-05-01 12:00 CET", "2024-05-01 12:00  Z",
    "2024-05-01 12:00 ", "2024-05-01  12:00", "2024-05-01 12:00 UTC+1",
    "2024-05-01T12:00:60Z", "2024-05-01T12:00:00.Z", "2024-05-01T12:00:00+",
    "2024-05-01T12:00+24:00",
    "2024-05-01T12:00+01:60", "2024-05-01Z", "2024-05-01T12:00:00Zx", " 2024-05-01", "2024-05-01 ",
    "20240501", "12345-01-01", "+2024-05-01", "２０２４-05-01", "2024-05-01T12:00:00,5Z",
  ])
  func rejects(_ text: String) {
    #expect(ISODate.parse(text) == nil)
  }

  @Test(
    arguments: [
      (0, "2001-01-01"), (-86_400, "2000-12-31"), (1, "2001-01-01T00:00:01Z"),
      (0.5, "2001-01-01T00:00:00.500Z"), (-0.5, "2000-12-31T23:59:59.500Z"),
      (0.000_001, "2001-01-01T00:00:00.000001Z"), (1e-9, "2001-01-01T00:00:00.000000001Z"),
      (736_257_600, "2024-05-01T12:00:00Z"), (-63_145_526_400, "0000-01-01"),
      (326_425_075_200, "+012345-01-01"), (.nan, "nan"), (.infinity, "inf"), (1e300, "1e+300"),
    ] as [(Double, String)])
  func writes(_ seconds: Double, _ text: String) {
    #expect(ISODate.format(seconds) == text)
  }

  @Test func daysOfManyYearsAreReadBack() {
    for day in stride(from: -1_000_000, through: 1_000_000, by: Soak.count(41, long: 13)) {
      let seconds = Double(day) * 86_400
      if ISODate.parse(ISODate.format(seconds)) != seconds {
        Issue.record("day \(day): \(ISODate.format(seconds))")
        return
      }
    }
  }

  @Test func daysAreConsecutive() throws {
    var expected = 0
    for year in 1995...2105 {
      for month in 1...12 {
        for day in 1...ISODateTests.length(month, year) {
          let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
          let seconds = try #require(ISODate.parse(text))
          if text == "1995-01-01" { expected = Int(seconds) }
          #expect(seconds == Double(expected))
          expected += 86_400
        }
      }
    }
  }

  static func length(_ month: Int, _ year: Int) -> Int {
    month == 2
      ? (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28)
      : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  @Test func fractionsAreReadBack() {
    let seed = Soak.seed(146)
    var random = SplitMix64(seed: seed)
    for round in 0..<50_000 {
      let scale = [1.0, 1e3, 1e6][round % 3]
      let whole = Double.random(in: -1e10...1e10, using: &random)
      let seconds = (whole * scale).rounded() / scale
      #expect(ISODate.parse(ISODate.format(seconds)) == seconds, "seed \(seed): \(seconds)")
    }
  }

  @Test func anyDoubleCanBeFormatted() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let seconds = Double(bitPattern: random.next())
      #expect(!ISODate.format(seconds).isEmpty)
      _ = ISODate.parse(ISODate.format(seconds))
    }
  }
}
