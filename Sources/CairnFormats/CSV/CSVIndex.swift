/// The separators of a block of CSV: where every field ends. Kept as offsets so that columns can be
/// read one after the other, each in a tight loop.
final class CSVIndex {
  /// One entry stands before the first: the byte before the block.
  private(set) var ends: UnsafeMutablePointer<UInt32>
  private var capacity: Int
  /// Entries of `ends`.
  private(set) var count = 0
  private(set) var newlines = 0
  private(set) var hasQuotes = false
  private(set) var hasReturns = false
  /// Some line may be a comment.
  private(set) var hasComments = false
  /// Offsets of closing quotes with text behind them.
  private(set) var malformed: [Int] = []

  init() {
    capacity = 1 << 14
    ends = .allocate(capacity: capacity) + 1
  }

  deinit { (ends - 1).deallocate() }

  /// Finds the separators of a range that holds whole records.
  func build(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ dialect: CSVDialect) {
    count = 0
    newlines = 0
    malformed.removeAll(keepingCapacity: true)
    reserve(range.count)
    ends[-1] = UInt32(truncatingIfNeeded: range.lowerBound &- 1)
    hasQuotes = CSVQuotes.find(CSVQuotes.quote, bytes, range) != nil
    hasReturns =
      dialect.newline == CSVQuotes.newline
      && CSVQuotes.find(CSVQuotes.carriageReturn, bytes, range) != nil
    hasComments =
      (dialect.comment ?? dialect.doubtfulComment).map { CSVQuotes.find($0, bytes, range) != nil }
      ?? false
    if hasQuotes {
      buildQuoted(bytes, range, dialect)
    } else {
      buildPlain(bytes, range, dialect)
    }
  }

  private func reserve(_ needed: Int) {
    guard capacity < needed + 8 else { return }
    (ends - 1).deallocate()
    capacity = (needed + 8) * 2
    ends = .allocate(capacity: capacity) + 1
  }

  /// Eight bytes at a time; reads up to 7 bytes behind the range.
  @inline(__always)
  private func buildPlain(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ dialect: CSVDialect
  ) {
    let delimiters = UInt64(dialect.delimiter) &* 0x0101_0101_0101_0101
    let newlineWord = UInt64(dialect.newline) &* 0x0101_0101_0101_0101
    let ends = ends
    var count = count
    var newlines = newlines
    var index = range.lowerBound
    while index < range.upperBound {
      let word = Digits.load(bytes + index)
      var newline = Self.zeroBytes(word ^ newlineWord)
      var found = newline | Self.zeroBytes(word ^ delimiters)
      let rest = range.upperBound &- index
      if rest < 8 {
        let mask = UInt64.max &>> UInt64(64 &- 8 &* rest)
        newline &= mask
        found &= mask
      }
      newlines &+= newline.nonzeroBitCount
      while found != 0 {
        ends[count] = UInt32(truncatingIfNeeded: index &+ found.trailingZeroBitCount &>> 3)
        count &+= 1
        found &= found &- 1
      }
      index &+= 8
    }
    self.count = count
    self.newlines = newlines
  }

  /// 0x80 in every byte that is zero, and nowhere else.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word | 0x7F7F_7F7F_7F7F_7F7F)
  }

  private func buildQuoted(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ dialect: CSVDialect
  ) {
    let (delimiter, newline) = (dialect.delimiter, dialect.newline)
    let quotes = CSVQuotes(bytes: bytes, dialect: dialect)
    var index = range.lowerBound
    var isRecordStart = true
    while index < range.upperBound {
      if isRecordStart, dialect.comment == bytes[index] {
        index = CSVQuotes.find(newline, bytes, index..<range.upperBound) ?? range.upperBound - 1
      } else if bytes[index] == CSVQuotes.quote {
        index = (quotes.close(index, range.upperBound) ?? range.upperBound - 1) + 1
        checkEnd(bytes, index, range.upperBound, dialect)
      }
      while index < range.upperBound, bytes[index] != delimiter, bytes[index] != newline {
        index += 1
      }
      guard index < range.upperBound else { break }
      isRecordStart = bytes[index] == newline
      if isRecordStart { newlines += 1 }
      ends[count] = UInt32(truncatingIfNeeded: index)
      count += 1
      index += 1
    }
  }

  /// Notes text between a closing quote and the next separator.
  private func checkEnd(
    _ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int, _ dialect: CSVDialect
  ) {
    guard index < end, bytes[index] != dialect.delimiter, bytes[index] != dialect.newline else {
      return
    }
    let isReturn = bytes[index] == CSVQuotes.carriageReturn
    if isReturn, index + 1 < end, bytes[index + 1] == dialect.newline { return }
    malformed.append(index - 1)
  }
}
