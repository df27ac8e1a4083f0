import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO
@testable import CairnMaps

/// The land, borders and names behind the rows, and their cut for a page.
@Suite struct BaseMapTests {
  private static func read(_ text: String) -> [[BaseMap.Vertex]] {
    var text = text
    return text.withUTF8(BaseMapText.lines)
  }

  @Test func writingAndReadingAreInverse() {
    let seed = Soak.seed(114)
    var random = SplitMix64(seed: seed)
    let lines = (0..<200).map { _ in
      (0..<Int.random(in: 1...30, using: &random)).map { _ in
        BaseMap.Vertex(
          longitude: Double(Int.random(in: -18000...18000, using: &random)) / 100,
          latitude: Double(Int.random(in: -9000...9000, using: &random)) / 100)
      }
    }
    let text = BaseMapText.text(lines)
    #expect(Self.read(text) == lines, "seed \(seed)")
    #expect(!text.contains { "<\\\"#".contains($0) }, "the text needs no escapes in a page")
    #expect(Self.read(BaseMapText.text(BaseMap.land)) == BaseMap.land)
    #expect(Self.read(BaseMapText.text(BaseMap.borders)) == BaseMap.borders)
    #expect(Self.read("").isEmpty)
  }

  /// How often a line from west to east crosses borders.
  private func crossings(_ west: (Double, Double), _ east: (Double, Double)) -> Int {
    func side(_ p: (Double, Double), _ q: (Double, Double), _ r: (Double, Double)) -> Bool {
      (q.0 - p.0) * (r.1 - p.1) > (q.1 - p.1) * (r.0 - p.0)
    }
    return BaseMap.borders.reduce(0) { count, line in
      count
        + zip(line, line.dropFirst()).count { start, end in
          let (a, b) = ((start.longitude, start.latitude), (end.longitude, end.latitude))
          return side(west, east, a) != side(west, east, b) && side(a, b, west) != side(a, b, east)
        }
    }
  }

  @Test func bordersSeparateCountries() {
    let (lyon, milan) = ((4.85, 45.75), (9.19, 45.46))
    let (dresden, prague) = ((13.74, 51.05), (14.42, 50.08))
    let (denver, chicago) = ((-104.9, 39.7), (-87.7, 41.8))
    #expect(crossings(lyon, milan) >= 1)
    #expect(crossings(dresden, prague) >= 1)
    #expect(crossings(denver, chicago) == 0)
  }

  @Test func namesHaveLocations() throws {
    #expect(BaseMap.countries.count > 200 && BaseMap.places.count > 1000)
    for name in BaseMap.countries + BaseMap.places {
      #expect(!name.text.isEmpty && abs(name.longitude) <= 180 && abs(name.latitude) <= 90)
    }
    let london = try #require(BaseMap.places.first { $0.text == "London" })
    #expect(abs(london.longitude + 0.12) < 0.1 && abs(london.latitude - 51.5) < 0.1)
    let brazil = try #require(BaseMap.countries.first { $0.text == "Brazil" })
    #expect((-60...(-45)).contains(brazil.longitude) && (-20...0).contains(brazil.latitude))
  }

  /// The excerpt has every vertex near the frame, and is much smaller than the whole.
  @Test(arguments: [(50.2, -5.0), (-17.8, 178.0), (46.8, 8.2)])
  func anExcerptIsExactNearTheFrame(latitude: Double, longitude: Double) {
    var points = PointBuffer()
    for (north, east) in [(-1.0, -1.0), (1, 1)] {
      points.append(Position(latitude: latitude + north, longitude: longitude + east))
    }
    let frame = MapFrame(points, outline: nil, origin: nil)
    let excerpt = BaseMap.Excerpt(frame)
    func near(_ lines: [[BaseMap.Vertex]]) -> [BaseMap.Vertex] {
      lines.joined().filter {
        abs($0.latitude - latitude) < 1.5 && abs($0.longitude - longitude) < 1.5
      }
    }
    #expect(!near(BaseMap.land).isEmpty || !near(BaseMap.borders).isEmpty)
    #expect(near(Self.read(excerpt.land)) == near(BaseMap.land))
    #expect(near(Self.read(excerpt.borders)) == near(BaseMap.borders))
    #expect(excerpt.land.utf8.count < BaseMapText.text(BaseMap.land).utf8.count / 2)
    #expect(excerpt.places.contains { $0.text == "London" }, "important places are everywhere")
  }

  @Test func degreesHaveLetters() {
    #expect(DegreeText.meridian(-12.5) == "12.5°W" && DegreeText.meridian(190) == "170°W")
    #expect(DegreeText.meridian(180) == "180°" && DegreeText.meridian(-180) == "180°")
    #expect(DegreeText.parallel(0) == "0°" && DegreeText.parallel(-45.05) == "45.05°S")
    #expect(DegreeText.meridian(360.002) == "0.002°E")
  }

