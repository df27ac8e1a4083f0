/// The header of a CSV file: the first line that is neither blank nor a comment.
struct CSVHeader {
  let names: CSVColumnNames
  /// Where the records begin in the file.
  let start: Int64
  /// Lines that were taken for comments stand before it.
  let followsComments: Bool

  /// Bytes of the mark that some programs put before UTF-8.
  static func byteOrderMark(_ section: InputSection, _ count: Int) -> Int {
    let bytes = section.bytes
    return count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Where the first line begins that is not blank and does not begin with that byte.
  static func firstLine(
    _ sample: CSVSample, _ dialect: CSVDialect, passingOver mark: UInt8?
  ) -> Int {
    var start = sample.begin
    while start < sample.count {
      let byte = sample.bytes[start]
      let isBlank =
        byte == dialect.newline
        || byte == CSVQuotes.carriageReturn && sample.bytes[start + 1] == dialect.newline
      guard isBlank || byte == mark else { return start }
      start = lineEnd(sample, dialect, start)
    }
    return sample.count
  }

  private static func lineEnd(_ sample: CSVSample, _ dialect: CSVDialect, _ start: Int) -> Int {
    (CSVQuotes.find(dialect.newline, sample.bytes, start..<sample.count) ?? sample.count - 1) + 1
  }

  init(
    _ sample: CSVSample, _ dialect: CSVDialect, _ options: ImportOptions, file: String
  ) throws(ImportError) {
    let reading = CSVHeaderReading(sample: sample, dialect: dialect, options: options, file: file)
    (names, start) = try reading.header()
    followsComments =
      dialect.comment == nil && options.hasHeader && !options.hasNoComments
      && sample.bytes[sample.begin] == UInt8(ascii: "#")
  }
}

extension CSVHeader {
  /// The first name that is certainly a place, so that the line is not a header; nil where no name is.
  var place: String? {
    names.written.first { name in
      GeometryText.looksLikeOne(name) || PairText.isMarked(name) || PairText.isPair(name)
    }
  }
}

/// Looks for the header of a file.
private struct CSVHeaderReading {
  private static let numberSign = UInt8(ascii: "#")

  let sample: CSVSample
  let dialect: CSVDialect
  let options: ImportOptions
  let file: String

  func header() throws(ImportError) -> (CSVColumnNames, Int64) {
    guard sample.begin < sample.count else {
      throw error("the file is empty: a CSV file has a header line")
    }
    let start = CSVHeader.firstLine(sample, dialect, passingOver: dialect.comment)
    guard start < sample.count else { throw error("the file has no header line") }
    if !options.hasHeader {
      let first = try record(at: start)
      return (CSVColumnNames(numbered: first.fields.count), Int64(first.start))
    }
    let isMarked =
      dialect.comment == nil && !options.hasNoComments && sample.bytes[start] == Self.numberSign
    let header = isMarked ? try behindComments(start) : try record(at: start)
    return (try names(header), Int64(header.end))
  }

  /// Where lines with a number sign stand at the head, the header is the first line behind them, or the last of them: the one
  /// that names the coordinates.
  private func behindComments(_ start: Int) throws(ImportError) -> CSVSample.Record {
    let behind = CSVHeader.firstLine(sample, dialect, passingOver: Self.numberSign)
    if behind < sample.count, let record = sample.record(at: behind, dialect),
      namesCoordinates(record)
    {
      return record
    }
    var last = behind
    while last > start, sample.bytes[last - 1] != Self.numberSign || !isLineStart(last - 1) {
      last -= 1
    }
    while last < behind, sample.bytes[last] == 0x20 { last += 1 }
    if let record = sample.record(at: last, dialect), namesCoordinates(record) { return record }
    return try record(at: start)
  }

  private func isLineStart(_ place: Int) -> Bool {
    place == sample.begin || sample.bytes[place - 1] == dialect.newline
  }

  private func namesCoordinates(_ record: CSVSample.Record) -> Bool {
    let names = CSVColumnNames(sample.texts(record))
    return CSVLocationFinder(names: names, options: options, file: file).isNamed
  }

  private func record(at start: Int) throws(ImportError) -> CSVSample.Record {
    if let record = sample.record(at: start, dialect), sample.isWhole || record.end < sample.count {
      return record
    }
    if sample.isWhole { throw error("the quote that opens a column's name is never closed") }
    throw error("the header line is longer than 4 MB")
  }

  private func names(_ header: CSVSample.Record) throws(ImportError) -> CSVColumnNames {
    let range = header.start..<header.end
    if let wrong = UTF8Check.firstError(sample.bytes, range) {
      let byte = String(sample.bytes[wrong], radix: 16, uppercase: true)
      throw error(
        "the header line holds the byte 0x\(byte), which is no UTF-8: \(CSVBlockReader.encodingAdvice)"
      )
    }
    if CSVQuotes.find(0, sample.bytes, range) != nil {
      throw error("the header line holds zero bytes")
    }
    let index = CSVIndex()
    if let last = header.fields.last, last.upperBound < sample.count {
      index.build(sample.bytes, range, dialect)
    }
    guard index.malformed.isEmpty else {
      throw error("text stands behind the closing quote of a column's name")
    }
    return CSVColumnNames(sample.texts(header))
  }

  private func error(_ message: String) -> ImportError {
    ImportError(.data, "\(file):1: \(message)")
  }
}
