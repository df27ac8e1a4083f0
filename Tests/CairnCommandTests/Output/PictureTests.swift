import CairnTestSupport
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Maps as files: their contents, and their display in a browser.
@Suite(.serialized) struct PictureTests {
  private func write(_ name: String, in scratch: TemporaryFolder, _ options: String...) throws
    -> String
  {
    let outcome = try Command.run(
      ["query", SampleStores.placesStore(), "places", "--output", scratch[name]] + options)
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    return try scratch.text(name)
  }

  @Test func svgHasAMarkForEachRow() throws {
    let scratch = try TemporaryFolder()
    let text = try write("a.svg", in: scratch, "--near", "-27.5,153", "--radius", "200km")
    #expect(text.matches(of: /<circle class="row"[^>]*><title>/).count == 3)
    #expect(text.contains("<title>Brisbane\nid: 1\nkind: city\npopulation: 2560720\n"))
    #expect(text.contains("class=\"region\"") && text.contains("class=\"land\""))
    #expect(text.contains("places: within 200 km of -27.5, 153.0"))
    #expect(text.contains("3 rows") && text.contains(" km</text>"))
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(!text.contains("NaN") && !text.contains("inf"))
  }

  @Test(arguments: [
    ["--bbox", "170,-30,-160,0"], ["--bbox", "-180,-90,180,90"], ["FALSEPREDICATE"], ["id == 8"],
    ["--near", "-90,0", "--radius", "1000km"], ["--near", "80,10", "--radius", "2000km"],
    ["--within", "POLYGON ((150 -30, 160 -30, 160 -20, 150 -20, 150 -30))", "--edges", "geodesic"],
    ["location GEOWITHIN geoBox([0, 40], [10, 50]) OR name == 'Suva'"],
  ])
  func everyPartOfTheEarthIsDrawn(options: [String]) throws {
    let scratch = try TemporaryFolder()
    for name in ["a.svg", "a.html", "a.txt"] {
      let format = name == "a.txt" ? ["--format", "map"] : []
      let outcome = try Command.run(
        ["query", SampleStores.placesStore(), "places", "--output", scratch[name]] + options
          + format)
      #expect(outcome.code == 0, "\(options): \(outcome.errors)")
      let text = try scratch.text(name)
      // A name may contain these letters.
      #expect(!text.contains(/[ "=]-?(nan|inf)/), "\(name)")
      #expect(!text.contains("{{"), "each placeholder has a value")
    }
    #expect(XMLParser(data: Data(try scratch.text("a.svg").utf8)).parse(), "\(options)")
    let page = try scratch.text("a.html")
    let start = try #require(page.firstRange(of: "id=\"data\">")?.upperBound)
    let data = page[start...].prefix { $0 != "<" }
    #expect(throws: Never.self, "numbers that are not finite are not JSON") {
      try JSONSerialization.jsonObject(with: Data(data.utf8))
    }
  }

  @Test func manyRowsBecomeSquares() throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "query", SampleStores.citiesStore(), "cities", "--output", scratch["a.svg"])
    let text = try scratch.text("a.svg")
    #expect(outcome.code == 0 && !text.contains("<circle class=\"row\""))
    #expect(text.contains("rows here</title>") && text.contains("34 024 rows:"))
    #expect(text.utf8.count < 300_000)
  }

  @Test func textIsEscaped() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "p.csv", "name,lat,lon\n\"</script><script>alert('x')</script>&\",1,2\n")
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    for name in ["a.html", "a.svg"] {
      let outcome = try Command.run(
        "query", scratch["s"], "p", "name CONTAINS '</script>'", "--output", scratch[name])
      #expect(outcome.code == 0)
      #expect(!(try scratch.text(name)).contains("<script>alert"), "\(name)")
    }
  }

  @Test func mapsNeedALocation() throws {
    for format in ["map", "svg", "html", "wkt"] {
      let crs = try Command.run(
        "query", SampleStores.placesStore(), "places", "--format", format, "--crs", "EPSG:3857")
      #expect(crs.code == (format == "wkt" ? 0 : 64), "\(crs.errors)")
    }
  }

  @Test func aMapInTheTerminal() throws {
    let lines = try Command.lines(
      "query", SampleStores.placesStore(), "places", "--bbox", "140,-45,180,-10", "--format", "map")
    let map = lines.dropLast(2)
    #expect(map.allSatisfy { $0.count <= 80 } && map.count <= 40)
    let braille = map.joined().unicodeScalars.filter { (0x2801...0x28FF).contains($0.value) }
    #expect(braille.count > 100, "coast and box")
    #expect(map.joined().contains { "●░▒▓█".contains($0) })
    #expect(lines[lines.count - 2].hasPrefix("4 rows"))
    #expect(lines.last?.contains("°S") == true && lines.last?.contains("°E") == true)
    #expect(!lines.joined().contains("\u{1B}"))
  }

  /// The cross marks the origin of distances, on top of rows at the same position, and the legend
  /// names it.
  @Test func aMapHasACrossAtNear() throws {
    for rest in [["--limit", "2"], ["--radius", "500km"]] {
      let lines = try Command.run(
        [
          "query", SampleStores.placesStore(), "places", "--near", "-27.4705,153.026", "--format",
          "map",
        ]
          + rest
      ).lines
      let map = lines.dropLast(2)
      #expect(map.joined().count { $0 == "+" } == 1, "\(lines)")
      #expect(lines[lines.count - 2].hasSuffix("  + near"), "\(lines)")
    }
    let none = try Command.lines("query", SampleStores.placesStore(), "places", "--format", "map")
    #expect(!none.joined().contains("+"))
  }

  @Test func theTerminalSetsSizeAndColour() throws {
    let store = try SampleStores.placesStore()
    let colour = try Command.terminal(
      "query", store, "places", "--format", "map", columns: 60, rows: 20)
    #expect(colour.code == 0 && colour.output.contains("\u{1B}[38;5;"))
    let plain = colour.output.replacing(/\u{1B}\[[\d;]*m/, with: "")
    let lines = plain.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 19 && lines.dropLast(2).allSatisfy { $0.count <= 60 })
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
      let bare = try Command.terminal(
        "query", store, "places", "--format", "map", environment: [variable.0: variable.1])
      #expect(!bare.output.contains("\u{1B}"), "\(variable)")
    }
    let wide = try Command.run(
      ["query", store, "places", "--format", "map"], environment: ["COLUMNS": "120"])
    #expect(wide.lines.contains { $0.count > 100 })
  }

  @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed; the page was not checked"))
  func aBrowserShowsThePage() throws {
    let scratch = try TemporaryFolder()
    let text = try write(
      "a.html", in: scratch, "--near", "-27.5,153", "--radius", "200km", "--select",
      "name,population")
    let page = try scratch.file(
      "b.html", text.replacing("</html>", with: "<script>\(Self.look)</script></html>"))
    let (shown, complaints) = try Browser.open(page, in: scratch)
    #expect(complaints.isEmpty, "\(complaints)")
    #expect(shown.contains("data-shown=\"3\""))
    let seen = try #require(shown.firstMatch(of: /data-seen="([^"]*)"/)).1
    let numbers = seen.split(separator: ",").compactMap { Int($0) }
    #expect(numbers.count == 4 && numbers.allSatisfy { $0 > 20 }, "row, region, land, sea: \(seen)")
    #expect(shown.contains("<b>Ipswich</b>"), "the name under the pointer")
    #expect(shown.contains("<span>229208</span>") && shown.contains(">3 rows<"))
    #expect(shown.contains("region") && shown.contains("near -27.5, 153"))
  }

  /// Points at Ipswich, and counts the pixels of each colour.
  private static let look = """
    addEventListener('load', () => setTimeout(() => {
      drawNow();
      const count = name => {
        const probe = document.createElement('canvas').getContext('2d');
        probe.fillStyle = colours[name]; probe.fillRect(0, 0, 1, 1);
        const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
        const all = ink.getImageData(0, 0, canvas.width, canvas.height).data;
        let found = 0;
        for (let i = 0; i < all.length; i += 4)
          if (Math.abs(all[i] - r) + Math.abs(all[i + 1] - g) + Math.abs(all[i + 2] - b) < 90) found++;
        return found;
      };
      const at = { clientX: toX(152.7609), clientY: toY(-27.6144), bubbles: true };
      document.documentElement.dataset.seen = ['row', 'region', 'land', 'sea'].map(count);
      canvas.dispatchEvent(new PointerEvent('pointermove', at));
    }, 200));
    """

  @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed; the tips were not checked"))
  func tipsStayUnderAFingerAndGoOnZoom() throws {
    let scratch = try TemporaryFolder()
    let text = try write(
      "a.html", in: scratch, "--near", "-27.5,153", "--radius", "200km", "--select", "name")
    let page = try scratch.file(
      "b.html", text.replacing("</html>", with: "<script>\(Self.touch)</script></html>"))
    let (shown, complaints) = try Browser.open(page, in: scratch)
    #expect(complaints.isEmpty, "\(complaints)")
    let seen = try #require(shown.firstMatch(of: /data-seen="([^"]*)"/)).1
    #expect(
      seen
        == "tap Ipswich,lifted Ipswich,zoomed none,beside Ipswich,moved none,elsewhere none,round 0"
    )
  }

  /// Taps on Ipswich, zooms, taps beside it, moves the map, taps on nothing, and turns the map round
  /// the earth.
  private static let touch = """
    addEventListener('load', () => setTimeout(() => {
      canvas.setPointerCapture = () => {};
      const seen = [];
      const note = word => seen.push(word + ' ' + (tip.hidden ? 'none' : tip.querySelector('b').textContent));
      const send = (name, right) => canvas.dispatchEvent(new PointerEvent(name, { bubbles: true, pointerId: 1,
        pointerType: 'touch', clientX: toX(152.7609) + right, clientY: toY(-27.6144) }));
      const tap = right => { send('pointerdown', right); send('pointerup', right); };
      tap(0); note('tap');
      send('pointerleave', 0); note('lifted');
      zoom(1.5); note('zoomed');
      tap(15); note('beside');
      send('pointerdown', 0); send('pointermove', 40); note('moved'); send('pointerup', 40);
      tap(-60); note('elsewhere');
      const before = view.x;
      move(360 * view.scale * squeeze, 0);
      seen.push('round ' + Math.abs(Math.round((view.x - before) * 1e6)));
      document.documentElement.dataset.seen = seen;
    }, 200));
    """

  @Test(.enabled(if: Browser.isInstalled, "Chromium is not installed; the picture was not checked"))
  func aBrowserShowsThePicture() throws {
    let scratch = try TemporaryFolder()
    let svg = try write("a.svg", in: scratch, "--bbox", "140,-45,180,-10")
    let page = try scratch.file(
      "a.html",
      """
      <body><script>
      const picture = new Image();
      picture.onload = () => {
        const pen = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
          .getContext('2d');
        pen.drawImage(picture, 0, 0);
        const all = pen.getImageData(0, 0, picture.width, picture.height).data, seen = {};
        const near = (i, r, g, b) => Math.abs(all[i] - r) + Math.abs(all[i + 1] - g) + Math.abs(all[i + 2] - b) < 40;
        for (let i = 0; i < all.length; i += 4) {
          const name = near(i, 0xd9, 0x5d, 0x6f) || near(i, 0xd1, 0x34, 0x4b) ? 'row' : near(i, 0x1f, 0x78, 0xb4)
            ? 'edge' : near(i, 0xf4, 0xef, 0xe1) ? 'land' : near(i, 0xdc, 0xe9, 0xf2) ? 'sea' : 'other';
          seen[name] = (seen[name] || 0) + 1;
        }
        document.body.dataset.seen = ['row', 'edge', 'land', 'sea'].map(name => seen[name] || 0);
      };
      picture.src = 'data:image/svg+xml;base64,\(Data(svg.utf8).base64EncodedString())';
      </script></body>
      """)
    let (shown, complaints) = try Browser.open(page, in: scratch)
    #expect(complaints.isEmpty, "\(complaints)")
    let seen = try #require(shown.firstMatch(of: /data-seen="([^"]*)"/)).1
    let numbers = seen.split(separator: ",").compactMap { Int($0) }
    #expect(numbers.count == 4 && numbers.allSatisfy { $0 > 20 }, "row, edge, land, sea: \(seen)")
  }
}
