/// The separators of a slice of CSV: the end of every field. They are kept as offsets so that each
/// column can be read in a tight loop.
final class CSVIndex {
  /// The ends of the fields; the entry at -1 is the byte before the slice. Valid until the next call
  /// of `build`.
  private(set) var ends: UnsafeMutablePointer<UInt32>
  private var capacity: Int
  /// The number of entries in `ends`.
  private(set) var count = 0
  private(set) var newlines = 0
  private(set) var hasQuotes = false
  private(set) var hasReturns = false
  /// Whether some line may be a comment.
  private(set) var hasComments = false
  /// Offsets of closing quotes with text after them.
  private(set) var malformed: [Int] = []

  init() {
    capacity = 1 << 14
    ends = .allocate(capacity: capacity) + 1
  }

  deinit { (ends - 1).deallocate() }

  /// Finds the separators in a range of whole records.
  func build(_ bytes: UnsafePointer<UInt8>, range: Range<Int>, dialect: CSVDialect) {
    assert(range.lowerBound >= 0, "a slice begins at its pointer")
    count = 0
    newlines = 0
    malformed.removeAll(keepingCapacity: true)
    reserve(range.count)
    ends[-1] = UInt32(truncatingIfNeeded: range.lowerBound &- 1)
    hasQuotes = ByteSearch.find(CSVQuotes.quote, bytes: bytes, range: range) != nil
    hasReturns =
      dialect.newline == CSVQuotes.newline
      && ByteSearch.find(CSVQuotes.carriageReturn, bytes: bytes, range: range) != nil
    hasComments =
      (dialect.comment ?? dialect.doubtfulComment).map {
        ByteSearch.find($0, bytes: bytes, range: range) != nil
      }
      ?? false
    if hasQuotes {
      buildQuoted(bytes, range: range, dialect: dialect)
    } else {
      buildPlain(bytes, range: range, dialect: dialect)
    }
  }

  private func reserve(_ needed: Int) {
    guard capacity < needed + 8 else { return }
    (ends - 1).deallocate()
    capacity = (needed + 8) * 2
    ends = .allocate(capacity: capacity) + 1
  }

  /// Scans eight bytes at a time; reads up to 7 bytes beyond the range.
  @inline(__always)
  private func buildPlain(
    _ bytes: UnsafePointer<UInt8>, range: Range<Int>, dialect: CSVDialect
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
      assert(count + found.nonzeroBitCount < capacity, "there are more fields than memory")
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

  /// Returns 0x80 in every byte that is zero, and 0 in the others.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word | 0x7F7F_7F7F_7F7F_7F7F)
  }

  private func buildQuoted(
    _ bytes: UnsafePointer<UInt8>, range: Range<Int>, dialect: CSVDialect
  ) {
    let (delimiter, newline) = (dialect.delimiter, dialect.newline)
    let quotes = CSVQuotes(bytes: bytes, dialect: dialect)
    var index = range.lowerBound
    var isRecordStart = true
    while index < range.upperBound {
      if isRecordStart, dialect.comment == bytes[index] {
        index =
          ByteSearch.find(newline, bytes: bytes, range: index..<range.upperBound) ?? range
          .upperBound
          - 1
      } else if bytes[index] == CSVQuotes.quote {
        index = (quotes.close(index, end: range.upperBound) ?? range.upperBound - 1) + 1
        checkEnd(bytes, at: index, end: range.upperBound, dialect: dialect)
      }
      while index < range.upperBound, bytes[index] != delimiter, bytes[index] != newline {
        index += 1
      }
      guard index < range.upperBound else { break }
      isRecordStart = bytes[index] == newline
      if isRecordStart { newlines += 1 }
      assert(count + 1 < capacity, "there are more fields than memory")
      ends[count] = UInt32(truncatingIfNeeded: index)
      count += 1
      index += 1
    }
  }

  /// Records text between a closing quote and the next separator.
  private func checkEnd(
    _ bytes: UnsafePointer<UInt8>, at index: Int, end: Int, dialect: CSVDialect
  ) {
    guard index < end, bytes[index] != dialect.delimiter, bytes[index] != dialect.newline else {
      return
    }
    let isReturn = bytes[index] == CSVQuotes.carriageReturn
    if isReturn, index + 1 < end, bytes[index + 1] == dialect.newline { return }
    malformed.append(index - 1)
  }
}

/// Complete rows of a slice: field `column` of row `row` ends at `ends[row · stride + column]` and
/// begins after the previous entry.
struct CSVRows {
  /// The bytes of the block. Valid until the block is filled again.
  let bytes: UnsafePointer<UInt8>
  /// The ends of the fields. Valid until the index or the list of kept rows changes.
  let ends: UnsafePointer<UInt32>
  let stride: Int
  let count: Int
  let columns: Int
  /// Whether some lines may end in CR LF.
  let hasReturns: Bool
  let hasQuotes: Bool

  @inline(__always)
  func start(_ row: Int, column: Int) -> Int {
    assert(row >= 0 && row < count && column >= 0 && column < stride, "the field does not exist")
    return Int(ends[row &* stride &+ column &- 1] &+ 1)
  }

  @inline(__always)
  func field(_ row: Int, column: Int, isLast: Bool) -> (start: Int, count: Int) {
    let start = start(row, column: column)
    var end = Int(ends[row &* stride &+ column])
    assert(start <= end, "the ends of the fields do not rise")
    if isLast, hasReturns, end > start, bytes[end &- 1] == CSVQuotes.carriageReturn { end &-= 1 }
    return (start, end &- start)
  }

  func field(_ row: Int, column: Int) -> (start: Int, count: Int) {
    field(row, column: column, isLast: column == columns - 1)
  }
}

/// A growing list of offsets whose address is fixed until the next append.
final class OffsetBuffer {
  /// The offsets. Valid until the next append.
  private(set) var base: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private var capacity = 1024

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  func removeAll() { count = 0 }

  func append(_ offsets: UnsafePointer<UInt32>, more: Int) {
    assert(
      more >= 0 && (offsets + more <= base || offsets >= base + capacity),
      "a list cannot append its own offsets")
    reserve(count + more)
    (base + count).update(from: offsets, count: more)
    count += more
  }

  func append(_ offset: UInt32) {
    reserve(count + 1)
    base[count] = offset
    count += 1
  }

  private func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
