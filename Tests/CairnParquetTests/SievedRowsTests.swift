import CairnGeometry
import CairnQuery
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO
@testable import CairnParquet

/// The rows that a hint lets pass while the columns are decoded, compared with a condition that is tested on
/// all rows.
@Suite struct SievedRowsTests {
  /// A file of pyarrow with several pages a column, nulls, NaN, page indexes, and texts that have a
  /// dictionary in some pages only.
  private static let pages = Repository.root.appendingPathComponent("data/foreign/pages.parquet")
    .path

  private static func options(_ change: (inout ImportOptions) -> Void) -> ImportOptions {
    var options = ImportOptions()
    options.className = "rows"
    options.readers = [ParquetReader()]
    options.geometries.allowsMissing = true
    options.mayLackLocations = true
    change(&options)
    return options
  }

  /// The rows that an import takes, as text.
  private static func rows(_ path: String, _ options: ImportOptions) throws -> String {
    let preview = try Importer.preview(files: [path], for: nil, options: options)
    let columns = preview.columns.map {
      "\($0.name) \($0.type) \($0.nulls) \(String(describing: $0.least)) \(String(describing: $0.most))"
    }
    let rows = preview.firstRows.map { "\($0)" }
    return (["\(preview.summary.inserted) rows"] + columns + rows).joined(separator: "\n")
  }

  private static func condition(depth: Int, _ random: inout SplitMix64) -> String {
    if depth > 0, random.chance(0.6) {
      let parts = (0..<2).map { _ in condition(depth: depth - 1, &random) }
      return random.pick([
        "(\(parts[0]) AND \(parts[1]))", "(\(parts[0]) OR \(parts[1]))", "NOT (\(parts[0]))",
      ])
    }
    let comparison = random.pick(["==", "!=", "<", "<=", ">", ">="])
    let (id, n) = (random.below(3000), random.below(120) - 50)
    let word = random.pick(["a", "ab", "zürich", "", "word 7", "word 70", "word 1500"])
    return random.pick([
      "id \(comparison) \(id)", "id BETWEEN {\(id), \(id + random.below(300))}",
      "n \(comparison) \(n)", "n IN {\(n), \(n + 1), nil}", "d \(comparison) \(Double(n) / 2)",
      "name \(comparison) '\(word)'", "kind == '\(word)'", "name BEGINSWITH 'word \(id % 100)'",
      "kind IN {'a', '\(word)'}", "kind CONTAINS[c] 'Z'", "n == nil", "d != nil", "kind == nil",
      "words BEGINSWITH '0000\(id / 100)'", "words < '0000\(id)'",
    ])
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4]) func aHintTakesTheRowsOfACondition(seed: UInt64) throws {
    var random = SplitMix64(seed: Soak.seed(seed))
    for _ in 0..<Soak.rounds(40) {
      let text = Self.condition(depth: 2, &random)
      let predicate = try Predicate(parsing: text)
      let (west, south) = (Double(random.below(300) - 170), Double(random.below(120) - 80))
      let box = try #require(
        GeoBox(bottomLeft: (south, west), topRight: (south + 40, min(180, west + 30))))
      let boxes = random.chance(0.4) ? [box] : []
      let hinted = try Self.rows(
        Self.pages, Self.options { $0.pruning = RowPruning(condition: predicate, boxes: boxes) })
      let exact = try Self.rows(
        Self.pages, Self.options { ($0.condition, $0.boxes) = (predicate, boxes) })
      #expect(hinted == exact, "\(text) \(boxes)")
    }
  }

  @Test func leftOutRowsAreNotDecoded() throws {
    let options = Self.options {
      $0.pruning = RowPruning(condition: try? Predicate(parsing: "id IN {1234, 1236, 2999}"))
      $0.types = ["name": .int]
      $0.onError = .skip
    }
    // Only the rows that pass are read, so that only their texts are rejected, with their own numbers.
    let preview = try Importer.preview(files: [Self.pages], for: nil, options: options)
    #expect(preview.summary.rejected == 3)
    #expect(preview.summary.rejects.compactMap(\.feature) == [1235, 1237, 3000])
  }

  @Test func rowsWithInvalidCoordinatesAreReported() throws {
    let folder = try TemporaryFolder()
    let path = folder["invalid.parquet"]
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let columns = [("longitude", ValueType.double), ("latitude", .double)].enumerated().map {
      OutputColumn(name: $0.element.0, type: $0.element.1, source: .given($0.offset))
    }
    let writer = try RowWriter(
      .parquet, columns: columns, style: OutputStyle(), with: [ParquetWriter()],
      to: OutputSink(descriptor: descriptor))
    try writer.write([
      [.double(1), .double(1)], [.double(50), .double(1)], [.double(50), .double(91)],
      [.double(50), .null], [.double(.nan), .double(1)], [.null, .null],
    ])
    try writer.finish()
    let box = try #require(GeoBox(bottomLeft: (0, 0), topRight: (2, 2)))
    let options = Self.options {
      $0.pruning = RowPruning(boxes: [box])
      $0.onError = .skip
    }
    let preview = try Importer.preview(files: [path], for: nil, options: options)
    #expect(preview.summary.inserted == 1)
    #expect(preview.summary.rejected == 3)
  }

  /// Files whose bytes were changed are an error or have other rows, but never end the program.
  @Test(
    .tags(.untrusted),
    arguments: [
      "id > 1000 AND name BEGINSWITH 'word 7'", "kind == 'ab' OR n IN {1, nil}",
      "words > '00001500' AND d != nil",
    ])
  func mutants(condition: String) throws {
    let scratch = try TemporaryFolder()
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: Self.pages)))
    let predicate = try Predicate(parsing: condition)
    let options = Self.options {
      $0.pruning = RowPruning(condition: predicate)
      $0.onError = .skip
    }
    var random = SplitMix64(seed: Soak.seed(36))
    var errors = 0
    for round in 0..<Soak.rounds(200) {
      var mutant = whole
      // A third of the files are changed in the description, on which all sizes depend.
      let start = round % 3 == 0 ? whole.count - 4096 : 0
      for _ in 0...random.below(round % 3 == 1 ? 40 : 4) {
        mutant[start + random.below(whole.count - start)] =
          random.pick([0, 1, 0x7F, 0x80, 0xFF, UInt8(random.below(256))])
      }
      try Data(mutant).write(to: URL(fileURLWithPath: scratch["a.parquet"]))
      do { _ = try Self.rows(scratch["a.parquet"], options) } catch is ImportError { errors += 1 }
    }
    #expect(errors > 20 && errors < Soak.rounds(200), "some files can be read, and others not")
  }
}
