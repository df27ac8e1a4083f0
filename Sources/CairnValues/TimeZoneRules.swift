/// How far the clocks of a place are ahead of UTC: always as much, or as its rules have it.
package struct TimeZoneRules: Sendable {
  /// UTC itself.
  package static let utc = TimeZoneRules(secondsAhead: 0)

  private let fixed: Int
  private let table: TimeZoneTable?

  /// A zone that is always so many seconds ahead of UTC.
  package init(secondsAhead: Int) {
    fixed = secondsAhead
    table = nil
  }

  /// A zone as the time zone database has it.
  ///
  /// - Parameter bytes: a file of the database (RFC 9636, "TZif"); nil is returned where they are not one.
  package init?(database bytes: [UInt8]) {
    guard let table = TimeZoneTable(bytes) else { return nil }
    fixed = 0
    self.table = table
  }

  /// The zone that a text such as `UTC`, `Z`, `+02:00`, `-0330` or `+1` gives; nil when it is none of these.
  package init?(offset text: String) {
    if ["utc", "gmt", "z"].contains(text.lowercased()) {
      self = .utc
      return
    }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    var digits = parts.joined()
    guard parts.count <= 2, parts.dropFirst().allSatisfy({ $0.count == 2 }),
      digits.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    if digits.count == 1 { digits = "0" + digits }
    if digits.count == 2 { digits += "00" }
    guard digits.count == 4, let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)),
      hours < 24, minutes < 60
    else { return nil }
    self.init(secondsAhead: (hours * 60 + minutes) * (sign == "-" ? -60 : 60))
  }

  /// Seconds that the clocks are ahead of UTC when they show a time.
  ///
  /// A time that the clocks show twice is the first of both; one that they pass over lies as far behind the
  /// change as it says.
  ///
  /// - Parameter local: what the clocks show, as seconds since 2001.
  @inline(__always)
  package func offset(atLocal local: Int) -> Int {
    table.map { $0.offset(atLocal: local) } ?? fixed
  }

  /// Seconds that the clocks are ahead of UTC.
  ///
  /// - Parameter seconds: since 2001.
  package func offset(at seconds: Int) -> Int { table.map { $0.offset(at: seconds) } ?? fixed }
}

/// The offsets of one zone: as they were, and by a rule from then on.
final class TimeZoneTable: Sendable {
  /// Seconds from 1970 to 2001.
  private static let reference = 978_307_200

  /// When the offset changes, in seconds since 2001, rising.
  private let changes: [Int]
  /// The offset from each change on.
  private let offsets: [Int]
  /// The offset before the first.
  private let first: Int
  /// Behind the last.
  private let rule: TimeZoneRule?

  init?(_ bytes: [UInt8]) {
    guard let file = TimeZoneFile(bytes) else { return nil }
    changes = file.changes.map { $0 - Self.reference }
    offsets = file.offsets
    first = file.first
    rule = file.rule
  }

  func offset(at seconds: Int) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule { return rule.offset(at: seconds) }
    return low == 0 ? first : offsets[low - 1]
  }

  func offset(atLocal local: Int) -> Int {
    let before = offset(at: local - 86_400)
    if offset(at: local - before) == before { return before }
    let after = offset(at: local + 86_400)
    return offset(at: local - after) == after ? after : before
  }
}
