import CairnValues
import Testing

@testable import CairnFormats

struct DateTextTests {
  private func date(_ text: String) -> Double? { withPadded(text, DateText.parse) }

  @Test func datesAreSecondsSince2001() {
    #expect(date("2001-01-01") == 0)
    #expect(date("2001-01-02") == 86_400)
    #expect(date("2000-12-31T23:59:59Z") == -1)
    #expect(date("2001-01-01T02:00:00+02:00") == 0)
    #expect(date("2000-12-31T22:30:00-01:30") == 0)
    #expect(date("2001-01-01T00:00:00.5Z") == 0.5)
    #expect(date("1965-01-02T13:44:18Z") == -1_135_937_742)
  }

  @Test func whatIsNoCertainMomentIsNoDate() {
    for text in [
      "2001-1-1", "2001-01-01T00:00:00", "2001-01-01T00:00Z", "2001-01-01T24:00:00Z",
      "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z", "2001-01-01t00:00:00Z",
      "2001-01-01T00:00:00z",
      "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00.1234567Z", "2001-01-01T00:00:00+0200",
      "2001-01-01T00:00:00+02", "2001-04-31", "2001-00-10", "20010101", "2001-01-01Z",
      "12001-01-01",
    ] {
      #expect(date(text) == nil, "\(text)")
    }
  }

  @Test func datesPrintAsTheyWereRead() {
    for text in [
      "0001-01-01", "1582-10-15", "2024-02-29", "9999-12-31", "2024-05-01T12:34:56Z",
      "2024-05-01T12:34:56.789Z", "1999-12-31T23:59:59.001Z", "2024-05-01T12:34:56.789012Z",
    ] {
      #expect(date(text).map(ISODate.format) == text)
    }
  }
}
