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
  _ note: @autoclosure () -> String
) {
  for round in 0..<rounds {
    let location = round % 4 == 0 ? nil : locations[random.int(0...locations.count - 1)]
    let envelope = random.envelope(near: location)
    let answer = region.classify(envelope)
    // The answers are compared as words of 64 bits: an expectation for each bit is slow.
    var (xs, ys): ([Double], [Double]) = ([], [])
    var inside: UInt64 = 0
    for index in 0..<64 as Range<UInt64> {
      let point = random.point(in: envelope)
      xs.append(point.x)
      ys.append(point.y)
      if region.contains(longitude: point.x, latitude: point.y) { inside |= 1 << index }
    }
    if answer == .contained {
      #expect(inside == .max, "contained wrongly: \(envelope) \(note())")
    } else if answer == .disjoint {
      #expect(inside == 0, "disjoint wrongly: \(envelope) \(note())")
    }
    if any(envelope.lanes .> region.outerBounds) {
      #expect(answer == .disjoint, "reach \(envelope) \(note())")
    }
    if region.innerBounds.contains(envelope) {
      #expect(answer == .contained, "core \(envelope) \(note())")
    }
    let word = region.select(longitudes: xs, latitudes: ys, count: 64)
    #expect(word == inside, "\(differences(word, inside, xs, ys)) \(note())")
    checkFixedSelection(region, xs.map(E7.below), ys.map(E7.below), note())
  }
}

/// Compares the answers for points in fixed point, all of them and without the last three.
private func checkFixedSelection(
  _ region: Region, _ xs: [Int32], _ ys: [Int32], _ note: @autoclosure () -> String
) {
  var inside: UInt64 = 0
  for index in 0..<64
  where region.contains(longitude: E7.degrees(xs[index]), latitude: E7.degrees(ys[index])) {
    inside |= 1 << UInt64(index)
  }
  for (count, mask) in [(64, UInt64.max), (61, UInt64.max >> 3)] {
    let word = region.select(longitudesE7: xs, latitudesE7: ys, count: count)
    #expect(
      word == inside & mask,
      "\(count): \(differences(word, inside & mask, xs, ys)) \(note())")
  }
}

/// The points for which two words differ.
private func differences<T>(_ one: UInt64, _ other: UInt64, _ xs: [T], _ ys: [T]) -> [(T, T)] {
  (0..<64).filter { (one ^ other) >> UInt64($0) & 1 == 1 }.map { (xs[$0], ys[$0]) }
}
