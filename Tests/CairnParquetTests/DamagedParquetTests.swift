import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO
@testable import CairnParquet

/// Files that were cut off or changed: they are an error or have other rows, but never end the program.
@Suite(.tags(.untrusted)) struct DamagedParquetTests {
  private static let files = [
    "list_columns.parquet", "nested_maps.snappy.parquet", "nulls.snappy.parquet",
    "rle_boolean_encoding.parquet", "int96_from_spark.parquet", "byte_array_decimal.parquet",
    "datapage_v2.snappy.parquet", "delta_byte_array.parquet", "data-point-encoding_wkb.parquet",
    "delta_encoding_optional_column.parquet", "alltypes_dictionary.parquet",
    "lz4_raw_compressed.parquet", "concatenated_gzip_members.parquet",
    "fixed_length_decimal.parquet",
  ].filter { FileManager.default.fileExists(atPath: Repository.data("foreign/parquet/\($0)")) }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(
      try Data(contentsOf: URL(fileURLWithPath: Repository.data("foreign/parquet/\(name)"))))
  }

  /// Reads all columns, each of them on its own, so that an error in one does not hide the others.
  private func read(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let dump = try ParquetDump(path)
    for name in dump.names { _ = try? dump.values(name, rows: min(dump.rowCount, 10_000)) }
  }

  @Test func thereAreFiles() { #expect(Self.files.count > 10) }

  @Test(arguments: files) func truncations(file: String) throws {
    let scratch = try TemporaryFolder()
    let whole = try bytes(file)
    let step = max(1, whole.count / 500)
    for count in stride(from: 0, to: whole.count, by: step) {
      #expect(throws: ImportError.self, "\(count)") {
        try read(Array(whole[..<count]), scratch["a"])
      }
    }
  }

  @Test(arguments: files) func mutants(file: String) throws {
    let scratch = try TemporaryFolder()
    let whole = try bytes(file)
    var random = SeededGenerator(seed: 36)
    for _ in 0..<400 {
      var mutant = whole
      // Half of the changes are in the description, on which all sizes depend.
      let isInFooter = Bool.random(using: &random)
      let range = (isInFooter ? whole.count / 2 : 0)..<whole.count
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutant[Int.random(in: range, using: &random)] =
          [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      _ = try? read(mutant, scratch["a"])
    }
    #expect(Bool(true), "no mutant ends the process")
  }
}
