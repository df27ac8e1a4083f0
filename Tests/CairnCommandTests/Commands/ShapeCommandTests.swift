import CairnTestSupport
import Foundation
import Testing

/// `query --into`, `dissolve`, `clip` and `overlay` on squares whose pieces are known.
@Suite struct ShapeCommandTests {
  /// Makes a store with the class `squares`: 4 by 4 squares of one degree, in two zones, and `lots`: two
  /// rectangles that cross them.
  private func makeStore(_ folder: borrowing TemporaryFolder) throws -> String {
    var lines = ["id,zone,people,shape"]
    for y in 0..<4 {
      for x in 0..<4 {
        let text = Self.rectangle(Double(x), Double(y), Double(x + 1), Double(y + 1))
        lines.append("\(y * 4 + x),\(x < 2 ? "west" : "east"),\(100 + x),\"\(text)\"")
      }
    }
    let squares = try folder.file("squares.csv", lines.joined(separator: "\n") + "\n")
    let lots = try folder.file(
      "lots.csv",
      """
      name,zone,shape
      a,1,"\(Self.rectangle(0.5, 0.5, 2.5, 1.5))"
      b,2,"\(Self.rectangle(3, 3, 5, 5))"

      """)
    let store = folder["shapes.cairn"]
    _ = try succeed("import", store, squares.path, "--key", "id")
    _ = try succeed("import", store, lots.path)
    return store
  }

