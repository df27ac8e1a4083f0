/// The separators and comments of a CSV file.
struct CSVDialect: Sendable, Equatable {
  var delimiter = UInt8(ascii: ",")
  /// The byte that ends a record: LF, which a CR may precede, or CR alone.
  var newline = CSVQuotes.newline
  /// Lines that begin with this byte are skipped.
  var comment: UInt8?
  /// Lines that begin with this byte are rejected: such lines precede the header, but the user has
  /// not said that later ones are comments too.
  var doubtfulComment: UInt8?
}

/// Detects the separators of a CSV file.
struct CSVSniffer {
  private static let delimiters: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
  private static let maxRecords = 100
  private static let size = 1 << 16

  let sample: CSVSample
  let options: ImportOptions
  let file: String
  /// The extension of the file's name.
  let ending: String

  /// A rating of a delimiter.
  private struct Fit {
    let delimiter: UInt8
    /// Whether the header names the coordinates.
    let namesCoordinates: Bool
    /// The share of records that have as many fields as the first.
    let agreement: Double

    static func < (a: Fit, b: Fit) -> Bool {
      a.namesCoordinates == b.namesCoordinates
        ? a.agreement < b.agreement : !a.namesCoordinates
    }
  }

  func dialect() throws(ImportError) -> CSVDialect {
    var dialect = CSVDialect(newline: try newline(), comment: options.comment)
    if let known = options.delimiter ?? sample.declared ?? named {
      dialect.delimiter = known
    } else {
      dialect.delimiter = try found(dialect)
    }
    return dialect
  }

  /// The delimiter that the file's extension implies.
  private var named: UInt8? {
    switch ending {
    case "tsv", "tab": UInt8(ascii: "\t")
    case "psv": UInt8(ascii: "|")
    default: nil
    }
  }

  private func found(_ dialect: CSVDialect) throws(ImportError) -> UInt8 {
    let start = CSVHeader.firstLine(
      sample, dialect: dialect, passingOver: options.hasNoComments ? nil : UInt8(ascii: "#"))
    var best: [Fit] = []
    for delimiter in Self.delimiters {
      var dialect = dialect
      dialect.delimiter = delimiter
      guard let fit = fit(dialect, from: start) else { continue }
      if let first = best.first, first < fit { best = [] }
      if best.isEmpty || !(fit < best[0]) { best.append(fit) }
    }
    guard let first = best.first else { return UInt8(ascii: ",") }
    guard best.count == 1 else { throw uncertain(best) }
    return first.delimiter
  }

  /// Returns nil when the delimiter does not separate anything.
  private func fit(_ dialect: CSVDialect, from start: Int) -> Fit? {
    let records = sample.records(
      from: start, dialect, limit: Self.maxRecords, within: Self.size)
    guard let first = records.first, first.fields.count > 1 else { return nil }
    let agreeing = records.count { $0.fields.count == first.fields.count } - 1
    let agreement = records.count == 1 ? 1 : Double(agreeing) / Double(records.count - 1)
    let names = ColumnNames(sample.texts(first))
    let finder = LocationColumnFinder(names: names, options: options, file: file)
    let isNamed = options.hasHeader && finder.isNamed
    guard isNamed || agreement >= 0.5 else { return nil }
    return Fit(delimiter: dialect.delimiter, namesCoordinates: isNamed, agreement: agreement)
  }

  private func uncertain(_ fits: [Fit]) -> ImportError {
    let shown = fits.map { $0.delimiter == 9 ? "a tab" : "`\(Unicode.Scalar($0.delimiter))`" }
    return ImportError(
      .data,
      message:
        "\(file):1: \(shown.joined(separator: " and ")) could both separate the fields; say which "
        + "with \(option: .delimiter)")
  }

  /// Returns LF, or CR when no LF occurs outside of quotes.
  private func newline() throws(ImportError) -> UInt8 {
    var (returns, newlines) = (0, 0)
    var isQuoted = false
    for index in sample.begin..<min(sample.count, sample.begin + Self.size) {
      switch sample.bytes[index] {
      case CSVQuotes.quote: isQuoted.toggle()
      case CSVQuotes.newline where !isQuoted: newlines += 1
      case CSVQuotes.carriageReturn where !isQuoted:
        if index + 1 == sample.count || sample.bytes[index + 1] != CSVQuotes.newline {
          returns += 1
        }
      default: break
      }
    }
    return newlines == 0 && returns > 0 ? CSVQuotes.carriageReturn : CSVQuotes.newline
  }
}
