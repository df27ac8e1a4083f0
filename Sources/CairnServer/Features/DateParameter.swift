import CairnValues

/// The parameter `datetime`: an instant, or an interval that may be open at one end.
struct DateParameter {
  /// The first instant, in seconds since 2001; nil for an open start.
  private(set) var start: Double?
  /// The end; nil for an open end.
  private(set) var end: Double?
  /// Whether the end is part of the interval.
  private(set) var includesEnd = true

  private static let day = 86_400.0

  init(_ text: String) throws(Problem) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2 else {
      throw .badRequest("datetime: expected an instant or an interval, found '\(text)'")
    }
    start = try Self.instant(parts[0])
    let last = parts.count == 2 ? parts[1] : parts[0]
    end = try Self.instant(last)
    if parts.count == 1, start == nil {
      throw .badRequest("datetime: expected an instant or an interval, found '\(text)'")
    }
    // A date without a time means the whole day.
    if let instant = end, last.utf8.count == 10 {
      end = instant + Self.day
      includesEnd = false
    }
    if let start, let end, start > end {
      throw .badRequest("datetime: the interval '\(text)' ends before it begins")
    }
  }

  private static func instant(_ text: String) throws(Problem) -> Double? {
    if text.isEmpty || text == ".." { return nil }
    guard text.first?.isNumber == true, let seconds = ISODate.parse(text.uppercased()) else {
      throw .badRequest(
        "datetime: '\(text)' is not a date or a time such as 2024-01-31T12:00:00Z")
    }
    return seconds
  }
}
