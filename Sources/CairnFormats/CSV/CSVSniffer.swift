/// Finds out how a CSV file tells fields and records apart.
struct CSVSniffer {
  private static let delimiters: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
  private static let recordLimit = 100
  private static let size = 1 << 16

  let sample: CSVSample
  let options: ImportOptions
  let file: String
  /// What follows the last point of the file's name.
  let ending: String

  /// How well a delimiter fits.
  private struct Fit {
    let delimiter: UInt8
    /// The header names the coordinates.
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

  /// What the file's name says of the delimiter.
  private var named: UInt8? {
    switch ending {
    case "tsv", "tab": UInt8(ascii: "\t")
    case "psv": UInt8(ascii: "|")
    default: nil
    }
  }

  private func found(_ dialect: CSVDialect) throws(ImportError) -> UInt8 {
    let start = CSVHeader.firstLine(
      sample, dialect, passingOver: options.hasNoComments ? nil : UInt8(ascii: "#"))
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

  /// Nil where the delimiter tells nothing apart.
  private func fit(_ dialect: CSVDialect, from start: Int) -> Fit? {
    let records = sample.records(
      from: start, dialect, limit: Self.recordLimit, within: Self.size)
    guard let first = records.first, first.fields.count > 1 else { return nil }
    let agreeing = records.count { $0.fields.count == first.fields.count } - 1
    let agreement = records.count == 1 ? 1 : Double(agreeing) / Double(records.count - 1)
    let names = CSVColumnNames(sample.texts(first))
    let finder = CSVLocationFinder(names: names, options: options, file: file)
    let isNamed = options.hasHeader && finder.isNamed
    guard isNamed || agreement >= 0.5 else { return nil }
    return Fit(delimiter: dialect.delimiter, namesCoordinates: isNamed, agreement: agreement)
  }

  private func uncertain(_ fits: [Fit]) -> ImportError {
    let shown = fits.map { $0.delimiter == 9 ? "a tab" : "`\(Unicode.Scalar($0.delimiter))`" }
    return ImportError(
      .data,
      "\(file):1: \(shown.joined(separator: " and ")) could both stand between the fields: say which "
        + "with `--delimiter`")
  }

  /// CR alone ends the lines where there is no LF outside of quotes.
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
