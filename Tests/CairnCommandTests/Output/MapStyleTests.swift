import CairnTestSupport
import Foundation
import Testing

/// Names, colours, sizes and projections of maps as files.
@Suite struct MapStyleTests {
  /// A mark of an SVG map.
  private struct Mark {
    let x: Double
    let y: Double
    let radius: Double
    let colour: String?
    let title: String
  }

  private static func marks(_ svg: String) -> [Mark] {
    svg.matches(
      of:
        /<circle class="row" cx="([^"]*)" cy="([^"]*)" r="([^"]*)"(?: style="fill:([^"]*)")?><title>([^<]*)</
    ).map {
      Mark(
        x: Double($0.1) ?? .nan, y: Double($0.2) ?? .nan, radius: Double($0.3) ?? .nan,
        colour: $0.4.map(String.init), title: String($0.5))
    }
  }

  private static func texts(_ kind: String, in svg: String) throws -> [String] {
    try svg.matches(of: Regex("<text class=\"\(kind)\"[^>]*>([^<]*)<")).compactMap {
      $0.output[1].substring.map(String.init)
    }
  }

  private func map(_ name: String = "a.svg", _ arguments: String...) throws -> String {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(["query"] + arguments + ["--output", scratch[name]])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try scratch.text(name)
  }

  @Test func bordersTownsAndDegreesAreNamed() throws {
    let svg = try map("a.svg", SampleStores.citiesStore(), "cities", "country == 'CH'")
    #expect(svg.contains("class=\"border\""))
    #expect(try Self.texts("country", in: svg).contains("SWITZERLAND"))
    #expect(try Self.texts("place", in: svg).contains("Bern"))
    let degrees = try Self.texts("degree", in: svg)
    #expect(degrees.contains("47°N") && degrees.contains("8°E"), "\(degrees)")
    #expect(try Self.texts("label", in: svg).isEmpty, "only few rows are named")
  }

  /// Cornwall, which a coarser map leaves in the sea.
  @Test func thePageHasTheBaseMapNearTheRows() throws {
    let page = try map(
      "a.html", SampleStores.citiesStore(), "cities", "--near", "50.26,-5.05", "--radius", "60km")
    #expect(page.contains("\"countries\":[[\"") && page.contains("[\"Cardiff\","))
    for id in ["land", "borders"] {
      let text = try #require(
        page.firstMatch(of: try Regex("id=\"\(id)\">\\n([^<]*)\\n</script>"))?.output[1].substring)
      #expect(text.split(separator: "!").count > 100, "\(id)")
    }
    #expect(page.utf8.count < 200_000)
  }

  @Test func fewRowsAreNamed() throws {
    let store = try SampleStores.citiesStore()
    let few = try map(
      "a.svg", store, "cities", "--near", "50.26,-5.05", "--radius", "60km", "--select", "name")
    let names = Self.marks(few).map(\.title)
    #expect(names.count > 5)
    #expect(try Set(Self.texts("label", in: few)).isSubset(of: names))
    #expect(try Self.texts("label", in: few).count > 5)
    let many = try map(
      "a.svg", store, "cities", "--near", "50.26,-5.05", "--limit", "31", "--select", "name")
    #expect(Self.marks(many).count == 31)
    #expect(try Self.texts("label", in: many).isEmpty)
  }

  @Test func coloursAreStepsOfNumbers() throws {
    let svg = try map(
      "a.svg", SampleStores.citiesStore(), "cities", "country == 'CH'", "--select", "name",
      "--colour-by", "population")
    let marks = Self.marks(svg)
    #expect(marks.count > 50 && Set(marks.compactMap(\.colour)).count == 5)
    // The colours are ordered like the values.
    func population(_ mark: Mark) -> Int {
      mark.title.firstMatch(of: /population: (\d+)/).flatMap { Int($0.1) } ?? -1
    }
    let sorted = marks.sorted { population($0) < population($1) }
    var seen: [String] = []
    for mark in sorted where mark.colour != seen.last { seen.append(mark.colour ?? "") }
    #expect(seen.count == 5, "each colour is one range: \(seen)")
    #expect(svg.contains(">population:</text>") && svg.contains("≤ "))
  }

  @Test func coloursAreTextsByFrequency() throws {
    let store = try SampleStores.placesStore()
    let svg = try map("a.svg", store, "places", "--colour-by", "kind", "--select", "name")
    let colours = Dictionary(grouping: Self.marks(svg)) { $0.colour ?? "none" }
    #expect(colours.values.map(\.count).sorted() == [1, 2, 5])
    for name in ["city", "town", "station"] { #expect(svg.contains(">\(name)</text>")) }
    let flags = try map("a.svg", store, "places", "--colour-by", "open", "--select", "name")
    #expect(flags.contains(">true</text>") && flags.contains(">no value</text>"))
    let dates = try map("a.html", store, "places", "--colour-by", "founded")
    #expect(dates.contains("\"colourLabels\":[\"1038-01-01\",\"1825-09-01\""))
    #expect(dates.contains("\"classes\":["))
  }

  @Test func sizesAreInProportion() throws {
    let svg = try map(
      "a.svg", SampleStores.citiesStore(), "cities", "country == 'CH' AND population > 50000",
      "--size-by", "population", "--select", "name")
    let sizes = Self.marks(svg).map { mark -> (radius: Double, population: Double) in
      let value = mark.title.firstMatch(of: /population: (\d+)/).flatMap { Double($0.1) } ?? 0
      return (mark.radius, value)
    }
    let largest = try #require(sizes.max { $0.population < $1.population })
    #expect(largest.radius == 14 && sizes.count > 5)
    for size in sizes {
      let expected = 14 * (size.population / largest.population).squareRoot()
      #expect(abs(size.radius - max(2, expected)) < 0.06, "\(size)")
    }
    #expect(sizes.map(\.radius) == sizes.map(\.radius).sorted(by: >), "large marks are below")
    #expect(svg.contains(">population:</text>"))
  }

  /// The cells of groups by location are coloured by their first figure.
  @Test func cellsAreColoured() throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "stats", try SampleStores.citiesStore(), "cities", "--by", "cell(10)", "--output",
      scratch["a.svg"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let svg = try scratch.text("a.svg")
    let fills = svg.matches(of: /class="area"[^>]*style="fill:([^;]*);/).map { String($0.1) }
    #expect(fills.count > 100 && Set(fills).count == 5)
    #expect(svg.contains(">count:</text>"))
  }

  @Test(arguments: [
    (["--colour-by", "kind"], "--colour-by applies only to the formats svg and html"),
    (["--size-by", "id", "--format", "map"], "--size-by applies only to the formats svg and html"),
    (["--size-by", "kind", "--format", "svg"], "--size-by takes a column of numbers"),
    (["--size-by", "founded", "--format", "svg"], "--size-by takes a column of numbers"),
    (
      ["--colour-by", "kin", "--format", "svg"],
      "--colour-by: 'places' has no column 'kin'; did you mean 'kind'"
    ),
    (["--colour-by", "location", "--format", "svg"], "--colour-by takes one column"),
    (["--colour-by", "id,kind", "--format", "svg"], "--colour-by takes one column"),
    (
      ["--colour-by", "distance", "--format", "svg"],
      "--colour-by: 'places' has no column 'distance'"
    ),
  ])
  func wrongColumnsAreRefused(options: [String], message: String) throws {
    let outcome = try Command.run(["query", SampleStores.placesStore(), "places"] + options)
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func computedColumnsColourToo() throws {
    let svg = try map(
      "a.svg", SampleStores.placesStore(), "places", "--near", "-27.5,153", "--radius", "200km",
      "--colour-by", "distance", "--size-by", "population", "--select", "name")
    #expect(Self.marks(svg).allSatisfy { $0.title.contains("distance: ") && $0.colour != nil })
  }

  @Test func tooManyRowsHaveNoColours() throws {
    let scratch = try TemporaryFolder()
    let rows = (0...100_000).map { "\($0),\(Double($0 % 180) / 2),\(Double($0 % 359) / 2)\n" }
    let file = try scratch.file("p.csv", "id,lat,lon\n" + rows.joined())
    #expect(try Command.run("import", scratch["s"], file.path, "--quiet").code == 0)
    let outcome = try Command.run(
      "query", scratch["s"], "p", "--colour-by", "id", "--output", scratch["a.svg"])
    #expect(outcome.code == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("show at most 100000 rows; choose fewer"))
    #expect(!FileManager.default.fileExists(atPath: scratch["a.svg"]))
  }

  /// Where marks would cover each other, squares show how many there are.
  @Test func crowdsBecomeSquares() throws {
    let store = try SampleStores.citiesStore()
    let crowd = try map("a.svg", store, "cities", "population > 100000")
    #expect(Self.marks(crowd).isEmpty && crowd.contains("rows here</title>"))
    let scattered = try map("a.svg", store, "cities", "country == 'CH'")
    #expect(Self.marks(scattered).count > 50 && !scattered.contains("rows here</title>"))
  }

  @Test func titlesMentionTheLimit() throws {
    let store = try SampleStores.placesStore()
    for (options, title) in [
      (["--limit", "2"], "places, the first 2"),
      (["--limit", "2", "--sort", "population:desc"], "places, the first 2 by population:desc"),
      (["--near", "1,2", "--limit", "3"], "places: near 1.0, 2.0, the 3 nearest"),
      (["--limit", "2", "--offset", "3"], "places, rows 4 to 5"),
      (["--offset", "3"], "places, without the first 3"),
      ([], "places"),
    ] {
      let scratch = try TemporaryFolder()
      let outcome = try Command.run(
        ["query", store, "places", "--output", scratch["a.svg"]] + options)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try scratch.text("a.svg").contains("<title>\(title)</title>"), "\(title)")
    }
  }

  /// On a map around the pole, rows of a parallel are equally far from its centre.
  @Test func mapsAroundAPoleAreRound() throws {
    let svg = try map(
      "a.svg", SampleStores.graticuleStore(), "graticule5", "--bbox", "-180,60,180,90",
      "--select", "id,location.latitude,location.longitude")
    func value(_ name: String, _ mark: Mark) throws -> Double {
      let match = mark.title.firstMatch(of: try Regex("\(name): (\\S+)"))
      return match?.output[1].substring.flatMap { Double($0) } ?? .nan
    }
    let marks = Self.marks(svg)
    #expect(marks.count > 300)
    let poles = try marks.filter { try value("latitude", $0) == 90 }
    let pole = try #require(poles.first)
    #expect(poles.allSatisfy { abs($0.x - pole.x) < 0.2 && abs($0.y - pole.y) < 0.2 })
    let edge = try #require(try marks.first { try value("latitude", $0) == 60 })
    let scale = hypot(edge.x - pole.x, edge.y - pole.y) / 30
    for mark in marks {
      let (latitude, longitude) = (try value("latitude", mark), try value("longitude", mark))
      let angle = longitude * .pi / 180
      #expect(abs(mark.x - pole.x - (90 - latitude) * scale * sin(angle)) < 0.3)
      #expect(abs(mark.y - pole.y - (90 - latitude) * scale * cos(angle)) < 0.3)
    }
    let page = try map(
      "a.html", SampleStores.graticuleStore(), "graticule5", "--bbox", "-180,-90,180,-60")
    #expect(page.contains("\"polar\":-1"))
  }
}