  private static func rectangle(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> String {
    "POLYGON ((\(west) \(south), \(east) \(south), \(east) \(north), \(west) \(north), \(west) \(south)))"
  }

  private func run(_ arguments: String...) throws -> Command.Outcome { try Command.run(arguments) }

  private func succeed(_ arguments: String...) throws -> [String] { try succeed(arguments) }

  private func succeed(_ arguments: [String]) throws -> [String] {
    let outcome = try Command.run(arguments)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.lines
  }

  /// The area of the geometries of a class in square degrees: of boxes, by their corners.
  private func boxes(_ store: String, _ name: String, _ columns: String) throws -> [String] {
    try succeed(
      "query", store, name, "--select",
      "\(columns), asText(envelope(geometry)) AS box, vertices(geometry) AS n", "--format", "csv",
      "--sort", columns)
  }

  @Test func newClasses() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    let outcome = try run(
      "query", store, "squares", "zone == 'west'", "--select",
      "id, zone, people * 2 AS twice, geometry",
      "--into", "West")
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains("8 rows written into West"))
    #expect(
      try succeed("query", store, "West", "id < 5", "--select", "id,zone,twice", "--format", "csv")
        == ["id,zone,twice", "0,west,200", "1,west,202", "4,west,200"])
    // The primary key and the spatial index are there.
    let schema = try succeed("schema", store, "West").joined(separator: "\n")
    #expect(schema.contains("primary key") && schema.contains("spatial index"), "\(schema)")
    #expect(try succeed("count", store, "West", "--bbox", "0,0,0.5,0.5") == ["1"])
    #expect(try succeed("verify", store).joined().contains("Sound"))
  }

  @Test func newClassesOfOtherStores() throws {
    let folder = try TemporaryFolder()
    let (store, other) = (try makeStore(folder), folder["other.cairn"])
    _ = try succeed("query", store, "squares", "--into", other + ":All")
    #expect(
      try succeed("query", other, "All", "--format", "csv", "--sort", "id")
        == succeed("query", store, "squares", "--format", "csv", "--sort", "id"))
    let taken = try run("query", store, "squares", "--into", other + ":All")
    #expect(taken.code == 64 && taken.errors.contains("already has a class 'All'"))
    #expect(try succeed("count", other, "All") == ["16"])
    // Without rows, the class exists and is empty.
    _ = try succeed("query", store, "squares", "id < 0", "--into", other + ":None")
    #expect(try succeed("count", other, "None") == ["0"])
  }

  /// Two processes that make a class of the same name: one does, and the other has an error.
  @Test func oneProcessMakesAClass() throws {
    let folder = try TemporaryFolder()
    let store = folder["race.cairn"]
    _ = try succeed("import", store, Repository.data("cities.csv"), "--class", "cities")
    let query = "cairn query '\(store)' cities --into Race"
    let outcome = try Command.shell("\(query) & \(query) & wait")
    #expect(
      outcome.errors.contains("made by someone else meanwhile")
        || outcome.errors.contains("already has a class 'Race'"), "\(outcome.errors)")
    #expect(try succeed("count", store, "Race") == succeed("count", store, "cities"))
  }

  /// All types come back as they were.
  @Test func everyTypeIsKept() throws {
    let folder = try TemporaryFolder()
    let (store, other) = (try SampleStores.placesStore(), folder["places.cairn"])
    _ = try succeed("query", store, "places", "--into", other + ":places")
    for format in ["csv", "jsonl", "geojson"] {
      #expect(
        try succeed("query", other, "places", "--format", format, "--sort", "id")
          == succeed("query", store, "places", "--format", format, "--sort", "id"))
    }
  }

  @Test func failuresLeaveNothing() throws {
    let folder = try TemporaryFolder()
    let (store, other) = (try makeStore(folder), folder["new.cairn"])
    let failed = try run(
      "query", store, "squares", "--select", "id, simplify(geometry, 0 - id * 1m) AS s", "--into",
      other + ":S")
    #expect(failed.code == 65 && failed.errors.contains("the length is"), "\(failed.errors)")
    #expect(!FileManager.default.fileExists(atPath: other))
    for (into, said) in [
      ("", "expected CLASS or STORE:CLASS"), (":x", "expected CLASS or STORE:CLASS"),
      ("postgres://h/d:x", "--into makes a class of a store"),
      (folder["none/x.cairn"] + ":x", "its folder does not exist"),
    ] {
      let outcome = try run("query", store, "squares", "--into", into)
      #expect(outcome.code != 0 && outcome.errors.contains(said), "\(into): \(outcome.errors)")
    }
    for option in [["--format", "csv"], ["--output", "x.csv"], ["--explain"]] {
      let outcome = try Command.run(["query", store, "squares", "--into", "x"] + option)
      #expect(outcome.code == 64 && outcome.errors.contains("does not apply to --into"))
    }
  }

  @Test func changedShapes() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    _ = try succeed(
      "update", store, "squares", "--all", "--add", "--set", "middle = centroid(geometry)", "--set",
      "edge = boundary(geometry)")
    #expect(
      try succeed(
        "query", store, "squares", "--near", "0.6,0.6", "--geometry", "middle", "-n", "1",
        "--select", "id,middle", "--format", "csv") == ["id,latitude,longitude", "0,0.5,0.5"])
    _ = try succeed(
      "update", store, "squares", "id == 1", "--set", "geometry = middle", "--set",
      "middle = geometry('POINT (7 8)')")
    #expect(
      try succeed(
        "query", store, "squares", "id == 1", "--select", "geometry,middle", "--format", "csv")
        == ["geometry,latitude,longitude", "POINT (1.5 0.5),8.0,7.0"])
    let area = try run("update", store, "squares", "id == 2", "--set", "middle = geometry")
    #expect(area.code == 65 && area.errors.contains("is not a point"), "\(area.errors)")
    #expect(try succeed("verify", store).joined().contains("Sound"))
  }

  @Test func sumsThatDoNotFit() throws {
    let folder = try TemporaryFolder()
    let store = folder["sums.cairn"]
    let file = try folder.file(
      "sums.csv", "n,lat,lon\n9223372036854775807,1,1\n9223372036854775807,2,2\n")
    _ = try succeed("import", store, file.path)
    let outcome = try run("dissolve", store, "sums", "--of", "n", "--into", "total")
    #expect(outcome.code == 65 && outcome.errors.contains("does not fit in 64 bits"))
    #expect(try run("count", store, "total").code != 0)
  }

  @Test(arguments: ["union", "coverage"]) func dissolved(_ how: String) throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    _ = try succeed(
      "dissolve", store, "squares", "--by", "zone", "--of", "people", "--how", how, "--into",
      "Zones")
    #expect(
      try boxes(store, "Zones", "zone, count, people").map { Self.cornerless($0) } == [
        "zone,count,people,box,n", "east,8,820,2 0 4 4,n", "west,8,804,0 0 2 4,n",
      ])
    let whole = try succeed(
      "dissolve", store, "squares", "--how", how, "--format", "jsonl")
    #expect(whole.count == 1 && whole[0].contains("\"count\":16"), "\(whole)")
  }

  /// A line with a polygon replaced by the corners of its box.
  private static func cornerless(_ line: String) -> String {
    guard let open = line.firstIndex(of: "\""), let close = line.lastIndex(of: "\"") else {
      return line
    }
    let numbers = line[open...close].split { !"0123456789.-".contains($0) }.compactMap {
      Double($0)
    }
    let (xs, ys) = (
      stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] },
      stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
    )
    func text(_ number: Double?) -> String {
      number.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } ?? ""
    }
    let box = [xs.min(), ys.min(), xs.max(), ys.max()].map(text).joined(separator: " ")
    return line[..<open] + box + ",n"
  }

  @Test func otherShapesOfGroups() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    func shape(_ how: String, _ more: String...) throws -> String {
      try #require(
        try Command.run(
          ["dissolve", store, "squares", "zone == 'west'", "--how", how, "--format", "wkt"] + more
        ).lines.last)
    }
    #expect(try shape("collect").hasPrefix("MULTIPOLYGON ("))
    #expect(Self.cornerless("\"" + (try shape("extent")) + "\"") == "0 0 2 4,n")
    #expect(Self.cornerless("\"" + (try shape("hull")) + "\"") == "0 0 2 4,n")
    let line = try run("dissolve", store, "squares", "--how", "line")
    #expect(line.code == 65 && line.errors.contains("a line leads through points"))
    let points = try succeed(
      "dissolve", SampleStores.placesStore(), "places", "population > 80000", "--how", "line",
      "--order", "population:desc", "--format", "wkt")
    #expect(
      points == [
        "LINESTRING (153.026 -27.4705, 2.3522 48.8566, 152.7609 -27.6144, 178.4419 -18.1416, 2.1204 48.8049)"
      ])
    let sum = try run("dissolve", store, "squares", "--of", "zone")
    #expect(sum.code == 64 && sum.errors.contains("--of adds up numbers"))
    #expect(try run("dissolve", store, "squares", "--order", "id").code == 64)
  }

  @Test func clipped() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    let window = Self.rectangle(0.5, 0.5, 2, 2.25)
    _ = try succeed("clip", store, "squares", "--to", window, "--into", "Cut")
    #expect(
      try boxes(store, "Cut", "id").map { Self.cornerless($0) } == [
        "id,box,n", "0,0.5 0.5 1 1,n", "1,1 0.5 2 1,n", "4,0.5 1 1 2,n", "5,1 1 2 2,n",
        "8,0.5 2 1 2.25,n", "9,1 2 2 2.25,n",
      ])
    _ = try succeed(
      "clip", store, "squares", "id < 4", "--erase", "lots:name == 'a'", "--into", "Rest")
    // Of the outer squares an L is left, and of the second one a strip.
    #expect(
      try boxes(store, "Rest", "id").map { Self.cornerless($0) } == [
        "id,box,n", "0,0 0 1 1,n", "1,1 0 2 0.5,n", "2,2 0 3 1,n", "3,3 0 4 1,n",
      ])
    #expect(
      try succeed(
        "query", store, "Rest", "--select", "vertices(geometry) AS n", "--sort", "id", "--format",
        "csv")
        == ["n", "7", "5", "7", "5"])
    #expect(try succeed("clip", store, "squares", "--erase", window, "--format", "csv").count == 16)
    for (arguments, said) in [
      (["clip", store, "squares"], "give the area as --to or as --erase"),
      (["clip", store, "squares", "--to", window, "--erase", window], "as --to or as --erase"),
      (["clip", store, "squares", "--to", "POINT (1 1)"], "--to takes polygons"),
      (
        ["clip", try SampleStores.placesStore(), "places", "--to", window],
        "locations, which cannot be cut"
      ),
    ] {
      let outcome = try Command.run(arguments)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }
  }

  @Test func overlaid() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    // Lot a meets squares 0, 1, 2, 4, 5 and 6. Square 15 is a quarter of lot b.
    let counts = [
      "intersection": 7, "difference": 15, "identity": 22, "union": 23, "symmetric": 16,
    ]
    for (how, count) in counts.sorted(by: { $0.key < $1.key }) {
      _ = try succeed(
        "overlay", store, "squares", "lots", "--how", how, "--share", "people", "--into", how)
      #expect(try succeed("count", store, how) == ["\(count)"], "\(how)")
      #expect(
        try succeed(
          "query", store, how, "--select", "isValid(geometry) AS valid", "--distinct", "valid",
          "--format", "csv") == ["valid", "true"])
    }
    #expect(
      try succeed(
        "query", store, "intersection", "id == 1", "--select", "id,zone,name,lots_zone",
        "--format", "csv") == ["id,zone,name,lots_zone", "1,west,a,1"])
    // All people of the squares are in the pieces.
    for how in ["identity", "union"] {
      let sum = try succeed(
        "stats", store, how, "--of", "people", "--figures", "sum", "--format", "csv")
      #expect(abs((Double(sum[1].split(separator: ",")[1]) ?? 0) - 1624) < 1e-6, "\(sum)")
    }
    let strange = try run("overlay", store, "squares", "lots", "--share", "zone")
    #expect(strange.code == 64 && strange.errors.contains("--share shares out numbers"))
    let unknown = try run("overlay", store, "squares", "lots", "--share", "peple")
    #expect(unknown.code == 64 && unknown.errors.contains("did you mean 'people'"))
  }

  @Test func rowsOfParts() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(
      "parts.csv",
      """
      id,shape
      1,"MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))"
      2,"LINESTRING (0 0, 0 1)"
      3,"GEOMETRYCOLLECTION (POINT (1 1), MULTIPOINT ((2 2), (3 3)))"
      4,
      5,"POLYGON EMPTY"

      """)
    let store = folder["parts.cairn"]
    _ = try succeed("import", store, file.path, "--class", "C", "--key", "id")
    func kinds(_ arguments: String...) throws -> [String] {
      try succeed(
        ["query", store] + arguments + ["--format", "csv", "--sort", "id"])
    }
    let all = try kinds("C", "--select", "id,geometry", "--explode", "geometry")
    #expect(
      all == [
        "id,geometry", "1,\"POLYGON ((0 0, 1 0, 1 1, 0 0))\"",
        "1,\"POLYGON ((5 5, 6 5, 6 6, 5 5))\"", "2,\"LINESTRING (0 0, 0 1)\"", "3,POINT (1 1)",
        "3,POINT (2 2)", "3,POINT (3 3)", "4,", "5,",
      ])
    // A computed column, and a new class, whose rows no longer have a unique key.
    _ = try succeed(
      "query", store, "C", "id == 2", "--select", "id, pointsAlong(geometry, 50km) AS spot",
      "--explode", "spot", "--into", "Spots")
    #expect(
      try kinds("Spots", "--select", "id, round(y(spot), 3) AS y").sorted()
        == ["2,0.0", "2,0.452", "2,0.904", "id,y"])
    #expect(!(try succeed("schema", store, "Spots").joined().contains("primary key")))
    // Simplified and cut geometries, too.
    let halves = try succeed(
      "clip", store, "C", "id == 1", "--to", Self.rectangle(0.5, 0, 5.5, 9), "--select",
      "id,geometry", "--explode", "geometry", "--format", "csv")
    #expect(halves.count == 3)
    let simplified = try succeed(
      "simplify", store, "C", "id < 3", "--keep", "100%", "--explode", "geometry", "--select",
      "id,geometry", "--format", "csv", "--sort", "id")
    #expect(simplified == Array(all.prefix(4)))
    for (column, said) in [
      ("shape", "--explode: the output has no column 'shape'"),
      ("id", "--explode takes geometries apart, and 'id' is of type int"),
    ] {
      let outcome = try run("query", store, "C", "--explode", column)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }
  }

  @Test func pairFormulas() throws {
    let folder = try TemporaryFolder()
    let store = folder["pairs.cairn"]
    let roads = try folder.file(
      "roads.csv", "name,shape\nA,\"LINESTRING (0 0, 10 0)\"\nB,\"LINESTRING (0 5, 10 5)\"\n")
    let spots = try folder.file(
      "spots.csv", "name,latitude,longitude\nx,1,2\ny,4,3\nz,70,100\n")
    _ = try succeed("import", store, roads.path)
    _ = try succeed("import", store, spots.path)
    func join(_ arguments: String...) throws -> [String] {
      try succeed(["join", store, "spots", "roads"] + arguments + ["--format", "csv"])
    }
    #expect(
      try join(
        "--on", "nearest", "--select",
        "spots.name, roads.name, round(y(closestPoint(roads.geometry, spots.location)), 2) AS y, "
          + "round(distance / 1000) AS km, spots.location.latitude - 1 AS below", "--sort",
        "spots.name") == [
          "spots.name,roads.name,y,km,below", "x,A,0.0,111.0,0.0", "y,B,5.02,113.0,3.0",
          "z,B,5.0,9496.0,69.0",
        ])
    // Left rows without a partner have nulls.
    #expect(
      try join(
        "--on", "distance", "--radius", "120km", "--outer", "--select",
        "spots.name, concat(spots.name, roads.name) AS both, roads.name IS NULL AS alone",
        "--sort", "spots.name") == [
          "spots.name,both,alone", "x,xA,false", "y,yB,false", "z,z,true",
        ])
    // More pairs than a batch, against the formula on one side.
    let numbers = (0..<3000).map { "\($0),\(Double($0) / 1000),1" }.joined(separator: "\n")
    let many = try folder.file("many.csv", "id,latitude,longitude\n\(numbers)\n")
    _ = try succeed("import", store, many.path, "--key", "id")
    _ = try succeed(
      "join", store, "many", "roads", "--on", "nearest", "--select",
      "many.id, many.location, roads.name, distance(many.location, roads.geometry) AS d, distance",
      "--into", "Near")
    #expect(
      try succeed("count", store, "Near", "abs(d - distance) < 0.001") == ["3000"])
    #expect(
      try succeed("query", store, "Near", "--limit", "1", "--format", "csv")[0]
        == "id,latitude,longitude,name,d,distance")
    _ = try succeed("join", store, "many", "roads", "--on", "nearest", "--into", "All")
    #expect(
      try succeed("query", store, "All", "--limit", "1", "--format", "jsonl")[0].contains(
        "\"geometry\":"))
    _ = try succeed(
      "join", store, "many", "roads", "--on", "nearest", "--by", "roads.name", "--into", "Counts")
    #expect(
      try succeed("query", store, "Counts", "--format", "csv", "--sort", "name")
        == ["name,count", "A,2504", "B,496"])
    for (arguments, said) in [
      (["--select", "x(spots.name) AS a"], "x takes a geometry there"),
      (["--select", "x(spots.locaton) AS a"], "Did you mean 'spots.location'?"),
      (["--select", "distance / 2 AS half", "--sort", "half"], "'half' is computed; --into makes"),
      (["--into", "New", "--format", "csv"], "--format does not apply to --into"),
    ] {
      let outcome = try Command.run(
        ["join", store, "spots", "roads", "--on", "nearest"] + arguments)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }
    let failure = try Command.run([
      "join", store, "spots", "roads", "--on", "nearest", "--select",
      "lineInterpolate(roads.geometry, y(spots.location)) AS p",
    ])
    #expect(
      failure.code == 65 && failure.errors.contains("expected 0 to 1, in row"), "\(failure.errors)")
  }

  @Test func enclosedPolygons() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    _ = try succeed(
      "query", store, "squares", "--select", "id, boundary(geometry) AS line", "--into", "Lines")
    _ = try succeed("dissolve", store, "Lines", "--how", "polygons", "--into", "Faces")
    #expect(
      try succeed(
        "query", store, "Faces", "--select", "parts(line) AS n", "--format", "csv") == ["n", "16"])
    #expect(
      try succeed(
        "query", store, "squares", "id == 0", "--select",
        "parts(divide(geometry, 'LINESTRING (0.5 -1, 0.5 2)')) AS n", "--format", "csv")
        == ["n", "2"])
    let wrong = try run(
      "query", store, "squares", "--select", "divide(geometry, 'LINE (0 0)') AS n")
    #expect(wrong.code == 64 && wrong.errors.contains("is not a geometry in WKT"))
  }
}
