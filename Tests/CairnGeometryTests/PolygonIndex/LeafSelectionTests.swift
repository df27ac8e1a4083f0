import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Selections of 64 locations at once, compared with single tests.
@Suite struct LeafSelectionTests {
  @Test(arguments: [3301, 3302, 3303] as [UInt64], [GeoPolygon.Edges.planar, .geodesic])
  func polygonsSelectWhatTheyContain(seed: UInt64, edges: GeoPolygon.Edges) throws {
    var random = SplitMix64(seed: seed)
    var mixed = 0
    for _ in 0..<Soak.count(20, long: 60) {
      let middle = (x: random.double(-120...120), y: random.double(-55...55))
      let size = random.double(0.01...25)
      var polygons = [[random.planarRing(about: middle, radius: size, count: random.int(3...60))]]
      if random.int(0...3) == 0 {
        let other = (x: middle.x + random.double(-10...10), y: middle.y)
        polygons.append([random.planarRing(about: other, radius: size / 3, count: 5)])
      }
      let region = try GeoPolygon(polygons: polygons, edges: edges).region
      let vertices = polygons.joined().flatMap { $0 }
      for _ in 0..<30 {
        let leaf = Leaf(around: vertices[random.int(0...vertices.count - 1)], vertices, &random)
        let word = leaf.select(in: region)
        #expect(word == leaf.contained(in: region), "\(polygons) \(leaf) seed \(seed)")
        if word != 0, word != .max { mixed += 1 }
      }
    }
    #expect(mixed > Soak.count(150, long: 500))
  }

  @Test(arguments: [3311] as [UInt64])
  func envelopesSelectWhatTheyContain(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let leaf = Leaf(around: random.location(), [], &random)
      let corners = (0..<2).map { _ in (leaf.xs[random.int(0...63)], leaf.ys[random.int(0...63)]) }
      let envelope = Envelope(
        lanes: SIMD4(
          min(corners[0].0, corners[1].0), min(corners[0].1, corners[1].1),
          -max(corners[0].0, corners[1].0), -max(corners[0].1, corners[1].1)))
      let word = envelope.select(longitudesE7: leaf.xs, latitudesE7: leaf.ys)
      for index in 0..<64 {
        let (x, y) = (leaf.xs[index], leaf.ys[index])
        let isContained = envelope.contains(Envelope(lanes: SIMD4(x, y, -x, -y)))
        #expect(
          word >> UInt64(index) & 1 == (isContained ? 1 : 0), "\(envelope) \(x) \(y) seed \(seed)")
      }
    }
  }

  @Test(arguments: [3321] as [UInt64])
  func theEnvelopeOfADistanceContainsEverythingNearer(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var held = 0
    for _ in 0..<2000 {
      let location = random.location()
      let origin = Origin(longitude: location.longitude, latitude: location.latitude)
      let angle = random.radius() / 10
      let half = sine(angle / 2)
      guard let envelope = origin.envelope(haversine: half * half) else { continue }
      for _ in 0..<50 {
        let other = location.location(
          bearing: random.double(0...6.3), angle: angle * random.double(0...1))
        let (x, y) = (other.longitude, other.latitude)
        guard origin.distanceKey(x, latitude: y, upTo: half * half) != nil else { continue }
        held += 1
        #expect(
          envelope.contains(Envelope(west: x, south: y, east: x, north: y))
            || envelope.intersects(Envelope(west: x, south: y, east: x, north: y)),
          "\(other) from \(location) within \(angle), seed \(seed)")
      }
    }
    #expect(held > 10_000)
    #expect(Origin(longitude: 0, latitude: 89).envelope(haversine: 1e-9) == nil)
    #expect(Origin(longitude: 179.9999, latitude: 0).envelope(haversine: 1e-6) == nil)
    #expect(Origin(longitude: 0, latitude: 0).envelope(haversine: 0.5) == nil)
  }
}

/// Directions that are computed roughly, compared with exact ones.
@Suite struct RoughProbeTests {
  @Test(arguments: [3331] as [UInt64])
  func directionsAreWithinTheirBound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for index in 0..<20_000 {
      let location = random.location()
      let turn = index % 3 == 0 ? 360.0 * Double(random.int(-1...1)) : 0
      let exact = Vector(location)
      let rough = Vector(
        roughLongitude: location.longitude + turn, latitude: location.latitude)
      #expect((exact - rough).length < 1e-14, "\(location) turned by \(turn) seed \(seed)")
    }
    for degrees in stride(from: -540.0, through: 540, by: 45) {
      for latitude in stride(from: -90.0, through: 90, by: 45) {
        let exact = Vector(longitude: wrapped(degrees), latitude: latitude)
        let rough = Vector(roughLongitude: degrees, latitude: latitude)
        #expect((exact - rough).length < 1e-14, "\(degrees) \(latitude)")
      }
    }
  }

  /// A rough probe gives the same side as the exact one, or leaves it open.
  @Test(arguments: [3341, 3342] as [UInt64])
  func sidesAreThoseOfExactProbes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var near = 0
    for _ in 0..<Soak.count(700, long: 2000) {
      let one = random.location()
      let other = one.location(bearing: random.double(0...6.3), angle: random.radius() / 4)
      var pieces = GeodesicPieces(rotation: 0)
      pieces.append([one, other, one.location(bearing: 1, angle: 0.01), one])
      for edge in pieces.closed() {
        for _ in 0..<10 {
          let share = random.double(0...1)
          let between = (Vector(one) * (1 - share) + Vector(other) * share).unit.location ?? one
          let offset = [0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-9, 1e-3][random.int(0...6)]
          let point = between.location(bearing: random.double(0...6.3), angle: offset)
          let exact = edge.side(of: GeodesicEdge.probe(point.longitude, latitude: point.latitude))
          let rough = try #require(
            GeodesicEdge.roughProbe(point.longitude, latitude: point.latitude))
          let side = edge.side(of: rough)
          if side == .near { near += 1 }
          #expect(side == .near || side == exact, "\(point) \(one) \(other) seed \(seed)")
        }
      }
    }
    #expect(near > Soak.count(250, long: 1000))
  }
}

/// 64 locations in E7 fixed point, close together or not, some of them at given vertices.
private struct Leaf: CustomStringConvertible {
  private(set) var xs: [Int32] = []
  private(set) var ys: [Int32] = []

  init(around middle: GeoPoint, _ vertices: [GeoPoint], _ random: inout SplitMix64) {
    var spread = 5.0
    for _ in 0..<random.int(0...6) { spread /= 10 }
    for _ in 0..<64 {
      let vertex = vertices.isEmpty ? middle : vertices[random.int(0...vertices.count - 1)]
      let isVertex = random.int(0...40) == 0
      let x = isVertex ? vertex.longitude : middle.longitude + random.double(-spread...spread)
      let y = isVertex ? vertex.latitude : middle.latitude + random.double(-spread...spread)
      xs.append(E7.below(max(-180, min(180, x))))
      ys.append(E7.below(max(-90, min(90, y))))
    }
  }

  var description: String { "\(Array(zip(xs, ys)))" }

  func select(in region: Region) -> UInt64 {
    region.select(longitudesE7: xs, latitudesE7: ys, count: 64)
  }

  func contained(in region: Region) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<64
    where region.contains(longitude: E7.degrees(xs[index]), latitude: E7.degrees(ys[index])) {
      word |= 1 << UInt64(index)
    }
    return word
  }
}
