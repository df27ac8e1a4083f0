import Cairn
import CairnFormats
import CairnTestSupport
import Foundation
import Testing

/// Records read one after the other, without a store.
@Suite(.tags(.threads, .untrusted)) struct RecordReaderTests {
  private func records(_ reader: RecordReader) async throws -> [Record] {
    var all: [Record] = []
    for try await record in reader { all.append(record) }
    return all
  }

  private func records(
    _ text: String, _ name: String, _ change: (inout ImportOptions) -> Void = { _ in }
  ) async throws -> [Record] {
    var options = ImportOptions()
    change(&options)
    return try await records(
      RecordReader(data: Data(text.utf8), named: name, options: options))
  }

  private static let cities = """
    id,name,population,capital,founded,area,lat,lon
    1,Bern,134000,true,1991-06-01,51.6,46.948,7.4474
    2,"Zü
    rich",421000,false,,87.9,47.3769,8.5417

    3,Genève,,false,,15.9,46.2044,6.1432
    """

  @Test func rowsOfCSV() async throws {
    let rows = try await records(Self.cities, "cities.csv")
    #expect(rows.map(\.line) == [2, 3, 6] && rows.map(\.feature) == [nil, nil, nil])
    #expect(
      rows[0].names == ["id", "name", "population", "capital", "founded", "area", "location"])
    #expect(rows.map { $0["id"] } == [.int(1), .int(2), .int(3)])
    #expect(rows[1]["name"].string == "Zü\nrich")
    #expect(rows[2]["population"].isNull && rows[0]["population"].int == 134_000)
    #expect(rows.map { $0["capital"].bool } == [true, false, false])
    #expect(rows[0]["founded"].date == ISO8601DateFormatter().date(from: "1991-06-01T00:00:00Z"))
    #expect(rows[1]["area"].double == 87.9 && rows[1]["nothing"].isNull)
    #expect(rows[2].location == GeoPoint(latitude: 46.2044, longitude: 6.1432))
    #expect(rows[2].geometry?.kind == .point)
    #expect(rows[0].values.count == 7 && rows[0].values[3] == .bool(true))
  }

  @Test func featuresOfGeoJSON() async throws {
    let text = """
      {"type":"FeatureCollection",
      "features":[
      {"type":"Feature","id":7,"properties":{"a":1.5,"tags":["x"]},
       "geometry":{"type":"Point","coordinates":[7,47]}},
      {"type":"Feature","id":8,"properties":{"b":"t"},
       "geometry":{"type":"LineString","coordinates":[[7,47],[8,48]]}}]}
      """
    let rows = try await records(text, "x.geojson")
    #expect(rows.map(\.line) == [3, 5])
    #expect(rows[0].location == GeoPoint(latitude: 47, longitude: 7))
    #expect(rows[1].location == nil && rows[1].geometry?.kind == .lineString)
    #expect(rows[0]["a"].double == 1.5 && rows[0]["tags"].string == #"["x"]"#)
    #expect(rows[1]["b"].string == "t" && rows[1]["id"].int == 8)
    let lines = try await records("{\"k\":\"a\"}\n\n{\"k\":\"b\",\"\":2}\n", "x.jsonl")
    #expect(lines.map(\.line) == [1, 3] && lines.map { $0["k"].string } == ["a", "b"])
    #expect(lines[1][""].int == 2)
    #expect(lines[0].location == nil && lines[0].geometry == nil)
    let plain = try await records("a;b\n1;x\n2;y\n", "x.csv")
    #expect(plain.map { $0["a"].int } == [1, 2] && plain[1].names == ["a", "b"])
    let partial = try await records("a,lat,lon\n1,2,3\n2,,\n", "x.csv")
    #expect(partial.map { $0.location?.longitude } == [3, nil])
  }

  @Test func theOptionsApply() async throws {
    let rows = try await records(Self.cities, "x.csv") {
      $0.condition = try? Predicate("population > 200000")
      $0.renamedColumns = ["name": "title"]
      $0.types = ["id": .text]
      $0.primaryKey = "id"
    }
    #expect(rows.map { $0["title"].string } == ["Zü\nrich"])
    #expect(rows[0].line == 3 && rows[0]["id"].string == "2")
  }

  @Test func laterValuesWidenTheTypes() async throws {
    let seed = Soak.seed(109)
    var random = SplitMix64(seed: seed)
    var text = "key,n,lat,lon\n"
    var expected: [(line: Int, n: String)] = []
    var line = 2
    for row in 0..<200_000 {
      let n = row == 180_000 ? "x7" : "\(Int.random(in: 0..<1_000_000, using: &random))"
      text += "k\(row),\(n),\(row % 90),\(row % 180)\n"
      expected.append((line, n))
      line += 1
      if Int.random(in: 0..<100, using: &random) == 0 {
        text += "\n"
        line += 1
      }
    }
    let folder = try TemporaryFolder()
    let file = try folder.file("many.csv", text)
    var count = 0
    for try await record in RecordReader(file) {
      let n = record["n"]
      guard record.line == expected[count].line,
        (n.string ?? n.int.map { "\($0)" }) == expected[count].n,
        record["key"].string == "k\(count)"
      else {
        Issue.record("record \(count), seed \(seed)")
        return
      }
      count += 1
    }
    #expect(count == 200_000)
  }

  @Test func errorsComeAfterTheRecordsBefore() async throws {
    var options = ImportOptions()
    options.types = ["n": .int]
    let text = "n,lat,lon\n1,2,3\n2,2,3\nx,2,3\n4,2,3\n5,2\n"
    func reader() -> RecordReader {
      RecordReader(data: Data(text.utf8), named: "a.csv", options: options)
    }
    var seen: [Int?] = []
    let error = await #expect(throws: ImportError.self) {
      for try await record in reader() { seen.append(record["n"].int) }
    }
    #expect(seen == [1, 2])
    #expect(error?.row?.line == 4 && error?.row?.property == "n" && error?.row?.file == "a.csv")

    options.onError = .skip
    var iterator = reader().makeAsyncIterator()
    seen = []
    while let record = try await iterator.next() { seen.append(record["n"].int) }
    #expect(seen == [1, 2, 4])
    #expect(iterator.rejected == 2 && iterator.rejects.map(\.line) == [4, 6])
    #expect(try await iterator.next() == nil)
    let missing = RecordReader(URL(fileURLWithPath: "/nowhere/a.csv"))
    let none = await #expect(throws: ImportError.self) { try await records(missing) }
    #expect(none?.kind == .noInput)
    await #expect(throws: ImportError.self) {
      try await records(#"{"type":"FeatureCollection","features":[{"type":"Feature""#, "x.geojson")
    }
  }

  @Test func readingStopsWithTheIteration() async throws {
    var text = "n,lat,lon\n"
    for row in 0..<400_000 { text += "\(row),\(row % 90),\(row % 180)\n" }
    text += "too,many,fields,here\n"
    let folder = try TemporaryFolder()
    let file = try folder.file("many.csv", text)
    for try await record in RecordReader(file) where record["n"].int == 1000 { break }
    let task = Task {
      var count = 0
      for try await _ in RecordReader(file) {
        count += 1
        if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try folder.names() == ["many.csv"])
  }

  @Test(.enabled(if: Tool.isInstalled("ogr2ogr"), "ogr2ogr is not installed"))
  func rowsOfLayers() async throws {
    let folder = try TemporaryFolder()
    let source = try folder.file(
      "a.geojson",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"A","n":1},
       "geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,0]]]}},
      {"type":"Feature","properties":{"name":"B","n":null},
       "geometry":{"type":"Polygon","coordinates":[[[5,5],[6,5],[6,6],[5,5]]]}}]}
      """)
    let target = folder["a.gpkg"]
    let made = try Command.launch(
      URL(fileURLWithPath: "/usr/bin/env"), ["ogr2ogr", target, source.path], input: nil,
      environment: [:], folder: nil)
    try #require(made.code == 0)
    var options = ImportOptions()
    options.gdalReader = Command.executable.path
    let rows = try await records(RecordReader(URL(fileURLWithPath: target), options: options))
    #expect(rows.map(\.feature) == [1, 2] && rows.map(\.line) == [nil, nil])
    #expect(rows.map { $0["name"].string } == ["A", "B"])
    #expect(rows[0]["n"].int == 1 && rows[1]["n"].isNull)
    #expect(rows[1].geometry?.kind == .polygon)
  }
}
