import CairnTestSupport
import Foundation
import Testing

/// `cairn join` on small classes whose pairs are known.
@Suite struct JoinTests {
  /// A grid of points, squares of which the second and third touch, and a line.
  private static let store = Result {
    let scratch = try TemporaryFolder()
    var points = "id,name,size,lat,lon\n"
    for y in 0..<5 {
      for x in 0..<5 { points += "\(y * 5 + x),p\(x)\(y),\(x),\(y),\(x)\n" }
    }
    let zones = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"id":"a","rank":1},"geometry":
      {"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}},
      {"type":"Feature","properties":{"id":"b","rank":2},"geometry":
      {"type":"Polygon","coordinates":[[[2,2],[4,2],[4,3],[2,3],[2,2]]]}},
      {"type":"Feature","properties":{"id":"c","rank":3},"geometry":
      {"type":"Polygon","coordinates":[[[2,3],[4,3],[4,4],[2,4],[2,3]]]}},
      {"type":"Feature","properties":{"id":"d","rank":4},"geometry":
      {"type":"LineString","coordinates":[[0.5,0.5],[2.5,2.5]]}}]}
      """
    let path = scratch["join.cairn"]
    for (file, text) in [("points.csv", points), ("zones.geojson", zones)] {
      let outcome = try Command.run(
        "import", path, try scratch.file(file, text).path, "--key", "id", "--quiet")
      try #require(outcome.code == 0, "\(outcome.errors)")
    }
    return (scratch, path)
  }

  private func join(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(["join", Self.store.get().1] + arguments)
  }

  /// The rows after the heading, sorted.
  private func rows(_ arguments: String...) throws -> [String] {
    let outcome = try Command.run(
      ["join", Self.store.get().1] + arguments + ["--format", "csv"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines.dropFirst().sorted()
  }

  /// The bounds of the squares: west, south, east, north.
  private static let squares: [(id: String, bounds: (Int, Int, Int, Int))] = [
    ("a", (0, 0, 1, 1)), ("b", (2, 2, 4, 3)), ("c", (2, 3, 4, 4)),
  ]

  /// The pairs of a point and a square around it, with the point's column and the square's id.
  private var inside: [(x: Int, y: Int, zone: String)] {
    (0..<5).flatMap { y in
      (0..<5).flatMap { x in
        Self.squares.filter { zone in
          let (west, south, east, north) = zone.bounds
          return west <= x && x <= east && south <= y && y <= north
        }.map { (x, y, $0.id) }
      }
    }
  }

  @Test func pairsOfPointsAndAreas() throws {
    let onLine = ["6,d", "12,d"]
    let expected = inside.map { "\($0.y * 5 + $0.x),\($0.zone)" } + onLine
    #expect(
      try rows("points", "zones", "--on", "within", "--select", "points.id,zones.id")
        == expected.sorted())
    let contained = expected.map { $0.split(separator: ",").reversed().joined(separator: ",") }
    #expect(
      try rows("zones", "points", "--on", "contains", "--select", "zones.id,points.id")
        == contained.sorted())
  }

  @Test func conditionsOnOneSideAndOnBoth() throws {
    let expected = inside.filter { $0.x > 2 && $0.zone != "a" }
    #expect(
      try rows(
        "points", "zones", "points.size > 2 AND zones.rank IN {1, 2, 3}", "--on", "within",
        "--select", "points.id,zones.id")
        == expected.map { "\($0.y * 5 + $0.x),\($0.zone)" }.sorted())
    #expect(
      try rows(
        "zones", "zones", "a.rank < b.rank", "--on", "intersects", "--as", "a,b", "--select",
        "a.id,b.id") == ["a,d", "b,c", "b,d"])
    #expect(
      try rows(
        "zones", "zones", "b.rank > a.rank", "--on", "intersects", "--as", "a,b", "--select",
        "a.id,b.id") == ["a,d", "b,c", "b,d"])
  }

  @Test func groups() throws {
    let expected = Self.squares.map { zone in
      let own = inside.filter { $0.zone == zone.id }
      return "\(zone.id),\(own.count),\(own.reduce(0) { $0 + $1.x })"
    }
    let found = try rows(
      "points", "zones", "zones.rank < 4", "--on", "within", "--by", "zones.id", "--of",
      "points.size")
    #expect(found.map { $0.split(separator: ",").prefix(3).joined(separator: ",") } == expected)
    let outcome = try join(
      "points", "zones", "--on", "within", "--by", "zones.id", "--of", "points.size",
      "--format", "csv")
    #expect(outcome.lines.first == "zones.id,count,sum,min,max,avg")
  }

  /// Groups of zones without a point in a condition have the count 0.
  @Test func emptyGroups() throws {
    for limit in [0, 1, 3, 9] {
      let counts = Self.squares.map { zone in
        (zone.id, inside.count { $0.zone == zone.id && $0.x < limit })
      }
      // The line meets the points at (1, 1) and (2, 2).
      let all = counts + [("d", [1, 2].count { $0 < limit })]
      for (order, isBefore) in [
        ("count:desc,id", { ($1.1, $0.0) < ($0.1, $1.0) }),
        ("id", { $0.0 < $1.0 }),
      ] as [(String, ((String, Int), (String, Int)) -> Bool)] {
        let outcome = try join(
          "zones", "points", "points.size < \(limit)", "--on", "contains", "--by",
          "zones.id AS id", "--of", "points.size", "--outer", "--sort", order, "--format", "csv")
        let expected = all.sorted(by: isBefore).map { "\($0.0),\($0.1)" }
        #expect(
          outcome.lines.dropFirst().map {
            $0.split(separator: ",").prefix(2).joined(separator: ",")
          } == expected, "\(limit), \(order): \(outcome.errors)")
        #expect(outcome.lines.first == "id,count,sum,min,max,avg")
        for line in outcome.lines where line.split(separator: ",")[1] == "0" {
          #expect(line.hasSuffix(",0,0,,,"), "\(line)")
        }
      }
    }
  }

  @Test func titlesAndMaps() throws {
    let titles = try join(
      "points", "zones", "--on", "within", "--select", "points.id AS point,zones.id AS zone",
      "--limit", "1", "--format", "csv")
    #expect(titles.lines.first == "point,zone")
    let sorted = try join(
      "points", "zones", "--on", "within", "--select", "points.id AS point,zones.id AS zone",
      "--sort", "zone:desc,point", "--format", "csv")
    let zones = sorted.lines.dropFirst().compactMap { $0.split(separator: ",").last }
    #expect(!zones.isEmpty && zones == zones.sorted(by: >))
    let repeated = try join(
      "points", "zones", "--on", "within", "--select", "points.id AS a,zones.id AS a")
    #expect(repeated.code == 64 && repeated.errors.contains("two columns the name 'a'"))
    let scratch = try TemporaryFolder()
    let groups = try join(
      "zones", "points", "--on", "contains", "--by", "zones.id", "--outer", "--colour-by", "count",
      "--output", scratch["m.svg"])
    #expect(groups.code == 0, "\(groups.errors)")
    let map = try String(contentsOfFile: scratch["m.svg"], encoding: .utf8)
    #expect(map.contains("count"))
    let features = try join(
      "zones", "points", "--on", "contains", "--by", "zones.id", "--format", "geojsonl")
    #expect(features.lines.count == 4)
    #expect(features.lines.allSatisfy { $0.contains("\"zones.id\"") && $0.contains("\"count\"") })
    let pairs = try join(
      "points", "zones", "--on", "within", "--select", "points.id", "--colour-by", "zones.rank",
      "--output", scratch["p.svg"])
    #expect(pairs.code == 0, "\(pairs.errors)")
  }

  /// `--within CLASS:CONDITION` and its like, against a join.
  @Test func shapesOfRows() throws {
    func ids(_ options: String...) throws -> Set<String> {
      let outcome = try Command.run(
        ["query", Self.store.get().1, "points", "--select", "id", "--format", "csv"] + options)
      #expect(outcome.code == 0, "\(outcome.errors)")
      return Set(outcome.lines.dropFirst())
    }
    for condition in ["rank == 1", "rank < 4", "rank IN {2, 3}"] {
      let pairs = try rows(
        "points", "zones", "zones." + condition, "--on", "within", "--select", "points.id")
      let wanted = Set(pairs)
      #expect(try ids("--within", "zones:\(condition)") == wanted)
      #expect(try ids("--intersects", "zones:\(condition)") == wanted)
      let all = Set((0..<25).map { "\($0)" })
      #expect(try ids("--outside", "zones:\(condition)") == all.subtracting(wanted))
    }
    let formula = try ids("--within", "zones:rank + 1 == 2")
    #expect(try formula == ids("--within", "zones:rank == 1") && !formula.isEmpty)
    for (argument, code, said) in [
      ("zones:rank > 9", 64, "no row of 'zones'"), ("zone:rank > 1", 66, "No such file"),
      ("zones:nope > 1", 64, "'nope'"),
    ] as [(String, Int32, String)] {
      let outcome = try Command.run("count", Self.store.get().1, "points", "--within", argument)
      #expect(outcome.code == code && outcome.errors.contains(said), "\(outcome.errors)")
    }
  }

  @Test func distancesAndNearest() throws {
    let degree = 6_378_100 * Double.pi / 180
    let near = try rows(
      "points", "points", "a.id == 0", "--on", "distance", "--radius", "1deg", "--as", "a,b",
      "--select", "a.id,b.id,distance")
    #expect(
      near.map { $0.split(separator: ",").prefix(2).joined(separator: ",") } == [
        "0,0", "0,1", "0,5",
      ])
    for (row, expected) in zip(near, [0, degree, degree]) {
      let metres = try #require(row.split(separator: ",").last.flatMap { Double($0) })
      #expect(abs(metres - expected) < 1e-6)
    }
    #expect(
      try rows(
        "points", "points", "a.id IN {0, 24}", "--on", "nearest", "--limit", "1", "--as", "a,b",
        "--select", "a.id,b.id,distance") == ["0,0,0.0", "24,24,0.0"])
  }

  @Test func distancesInThePlane() throws {
    let near = try rows(
      "points", "points", "a.id == 0", "--on", "distance", "--radius", "1.5deg", "--edges",
      "planar", "--as", "a,b", "--select", "b.id,distance")
    let nearest = try rows(
      "points", "points", "a.id == 0", "--on", "nearest", "--limit", "4", "--edges", "planar",
      "--as", "a,b", "--select", "b.id,distance")
    #expect(near == nearest && near.count == 4)
    for (row, expected) in zip(near, [(0, 0), (1, 1), (5, 1), (6, 2.0.squareRoot())]) {
      let parts = row.split(separator: ",").compactMap { Double($0) }
      #expect(parts[0] == Double(expected.0) && abs(parts[1] - expected.1) < 1e-12, "\(row)")
    }
  }

  @Test func sortedPairs() throws {
    func pairs(_ options: String...) throws -> [String] {
      let outcome = try Command.run(
        ["join", Self.store.get().1] + options + ["--format", "csv"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      return Array(outcome.lines.dropFirst())
    }
    let all = inside.map { (point: $0.y * 5 + $0.x, zone: $0.zone, size: $0.x) }
      .filter { $0.zone != "d" }
    let expected = all.sorted {
      ($1.zone, $0.size, $0.point) < ($0.zone, $1.size, $1.point)
    }
    let sorted = try pairs(
      "points", "zones", "zones.rank < 4", "--on", "within", "--sort",
      "zones.id:desc,points.size,points.id", "--limit", "7", "--select", "points.id,zones.id")
    #expect(sorted == expected.prefix(7).map { "\($0.point),\($0.zone)" })
    let far = try pairs(
      "points", "points", "a.id IN {0, 24}", "--on", "nearest", "--limit", "2", "--edges",
      "planar", "--as", "a,b", "--sort", "distance:desc", "--sort", "b.id:asc", "--select",
      "a.id,b.id")
    #expect(far == ["0,1", "24,19", "0,0", "24,24"])
    let outer = try pairs(
      "points", "zones", "zones.rank == 1", "--on", "within", "--outer", "--sort",
      "zones.id,points.id", "--limit", "5", "--select", "points.id,zones.id")
    #expect(outer == ["0,a", "1,a", "5,a", "6,a", "2,"])
  }

  @Test func outerKeepsRowsWithoutAPartner() throws {
    let found = try rows(
      "points", "zones", "zones.rank == 1", "--on", "within", "--outer", "--select",
      "points.id,zones.id")
    #expect(found.count == 25)
    #expect(found.filter { $0.hasSuffix(",a") }.sorted() == ["0,a", "1,a", "5,a", "6,a"])
    #expect(found.filter { $0.hasSuffix(",") }.count == 21)
  }

  @Test func everyFormat() throws {
    let formats = [
      "table", "csv", "tsv", "json", "jsonl", "geojson", "geojsonl", "wkt", "markdown",
      "map", "svg", "html",
    ]
    for format in formats {
      let outcome = try join("zones", "points", "--on", "contains", "--format", format)
      #expect(outcome.code == 0 && !outcome.output.isEmpty, "\(format): \(outcome.errors)")
    }
    let outcome = try join(
      "zones", "points", "--on", "contains", "--limit", "1", "--format", "geojsonl")
    #expect(outcome.output.contains(#""geometry":{"type":"Polygon""#), "\(outcome.output)")
    #expect(outcome.output.contains(#""points.name":"#))
  }

  @Test(arguments: [
    (["--on", "within", "--select", "id"], "did you mean 'points.id'?"),
    (["--on", "within", "--select", "points.nme"], "did you mean 'name'?"),
    (["--on", "within", "--select", "distance"], "--on distance or --on nearest"),
    (["--on", "within", "size > 1"], "did you mean 'points.size'?"),
    (["--on", "within", "points.size > 1 OR zones.rank > 1"], "relates both classes"),
    (["--on", "within", "points > 1"], "is a class"),
    (["--on", "within", "--radius", "1km"], "--radius applies only to --on distance"),
    (["--on", "distance"], "--on distance needs --radius"),
    (["--on", "within", "--sort", "distance:desc"], "--sort distance needs --on distance"),
    (["--on", "within", "--sort", "points.siz"], "did you mean"),
    (["--on", "within", "--sort", "zones.geometry"], "has no order"),
    (["--on", "within", "--by", "zones.id", "--sort", "points.id"], "has no column 'points.id'"),
    (["--on", "within", "--by", "zones.id", "--select", "points.id"], "--select does not apply"),
    (["--on", "nearest", "--limit", "0"], "--limit of 1 or more"),
    (
      ["--on", "distance", "--radius", "5km", "--edges", "planar"],
      "--edges planar measures in degrees, as in --radius 0.5deg"
    ),
    (["--on", "within", "--of", "points.size"], "--of needs --by"),
    (["--on", "within", "--by", "zones.id", "--outer"], "columns of the left class"),
    (["--on", "within", "--colour-by", "zones.rank"], "only to the formats svg and html"),
    (["--on", "within", "--as", "a,a"], "two different names"),
    (["--on", "within", "--geometry", "zones.rank"], "not a location or a geometry"),
  ])
  func errors(options: [String], message: String) throws {
    let outcome = try Command.run(["join", Self.store.get().1, "points", "zones"] + options)
    #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func aClassWithItselfNeedsNames() throws {
    let outcome = try join("zones", "zones", "--on", "intersects")
    #expect(outcome.code == 64 && outcome.errors.contains("--as a,b"), "\(outcome.errors)")
  }

  @Test func explain() throws {
    let outcome = try join("points", "zones", "--on", "within", "--explain")
    #expect(outcome.code == 0 && outcome.output.contains("pairs"), "\(outcome.errors)")
  }
}
