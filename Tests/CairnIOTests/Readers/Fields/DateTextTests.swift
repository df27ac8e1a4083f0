import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct DateTextTests {
  private func date(_ text: String, _ reading: FieldReading = FieldReading()) -> Double? {
    withPadded(text) { DateText.parse($0, count: $1, reading: reading) }
  }

  @Test func datesAreSecondsSince2001() {
    #expect(date("2001-01-01") == 0)
    #expect(date("2001-01-02") == 86_400)
    #expect(date("2000-12-31T23:59:59Z") == -1)
    #expect(date("2001-01-01T02:00:00+02:00") == 0)
    #expect(date("2000-12-31T22:30:00-01:30") == 0)
    #expect(date("2001-01-01T00:00:00.5Z") == 0.5)
    #expect(date("1965-01-02T13:44:18Z") == -1_135_937_742)
  }

  @Test func invalidDatesAreText() {
    for text in [
      "2001-1-1", "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z",
      "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00.1234567Z", "2001-04-31", "2001-00-10",
      "20010101", "2001-01-01Z", "12001-01-01", "2001-01/01", "2001/01-01", "+002001-01-01",
      "2001-01-01 00", "2001-01-01  00:00", "2001-01-01T00:00:00 CET", "2001-01-01T00:00:00+1",
      "2001-01-01T00:00:00+02:0", "2001-01-01 ", " 2001-01-01",
    ] {
      #expect(date(text) == nil, "\(text)")
    }
  }

  @Test func datesOfOtherProgramsAreRead() {
    let moment = 736_259_400.0  // 2024-05-01T12:30:00Z, by `date -d … +%s` minus 978307200.
    for text in [
      "2024-05-01 12:30:00", "2024-05-01T12:30:00", "2024-05-01 12:30", "2024-05-01 12:30:00+00",
      "2024-05-01 12:30:00+0000", "2024-05-01 12:30:00 +00:00", "2024-05-01 12:30:00 UTC",
      "2024-05-01 12:30:00 GMT", "2024/05/01 12:30:00", "2024/05/01 12:30:00+00",
      "2024-05-01t12:30:00z", "2024-05-01 14:30:00+02", "2024-05-01 09:00:00-0330",
      "2024-05-01 12:30:00.000000000",
    ] {
      #expect(date(text) == moment, "\(text)")
    }
    #expect(date("2024/05/01") == date("2024-05-01"))
    #expect(date("2024-05-01 12:30:00.25") == moment + 0.25)
    #expect(date("2024-05-01 12:30:00.123456").map(ISODate.format) == "2024-05-01T12:30:00.123456Z")
  }

  @Test func aTimeWithoutAZoneIsInTheGivenZone() throws {
    var reading = FieldReading()
    reading.timeZone = try #require(TimeZoneRules(offset: "+05:30"))
    #expect(date("2001-01-01 05:30:00", reading) == 0)
    #expect(date("2001-01-01 05:30:00Z", reading) == 19_800)
    // A day has no zone, so the given zone does not shift it.
    #expect(date("2001-01-01", reading) == 0)
  }

  @Test func datesInAGivenFormatAreRead() throws {
    let moment = 736_259_400.0
    let table: [(format: String, good: [(String, Double)], bad: [String])] = [
      (
        "%d.%m.%Y %H:%M", [("01.05.2024 12:30", moment), ("1.5.2024 12:30", moment)],
        ["1.5.24 12:30", "31.04.2024 12:30", "1.5.2024", "1.5.2024 12:30 "]
      ),
      ("%m/%d/%y", [("05/01/24", 736_214_400), ("12/31/99", -31_708_800)], ["13/01/24"]),
      ("%d %b %Y", [("1 May 2024", 736_214_400), ("1 MAY 2024", 736_214_400)], ["1 Mai 2024"]),
      ("%d-%B-%Y", [("1-May-2024", 736_214_400), ("1-september-2024", 746_841_600)], []),
      (
        "%Y%m%dT%H%M%S%z",
        [("20240501T123000Z", moment), ("20240501T143000+0200", moment)], ["20240501T123000"]
      ),
      (
        "%I:%M %p %m/%d/%Y",
        [("12:30 PM 05/01/2024", moment), ("12:30 am 05/02/2024", moment + 43_200)], []
      ),
      ("%Y-%j", [("2024-122", 736_214_400), ("2024-366", 757_296_000)], ["2023-366"]),
      ("%s.%f", [("978307200.5", 0.5), ("1714566600.25", moment + 0.25)], []),
      ("%a, %d %b %Y %T %z", [("Wed, 01 May 2024 12:30:00 GMT", moment)], []),
      ("%Y%%%m%%%d", [("2024%05%01", 736_214_400)], []),
    ]
    for (format, good, bad) in table {
      var reading = FieldReading()
      reading.dateFormats = [try DateFormat(format)]
      for (text, value) in good { #expect(date(text, reading) == value, "\(format): \(text)") }
      for text in bad { #expect(date(text, reading) == nil, "\(format): \(text)") }
      #expect(date("2024-05-01T12:30:00Z", reading) == moment)
    }
    for wrong in ["%Y-%m", "%d.%m", "%Q", "%Y-%m-%d %", "%I %Y-%m-%d", "", "dd.mm.yyyy"] {
      #expect(throws: DateFormat.FormatError.self, "\(wrong)") { try DateFormat(wrong) }
    }
  }

  @Test func epochNumbersAreReadExactly() {
    func epoch(_ text: String, _ places: Int) -> Double? {
      withPadded(text) { EpochText.parse($0, count: $1, decimals: places) }
    }
    #expect(epoch("978307200", 0) == 0)
    #expect(epoch("978307200000", 3) == 0)
    #expect(epoch("1714566600123", 3).map(ISODate.format) == "2024-05-01T12:30:00.123Z")
    #expect(epoch("1714566600.123456", 0).map(ISODate.format) == "2024-05-01T12:30:00.123456Z")
    #expect(epoch("1.7145666e9", 0) == 736_259_400)
    #expect(epoch("-5", 3).map(ISODate.format) == "1969-12-31T23:59:59.995Z")
    #expect(epoch("0", 0).map(ISODate.format) == "1970-01-01")
    for text in ["", "x", "1e400", "99999999999999999999", "1e18", "2024-05-01", "0.00000000001"] {
      #expect(epoch(text, 0) == nil, "\(text)")
    }
  }

  @Test func datesAreFormattedAsTheyWereWritten() {
    for text in [
      "0001-01-01", "1582-10-15", "2024-02-29", "9999-12-31", "2024-05-01T12:34:56Z",
      "2024-05-01T12:34:56.789Z", "1999-12-31T23:59:59.001Z", "2024-05-01T12:34:56.789012Z",
    ] {
      #expect(date(text).map(ISODate.format) == text)
    }
  }
}
