import CairnQuery
import CairnValues

/// A point in time, or an interval that may be open at one end, as the parameter `datetime` of OGC API –
/// Features writes it: `2024-01-31`, `2024-01-31T12:00:00Z`, `2024-01-01/2024-06-30`, `2024-01-01/..`.
package struct DateInterval: Sendable, Equatable {
  /// The interval as it was written.
  package let text: String
  /// The first instant, in seconds since 2001; nil for an open start.
  package private(set) var start: Double?
  /// The end; nil for an open end.
  package private(set) var end: Double?
  /// Whether the end is part of the interval.
  package private(set) var includesEnd = true

  private static let day = 86_400.0

  /// Reads an interval.
  ///
  /// - Throws: The error in words.
  package init(_ text: String) throws(DateIntervalError) {
    self.text = text
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2 else {
      throw DateIntervalError("expected an instant or an interval, found '\(text)'")
    }
    start = try Self.instant(parts[0])
    let last = parts.count == 2 ? parts[1] : parts[0]
    end = try Self.instant(last)
    if parts.count == 1, start == nil {
      throw DateIntervalError("expected an instant or an interval, found '\(text)'")
    }
    // A date without a time means the whole day.
    if let instant = end, last.utf8.count == 10 {
      end = instant + Self.day
      includesEnd = false
    }
    if let start, let end, includesEnd ? start > end : start >= end {
      throw DateIntervalError("the interval '\(text)' ends before it begins")
    }
  }

  private static func instant(_ text: String) throws(DateIntervalError) -> Double? {
    if text.isEmpty || text == ".." { return nil }
    guard text.first?.isNumber == true, let seconds = ISODate.parse(text.uppercased()) else {
      throw DateIntervalError(
        "'\(text)' is not a date or a time such as 2024-01-31T12:00:00Z")
    }
    return seconds
  }

  /// The condition that the date of a row lies in the interval; nil for an interval without ends.
  package func predicate(on name: String) -> PredicateNode? {
    let path = Expression.property(name)
    var parts: [PredicateNode] = []
    if let start { parts.append(.compare(path, .greaterOrEqual, .value(.date(start)), [])) }
    if let end {
      parts.append(.compare(path, includesEnd ? .lessOrEqual : .less, .value(.date(end)), []))
    }
    return parts.isEmpty ? nil : .all(parts)
  }
}

/// A text is not an interval of dates.
package struct DateIntervalError: Error {
  /// The error in words.
  package let message: String

  fileprivate init(_ message: String) { self.message = message }
}
