#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where quotes begin and end in CSV: a quote opens a quoted field only at the field's start;
/// within it a doubled quote is one of the text; anywhere else a quote is a character like others.
struct CSVQuotes {
  static let quote = UInt8(ascii: "\"")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  let bytes: UnsafePointer<UInt8>
  let dialect: CSVDialect

  /// The first place of the byte in the range.
  @inline(__always)
  static func find(_ byte: UInt8, _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int? {
    guard let found = memchr(bytes + range.lowerBound, Int32(byte), range.count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }

  /// The last place of the byte in the range.
  static func findLast(_ byte: UInt8, _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if bytes[index] == byte { return index }
    }
    return nil
  }

  /// The place of the closing quote of a field whose opening quote is at `open`; nil when it is not
  /// closed.
  func close(_ open: Int, _ end: Int) -> Int? {
    var index = open + 1
    while let found = Self.find(Self.quote, bytes, index..<end) {
      guard found + 1 < end, bytes[found + 1] == Self.quote else { return found }
      index = found + 2
    }
    return nil
  }

  /// Whether a field begins there. The range begins with a field.
  func isFieldStart(_ index: Int, in range: Range<Int>) -> Bool {
    guard index > range.lowerBound else { return true }
    return bytes[index - 1] == dialect.delimiter || bytes[index - 1] == dialect.newline
  }

  /// How far whole records reach in bytes that begin with a record.
  func records(in range: Range<Int>) -> (end: Int?, unclosed: Int?) {
    var end: Int?
    var index = range.lowerBound
    while let quote = Self.find(Self.quote, bytes, index..<range.upperBound) {
      if let newline = Self.findLast(dialect.newline, bytes, index..<quote) { end = newline + 1 }
      if isComment(end ?? range.lowerBound) {
        guard let newline = Self.find(dialect.newline, bytes, quote..<range.upperBound) else {
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
      guard let close = close(quote, range.upperBound) else { return (end, quote) }
      index = close + 1
    }
    if let newline = Self.findLast(dialect.newline, bytes, index..<range.upperBound) {
      end = newline + 1
    }
    return (end, nil)
  }

  /// Whether the record that begins there is a comment.
  private func isComment(_ start: Int) -> Bool { dialect.comment == bytes[start] }
}
