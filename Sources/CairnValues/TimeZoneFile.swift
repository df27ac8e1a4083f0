/// A file of the time zone database (RFC 9636).
struct TimeZoneFile {
  /// When the offset changes, in seconds since 1970, rising.
  private(set) var changes: [Int] = []
  /// The offset from each change on, in seconds ahead of UTC.
  private(set) var offsets: [Int] = []
  /// The offset before the first change.
  private(set) var first = 0
  /// The rule that holds behind the last change.
  private(set) var rule: TimeZoneRule?

  private static let headerSize = 44

  /// Nil when the bytes are not such a file.
  init?(_ bytes: [UInt8]) {
    guard let head = Header(bytes, at: 0) else { return nil }
    guard head.version >= 2 else {
      guard read(bytes, head, at: Self.headerSize, width: 4) != nil else { return nil }
      return
    }
    // A second body holds the same with 8 bytes a time, and behind it stands the rule.
    let second = Self.headerSize + head.size(width: 4)
    guard let head = Header(bytes, at: second),
      let end = read(bytes, head, at: second + Self.headerSize, width: 8)
    else { return nil }
    let footer = bytes[end...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    guard !footer.isEmpty else { return }
    guard let rule = TimeZoneRule(String(decoding: footer, as: UTF8.self)) else { return nil }
    self.rule = rule
  }

  /// Reads a body; returns where it ends.
  private mutating func read(_ bytes: [UInt8], _ head: Header, at start: Int, width: Int) -> Int? {
    let end = start + head.size(width: width)
    guard head.typeCount > 0, end <= bytes.count else { return nil }
    let kinds = start + head.changeCount * width
    let types = kinds + head.changeCount
    func offset(_ type: Int) -> Int? {
      type < head.typeCount ? Self.number(bytes, types + type * 6, 4) : nil
    }
    for change in 0..<head.changeCount {
      guard let offset = offset(Int(bytes[kinds + change])) else { return nil }
      let time = Self.number(bytes, start + change * width, width)
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
  fileprivate static func number(_ bytes: [UInt8], _ start: Int, _ width: Int) -> Int {
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
      let counts = (0..<6).map { TimeZoneFile.number(bytes, start + 20 + $0 * 4, 4) }
      guard counts.allSatisfy({ 0...1_000_000 ~= $0 }) else { return nil }
      let digit = Int(bytes[start + 4])
      version = digit == 0 ? 1 : digit - 48
      (leapCount, changeCount, typeCount) = (counts[2], counts[3], counts[4])
      others = counts[0] + counts[1] + counts[5]
    }

    /// Bytes of the body behind it.
    func size(width: Int) -> Int {
      changeCount * (width + 1) + typeCount * 6 + leapCount * (width + 4) + others
    }
  }
}
