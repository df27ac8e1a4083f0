import Foundation
import Testing

@testable import CairnFormats

struct CSVSpectrumTests {
  /// Header and rows of a CSV file as text.
  static func parse(_ path: String) throws -> (names: [String], rows: [[String]]) {
    let input = try InputFile(path: path, spoolDirectory: nil)
    let dialect = CSVDialect()
    let header = try CSVHeader(CSVSample(input), dialect, ImportOptions(), file: path)
    let names = header.names.names
    let cutter = CSVCutter(input, dialect, offset: header.start)
    let section = InputSection(capacity: 4096)
    let index = CSVIndex()
    var unquoter = CSVField()
    defer { unquoter.deallocate() }
    var rows: [[String]] = []
    while try cutter.cut(into: section) {
      index.build(section.bytes, section.range, dialect)
      let found = CSVRows(
        bytes: section.bytes, ends: index.ends, stride: names.count, count: index.newlines,
        columns: names.count, hasReturns: index.hasReturns, hasQuotes: index.hasQuotes)
      for row in 0..<found.count {
        rows.append(
          (0..<names.count).map { column in
            let field = found.field(row, column)
            let bytes = unquoter.trimmed(section.bytes + field.start, field.count)
            return String(decoding: bytes, as: UTF8.self)
          })
      }
    }
    return (names, rows)
  }

  /// Two files are no oracle: one's answer is of other data, the other has lost the carriage returns
  /// that its answer has.
  static let files = SharedData.files("corpora/csv/csv-spectrum/csvs").filter {
    !$0.hasSuffix("location_coordinates.csv") && !$0.hasSuffix("newlines_crlf.csv")
  }

  @Test(arguments: files)
  func fileReadsAsItsJSONSays(_ path: String) throws {
    let answer = path.replacingOccurrences(of: "/csvs/", with: "/json/")
      .replacingOccurrences(of: ".csv", with: ".json")
    let data = try Data(contentsOf: URL(fileURLWithPath: answer))
    let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: String]])
    let (names, rows) = try Self.parse(path)
    let found = rows.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
    #expect(found == expected)
  }
}
