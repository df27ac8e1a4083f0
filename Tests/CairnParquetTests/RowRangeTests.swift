import CairnSystem
import CairnTestSupport
import Testing

@testable import CairnIO
@testable import CairnParquet

/// Columns that are read from any row on, in any order, as threads do.
@Suite struct RowRangeTests {
  @Test(arguments: [
    "list_columns.parquet", "alltypes_plain.parquet", "nested_lists.snappy.parquet",
    "delta_encoding_required_column.parquet", "nulls.snappy.parquet", "sort_columns.parquet",
    "int32_with_null_pages.parquet", "datapage_v1-snappy-compressed-checksum.parquet",
  ])
  func rangesHaveTheSameRows(file: String) throws {
    let dump = try ParquetDump(Repository.data("foreign/parquet/\(file)"))
    var random = SeededGenerator(seed: 3)
    for name in dump.names {
      let all = try #require(try dump.values(name, rows: dump.rowCount))
      for _ in 0..<30 {
        let start = Int.random(in: 0..<dump.rowCount, using: &random)
        let end = Int.random(in: start..<dump.rowCount, using: &random) + 1
        #expect(try dump.values(name, in: start..<end) == Array(all[start..<end]), "\(name)")
      }
    }
  }
}
