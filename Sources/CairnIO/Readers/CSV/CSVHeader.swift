/// The header of a CSV file: the first line that is neither blank nor a comment.
struct CSVHeader {
  let names: ColumnNames
  /// The offset of the first record in the file.
  let start: Int64
  /// Whether lines that were taken for comments precede the header.
  let followsComments: Bool

  /// Returns the length of the byte order mark that some programs put before UTF-8.
  static func byteOrderMark(_ block: InputBlock, count: Int) -> Int {
    let bytes = block.bytes
    return count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Returns the start of the first line that is not blank and does not begin with `mark`.
  static func firstLine(
    _ sample: CSVSample, dialect: CSVDialect, passingOver mark: UInt8?
  ) -> Int {
    var start = sample.begin
    while start < sample.count {
      let byte = sample.bytes[start]
      let isBlank =
        byte == dialect.newline
        || byte == CSVQuotes.carriageReturn && sample.bytes[start + 1] == dialect.newline
      guard isBlank || byte == mark else { return start }
      start = lineEnd(sample, dialect: dialect, start: start)
    }
    return sample.count
  }

  private static func lineEnd(_ sample: CSVSample, dialect: CSVDialect, start: Int) -> Int {
    (ByteSearch.find(dialect.newline, bytes: sample.bytes, range: start..<sample.count) ?? sample
      .count - 1) + 1
  }

  init(
    _ sample: CSVSample, dialect: CSVDialect, options: ImportOptions, file: String
  ) throws(ImportError) {
    let reading = CSVHeaderReading(sample: sample, dialect: dialect, options: options, file: file)
    (names, start) = try reading.header()
    followsComments =
      dialect.comment == nil && options.hasHeader && !options.hasNoComments
      && sample.bytes[sample.begin] == UInt8(ascii: "#")
  }
}

extension CSVHeader {
  /// The first name that is certainly a location, which shows that the line is not a header; nil
  /// when no name is.
  var locationName: String? {
    names.written.first { name in
      GeometryText.looksLikeOne(name) || PairText.isMarked(name) || PairText.isPair(name)
    }
  }
}

/// Finds the header of a file.
private struct CSVHeaderReading {
  private static let numberSign = UInt8(ascii: "#")

  let sample: CSVSample
  let dialect: CSVDialect
  let options: ImportOptions
  let file: String

  func header() throws(ImportError) -> (ColumnNames, Int64) {
    guard sample.begin < sample.count else {
      throw error(
        options.skippedLines > 0
          ? "no line is left behind the skipped ones, which must be in the first 4 MB of the file"
          : "the file is empty; a CSV file needs a header line")
    }
    let start = CSVHeader.firstLine(sample, dialect: dialect, passingOver: dialect.comment)
    guard start < sample.count else { throw error("the file has no header line") }
    if !options.hasHeader {
      let first = try record(at: start)
      return (ColumnNames(numbered: first.fields.count), Int64(first.start))
    }
    let isMarked =
      dialect.comment == nil && !options.hasNoComments && sample.bytes[start] == Self.numberSign
    let header = isMarked ? try behindComments(start) : try record(at: start)
    return (try names(header), Int64(header.end))
  }

  /// If lines with a number sign begin the file, the header is the line after them or the last of
  /// them: the one that names the coordinates.
  private func behindComments(_ start: Int) throws(ImportError) -> CSVSample.Record {
    let behind = CSVHeader.firstLine(sample, dialect: dialect, passingOver: Self.numberSign)
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

  private func isLineStart(_ index: Int) -> Bool {
    index == sample.begin || sample.bytes[index - 1] == dialect.newline
  }

  private func namesCoordinates(_ record: CSVSample.Record) -> Bool {
    let names = ColumnNames(sample.texts(record))
    return LocationColumnFinder(names: names, options: options, file: file).isNamed
  }

  private func record(at start: Int) throws(ImportError) -> CSVSample.Record {
    if let record = sample.record(at: start, dialect), sample.isWhole || record.end < sample.count {
      return record
    }
    if sample.isWhole { throw error("the quote that opens a column's name is never closed") }
    throw error("the header line is longer than 4 MB")
  }

  private func names(_ header: CSVSample.Record) throws(ImportError) -> ColumnNames {
    let range = header.start..<header.end
    if let wrong = UTF8Check.firstError(sample.bytes, range: range) {
      let byte = String(sample.bytes[wrong], radix: 16, uppercase: true)
      throw error(
        "the header line contains the byte 0x\(byte), which is not UTF-8; "
          + TextEncoding.advice
      )
    }
    if ByteSearch.find(0, bytes: sample.bytes, range: range) != nil {
      throw error("the header line contains zero bytes")
    }
    let index = CSVIndex()
    if let last = header.fields.last, last.upperBound < sample.count {
      index.build(sample.bytes, range: range, dialect: dialect)
    }
    guard index.malformed.isEmpty else {
      throw error("there is text after the closing quote of a column's name")
    }
    return ColumnNames(sample.texts(header))
  }

  private func error(_ message: ImportMessage) -> ImportError {
    ImportError(.data, message: "\(file):1: \(message)")
  }
}
