import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct CSVSpectrumTests {
  /// Returns the header and rows of a CSV file as text.
  static func parse(_ path: String) throws -> (names: [String], rows: [[String]]) {
    let input = try InputFile(path: path, spoolDirectory: nil)
    let dialect = CSVDialect()
    let header = try CSVHeader(
      CSVSample(input), dialect: dialect, options: ImportOptions(), file: path)
    let names = header.names.names
    let splitter = CSVSplitter(input, dialect: dialect, offset: header.start)
    let block = InputBlock(capacity: 4096)
    let index = CSVIndex()
    var unquoter = CSVField()
    defer { unquoter.deallocate() }
    var rows: [[String]] = []
    while try splitter.next(into: block) {
      index.build(block.bytes, range: block.range, dialect: dialect)
      let found = CSVRows(
        bytes: block.bytes, ends: index.ends, stride: names.count, count: index.newlines,
        columns: names.count, hasReturns: index.hasReturns, hasQuotes: index.hasQuotes)
      for row in 0..<found.count {
        rows.append(
          (0..<names.count).map { column in
            let field = found.field(row, column: column)
            let bytes = unquoter.trimmed(block.bytes + field.start, count: field.count)
            return String(decoding: bytes, as: UTF8.self)
          })
      }
    }
    return (names, rows)
  }

  /// All files but two, which cannot serve as an oracle: the answer of one has other data, and the
  /// other has lost the carriage returns that its answer has.
  static let files = SharedData.files("corpora/csv/csv-spectrum/csvs").filter {
    !$0.hasSuffix("location_coordinates.csv") && !$0.hasSuffix("newlines_crlf.csv")
  }

  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"), arguments: files)
  func aFileReadsAsItsJSONSays(_ path: String) throws {
    let answer = path.replacingOccurrences(of: "/csvs/", with: "/json/")
      .replacingOccurrences(of: ".csv", with: ".json")
    let data = try Data(contentsOf: URL(fileURLWithPath: answer))
    let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: String]])
    let (names, rows) = try Self.parse(path)
    let found = rows.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    #expect(found == expected)
  }
}
