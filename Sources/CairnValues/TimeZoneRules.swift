/// The offset of a time zone from UTC: a fixed one, or by the rules of the time zone database.
package struct TimeZoneRules: Sendable {
  /// UTC itself.
  package static let utc = TimeZoneRules(secondsAhead: 0)

  private let fixed: Int
  private let table: TimeZoneTable?

  /// Creates a zone with a fixed offset.
  package init(secondsAhead: Int) {
    fixed = secondsAhead
    table = nil
  }

  /// Creates a zone of the time zone database.
  ///
  /// - Parameter bytes: a file of the database (RFC 9636, "TZif"). Other bytes return nil.
  package init?(database bytes: [UInt8]) {
    guard let table = TimeZoneTable(bytes) else { return nil }
    fixed = 0
    self.table = table
  }

  /// Parses an offset such as `UTC`, `Z`, `+02:00`, `-0330` or `+1`; returns nil for any other
  /// text.
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

  /// The seconds by which local time is ahead of UTC at a local time.
  ///
  /// If clocks show the time twice, the first one counts. If they skip it, it counts from the
  /// change on as if the clocks had not been changed.
  ///
  /// - Parameter local: the local time, as seconds since 2001.
  @inline(__always)
  package func offset(atLocal local: Int) -> Int {
    table.map { $0.offset(atLocal: local) } ?? fixed
  }

  /// The seconds by which local time is ahead of UTC.
  ///
  /// - Parameter seconds: the time, as seconds since 2001.
  package func offset(at seconds: Int) -> Int { table.map { $0.offset(at: seconds) } ?? fixed }
}

/// The offsets of one zone: a table of past ones, and a rule for later times.
final class TimeZoneTable: Sendable {
  /// Seconds from 1970 to 2001.
  private static let reference = 978_307_200

  /// The times at which the offset changes, in seconds since 2001, ascending.
  private let changes: [Int]
  /// The offset from each change on.
  private let offsets: [Int]
  /// The offset before the first change.
  private let first: Int
  /// The rule that applies after the last change.
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

/// A file of the time zone database (RFC 9636).
struct TimeZoneFile {
  /// The times at which the offset changes, in seconds since 1970, ascending.
  private(set) var changes: [Int] = []
  /// The offset from each change on, in seconds ahead of UTC.
  private(set) var offsets: [Int] = []
  /// The offset before the first change.
  private(set) var first = 0
  /// The rule that applies after the last change.
  private(set) var rule: TimeZoneRule?

  private static let headerSize = 44

  /// Returns nil if the bytes are not such a file.
  init?(_ bytes: [UInt8]) {
    guard let head = Header(bytes, at: 0) else { return nil }
    guard head.version >= 2 else {
      guard read(bytes, head: head, at: Self.headerSize, width: 4) != nil else { return nil }
      return
    }
    // A second body contains the same data with 8 bytes per time, and the rule follows it.
    let second = Self.headerSize + head.size(width: 4)
    guard let head = Header(bytes, at: second),
      let end = read(bytes, head: head, at: second + Self.headerSize, width: 8)
    else { return nil }
    let footer = bytes[end...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    guard !footer.isEmpty else { return }
    guard let rule = TimeZoneRule(String(decoding: footer, as: UTF8.self)) else { return nil }
    self.rule = rule
  }

  /// Reads a body; returns its end.
  private mutating func read(_ bytes: [UInt8], head: Header, at start: Int, width: Int) -> Int? {
    let end = start + head.size(width: width)
    guard head.typeCount > 0, end <= bytes.count else { return nil }
    let kinds = start + head.changeCount * width
    let types = kinds + head.changeCount
    func offset(_ type: Int) -> Int? {
      type < head.typeCount ? Self.number(bytes, start: types + type * 6, width: 4) : nil
    }
    for change in 0..<head.changeCount {
      guard let offset = offset(Int(bytes[kinds + change])) else { return nil }
      let time = Self.number(bytes, start: start + change * width, width: width)
      if let last = changes.last, time <= last { return nil }
      changes.append(time)
      offsets.append(offset)
    }
    first = offset(0) ?? 0
    guard (offsets + [first]).allSatisfy({ abs($0) < 2 * 86_400 }),
      changes.allSatisfy({ abs($0) < 1 << 60 })
    else { return nil }
    return end
  }

  /// A signed number, its most significant byte first.
  fileprivate static func number(_ bytes: [UInt8], start: Int, width: Int) -> Int {
    let value = bytes[start..<start + width].reduce(0) { $0 << 8 | UInt64($1) }
    return Int(Int64(bitPattern: value << UInt64(64 - width * 8)) >> Int64(64 - width * 8))
  }

  private struct Header {
    let version: Int
    let changeCount: Int
    let typeCount: Int
    private let others: Int
    private let leapCount: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start >= 0, start + headerSize <= bytes.count,
        bytes[start...].starts(with: "TZif".utf8)
      else { return nil }
      let counts = (0..<6).map { TimeZoneFile.number(bytes, start: start + 20 + $0 * 4, width: 4) }
      guard counts.allSatisfy({ 0...1_000_000 ~= $0 }) else { return nil }
      let digit = Int(bytes[start + 4])
      version = digit == 0 ? 1 : digit - 48
      (leapCount, changeCount, typeCount) = (counts[2], counts[3], counts[4])
      others = counts[0] + counts[1] + counts[5]
    }

    /// The size in bytes of the body that follows.
    func size(width: Int) -> Int {
      changeCount * (width + 1) + typeCount * 6 + leapCount * (width + 4) + others
    }
  }
}
