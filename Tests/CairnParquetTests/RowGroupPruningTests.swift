import CairnGeometry
import CairnQuery
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO
@testable import CairnParquet

/// Rows in files with row groups of any size.
private struct PointFile {
  static let columns: [(String, ValueType)] = [
    ("id", .int), ("n", .int), ("d", .double), ("name", .string), ("flag", .bool), ("day", .date),
    ("location", .point),
  ]

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes rows, and returns the path.
  func write(
    _ rows: [[Value]], groupSize: Int, columns: [(String, ValueType)] = Self.columns
  ) throws -> String {
    let path = folder["rows-\(groupSize).parquet"]
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    defer { close(descriptor) }
    var style = OutputStyle()
    style.rowGroupSize = groupSize
    let outputs = columns.enumerated().map {
      OutputColumn(name: $0.element.0, type: $0.element.1, source: .given($0.offset))
    }
    let writer = try RowWriter(
      .parquet, columns: outputs, style: style, with: [ParquetWriter()],
      to: OutputSink(descriptor: descriptor))
    try writer.write(rows)
    try writer.finish()
    return path
  }

  static func options(_ change: (inout ImportOptions) throws -> Void = { _ in }) rethrows
    -> ImportOptions
  {
    var options = ImportOptions()
    options.className = "rows"
    options.readers = [ParquetReader()]
    options.geometries.allowsMissing = true
    try change(&options)
    return options
  }

  /// Random rows, roughly sorted by a column.
  static func rows(_ count: Int, _ random: inout SplitMix64) -> [[Value]] {
    let (isSpatial, words) = (random.chance(0.5), ["", "a", "ab", "b", "bc", "zürich", "日本"])
    let rows = (0..<count).map { id -> [Value] in
      let place = Position(
        latitude: Double.random(in: -90...90, using: &random),
        longitude: random.chance(0.02) ? 180 : Double.random(in: -180...180, using: &random))
      let number = Double(random.below(4000)) / 8 - 200
      return [
        .int(Int64(id)), random.chance(0.1) ? .null : .int(Int64(random.below(100)) - 50),
        random.chance(0.05) ? .double(.nan) : random.chance(0.1) ? .null : .double(number),
        random.chance(0.1) ? .null : .string(random.pick(words)),
        random.chance(0.1) ? .null : .bool(id * 2 < count),
        random.chance(0.1) ? .null : .date(Double(random.below(5000)) * 40_000),
        random.chance(0.03) ? .null : .point(place),
      ]
    }
    let column = isSpatial ? 6 : 1 + random.below(5)
    return rows.sorted { a, b in
      guard case .point(let x) = a[6], case .point(let y) = b[6], isSpatial else {
        return Value.sortOrder(a[column], to: b[column]) == .less
      }
      return (Int(x.longitude) / 45, x.latitude) < (Int(y.longitude) / 45, y.latitude)
    }
  }

  static func condition(depth: Int, _ random: inout SplitMix64) -> String {
    if depth > 0, random.chance(0.6) {
      let parts = (0..<2).map { _ in condition(depth: depth - 1, &random) }
      return random.pick([
        "(\(parts[0]) AND \(parts[1]))", "(\(parts[0]) OR \(parts[1]))", "NOT (\(parts[0]))",
      ])
    }
    let comparison = random.pick(["==", "!=", "<", "<=", ">", ">="])
    let (n, d) = (random.below(100) - 50, Double(random.below(4000)) / 8 - 200)
    let word = random.pick(["a", "b", "c", "z", "日本"])
    let west = random.below(360) - 180
    return random.pick([
      "n \(comparison) \(n)", "d \(comparison) \(d)", "name \(comparison) '\(word)'",
      "n BETWEEN {\(n), \(n + random.below(20))}", "n IN {\(n), \(n + 1), nil}",
      "d BETWEEN {\(d), \(d + 9)}", "name BEGINSWITH '\(word)'", "name CONTAINS[c] '\(word)'",
      "flag == \(random.chance(0.5))", "n == nil", "d != nil", "id < \(random.below(600))",
      "day \(comparison) \"200\(1 + random.below(7))-01-01\"", "n < \(d)",
      "location GEOWITHIN geoBox([\(west), -30], [\(min(180, west + 20)), 40])",
      "location == nil",
    ])
  }
}

