import Cairn
import CairnTestSupport
import Foundation
import Testing

class LayerValue: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted var place: GeoPoint?
  @Persisted var flag: Bool?
  @Persisted var whole: Int?
  @Persisted var real: Double?
  @Persisted var single: Float?
  @Persisted var text: String?
  @Persisted var at: Date?
  @Persisted var bytes: Data?
  @Persisted var uuid: UUID?
  @Persisted var object: ObjectId?
  @Persisted var money: Decimal128?
  @Persisted var list: List<Int>
}

/// Files that GDAL writes, read by ogr2ogr, and imported again.
@Suite(.enabled(if: GDALTools.hasConverter, "ogr2ogr is not installed")) struct LayerOutputTests {
  /// The features of a file as ogr2ogr reads them, as objects of GeoJSON.
  static func features(_ file: String, _ options: String...) throws -> [[String: Any]] {
    let outcome = try Command.launch(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", file, "-lco", "COORDINATE_PRECISION=15"]
        + options,
      input: nil, environment: [:], folder: nil)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return try outcome.output.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  static func properties(_ file: String, _ options: String...) throws -> [NSDictionary] {
    try features(file).map { $0["properties"] as? NSDictionary ?? [:] }
  }

  private func valueStore(_ scratch: TemporaryFolder, hasNullPlace: Bool) throws -> String {
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    try realm.write {
      let full = LayerValue()
      full.key = "full"
      full.place = GeoPoint(latitude: 47.25, longitude: -8.5)
      full.flag = true
      full.whole = 9_007_199_254_740_993
      full.real = 0.1 + 0.2
      full.single = 1.5
      full.text = "ü \"q\"\nline"
      full.at = Date(timeIntervalSince1970: 1_714_566_600.25)
      full.bytes = Data([0, 1, 255, 0])
      full.uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
      full.object = try ObjectId(string: "0123456789abcdef01234567")
      full.money = 12.50
      full.list.append(objectsIn: [1, 2])
      let empty = LayerValue()
      empty.key = "nothing"
      empty.place = hasNullPlace ? nil : GeoPoint(latitude: 1, longitude: 2)
      let old = LayerValue()
      old.key = "old"
      old.place = GeoPoint(latitude: -90, longitude: 180)
      old.flag = false
      old.whole = .min
      old.real = -1e-300
      old.text = ""
      old.at = Date(timeIntervalSince1970: -1)
      old.bytes = Data()
      realm.add([full, empty, old])
    }
    return scratch["s"]
  }

  @Test(arguments: ["gpkg", "fgb"]) func everyTypeSurvives(format: String) throws {
    let scratch = try TemporaryFolder()
    let store = try valueStore(scratch, hasNullPlace: format == "gpkg")
    let file = scratch["f.\(format)"]
    #expect(try Command.run("export", store, "LayerValue", "-o", file).code == 0)
    let read = try Self.features(file, "-sql", "SELECT * FROM f ORDER BY key")
    try #require(read.count == 3)
    let full = try #require(read[0]["properties"] as? [String: Any])
    #expect(full["flag"] as? Bool == true)
    #expect(full["whole"] as? Int == 9_007_199_254_740_993)
    // GDAL's GeoJSON has 15 digits.
    #expect(full["real"] as? Double == 0.3)
    #expect(full["single"] as? Double == 1.5)
    #expect(full["text"] as? String == "ü \"q\"\nline")
    let time = try #require(full["at"] as? String)
    #expect(time.contains("12:30:00.25"), "\(time)")
    #expect((full["uuid"] as? String)?.lowercased() == "00112233-4455-6677-8899-aabbccddeeff")
    #expect(full["object"] as? String == "0123456789abcdef01234567")
    #expect(full["money"] as? String == "12.5")
    // GDAL shows texts that are JSON as JSON.
    #expect(full["list"] as? [Int] == [1, 2])
    let place = try #require(read[0]["geometry"] as? [String: Any])
    #expect(place["coordinates"] as? [Double] == [-8.5, 47.25])
    let nothing = try #require(read[1]["properties"] as? [String: Any])
    #expect(Set(nothing.filter { !($0.value is NSNull) }.keys).isSubset(of: ["key", "list"]))
    #expect(format == "fgb" || read[1]["geometry"] is NSNull)
    #expect((read[2]["properties"] as? [String: Any])?["text"] as? String == "")

    let again = scratch["again"]
    let arguments = ["import", again, file, "--class", "LayerValue", "--location", "place"]
    let imported = try Command.run(arguments + ["--location-optional"])
    #expect(imported.code == 0, "\(imported.errors)")
    let select = "key,place,flag,whole,real,single,text,at,bytes,uuid,object"
    func rows(_ store: String) throws -> [String] {
      try Command.lines(
        "query", store, "LayerValue", "--select", select, "--sort", "key", "--format", "jsonl")
    }

    for (row, expected) in zip(try rows(again), try rows(store)) { #expect(row == expected) }
  }

  private static let geometries = [
    #"{"type":"Point","coordinates":[8.25,47.5]}"#,
    #"{"type":"LineString","coordinates":[[0,0],[1.5,2.5],[3,1]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[1,2],[2,2],[2,1],[1,1]]]}"#,
    #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3]]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}"#,
    #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[0,0],[1,1]]}]}"#,
  ]

  private static let high = [
    #"{"type":"Point","coordinates":[8.25,47.5,400.5]}"#,
    #"{"type":"LineString","coordinates":[[0,0,1],[1.5,2.5,2]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0,5],[4,0,5],[4,4,5],[0,0,5]]]}"#,
  ]

  /// A store with a class `g` of geometries, and its rows as lines of GeoJSON.
  private func geometryStore(
    _ scratch: TemporaryFolder, _ geometries: [String]
  ) throws -> (store: String, lines: [String]) {
    let text = geometries.enumerated().map { number, geometry in
      #"{"type":"Feature","properties":{"n":\#(number)},"geometry":\#(geometry)}"#
    }
    let file = try scratch.file("g.geojsonl", text.joined(separator: "\n")).path
    let store = scratch["g.cairn"]
    let imported = try Command.run("import", store, file, "--class", "g", "--quiet")
    #expect(imported.code == 0, "\(imported.errors)")
    return (store, try rows(store))
  }

  private func rows(_ store: String) throws -> [String] {
    try Command.lines(
      "query", store, "g", "--sort", "n", "--select", "n,geometry", "--format", "geojsonl")
  }

  /// Checks a file with ogr2ogr, and by an import.
  private func check(
    _ file: String, geometries: [String], lines: [String], scratch: TemporaryFolder
  ) throws {
    let read = try Self.features(file).map { feature in
      (
        (feature["properties"] as? [String: Any])?["n"] as? Int ?? -1,
        feature["geometry"] as? NSDictionary ?? [:]
      )
    }.sorted { $0.0 < $1.0 }
    for (number, geometry) in geometries.enumerated() {
      let expected = try JSONSerialization.jsonObject(with: Data(geometry.utf8)) as? NSDictionary
      #expect(read[number].1 == expected, "\(geometry)")
    }
    #expect(read.count == geometries.count)
    let again = scratch["again-\(UUID().uuidString)"]
    let imported = try Command.run("import", again, file, "--class", "g", "--quiet")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try rows(again) == lines)
  }

  @Test(arguments: ["gpkg", "fgb"], [false, true])
  func everyKindOfGeometrySurvives(format: String, isHigh: Bool) throws {
    let scratch = try TemporaryFolder()
    let geometries = isHigh ? Self.high : Self.geometries
    let (store, lines) = try geometryStore(scratch, geometries)
    let file = scratch["f.\(format)"]
    let outcome = try Command.run("export", store, "g", "-o", file)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    try check(file, geometries: geometries, lines: lines, scratch: scratch)
  }

  /// A GeoPackage holds geometries with and without altitudes, and says so.
  @Test func altitudesAreOptionalInAGeoPackage() throws {
    let scratch = try TemporaryFolder()
    let geometries = Self.high + Self.geometries
    let (store, lines) = try geometryStore(scratch, geometries)
    let file = scratch["f.gpkg"]
    #expect(try Command.run("export", store, "g", "-o", file).code == 0)
    try check(file, geometries: geometries, lines: lines, scratch: scratch)
    let flat = scratch["f.fgb"]
    let outcome = try Command.run("export", store, "g", "-o", flat)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("7 geometries without altitudes have the altitude 0"))
  }

  @Test(arguments: ["shp", "shz", "shp.zip"]) func shapefilesHoldOneKind(ending: String) throws {
    let scratch = try TemporaryFolder()
    let (store, _) = try geometryStore(scratch, Self.geometries)
    for (condition, count) in [
      ("n == 0", 1), ("n IN {1, 4}", 2), ("n IN {2, 5}", 2), ("n == 3", 1),
    ] {
      let file = scratch["f\(count).\(ending)"]
      let outcome = try Command.run("export", store, "g", condition, "-o", file)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let again = scratch["again-\(UUID().uuidString)"]
      #expect(try Command.run("import", again, file, "--class", "g", "--quiet").code == 0)
      let areas = try Command.lines("count", again, "g")
      #expect(areas == ["\(count)"])
      #expect(try Self.features(file).count == count)
    }
    let mixed = try Command.run("export", store, "g", "n < 2", "-o", scratch["m.\(ending)"])
    #expect(mixed.code == 65 && mixed.errors.contains("geometries of one kind"), "\(mixed.errors)")
    let several = try Command.run("export", store, "g", "n == 6", "-o", scratch["m.\(ending)"])
    #expect(several.code == 65 && several.errors.contains("a collection of geometries"))
    #expect(!(try scratch.names().contains { $0.hasPrefix("m.") }))
  }

  @Test func altitudesOfPointsAreThoseOfTheColumn() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.file("p.csv", "id,lat,lon,altitude\n1,47,8,408.5\n2,48,9,\n").path
    let store = scratch["s"]
    #expect(try Command.run("import", store, csv, "--quiet").code == 0)
    for format in ["gpkg", "fgb", "shp"] {
      let file = scratch["p.\(format)"]
      let exported = try Command.run("export", store, "p", "-o", file)
      #expect(exported.code == 0)
      #expect(exported.errors.contains("have the altitude 0") == (format == "shp"))
      let again = scratch["again-\(format)"]
      let imported = try Command.run("import", again, file)
      #expect(imported.code == 0, "\(format): \(imported.errors)")
      let lines = try Command.lines(
        "query", again, "p", "--sort", "id", "--select", "id,location,altitude", "--format", "csv")
      let missing = format == "shp" ? "0.0" : ""
      #expect(lines.dropFirst() == ["1,47.0,8.0,408.5", "2,48.0,9.0,\(missing)"], "\(format)")
    }
    let kml = scratch["p.kml"]
    #expect(try Command.run("export", store, "p", "-o", kml).code == 0)
    let text = try scratch.text("p.kml")
    #expect(text.contains("<coordinates>8,47,408.5</coordinates>"))
    #expect(text.contains("<coordinates>9,48</coordinates>"), "\(text)")
    let gpx = scratch["p.gpx"]
    #expect(try Command.run("export", store, "p", "-o", gpx).code == 0)
    #expect(try scratch.text("p.gpx").contains("<ele>408.5</ele>"))
  }

  @Test func textFormatsHoldNamesAndValues() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.file(
      "p.csv", "id,name,lat,lon,note\n9007199254740993,Zürich <a>,47,8.5,x & y\n2,b,48,9,\n"
    ).path
    let store = scratch["s"]
    #expect(try Command.run("import", store, csv, "--quiet").code == 0)
    for format in ["kml", "gpx"] {
      let file = scratch["p.\(format)"]
      #expect(try Command.run("export", store, "p", "-o", file).code == 0)
      let text = try scratch.text("p.\(format)")
      #expect(text.contains("<name>Zürich &lt;a&gt;</name>"), "\(text)")
      #expect(text.contains(">9007199254740993<") && text.contains(">x &amp; y<"))
      #expect(try Self.features(file).count >= 2)
      let again = scratch["again-\(format)"]
      let imported = try Command.run("import", again, file, "--class", "p")
      #expect(imported.code == 0, "\(imported.errors)")
      #expect(
        try Command.lines("count", again, "p", "--near", "47,8.5", "--radius", "1m") == ["1"])
    }
  }

  @Test func tracksAreLines() throws {
    let scratch = try TemporaryFolder()
    let (store, _) = try geometryStore(scratch, Self.geometries)
    let file = scratch["t.gpx"]
    #expect(try Command.run("export", store, "g", "n IN {1, 4}", "-o", file).code == 0)
    #expect(try scratch.text("t.gpx").components(separatedBy: "<trk>").count == 3)
    for (condition, part) in [
      ("n == 2", "is an area"), ("n == 3", "is a MultiPoint"), ("n == 6", "is a collection"),
      ("n <= 1", "geometries of one kind"),
    ] {
      let outcome = try Command.run("export", store, "g", condition, "-o", scratch["no.gpx"])
      #expect(outcome.code == 65 && outcome.errors.contains(part), "\(outcome.errors)")
    }
    #expect(!scratch.exists("no.gpx"))
  }

  @Test func limitsOfShapefilesAreSaid() throws {
    let scratch = try TemporaryFolder()
    let long = String(repeating: "ä", count: 128)
    let header = "population_total,population_of_women,Population_total,lat,lon,text,big,small\n"
    let csv = try scratch.file(
      "p.csv",
      header + "1,2,3,47,8,\"\",5,0.1\n4,5,6,48,9,t,100000000000000000,0.00000000000000012\n"
        + "7,8,9,48,9,\(long),6,0.5\n"
    ).path
    let store = scratch["s"]
    #expect(try Command.run("import", store, csv, "--quiet").code == 0)
    let file = scratch["p.shp"]
    func export(_ condition: String, _ select: String) throws -> Command.Outcome {
      try Command.run("export", store, "p", condition, "--select", select, "-o", file)
    }
    let names = "population_total,population_of_women,text"
    let named = try export("big == 5", names)
    #expect(named.code == 0)
    #expect(
      named.errors.contains("`population_total` as `population`, `population_of_women` as"),
      "\(named.errors)")
    #expect(named.errors.contains("1 empty texts are nulls"))
    let read = try #require(try Self.properties(file).first)
    #expect(Set(read.allKeys.compactMap { $0 as? String }) == ["population", "populati_2", "text"])
    #expect(read["populati_2"] as? Int == 2)
    let text = try export("big == 6", "text")
    #expect(text.code == 65 && text.errors.contains("`text` has 256 bytes"), "\(text.errors)")
    let big = try export("big > 6", "big")
    #expect(big.code == 65 && big.errors.contains("row 1: `big` is 100000000000000000"))
    let small = try export("big > 6", "small")
    #expect(small.code == 0 && small.errors.contains("1 numbers were rounded"), "\(small.errors)")
    #expect(
      try scratch.names().filter { $0.hasPrefix("p.") } == [
        "p.cpg", "p.csv", "p.dbf", "p.prj", "p.shp", "p.shx",
      ])
  }

  @Test func otherSystemsAreWritten() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    let expected = try Command.lines(
      "query", store, "places", "id == 1", "--select", "location", "--format", "csv")
    for format in ["gpkg", "fgb", "shp"] {
      let file = scratch["f.\(format)"]
      let outcome = try Command.run(
        "export", store, "places", "id == 1", "--crs", "EPSG:3857", "-o", file)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let again = scratch["again-\(format)"]
      #expect(try Command.run("import", again, file, "--class", "places").code == 0)
      let lines = try Command.lines(
        "query", again, "places", "--select", "location", "--format", "csv")
      for (text, other) in zip(lines[1].split(separator: ","), expected[1].split(separator: ",")) {
        let numbers = (try #require(Double(text)), try #require(Double(other)))
        #expect(abs(numbers.0 - numbers.1) < 1e-7)
      }
      let info = try Command.shell("ogrinfo -so -al '\(file)'")
      #expect(info.output.contains("3857"), "\(info.output)")
    }
    for format in ["kml", "gpx"] {
      let outcome = try Command.run(
        "export", store, "places", "--crs", "EPSG:3857", "-o", scratch["f.\(format)"])
      #expect(outcome.code == 64 && outcome.errors.contains("only degrees"), "\(outcome.errors)")
    }
  }

  @Test func joinsAndCellsAreWritten() throws {
    let scratch = try TemporaryFolder()
    let (store, _) = try geometryStore(scratch, Self.geometries)
    let csv = try scratch.file("p.csv", "id,lat,lon\n1,3,3\n2,47.5,8.25\n").path
    #expect(try Command.run("import", store, csv, "--quiet").code == 0)
    for format in ["gpkg", "fgb"] {
      let file = scratch["j.\(format)"]
      let join = try Command.run("join", store, "p", "g", "--on", "within", "-o", file)
      #expect(join.code == 0, "\(join.errors)")
      let read = try Self.properties(file)
      let pairs = try Command.lines(
        "join", store, "p", "g", "--on", "within", "--select", "p.id,g.n", "--format", "csv")
      #expect(read.count == pairs.count - 1 && pairs.count > 1)
      // The second geometry is text.
      #expect(read.contains { ($0["g.geometry"] as? String)?.hasPrefix("POLYGON") == true })
      let cells = scratch["c.\(format)"]
      let stats = try Command.run("stats", store, "p", "--by", "cell(10)", "-o", cells)
      #expect(stats.code == 0, "\(stats.errors)")
      let shapes = try Self.features(cells).compactMap { $0["geometry"] as? [String: Any] }
      #expect(shapes.compactMap { $0["type"] as? String } == ["Polygon", "Polygon"])
    }
    let plain = try Command.run("stats", store, "p", "--of", "id", "-o", scratch["n.gpkg"])
    #expect(plain.code == 64 && plain.errors.contains("needs groups by location"))
    #expect(!scratch.exists("n.gpkg"))
  }
}
