/// The beginning of a CSV file, from which its header and dialect are detected.
final class CSVSample {
  /// The longest header line in bytes, enough for tens of thousands of columns.
  private static let longest = 4 << 20

  struct Record {
    /// The offset of the record in the file; `end` is the offset of the next one.
    let start: Int
    let end: Int
    let fields: [Range<Int>]

    /// Whether the line is blank.
    var isBlank: Bool { fields.count == 1 && fields[0].isEmpty }
  }

  let block: InputBlock
  /// The offset after a byte order mark, the line `sep=;` and the lines to skip.
  let begin: Int
  /// The delimiter in the line `sep=;`, which Excel recognizes; nil without such a line.
  let declared: UInt8?
  let count: Int
  /// Whether the sample is the whole file.
  let isWhole: Bool

  /// - Parameter lines: The number of lines to skip, such as a title.
  init(_ input: InputFile, skippingLines lines: Int = 0) throws(ImportError) {
    block = InputBlock(capacity: min(Self.longest, max(1, Int(clamping: input.size))))
    count = try block.fill(from: input, at: 0)
    let start = CSVHeader.byteOrderMark(block, count: count)
    let declaration = Self.declaration(block.bytes, range: start..<count)
    begin = Self.skip(lines, block.bytes, range: (declaration?.end ?? start)..<count)
    declared = declaration?.delimiter
    isWhole = Int64(count) == input.size
  }

  /// The bytes of the block. Valid while the sample exists.
  var bytes: UnsafePointer<UInt8> { UnsafePointer(block.bytes) }

  /// Returns the offset after some lines. Their ends are line feeds or, in a file without these,
  /// carriage returns.
  private static func skip(
    _ lines: Int, _ bytes: UnsafeMutablePointer<UInt8>, range: Range<Int>
  ) -> Int {
    guard lines > 0 else { return range.lowerBound }
    let hasFeeds = ByteSearch.find(CSVQuotes.newline, bytes: bytes, range: range) != nil
    let end = hasFeeds ? CSVQuotes.newline : CSVQuotes.carriageReturn
    var (start, left) = (range.lowerBound, lines)
    while left > 0, start < range.upperBound {
      start =
        ByteSearch.find(end, bytes: bytes, range: start..<range.upperBound).map { $0 + 1 }
        ?? range.upperBound
      left -= 1
    }
    return start
  }

  private static func declaration(
    _ bytes: UnsafeMutablePointer<UInt8>, range: Range<Int>
  ) -> (delimiter: UInt8, end: Int)? {
    let head = UnsafeBufferPointer(start: bytes + range.lowerBound, count: min(9, range.count))
    let isQuoted = head.first == CSVQuotes.quote
    let line = head.dropFirst(isQuoted ? 1 : 0)
    guard line.count > 4, line.prefix(4).map({ $0 | 0x20 }) == Array("sep=".utf8) else {
      return nil
    }
    var rest = line.dropFirst(4)
    let delimiter = rest.removeFirst()
    guard delimiter >= 0x20 || delimiter == 9, delimiter < 0x80 else { return nil }
    if isQuoted, rest.popFirst() != CSVQuotes.quote { return nil }
    let isReturn = rest.first == CSVQuotes.carriageReturn
    if isReturn { rest.removeFirst() }
    if rest.first == CSVQuotes.newline { rest.removeFirst() } else if !isReturn { return nil }
    return (delimiter, range.lowerBound + rest.startIndex)
  }

  /// Returns the record that begins at `start`, or nil at the end or when a quote is not closed.
  func record(at start: Int, _ dialect: CSVDialect) -> Record? {
    let quotes = CSVQuotes(bytes: bytes, dialect: dialect)
    var fields: [Range<Int>] = []
    var index = start
    while start < count {
      let fieldStart = index
      if index < count, bytes[index] == CSVQuotes.quote {
        guard let close = quotes.close(index, end: count) else { return nil }
        index = close + 1
      }
      while index < count, bytes[index] != dialect.delimiter, bytes[index] != dialect.newline {
        index += 1
      }
      if index < count, bytes[index] == dialect.delimiter {
        fields.append(fieldStart..<index)
        index += 1
        continue
      }
      fields.append(fieldStart..<withoutReturn(fieldStart, end: index))
      return Record(start: start, end: min(count, index + 1), fields: fields)
    }
    return nil
  }

  private func withoutReturn(_ start: Int, end: Int) -> Int {
    end > start && bytes[end - 1] == CSVQuotes.carriageReturn ? end - 1 : end
  }

  /// Returns up to `limit` records from `start` on, without blank lines and comments. A record that
  /// the sample cuts short is left out.
  func records(from start: Int, _ dialect: CSVDialect, limit: Int, within size: Int) -> [Record] {
    var records: [Record] = []
    var index = start
    while records.count < limit, records.count < 2 || index < start + size,
      let record = record(at: index, dialect)
    {
      index = record.end
      if record.end == count, !isWhole { break }
      if record.isBlank || dialect.comment == bytes[record.start] { continue }
      records.append(record)
    }
    return records
  }

  /// Returns the texts of the fields without quotes and surrounding spaces.
  func texts(_ record: Record) -> [String] {
    var unquoter = CSVField()
    defer { unquoter.deallocate() }
    return record.fields.map {
      String(decoding: unquoter.trimmed(bytes + $0.lowerBound, count: $0.count), as: UTF8.self)
    }
  }
}