/// The rows that an import takes, with and without row groups that it can leave out.
@Suite struct RowGroupPruningTests {
  /// The result of an import as text.
  private func result(_ path: String, _ options: ImportOptions) throws -> String {
    let preview = try Importer.preview(files: [path], for: nil, options: options)
    let columns = preview.columns.map {
      "\($0.name) \($0.type) \($0.nulls) \(String(describing: $0.least)) \(String(describing: $0.most))"
    }
    let rows = preview.firstRows.map { "\($0)" }
    let summary = preview.summary
    return
      (["\(summary.inserted) \(summary.unmatched) \(summary.rejected)"] + columns + rows)
      .joined(separator: "\n")
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4, 5, 6]) func noRowIsLost(seed: UInt64) throws {
    var random = SplitMix64(seed: Soak.seed(seed))
    let file = try PointFile()
    let rows = PointFile.rows(600, &random)
    let many = try file.write(rows, groupSize: 1 + random.below(40))
    let one = try file.write(rows, groupSize: 1000)
    var (leftOut, all) = (0, 0)
    for _ in 0..<Soak.rounds(60) {
      let text = PointFile.condition(depth: 2, &random)
      let options = try PointFile.options { options in
        if random.chance(0.8) { options.condition = try Predicate(parsing: text) }
        if random.chance(0.4) || options.condition == nil {
          let (west, south) = (Double(random.below(360) - 180), Double(random.below(160) - 90))
          let east = west + Double(random.below(60))
          options.boxes = [
            try #require(
              GeoBox(
                bottomLeft: (south, west),
                topRight: (min(90, south + 30), east > 180 ? east - 360 : east)))
          ]
        }
      }
      #expect(try result(many, options) == result(one, options), "\(text) \(options.boxes)")
      let estimate = try ParquetReader.estimate(many, options: options)
      #expect(estimate.totalRows == 600)
      leftOut += estimate.totalRows - estimate.rows
      all += 600
    }
    #expect(leftOut * 10 > all, "\(leftOut) of \(all) rows were left out")
  }

  @Test func numbersOfRowsAreThoseOfTheFile() throws {
    let file = try PointFile()
    let rows = (0..<100).map { id -> [Value] in
      [.int(Int64(id)), .string(id == 77 ? "x" : "\(id)")]
    }
    let path = try file.write(rows, groupSize: 10, columns: [("id", .int), ("n", .string)])
    let options = try PointFile.options {
      $0.condition = try Predicate(parsing: "id >= 70")
      $0.types = ["n": .int]
    }
    let error = #expect(throws: ImportError.self) {
      try Importer.preview(files: [path], for: nil, options: options)
    }
    #expect(error?.row?.feature == 78, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func aHintCountsNothing() throws {
    var random = SplitMix64(seed: 9)
    let file = try PointFile()
    let path = try file.write(PointFile.rows(600, &random), groupSize: 10)
    let options = try PointFile.options {
      $0.pruning = RowPruning(condition: try Predicate(parsing: "id < 0"))
    }
    let preview = try Importer.preview(files: [path], for: nil, options: options)
    #expect(preview.summary.inserted == 0 && preview.summary.unmatched == 0)
    #expect(preview.columns.map(\.name) == PointFile.columns.map(\.0))
    let types = preview.columns.map(\.type)
    #expect(types == PointFile.columns.map(\.1))
  }

  /// A change of the options, a condition that no row meets, and the number of rows that are read.
  struct Reading: Sendable {
    let condition: String
    let rows: Int
    let change: @Sendable (inout ImportOptions) throws -> Void

    init(
      _ condition: String, _ rows: Int,
      _ change: @escaping @Sendable (inout ImportOptions) throws -> Void = { _ in }
    ) {
      (self.condition, self.rows, self.change) = (condition, rows, change)
    }
  }

  @Test(arguments: [
    Reading("n > 1000", 0), Reading("m > 1000", 0) { $0.selection.renamed = ["n": "m"] },
    Reading("n > 1000", 0) { $0.selection.renamed = ["n": "m", "id": "n"] },
    Reading("n == '7777'", 600) { $0.types = ["n": .text] },
    Reading("n > 1000", 0) { $0.types = ["n": .double] },
    Reading("name == '日本人'", 0) { $0.reading.nulls = NullWords(["a"]) },
    Reading("n > 10000", 600) {
      $0.formulas = [ImportFormula("n", try Formula(parsing: "n + 5000"))]
    },
    Reading("n > 1000", 600) { $0.geometries.takesEachPoint = true },
    Reading("location.latitude > 1000", 600),
  ])
  func onlyStoredValuesAreLookedAt(reading: Reading) throws {
    var random = SplitMix64(seed: 10)
    let file = try PointFile()
    let path = try file.write(PointFile.rows(600, &random), groupSize: 100)
    var options = try PointFile.options {
      $0.condition = try Predicate(parsing: reading.condition)
    }
    try reading.change(&options)
    #expect(
      try ParquetReader.estimate(path, options: options).rows == reading.rows,
      "\(reading.condition)")
  }

  @Test func anEstimateHasTheBytesOfTheColumns() throws {
    var random = SplitMix64(seed: 11)
    let file = try PointFile()
    let path = try file.write(PointFile.rows(600, &random), groupSize: 100)
    let whole = try ParquetReader.estimate(path, options: PointFile.options())
    let narrow = try ParquetReader.estimate(
      path, options: PointFile.options { $0.columns = ["flag"] })
    let none = try ParquetReader.estimate(
      path,
      options: PointFile.options {
        $0.pruning = RowPruning(condition: try Predicate(parsing: "n > 1000"))
      })
    #expect(whole.rows == 600 && narrow.rows == 600 && none.rows == 0)
    #expect(whole.bytes > narrow.bytes && narrow.bytes > 0 && none.bytes == 0)
    #expect(throws: ImportError.self) {
      try ParquetReader.estimate(
        Repository.data("cities.csv"), options: PointFile.options())
    }
  }
}

