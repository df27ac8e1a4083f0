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

/// The blocks that the rows of a file are split into.
@Suite struct RowSplitterTests {
  private func sizes(rows: Int64, bytes: Int64, blocks: Int = 3) throws -> [Int] {
    let splitter = RowSplitter(rowCount: rows, size: bytes)
    let block = InputBlock(capacity: 64)
    var sizes: [Int] = []
    while sizes.count < blocks, try splitter.next(into: block) {
      sizes.append(RowSplitter.rows(in: block).count)
    }
    return sizes
  }

  @Test func smallRowsShareABlock() throws {
    #expect(try sizes(rows: 100_000, bytes: 2_000_000) == [65_536, 34_464])
    #expect(try sizes(rows: 0, bytes: 100).isEmpty)
  }

  @Test func largeRowsMakeSmallBlocks() throws {
    #expect(try sizes(rows: 1000, bytes: 32 << 30, blocks: 1) == [1])
    #expect(try sizes(rows: 100_000, bytes: 100_000 << 15, blocks: 1) == [1024])
  }

  @Test func aFileThatStatesAnyNumberOfRowsMakesNoLargerBlocks() throws {
    #expect(try sizes(rows: 1 << 48, bytes: 100, blocks: 1) == [1 << 20])
  }
}
