/// Reads the first line of a CSV file.
enum CSVHeader {
  /// A header line may be this long: room for tens of thousands of columns.
  private static let longest = 4 << 20

  /// The names of the columns, and where the records begin.
  static func read(
    _ input: InputFile, delimiter: UInt8
  ) throws(ImportError) -> (names: [String], start: Int64) {
    let section = InputSection(capacity: min(longest, max(1, Int(clamping: input.size))))
    let count = try section.fill(from: input, at: 0)
    let begin = byteOrderMark(section, count)
    guard begin < count else {
      throw error(input, "the file is empty: a CSV file has a header line")
    }
    let end = try headerEnd(section, begin..<count, input, delimiter)
    let names = try fields(section, begin..<end, input, delimiter)
    try check(names, input)
    return (names, Int64(min(end, count)))
  }

  private static func error(_ input: InputFile, _ message: String) -> ImportError {
    ImportError(.data, "\(input.name):1: \(message)")
  }

  /// Bytes of the mark that some programs put before UTF-8.
  static func byteOrderMark(_ section: InputSection, _ count: Int) -> Int {
    let bytes = section.bytes
    return count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Behind the newline that ends the header; one is added to a file that has no other line.
  private static func headerEnd(
    _ section: InputSection, _ range: Range<Int>, _ input: InputFile, _ delimiter: UInt8
  ) throws(ImportError) -> Int {
    let quotes = CSVQuotes(bytes: section.bytes, delimiter: delimiter)
    var index = range.lowerBound
    while index < range.upperBound {
      if section.bytes[index] == CSVQuotes.quote {
        guard let close = quotes.close(index, range.upperBound) else {
          throw error(input, "the quote that opens a column's name is never closed")
        }
        index = close + 1
      }
      while index < range.upperBound, section.bytes[index] != delimiter {
        if section.bytes[index] == CSVQuotes.newline { return index + 1 }
        index += 1
      }
      index += 1
    }
    guard Int64(range.upperBound) == input.size else {
      throw error(input, "the header line is longer than 4 MB")
    }
    section.bytes[range.upperBound] = CSVQuotes.newline
    return range.upperBound + 1
  }

  private static func fields(
    _ section: InputSection, _ range: Range<Int>, _ input: InputFile, _ delimiter: UInt8
  ) throws(ImportError) -> [String] {
    if UTF8Check.firstError(section.bytes, range) != nil {
      throw error(input, "the header line is no UTF-8: convert the file to UTF-8 first")
    }
    if let place = CSVQuotes.find(CSVQuotes.carriageReturn, section.bytes, range),
      section.bytes[place + 1] != CSVQuotes.newline
    {
      throw error(input, "the lines end in CR alone: convert them to LF or CR LF first")
    }
    let index = CSVIndex()
    index.build(section.bytes, range, delimiter: delimiter)
    guard index.malformed.isEmpty else {
      throw error(input, "text stands behind the closing quote of a column's name")
    }
    let rows = CSVRows(
      bytes: section.bytes, ends: index.ends, stride: index.count, count: 1, columns: index.count,
      hasReturns: index.hasReturns, hasQuotes: index.hasQuotes)
    var unquoter = CSVField()
    defer { unquoter.deallocate() }
    return (0..<index.count).map { column in
      let field = rows.field(0, column)
      return String(
        decoding: unquoter.trimmed(section.bytes + field.start, field.count), as: UTF8.self)
    }
  }

  private static func check(_ names: [String], _ input: InputFile) throws(ImportError) {
    var seen: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      // A comma at the end of every line makes a last column that is no column.
      if name.isEmpty, index == names.count - 1, index > 0 { continue }
      if name.isEmpty {
        throw error(input, "column \(index + 1) of \(names.count) has no name in the header")
      }
      if let first = seen.updateValue(index, forKey: name) {
        throw error(input, "columns \(first + 1) and \(index + 1) are both named `\(name)`")
      }
    }
  }
}
