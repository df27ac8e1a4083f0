import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Plain JSON: arrays of objects, and consecutive objects.
@Suite(.tags(.untrusted)) struct JSONImportTests {
  private static func point(_ latitude: Double, _ longitude: Double) -> Value {
    .point(Position(latitude: latitude, longitude: longitude))
  }

  private static let records = [
    #"{"id":1,"name":"Bern","lat":46.9,"lon":7.4,"n":1,"d":1.5,"b":true,"t":"2024-05-01","o":{"a":[1,2]}}"#,
    #"{"lon":7.6,"lat":"47.5","id":2,"name":"B\u00e2\"le","n":null,"d":2,"b":false,"x":"new","l":[]}"#,
    #"{"id":3,"name":null,"lat":-1e1,"lon":"8°30'W","n":7,"d":-0,"b":null}"#,
  ]

  @Test(arguments: ["array", "one line", "lines", "sequence", "separated"])
  func everyLayoutGivesTheSameRows(layout: String) throws {
    let texts: [String: (String, String)] = [
      "array": ("[\n" + Self.records.joined(separator: ",\n") + "\n]\n", "a.json"),
      "one line": ("\u{FEFF} [" + Self.records.joined(separator: ",") + "] ", "a"),
      "lines": (Self.records.joined(separator: "\r\n"), "a.jsonl"),
      "sequence": (
        Self.records.map { $0.replacing(",", with: "\n ,\n") }.joined(separator: "\n"), "a.json"
      ),
      "separated": (Self.records.map { "\u{1E}\($0)\n" }.joined(), "a.json"),
    ]
    let (text, name) = try #require(texts[layout])
    for size in [64, 1 << 20] {
      let imported = try Imported(text, as: name) { $0.blockSize = size }
      #expect(
        imported.columns.map(\.name)
          == ["id", "name", "location", "n", "d", "b", "t", "o", "x", "l"])
      #expect(
        imported.types == [
          "id": .int, "name": .string, "location": .point, "n": .int, "d": .double, "b": .bool,
          "t": .date, "o": .string, "x": .string, "l": .string,
        ])
      #expect(
        imported.column("location")
          == [Self.point(46.9, 7.4), Self.point(47.5, 7.6), Self.point(-10, -8.5)])
      #expect(imported.column("name") == [.string("Bern"), .string("Bâ\"le"), .null])
      #expect(imported.column("d") == [.double(1.5), .double(2), .double(-0.0)])
      #expect(imported.column("o").first.map { "\($0)".contains("a") } == true)
      #expect(imported.column("l") == [.null, .string("[]"), .null])
    }
  }

  @Test func locationsInOneMemberAreFound() throws {
    let cases = [
      #"[{"id":1,"location":{"latitude":47.5,"longitude":8.25}}]"#,
      #"[{"id":1,"pos":{"lat":47.5,"lng":8.25,"note":"x"}}]"#,
      #"[{"id":1,"geometry":{"type":"Point","coordinates":[8.25,47.5]}}]"#,
      #"[{"id":1,"wkt":"POINT (8.25 47.5)"}]"#,
      #"[{"id":1,"g":"SRID=4326;POINT (8.25 47.5)"}]"#,
      #"[{"id":1,"g":"010100000000000000008020400000000000C04740"}]"#,
      #"[{"id":1,"latlon":"47.5, 8.25"}]"#,
      #"[{"id":1,"latlon":[47.5,8.25]}]"#,
      #"[{"id":1,"lonlat":[8.25, 47.5]}]"#,
      #"[{"id":1,"p":"47.5 N 8.25 E"}]"#,
      #"[{"id":1,"y":47.5,"x":8.25}]"#,
      #"[{"id":1,"stop_lat":"47.5","stop_lon":" 8.25 "}]"#,
    ]
    for text in cases {
      let imported = try Imported(text, as: "a.json")
      #expect(imported.columns.map(\.name) == ["id", "location"], "\(text)")
      #expect(imported.rows == [[.int(1), Self.point(47.5, 8.25)]], "\(text)")
    }
    let altitude = try Imported(
      #"{"id":1,"location":{"latitude":1,"longitude":2,"altitude":3.5}}"#, as: "a.json")
    #expect(altitude.column("altitude") == [.double(3.5)])
    let named = try Imported(#"{"id":1,"a":1,"b":2,"lat":3,"lon":4}"#, as: "a.json") {
      ($0.latitudes, $0.longitudes) = (["a"], ["b"])
    }
    #expect(named.rows == [[.int(1), Self.point(1, 2), .int(3), .int(4)]])
    let two = #"{"a":{"lat":1,"lon":2},"b":{"lat":3,"lon":4}}"#
    #expect(try importError(two, as: "a.json")?.message.contains("`geometryColumn: NAME`") == true)
    let chosen = try Imported(two, as: "a.json") { $0.geometryColumns = ["b"] }
    #expect(chosen.rows == [[.string(#"{"lat":1,"lon":2}"#), Self.point(3, 4)]])
  }

  @Test func otherGeometriesAreStoredOrBecomePoints() throws {
    let shape = #"{"id":1,"g":{"type":"LineString","coordinates":[[0,0],[2,4]]}}"#
    #expect(try Imported(shape, as: "a.json").types["geometry"] == .geometry)
    let many = #"{"id":1,"g":{"type":"MultiPoint","coordinates":[[0,0],[2,4]]}}"#
    let each = try Imported(many, as: "a.json") { $0.geometries.takesEachPoint = true }
    #expect(Set(each.rows.map { $0[1] }) == [Self.point(0, 0), Self.point(4, 2)])
    let text = #"{"id":1,"wkt":"MULTIPOINT ((0 0), (2 4))"}"#
    let eachText = try Imported(text, as: "a.json") { $0.geometries.takesEachPoint = true }
    #expect(Set(eachText.rows.map { $0[1] }) == [Self.point(0, 0), Self.point(4, 2)])
  }

  @Test func writtenJSONIsReadBackExactly() throws {
    let seed = Soak.seed(120)
    var random = SplitMix64(seed: seed)
    var text = "id,lat,lon,n,d,s,b,t,altitude\n"
    for id in 0..<300 {
      let fields = [
        "\(id)", "\(Double.random(in: -90...90, using: &random))",
        "\(Double.random(in: -180...180, using: &random))",
        "\(Int64.random(in: .min ... .max, using: &random))",
        "\(Double(bitPattern: random.next() & ~(0x7FF << 52)))",
        ["plain", "\"a \"\"quote\"\", {}\"", "\"\"", "ü\\n", "null"].randomElement(using: &random)
          ?? "",
        Bool.random(using: &random) ? "true" : "false",
        "2024-05-01T12:30:00.\(Int.random(in: 100...999, using: &random))Z",
        "\(Double.random(in: 0...9000, using: &random))",
      ]
      let row = fields.enumerated().map { place, field in
        place > 2 && Int.random(in: 0..<5, using: &random) == 0 ? "" : field
      }
      text += row.joined(separator: ",") + "\n"
    }
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let path = try folder.write(Array(text.utf8), as: "a.csv")
    let first = try Imported([path], into: store) { $0.primaryKey = "id" }
    for format in [OutputFormat.json, .jsonl] {
      let written = try exported(format, store, "Thing")
      for size in [100, 1 << 20] {
        let again = try Imported(written, as: "b.\(format.rawValue)") {
          $0.primaryKey = "id"
          $0.blockSize = size
        }
        #expect(again.columns == first.columns, "seed \(seed)")
        #expect(
          again.rows.sorted { "\($0[0])" < "\($1[0])" }
            == first.rows.sorted { "\($0[0])" < "\($1[0])" }, "seed \(seed)")
        #expect(again.notes.isEmpty && again.summary.rejected == 0)
      }
    }
  }

  @Test func anEmptyArrayMakesAnEmptyClass() throws {
    for text in ["[]", " [ ] \n"] {
      let imported = try Imported(text, as: "a.json")
      #expect(imported.columns.map(\.name) == ["location"] && imported.rows.isEmpty)
    }
  }

  @Test func formatsAreDetectedByContentAndName() throws {
    let feature =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"id":1}}"#
    let plain = #"{"type":"bar","id":1,"lat":1,"lon":2}"#
    for name in ["a", "a.json", "a.txt", "a.jsonl", "a.ndjson"] {
      #expect(try Imported(feature, as: name).columns.map(\.name) == ["id", "location"], "\(name)")
      #expect(
        try Imported(plain, as: name).columns.map(\.name) == ["type", "id", "location"], "\(name)")
    }
    #expect(try Imported("[\(feature),\(feature)]", as: "a.json").rows.count == 2)
    #expect(try Imported("[\(plain),\(plain)]", as: "a.json").rows.count == 2)
    let asPlain = try Imported(feature, as: "a.json") { $0.format = .json }
    #expect(asPlain.columns.map(\.name) == ["type", "location", "properties"])
  }

  @Test func everyRejectionNamesRecordAndLine() throws {
    let cases: [(record: String, part: String)] = [
      (#"{"id":2,"lat":null,"lon":1}"#, "the latitude (`lat`) is missing"),
      (#"{"id":2,"lon":1}"#, "the latitude (`lat`) is missing"),
      (#"{"id":2,"lat":1,"lon":""}"#, "the longitude (`lon`) is missing"),
      (#"{"id":2,"lat":91,"lon":1}"#, "latitude 91.0"),
      (#"{"id":2,"lat":"91","lon":1}"#, "latitude 91.0"),
      (#"{"id":2,"lat":"north","lon":1}"#, "the latitude `north` (`lat`) is not a number"),
      (#"{"id":2,"lat":true,"lon":1}"#, "the latitude (`lat`) is not a number"),
      (#"{"id":2,"lat":[1],"lon":1}"#, "the latitude (`lat`) is not a number"),
      (#"{"id":2,"lat":01,"lon":1}"#, "`01` is not a number"),
      (#"{"id":2,"lat":1,"lon":1,"lat":2}"#, "`lat` appears twice"),
      (#"{"id":2,"lat":1,"lon":1,"a":1,"a":2}"#, "`a` appears twice"),
      (#"{"id":2,"lat":1,"lon":1,"a":[1,]}"#, "malformed JSON"),
      (#"{"id":2,"lat":1,"lon":1,"a":NaN}"#, "malformed JSON"),
      ("17", "a record must be an object"), (#""x""#, "a record must be an object"),
      ("[1]", "a record must be an object"),
    ]
    for (bad, part) in cases {
      let records = [#"{"id":1,"lat":1,"lon":1}"#, bad, #"{"id":3,"lat":1,"lon":1}"#]
      for (text, name) in [
        ("[" + records.joined(separator: ",\n") + "]", "a.json"),
        (records.joined(separator: "\n"), "a.jsonl"),
      ] {
        let error = try #require(try importError(text, as: name), "\(bad)")
        #expect(error.kind == .data)
        #expect(error.message.contains("\(name):2: record 2: "), "\(error)")
        #expect(error.message.contains(part), "\(error)")
        let skipped = try Imported(text, as: name) { $0.onError = .skip }
        #expect(skipped.column("id") == [.int(1), .int(3)], "\(bad)")
        #expect(skipped.summary.rejected == 1)
      }
    }
  }

  @Test func damagedFilesAreRejected() throws {
    let record = #"{"lat":1,"lon":2}"#
    for (text, part) in [
      ("[\(record)", "ends in the middle of the JSON"), ("[\(record),", "ends in the middle"),
      ("[\(record)]]", "after the end of the array"), ("[\(record) \(record)]", "not expected"),
      ("[\(record),]", "`]` is not expected"), (#"[{"lat":1,"#, "ends in the middle"),
      ("[" + String(repeating: "[", count: 200_000), "a"),
      (#"{"a":"# + String(repeating: "[", count: 200_000), "a"),
    ] {
      for size in [64, 1 << 20] {
        let error = try importError(text, as: "a.json") { $0.blockSize = size }
        #expect(error?.kind == .data && error?.message.contains(part) == true, "\(text.prefix(40))")
      }
    }
    let long = #"[{"lat":1,"lon":2,"x":""# + String(repeating: "x", count: 5000) + #""}]"#
    let error = try importError(long, as: "a.json") {
      ($0.longestRecord, $0.blockSize) = (1024, 512)
    }
    #expect(error?.message.contains("record 1 is longer") == true)
  }

  @Test func typesAndNullWordsOfTheUserAreUsed() throws {
    let text = """
      {"id":1,"lat":1,"lon":2,"n":"NA","t":1714566600123,"s":"1714566600","b":"t","d":20240501}
      {"id":2,"lat":1,"lon":2,"n":5,"t":"0","s":null,"b":false,"d":"19991231"}
      """
    let imported = try Imported(text, as: "a.jsonl") {
      $0.reading.nulls = NullWords(["NA"])
      $0.dateFormat = "%Y%m%d"
      $0.types = ["t": .epochMilliseconds, "s": .epochSeconds, "b": .boolWord, "d": .date]
    }
    #expect(imported.column("n") == [.null, .int(5)])
    #expect(imported.column("t") == [.date(736_259_400.123), .date(-978_307_200)])
    #expect(imported.column("s") == [.date(736_259_400), .null])
    #expect(imported.column("b") == [.bool(true), .bool(false)])
    #expect(imported.column("d") == [.date(736_214_400), .date(-31_708_800)])
    let noted = try Imported(text, as: "a.jsonl")
    #expect(
      noted.notes.contains {
        $0.hasSuffix("a.jsonl:1: `n` is text because of `NA`; `nulls: NA` makes it null")
      })
  }
}
