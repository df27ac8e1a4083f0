import CairnTestSupport
import Testing

@testable import CairnGeometry

extension SplitMix64 {
  /// A rectangle of any size, often around `location`.
  mutating func envelope(near location: GeoPoint?) -> Envelope {
    let size = 90 * double(0...1) * double(0...1) * double(0...1) * double(0...1)
    let center = location ?? self.location()
    let x = center.longitude
    let y = center.latitude
    let west = max(-180, x - size * double(0...1))
    let east = min(180, x + size * double(0...1))
    let south = max(-90, y - size * double(0...1))
    let north = min(90, y + size * double(0...1))
    return Envelope(west: west, south: south, east: east, north: north)
  }

  /// A point of a rectangle, sometimes on an edge or a corner.
  mutating func point(in envelope: Envelope) -> (x: Double, y: Double) {
    func pick(_ low: Double, _ high: Double, _ random: inout SplitMix64) -> Double {
      switch random.int(0...5) {
      case 0: low
      case 1: high
      default: random.double(low...high)
      }
    }
    return (
      pick(envelope.west, envelope.east, &self), pick(envelope.south, envelope.north, &self)
    )
  }
}

/// Compares a region's answers for rectangles and for 64 points at once with those for single
/// points.
func checkAgreement(
  _ region: Region, near locations: [GeoPoint], _ random: inout SplitMix64, rounds: Int,
  _ note: String
) {
  for round in 0..<rounds {
    let location = round % 4 == 0 ? nil : locations[random.int(0...locations.count - 1)]
    let envelope = random.envelope(near: location)
    let answer = region.classify(envelope)
    let points = (0..<64).map { _ in random.point(in: envelope) }
    let inside = points.map { region.contains(longitude: $0.x, latitude: $0.y) }
    if answer == .contained {
      #expect(!inside.contains(false), "contained wrongly: \(envelope) \(note)")
    } else if answer == .disjoint {
      #expect(!inside.contains(true), "disjoint wrongly: \(envelope) \(note)")
    }
    if any(envelope.lanes .> region.outerBounds) {
      #expect(answer == .disjoint, "reach \(envelope) \(note)")
    }
    if region.innerBounds.contains(envelope) {
      #expect(answer == .contained, "core \(envelope) \(note)")
    }
    checkSelection(region, points, inside, note)
  }
}

private func checkSelection(
  _ region: Region, _ points: [(x: Double, y: Double)], _ inside: [Bool], _ note: String
) {
  let word = region.select(
    longitudes: points.map(\.x), latitudes: points.map(\.y), count: points.count)
  for (index, isInside) in inside.enumerated() {
    #expect(word >> UInt64(index) & 1 == (isInside ? 1 : 0), "\(points[index]) \(note)")
  }
  let xs = points.map { E7.below($0.x) }
  let ys = points.map { E7.below($0.y) }
  for count in [points.count, points.count - 3] {
    let steps = region.select(longitudesE7: xs, latitudesE7: ys, count: count)
    for index in points.indices {
      let expected =
        index < count
        && region.contains(longitude: E7.degrees(xs[index]), latitude: E7.degrees(ys[index]))
      #expect(
        steps >> UInt64(index) & 1 == (expected ? 1 : 0), "\(xs[index]) \(ys[index]) \(note)")
    }
  }
}
