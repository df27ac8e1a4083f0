import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// Items as FlatGeobuf, read by a reader after the specification and by GDAL.
@Suite struct FlatGeobufTests {
  private static let hasGDAL = Tool.isInstalled("ogr2ogr")

  private static func column(_ name: String, _ type: ValueType) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, isOptional: true, isPrimaryKey: false, position: 0)
  }

  /// A service on a store with one class `things`.
  private func service(
    _ columns: [ColumnSchema], rows: [[Value]], folder: TemporaryFolder
  ) throws -> Service {
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { transaction in
      let table = try transaction.createTable("things", columns: columns)
      for row in rows { _ = try table.insert(row) }
    }
    return try Service(path: folder.file())
  }

  private static let target = "/collections/things/items?f=fgb"

  private static let shapes = [
    "POINT (7.5 46.5)", "LINESTRING (0 0,1 2.5,3 -4)",
    "POLYGON ((0 0,10 0,10 10,0 10,0 0),(2 2,2 4,4 4,4 2,2 2))",
    "POLYGON ((0 0,10 0,10 10,0 0))", "MULTIPOINT (1 2,3 4,5 6)", "MULTIPOINT (1 2)",
    "MULTILINESTRING ((0 0,1 1),(5 5,6 6,7 5))", "MULTILINESTRING ((0 0,1 1))",
    "MULTIPOLYGON (((0 0,1 0,1 1,0 0)),((5 5,9 5,9 9,5 5),(6 5.5,7 6,7 5.5,6 5.5)))",
    "GEOMETRYCOLLECTION (POINT (1 1),LINESTRING (0 0,1 1))",
    "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (MULTIPOINT (1 1,2 2)),POLYGON ((0 0,1 0,1 1,0 0)))",
  ]

  private static func plain(_ wkt: String) -> String {
    let text = wkt.replacingOccurrences(of: " (", with: "(")
    // Every number with a decimal point, as a double is printed.
    return text.replacingOccurrences(
      of: #"(?<![\d.])(-?\d+)(?![\d.])"#, with: "$1.0", options: .regularExpression)
  }

  @Test func geometriesOfAllKindsAreWritten() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let rows = try Self.shapes.map { [Value.geometry(try Geometry(wkt: $0).bytes)] }
    let service = try service([Self.column("shape", .geometry)], rows: rows, folder: folder)
    let answer = try await service.get(Self.target)
    #expect(answer.response.headers["Content-Type"] == "application/flatgeobuf")
    let file = try FlatGeobufFile(answer.bytes)
    #expect(try file.features.map { try file.wkt($0) } == Self.shapes.map(Self.plain))
    // Several kinds.
    let header = file.header
    #expect(
      try header.field(2, of: header.root()).map { try header.number($0, UInt8.self) } == 0)
  }

  @Test(arguments: shapes) func theHeaderNamesTheOnlyKind(wkt: String) async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let geometry = try Geometry(wkt: wkt)
    let service = try service(
      [Self.column("shape", .geometry)], rows: [[.geometry(geometry.bytes)], [.null]],
      folder: folder)
    let file = try FlatGeobufFile(try await service.get(Self.target).bytes)
    let (header, root) = (file.header, try file.header.root())
    #expect(
      try header.field(2, of: root).map { try header.number($0, UInt8.self) }
        == Int(geometry.kind.rawValue))
    #expect(try header.field(8, of: root).map { try header.number($0, UInt64.self) } == 2)
    #expect(try header.field(9, of: root).map { try header.number($0, UInt16.self) } == 0)
    #expect(try header.text(0, of: root) == "things")
    let system = try header.follow(try #require(try header.field(10, of: root)))
    #expect(try header.text(0, of: system) == "EPSG")
    #expect(
      try header.field(1, of: system).map { try header.number($0, Int32.self) } == 4326)
    #expect(try file.wkt(file.features[1]) == nil)
  }

  @Test func altitudesAreWrittenIfAnyRowHasOne() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let rows: [[Value]] = [
      [.point(Position(latitude: 46, longitude: 7))],
      [.point(Position(latitude: 47, longitude: 8, altitude: 540))], [.null],
    ]
    let service = try service([Self.column("place", .point)], rows: rows, folder: folder)
    let file = try FlatGeobufFile(try await service.get(Self.target).bytes)
    #expect(
      try file.features.map { try file.wkt($0) } == [
        "POINT(7.0 46.0 nan)", "POINT(8.0 47.0 540.0)", nil,
      ])
    let first = try FlatGeobufFile(try await service.get(Self.target + "&limit=1").bytes)
    #expect(try first.wkt(first.features[0]) == "POINT(7.0 46.0)")
  }

  // MARK: GDAL

  /// The features of a response as GDAL reads them.
  private func read(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> [[String: Any]] {
    let file = try folder.write(bytes, as: "items.fgb")
    let outcome = try Command.launch(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", file, "-lco", "COORDINATE_PRECISION=15"],
      input: nil, environment: [:], folder: nil)
    try #require(outcome.code == 0, "\(outcome.errors)")
    let warnings = outcome.errors.split(separator: "\n").filter { line in
      !line.contains("does not natively support") && !line.hasPrefix("-mapFieldType")
    }
    #expect(warnings.isEmpty)
    return try outcome.output.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  @Test(.enabled(if: hasGDAL, "ogr2ogr is not installed; GDAL did not read the responses"))
  func gdalReadsTheRowsOfGeoJSON() async throws {
    let world = try World(rows: 3000, seed: 12)
    for (name, query) in [
      ("places", "limit=3000"), ("places", "filter=population%3E7&sortby=-name"),
      ("parcels", "limit=10"), ("notes", "limit=10"), ("places", "id=0"),
    ] {
      let target = "/collections/\(name)/items?\(query)"
      let expected = try await world.service.get(target).features
      let answer = try await world.service.get(target + "&f=fgb")
      #expect(answer.status == 200)
      #expect(
        answer.response.headers["Content-Disposition"] == "attachment; filename=\"\(name).fgb\"")
      let found = try read(answer.bytes, world.folder)
      try #require(found.count == expected.count, "\(target)")
      for (row, feature) in zip(found, expected) {
        #expect(Self.isSame(row["geometry"], feature["geometry"]), "\(row)")
        var properties = row["properties"] as? [String: Any] ?? [:]
        let id = properties.removeValue(forKey: "id")
        #expect(id as? Int == feature["id"] as? Int)
        for (name, value) in feature["properties"] as? [String: Any] ?? [:] where name != "id" {
          // The first features without a value of a property may leave it out.
          let read = properties[name] as? NSObject ?? NSNull()
          if name == "founded", let text = value as? String {
            let time = text.contains("T") ? text : text + "T00:00:00Z"
            #expect(Self.date(read as? String) == Self.date(time))
          } else {
            #expect(read == value as? NSObject, "\(name)")
          }
        }
      }
    }
  }

  /// Whether two geometries or coordinates are equal but for the fifteenth digit, which GDAL rounds.
  private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
    switch (one, other) {
    case (let one as [String: Any], let other as [String: Any]):
      one.keys.sorted() == other.keys.sorted()
        && one.keys.allSatisfy { isSame(one[$0], other[$0]) }
    case (let one as [Any], let other as [Any]):
      one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
    case (let one as Double, let other as Double): abs(one - other) <= 1e-12 * max(1, abs(one))
    case (let one as String, let other as String): one == other
    default: (one is NSNull || one == nil) && (other is NSNull || other == nil)
    }
  }

  /// GDAL writes `2001/01/01 00:00:00+00` or RFC 3339, depending on its version.
  private static func date(_ text: String?) -> String? {
    text.map { text in
      String(text.filter(\.isNumber).prefix(14))
    }
  }

  @Test(.enabled(if: hasGDAL, "ogr2ogr is not installed; GDAL did not read the responses"))
  func gdalReadsEveryTypeOfValue() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let types: [(String, ValueType, Value)] = [
      ("flag", .bool, .bool(true)), ("whole", .int, .int(-1 << 62)),
      ("single", .float, .float(1.25)), ("real", .double, .double(-0.1)),
      ("exact", .decimal128, .decimal(try #require(Decimal128(text: "12345678901234567890.5")))),
      ("text", .string, .string("Zürich \u{1F3D4}")), ("bytes", .data, .data([0, 255, 7])),
      ("time", .date, .date(86_400.5)),
      (
        "number", .uuid,
        .uuid(
          try #require(
            UUIDBytes("0188f3a2-7c1e-7b3a-9d4e-2f6a8b0c1d2e")))
      ),
      ("area", .geometry, .geometry(try Geometry(wkt: "POINT (3 4)").bytes)),
      ("second", .geometry, .geometry(try Geometry(wkt: "LINESTRING (0 0,1 1)").bytes)),
    ]
    let service = try service(
      types.map { Self.column($0.0, $0.1) },
      rows: [types.map(\.2), types.map { _ in .null }], folder: folder)
    let rows = try read(try await service.get(Self.target).bytes, folder)
    try #require(rows.count == 2)
    let values = rows[0]["properties"] as? [String: Any] ?? [:]
    #expect(values["id"] as? Int == 0 && values["flag"] as? Bool == true)
    #expect(values["whole"] as? Int == -1 << 62 && values["single"] as? Double == 1.25)
    #expect(values["real"] as? Double == -0.1)
    #expect(values["exact"] as? String == "12345678901234567890.5")
    #expect(values["text"] as? String == "Zürich \u{1F3D4}")
    #expect(values["number"] as? String == "0188f3a2-7c1e-7b3a-9d4e-2f6a8b0c1d2e")
    #expect(values["second"] as? String == "LINESTRING (0 0, 1 1)", "\(values)")
    #expect(Self.date(values["time"] as? String)?.hasPrefix("20010102000000") == true, "\(values)")
    let point = (rows[0]["geometry"] as? [String: Any])?["coordinates"] as? [Double]
    #expect(point == [3, 4])
    let nulls = rows[1]["properties"] as? [String: Any] ?? [:]
    #expect(nulls.filter { !($0.value is NSNull) }.map(\.key) == ["id"], "\(nulls)")
    #expect(rows[1]["geometry"] is NSNull)
  }

  @Test(.enabled(if: hasGDAL, "ogr2ogr is not installed; GDAL did not read the responses"))
  func theFileNamesItsCoordinateSystem() async throws {
    let world = try World(rows: 40)
    for (code, tolerance) in [("EPSG:3857", 1e-8), ("EPSG:4326", 1e-9)] {
      let answer = try await world.service.get(
        "/collections/places/items?f=fgb&crs=\(code)&bbox=-180,-80,180,80")
      #expect(
        answer.response.headers["Content-Crs"]
          == "<http://www.opengis.net/def/crs/EPSG/0/\(code.dropFirst(5))>")
      // GeoJSON is in degrees, so ogr2ogr converts what it knows the system of.
      let rows = try read(answer.bytes, world.folder)
      let plain = try await world.service.get(
        "/collections/places/items?bbox=-180,-80,180,80")
      #expect(rows.count == plain.ids.count)
      for (row, feature) in zip(rows, plain.features) {
        func point(_ feature: [String: Any]) -> [Double]? {
          (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double]
        }
        guard let expected = point(feature) else { continue }
        let found = try #require(point(row))
        #expect(
          abs(found[0] - expected[0]) < tolerance && abs(found[1] - expected[1]) < tolerance)
      }
    }
  }

  // MARK: Responses

  @Test func acceptChoosesFlatGeobuf() async throws {
    let world = try World(rows: 5)
    let answer = try await world.service.get(
      "/collections/places/items", headers: ["Accept": "application/flatgeobuf"])
    #expect(try FlatGeobufFile(answer.bytes).features.count == 5)
    let item = try await world.service.get("/collections/places/items/7?f=fgb")
    #expect(item.status == 400)
    let page = try await world.service.get("/collections/places/items?f=fgb&limit=2")
    #expect(page.response.headers["Link"]?.contains("rel=\"next\"") == true)
  }

  @Test func longPagesAreStreamed() async throws {
    let world = try World(rows: 9000)
    let response = await world.service.respond(
      to: Request(target: "/collections/places/items?f=fgb&limit=9000"))
    guard case .stream = response.body else {
      Issue.record("the response is not a stream")
      return
    }
    let answer = try await world.service.get("/collections/places/items?f=fgb&limit=9000")
    #expect(try FlatGeobufFile(answer.bytes).features.count == 9000)
  }

  @Test func namesOfFilesAreEscaped() {
    #expect(Attachment.header("a-b.fgb") == "attachment; filename=\"a-b.fgb\"")
    #expect(
      Attachment.header("Ä\"\r\n.fgb")
        == "attachment; filename=\"___.fgb\"; filename*=UTF-8''%C3%84%22%0D%0A.fgb")
  }
}
