import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO
@testable import CairnMaps

/// The part of the earth that a map shows, and its land.
@Suite struct FrameTests {
  @Test func everyLocationIsInTheFrame() {
    let seed = Soak.seed(116)
    var random = SplitMix64(seed: seed)
    let spreads = [0, 0.001, 1, 30, 200]
    for _ in 0..<500 {
      let middle = Double.random(in: -180...180, using: &random)
      let spread: Double = spreads[Int.random(in: 0..<spreads.count, using: &random)]
      var places = PointBuffer()
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        var longitude = middle + Double.random(in: -spread...spread, using: &random)
        while longitude > 180 { longitude -= 360 }
        while longitude < -180 { longitude += 360 }
        places.append(
          Position(latitude: Double.random(in: -90...90, using: &random), longitude: longitude))
      }
      let frame = MapFrame(places, outline: nil, origin: nil)
      #expect(frame.east > frame.west && frame.north > frame.south, "seed \(seed)")
      #expect(
        frame.east - frame.west <= 360 && frame.north <= 90 && frame.south >= -90, "seed \(seed)")
      #expect((0.1...8).contains(frame.aspect), "seed \(seed): \(frame)")
      for index in 0..<places.count {
        let place = frame.position(places[index].longitude, latitude: places[index].latitude)
        #expect((-1e-9...1 + 1e-9).contains(place.x), "seed \(seed): \(frame) \(places[index])")
        #expect((-1e-9...1 + 1e-9).contains(place.y), "seed \(seed): \(frame) \(places[index])")
      }
    }
  }

  @Test func theShorterIntervalOfLongitudesIsShown() {
    var span = LongitudeSpan()
    for longitude in [170.0, -170, 179, -165.5] { span.add(longitude) }
    #expect(span.bounds?.west == 170 && span.bounds?.east == 194.5)
    span.add(from: -10, to: 10)
    #expect((span.bounds?.east ?? 0) - (span.bounds?.west ?? 0) < 220)
    #expect(LongitudeSpan().bounds == nil)
  }

  @Test func knownLocationsAreOnLandOrAtSea() {
    #expect(BaseMap.land.count > 300)
    let places = BaseMap.land.joined()
    #expect(places.allSatisfy { abs($0.longitude) <= 180 && abs($0.latitude) <= 90 })
    for (name, longitude, latitude) in [
      ("Paris", 2.35, 48.86), ("Brisbane", 152.9, -27.4), ("Nairobi", 36.8, -1.3),
      ("Denver", -105.0, 39.7), ("the South Pole", 0.0, -89.9),
    ] { #expect(isLand(longitude, latitude), "\(name)") }
    for (name, longitude, latitude) in [
      ("the Atlantic", -40.0, 30.0), ("the Pacific", -150.0, 0.0), ("the Caspian", 51.0, 40.0),
      ("the North Pole", 0.0, 89.9), ("the Mediterranean", 18.0, 35.0),
    ] { #expect(!isLand(longitude, latitude), "\(name)") }
  }

  /// Whether a line to the east crosses coasts an odd number of times.
  private func isLand(_ longitude: Double, _ latitude: Double) -> Bool {
    var crossings = 0
    for ring in BaseMap.land {
      for (start, end) in zip(ring, ring.dropFirst()) {
        guard (start.latitude > latitude) != (end.latitude > latitude) else { continue }
        let part = (latitude - start.latitude) / (end.latitude - start.latitude)
        if start.longitude + (end.longitude - start.longitude) * part > longitude { crossings += 1 }
      }
    }
    return !crossings.isMultiple(of: 2)
  }

  @Test func linesAndAreasAreClipped() {
    let line = UnitClip.line((-1, 0.5), end: (2, 0.5))
    #expect(line?.0.x == 0 && line?.1.x == 1)
    #expect(UnitClip.line((-1, 2), end: (2, 2)) == nil && UnitClip.line((2, 0), end: (3, 1)) == nil)
    let area = UnitClip.ring([(-1, -1), (2, -1), (2, 2), (-1, 2)], margin: 0)
    #expect(Set(area.map { "\($0.x) \($0.y)" }) == ["0.0 0.0", "1.0 0.0", "1.0 1.0", "0.0 1.0"])
    #expect(UnitClip.ring([(2, 2), (3, 2), (3, 3)], margin: 0).isEmpty)
  }

  @Test func densityStepsGrowExponentially() {
    #expect(DensityScale(most: 1, steps: 4).labels == ["1"])
    #expect(DensityScale(most: 3, steps: 4).labels == ["1", "2", "3"])
    #expect(
      DensityScale(most: 10_000, steps: 4).labels == ["1–10", "11–100", "101–1000", "1001–10000"])
    let scale = DensityScale(most: 777, steps: 5)
    for count in 1...777 {
      let step = scale.step(of: count)
      #expect(count <= scale.bounds[step] && (step == 0 || count > scale.bounds[step - 1]))
    }
  }
}
