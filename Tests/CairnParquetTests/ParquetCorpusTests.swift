import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO
@testable import CairnParquet

/// The files of apache/parquet-testing and of opengeospatial/geoparquet.
@Suite struct ParquetCorpusTests {
  /// The values that pyarrow reads, as `gen` of `data/parquet/README.md` writes them.
  struct Truth: Decodable {
    struct Column: Decodable {
      let name: String
      let values: [String?]?
    }

    let rows: Int?
    let columns: [Column]?
    let error: String?
  }

  static let truth: [String: Truth] = {
    let data = try? Data(
      contentsOf: URL(fileURLWithPath: Repository.data("foreign/parquet/truth.json")))
    return data.flatMap { try? JSONDecoder().decode([String: Truth].self, from: $0) } ?? [:]
  }()

  /// Files whose damage pyarrow overlooks.
  private static let damaged = [
    "datapage_v1-corrupt-checksum.parquet", "rle-dict-uncompressed-corrupt-checksum.parquet",
  ]
  /// Dates beyond the nanoseconds of 64 bits, to which pyarrow cuts them.
  private static let overflows = (file: "int96_from_spark.parquet", rows: [2, 5])
  /// A dictionary of one value, whose indexes have no bits.
  private static let readable = "ARROW-GH-43605.parquet"

  @Test func everyFileHasItsTruth() {
    #expect(Self.truth.count > 50)
  }

  @Test(arguments: Self.truth.keys.sorted()) func valuesAreThoseOfPyArrow(_ file: String) throws {
    let truth = try #require(Self.truth[file])
    let path = Repository.data("foreign/parquet/\(file)")
    guard let columns = truth.columns else { return }
    guard !Self.damaged.contains(file) else {
      #expect(throws: (any Error).self) { try ParquetDump(path).readAll() }
      return
    }
    let dump = try ParquetDump(path)
    #expect(dump.rowCount == truth.rows)
    for column in columns {
      guard let wanted = column.values, let found = try dump.values(column.name, rows: wanted.count)
      else { continue }
      for (row, pair) in zip(found, wanted).enumerated() where pair.0 != pair.1 {
        if file == Self.overflows.file, Self.overflows.rows.contains(row) { continue }
        Issue.record(
          "\(file), `\(column.name)`, row \(row): \(pair.0 ?? "nil") instead of \(pair.1 ?? "nil")")
        break
      }
      #expect(found.count == wanted.count)
    }
  }

  @Test(arguments: SharedFiles.bad) func badFilesAreErrors(_ file: String) throws {
    guard !file.hasSuffix(Self.readable) else { return try ParquetDump(file).readAll() }
    #expect(throws: (any Error).self) { try ParquetDump(file).readAll() }
  }
}

private enum SharedFiles {
  static let bad: [String] = {
    let folder = Repository.data("foreign/parquet/bad")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }()
}