/// The statistics of the files of others.
@Suite struct RowGroupStatisticsTests {
  @Test(arguments: ParquetCorpusTests.truth.keys.sorted())
  func valuesAreWithinTheirBounds(name: String) throws {
    let path = Repository.data("foreign/parquet/\(name)")
    guard let file = try? ParquetFile(InputFile(path: path, spoolDirectory: nil)) else { return }
    for group in file.metadata.groups where group.rowCount > 0 {
      let statistics = RowGroupStatistics(file: file, group: group)
      for (index, column) in file.schema.columns.enumerated() {
        guard let values = try? values(file, index, group) else { continue }
        if column.type == .geometry {
          check(values, in: statistics.box, name)
        } else {
          check(values, in: statistics.bounds(ofColumn: index), "\(name), `\(column.name)`")
        }
      }
    }
  }

  /// A row whose box crosses ±180 degrees, in a group whose sides alone do not show that, as pyarrow writes
  /// it.
  @Test(arguments: [
    ((179.0, 180.0), 1), ((-180, -179), 1), ((-15, -14), 1), ((175, 176), 2), ((60, 70), 0),
  ])
  func boxesAcrossTheAntimeridianAreKept(sides: (west: Double, east: Double), count: Int) throws {
    let path = Repository.root.appendingPathComponent("data/foreign/crossing.parquet").path
    let box = try #require(GeoBox(bottomLeft: (1, sides.west), topRight: (2, sides.east)))
    let options = PointFile.options { $0.boxes = [box] }
    let preview = try Importer.preview(files: [path], for: nil, options: options)
    #expect(preview.summary.inserted == count)
  }

  @Test func filesOfOthersHaveBounds() throws {
    var (bounded, boxes) = (0, 0)
    for name in ParquetCorpusTests.truth.keys {
      let path = Repository.data("foreign/parquet/\(name)")
      guard let file = try? ParquetFile(InputFile(path: path, spoolDirectory: nil)) else {
        continue
      }
      for group in file.metadata.groups {
        let statistics = RowGroupStatistics(file: file, group: group)
        if statistics.box != nil { boxes += 1 }
        bounded += file.schema.columns.indices.count {
          statistics.bounds(ofColumn: $0).least != nil
        }
      }
    }
    #expect(bounded > 30 && boxes > 2, "\(bounded) columns and \(boxes) geometries have bounds")
  }

  private func check(_ values: [Value], in bounds: ValueBounds, _ place: String) {
    for value in values {
      if value.isNull {
        #expect(bounds.mayBeNull, "\(place)")
        continue
      }
      #expect(!bounds.isAllNull, "\(place)")
      if value.isNaN {
        #expect(bounds.mayBeNaN, "\(place)")
        continue
      }
      guard let least = bounds.least, let greatest = bounds.greatest else { continue }
      #expect(
        least.order(to: value) != .greater && value.order(to: greatest) != .greater,
        "\(place): \(value) is not between \(least) and \(greatest)")
    }
  }

  private func check(_ values: [Value], in box: CoordinateBox?, _ place: String) {
    guard let envelope = box?.envelope(haveEdges: true) else { return }
    for case .geometry(let bytes) in values {
      guard let bounds = bytes.withUnsafeBytes({ GeometryView($0).bounds }) else { continue }
      #expect(envelope.contains(bounds), "\(place): \(envelope) does not contain \(bounds)")
    }
  }

  /// The values of a column in a row group.
  private func values(_ file: ParquetFile, _ index: Int, _ group: RowGroup) throws -> [Value] {
    let block = InputBlock(capacity: 64)
    let content = block.reserveContent(16)
    content.storeBytes(of: group.firstRow, as: Int64.self)
    content.storeBytes(
      of: min(group.endRow, group.firstRow + 20_000), toByteOffset: 8, as: Int64.self)
    let decoder = try ParquetDecoder(file, needed: [index])
    return try withExtendedLifetime(decoder) {
      let batch = try decoder.rows(of: block)
      let column = batch.columns[index]
      return (0..<batch.rowCount).map { row -> Value in
        guard !column.isNull(row) else { return .null }
        switch file.schema.columns[index].type {
        case .int: return .int(column.int(row))
        case .double: return .double(column.double(row))
        case .bool: return .bool(column.bool(row))
        case .date: return .date(column.double(row))
        case .text: return .string(String(decoding: column.bytes(row), as: UTF8.self))
        case .data: return .data(Array(column.bytes(row)))
        case .geometry:
          guard let shape = try? Geometry(wkb: Array(column.bytes(row))) else { return .null }
          return .geometry(shape.bytes)
        }
      }
    }
  }
}
