import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnIO

/// Rectangles around all that has its positions in a box.
@Suite struct CoordinateBoxTests {
  private func box(_ places: [(x: Double, y: Double)]) -> CoordinateBox {
    CoordinateBox(
      xmin: places.map(\.x).min() ?? 0, ymin: places.map(\.y).min() ?? 0,
      xmax: places.map(\.x).max() ?? 0, ymax: places.map(\.y).max() ?? 0)
  }

  /// Lines with edges along shortest paths, some of which are long and some reach a limit.
  @Test(arguments: [1 as UInt64, 2, 3]) func rectanglesContainTheBoundsOfLines(seed: UInt64) throws
  {
    var random = SplitMix64(seed: Soak.seed(seed))
    for _ in 0..<Soak.rounds(2000) {
      let width = random.pick([0.001, 1, 30, 170, 360])
      let west = Double.random(in: -180...(180 - min(width, 359)), using: &random)
      var places = (0..<2 + random.below(3)).map { _ in
        (
          x: min(180, west + Double.random(in: 0...width, using: &random)),
          y: Double.random(in: -89...89, using: &random)
        )
      }
      if random.chance(0.1) { places[0].x = random.pick([-180, 180, 179.9999999999]) }
      if random.chance(0.1) { places[0].y = random.pick([-90, 90]) }
      let text = places.map { "\($0.x) \($0.y)" }.joined(separator: ",")
      guard let line = try? Geometry(wkt: "LINESTRING(\(text))"),
        let bounds = line.withView({ $0.bounds })
      else { continue }
      let found = try #require(box(places).envelope(haveEdges: true), "\(text)")
      #expect(found.contains(bounds), "\(text): \(found) does not contain \(bounds)")
    }
  }

  @Test func locationsHaveNoEdges() throws {
    let envelope = try #require(
      CoordinateBox(xmin: 0, ymin: 60, xmax: 90, ymax: 61).envelope(haveEdges: false))
    #expect(envelope.north < 61.001 && envelope.east < 90.001)
    let edges = try #require(
      CoordinateBox(xmin: 0, ymin: 60, xmax: 90, ymax: 61).envelope(haveEdges: true))
    #expect(edges.north > 68)
  }

  @Test func theAntimeridianAndThePolesHaveAllLongitudes() throws {
    for box in [
      CoordinateBox(xmin: 170, ymin: 0, xmax: 180, ymax: 1),
      CoordinateBox(xmin: -180, ymin: 0, xmax: -170, ymax: 1),
      CoordinateBox(xmin: 1, ymin: 80, xmax: 2, ymax: 90),
    ] {
      let envelope = try #require(box.envelope(haveEdges: false))
      #expect(envelope.west == -180 && envelope.east == 180)
    }
  }

  @Test func nothingIsKnownBeyondTheEarth() {
    for box in [
      CoordinateBox(xmin: 170, ymin: 0, xmax: 190, ymax: 1),
      CoordinateBox(xmin: 1, ymin: -91, xmax: 2, ymax: 1),
      CoordinateBox(xmin: 1, ymin: .nan, xmax: 2, ymax: 1),
      CoordinateBox(xmin: 3, ymin: 0, xmax: 2, ymax: 1),
    ] { #expect(box.envelope(haveEdges: false) == nil) }
  }
}