  @Test func labelsDoNotOverlap() {
    let seed = Soak.seed(115)
    var random = SplitMix64(seed: seed)
    var layout = LabelLayout(width: 400, height: 300)
    var placed: [LabelLayout.Box] = []
    for _ in 0..<300 {
      let boxes = LabelLayout.around(
        Double.random(in: -20...420, using: &random),
        y: Double.random(in: -20...320, using: &random),
        distance: 4, width: Double.random(in: 10...90, using: &random), height: 14)
      guard let box = layout.place(boxes) else { continue }
      #expect(!placed.contains { $0.overlaps(box) }, "seed \(seed)")
      #expect(box.x >= 0 && box.x + box.width <= 400 && box.y >= 0 && box.y + box.height <= 300)
      placed.append(box)
    }
    #expect(placed.count > 20)
  }
}

/// The projection around a pole, and the map of the world.
@Suite struct ProjectionTests {
  private func frame(_ places: [(latitude: Double, longitude: Double)]) -> MapFrame {
    var points = PointBuffer()
    for place in places {
      points.append(Position(latitude: place.latitude, longitude: place.longitude))
    }
    return MapFrame(points, outline: nil, origin: nil)
  }

  @Test(arguments: [1.0, -1])
  func mapsNearAPoleAreCentredOnIt(pole: Double) {
    let ring = stride(from: -180.0, to: 180, by: 15).map { (latitude: pole * 75, longitude: $0) }
    let map = frame(ring)
    #expect(map.polar?.isNorth == (pole > 0))
    let centre = map.position(0, latitude: pole * 90)
    #expect(abs(centre.x - 0.5) < 0.02 && abs(centre.y - 0.5) < 0.02)
    for place in ring {
      let point = map.position(place.longitude, latitude: place.latitude)
      let (x, y) = (
        (point.x - centre.x) * (map.east - map.west), (point.y - centre.y) * (map.north - map.south)
      )
      #expect(abs((x * x + y * y).squareRoot() - 15) < 1e-6)
    }
    // Greenwich is below the North Pole and above the South Pole; the east is on the right of it.
    #expect((map.position(0, latitude: pole * 75).y > 0.5) == (pole > 0))
    #expect(map.position(90, latitude: pole * 75).x > 0.5)
    #expect(MapWords.extent(map).hasPrefix(pole > 0 ? "north of" : "south of"))
  }

  /// The area of a ring in the plane.
  private func area(_ ring: [(x: Double, y: Double)]) -> Double {
    zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
      $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) / 2
    }
  }

  /// A box around the whole pole, with and without edges along the antimeridian, is a disc.
  @Test(arguments: [1.0, -1])
  func areasAroundAPoleAreDiscs(pole: Double) throws {
    let box = try #require(
      GeoBox(
        bottomLeft: try #require(GeoPoint(latitude: pole > 0 ? 70 : -90, longitude: -180)),
        topRight: try #require(GeoPoint(latitude: pole > 0 ? 90 : -70, longitude: 180))))
    let circle = GeoCircle(
      center: try #require(GeoPoint(latitude: pole * 90, longitude: 0)),
      radius: try #require(Distance.degrees(20)))
    for shape in [Shape.box(box), .circle(circle)] {
      let map = MapFrame(PointBuffer(), outline: Outline(shape), origin: nil)
      let polar = try #require(map.polar)
      for ring in Outline(shape).rings {
        let plane = polar.ring(RingShape.area(ring))
        #expect(abs(abs(area(plane)) - .pi * 400) < 10, "\(shape)")
        #expect(
          plane.allSatisfy { $0.x * $0.x + $0.y * $0.y > 19.9 * 19.9 },
          "the pole is not on the edge")
      }
    }
  }

  @Test func otherMapsAreNotPolar() {
    #expect(frame([(60, 5), (71, 30)]).polar == nil, "Scandinavia")
    #expect(frame([(10, -170), (80, 170), (75, 0)]).polar == nil, "much of a hemisphere")
    #expect(frame([(85, 10), (-85, 10)]).polar == nil)
    #expect(frame([(89, 10)]).polar != nil && frame([(70, -120), (70, 0), (70, 120)]).polar != nil)
  }

  @Test func nearlyTheWholeWorldIsTheWorld() {
    let wide = frame(stride(from: -135.0, through: 140, by: 10).map { ($0 / 3, $0) })
    #expect((wide.west, wide.east) == (-180, 180))
    #expect(wide.south == -60 && wide.north == 85)
    let polar = frame(stride(from: -170.0, through: 170, by: 10).map { ($0 / 1.9, $0) })
    #expect(polar.west == -180 && polar.south < -85 && polar.north > 85)
    let half = frame(stride(from: -100.0, through: 100, by: 10).map { ($0 / 3, $0) })
    #expect(half.east - half.west < 240)
  }
}
