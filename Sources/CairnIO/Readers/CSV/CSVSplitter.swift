import CairnSystem

/// Splits a CSV file into blocks between records.
final class CSVSplitter: BlockSplitter {
  private let input: InputFile
  private let dialect: CSVDialect
  /// The longest record in bytes. A longer one most likely has a quote that is never closed.
  private let longest: Int
  private var offset: Int64

  /// Creates a splitter for a file.
  ///
  /// - Parameter offset: The start of the records, after the header.
  init(
    _ input: InputFile, dialect: CSVDialect, offset: Int64,
    longest: Int = ImportOptions().longestRecord
  ) {
    self.input = input
    self.longest = longest
    self.dialect = dialect
    self.offset = offset
  }

  func next(into block: InputBlock) throws(ImportError) -> Bool {
    guard offset < input.size else { return false }
    while true {
      let count = try block.fill(from: input, at: offset)
      let isLast = offset + Int64(count) == input.size
      let quotes = CSVQuotes(bytes: block.bytes, dialect: dialect)
      let (end, unclosed) = quotes.records(in: 0..<count)
      if isLast {
        if let unclosed { throw neverClosed(unclosed) }
        finish(block, count: count)
        return true
      }
      if let end {
        block.range = 0..<end
        offset += Int64(end)
        return true
      }
      if block.capacity >= longest { throw tooLong(unclosed) }
      block.grow()
    }
  }

  /// Ends the last block, whose last record may lack the newline.
  private func finish(_ block: InputBlock, count: Int) {
    offset = input.size
    var end = count
    if block.bytes[count - 1] != dialect.newline {
      block.bytes[count] = dialect.newline
      end += 1
    }
    block.range = 0..<end
  }

  private func line(_ offset: Int64) -> Int { input.line(of: offset, lineEnd: dialect.newline) }

  private func neverClosed(_ quote: Int) -> ImportError {
    let line = line(offset + Int64(quote))
    return ImportError(
      .data, message: "\(input.name):\(line): the quote that opens a field here is never closed")
  }

  private func tooLong(_ quote: Int?) -> ImportError {
    if let quote {
      let line = line(offset + Int64(quote))
      return ImportError(
        .data,
        message: "\(input.name):\(line): a quoted field is longer than \(longest >> 20) MB; "
          + "its closing quote may be missing"
      )
    }
    let line = line(offset)
    return ImportError(
      .data,
      message:
        "\(input.name):\(line): a line is longer than \(longest >> 20) MB, so this is not CSV")
  }
}

/// Finds the quotes of CSV. A quote opens a quoted field only at the field's start; inside it, a
/// doubled quote is part of the text; anywhere else, a quote is an ordinary character.
struct CSVQuotes {
  static let quote = UInt8(ascii: "\"")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  /// The bytes of the block. Valid until the block is filled again.
  let bytes: UnsafePointer<UInt8>
  let dialect: CSVDialect

  /// Returns the index of the closing quote of a field whose opening quote is at `open`, or nil
  /// when the field is not closed.
  func close(_ open: Int, end: Int) -> Int? {
    var index = open + 1
    while let found = ByteSearch.find(Self.quote, bytes: bytes, range: index..<end) {
      guard found + 1 < end, bytes[found + 1] == Self.quote else { return found }
      index = found + 2
    }
    return nil
  }

  /// Whether a field begins at the index. The range must begin with a field.
  func isFieldStart(_ index: Int, in range: Range<Int>) -> Bool {
    guard index > range.lowerBound else { return true }
    return bytes[index - 1] == dialect.delimiter || bytes[index - 1] == dialect.newline
  }

  /// Returns the end of the last whole record in bytes that begin with a record, and the opening
  /// quote of an unclosed field, if any.
  func records(in range: Range<Int>) -> (end: Int?, unclosed: Int?) {
    var end: Int?
    var index = range.lowerBound
    while let quote = ByteSearch.find(Self.quote, bytes: bytes, range: index..<range.upperBound) {
      if let newline = ByteSearch.findLast(dialect.newline, bytes: bytes, range: index..<quote) {
        end = newline + 1
      }
      if isComment(end ?? range.lowerBound) {
        guard
          let newline = ByteSearch.find(
            dialect.newline, bytes: bytes, range: quote..<range.upperBound)
        else {
          return (end, nil)
        }
        end = newline + 1
        index = newline + 1
        continue
      }
      guard isFieldStart(quote, in: range) else {
        index = quote + 1
        continue
      }
      guard let close = close(quote, end: range.upperBound) else { return (end, quote) }
      index = close + 1
    }
    if let newline = ByteSearch.findLast(
      dialect.newline, bytes: bytes, range: index..<range.upperBound)
    {
      end = newline + 1
    }
    return (end, nil)
  }

  /// Whether the record that begins at `start` is a comment.
  private func isComment(_ start: Int) -> Bool { dialect.comment == bytes[start] }
}
