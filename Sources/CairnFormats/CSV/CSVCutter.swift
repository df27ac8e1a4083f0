/// Cuts a CSV file into sections between records.
final class CSVCutter: SectionCutter {
  private let input: InputFile
  private let dialect: CSVDialect
  /// No record may be longer: most likely a quote was never closed.
  private let longest: Int
  private var offset: Int64

  /// - Parameter offset: where the records begin, behind the header.
  init(
    _ input: InputFile, _ dialect: CSVDialect, offset: Int64,
    longest: Int = ImportOptions().longestRecord
  ) {
    self.input = input
    self.longest = longest
    self.dialect = dialect
    self.offset = offset
  }

  func cut(into section: InputSection) throws(ImportError) -> Bool {
    guard offset < input.size else { return false }
    while true {
      let count = try section.fill(from: input, at: offset)
      let isLast = offset + Int64(count) == input.size
      let quotes = CSVQuotes(bytes: section.bytes, dialect: dialect)
      let (end, unclosed) = quotes.records(in: 0..<count)
      if isLast {
        if let unclosed { throw neverClosed(unclosed) }
        finish(section, count)
        return true
      }
      if let end {
        section.range = 0..<end
        offset += Int64(end)
        return true
      }
      if section.capacity >= longest { throw tooLong(unclosed) }
      section.grow()
    }
  }

  /// The last section: its last record may lack the newline.
  private func finish(_ section: InputSection, _ count: Int) {
    offset = input.size
    var end = count
    if section.bytes[count - 1] != dialect.newline {
      section.bytes[count] = dialect.newline
      end += 1
    }
    section.range = 0..<end
  }

  private func line(_ offset: Int64) -> Int { input.line(of: offset, lineEnd: dialect.newline) }

  private func neverClosed(_ quote: Int) -> ImportError {
    let line = line(offset + Int64(quote))
    return ImportError(
      .data, "\(input.name):\(line): the quote that opens a field here is never closed")
  }

  private func tooLong(_ quote: Int?) -> ImportError {
    if let quote {
      let line = line(offset + Int64(quote))
      return ImportError(
        .data,
        "\(input.name):\(line): a quoted field runs on for more than \(longest >> 20) MB: "
          + "is its closing quote missing?"
      )
    }
    let line = line(offset)
    return ImportError(
      .data, "\(input.name):\(line): a line of more than \(longest >> 20) MB is no CSV")
  }
}
