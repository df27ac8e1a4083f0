import Foundation
import Measuring

/// Generated shapes around twenty towns, shifted a little so that no place lies exactly on an edge.
extension Queries {
  static func madeUp() -> Queries {
    var random = Random(seed: 7)
    let towns = Places.towns.filter {
      abs($0.longitude) < 165 && $0.latitude > -50 && $0.latitude < 60
    }
    let centres = (0..<20).map { _ in pick(towns, &random) }
    let stars = { (size: Double) in centres.map { [star($0, size, size / 2, 10, 0.1)] } }
    let holed = centres.map { centre in
      [
        star(centre, 2.5, 1.25, 10, 0.1),
        star([centre[0] - 0.6, centre[1]], 0.4, 0.3, 4, 0.2),
        star([centre[0] + 0.5, centre[1] + 0.3], 0.45, 0.2, 5, 0.3),
      ]
    }
    let join = (0..<200).map { _ in
      let size = random.uniform(0.5, 2.5)
      return [
        star(pick(towns, &random), size, size * random.uniform(0.4, 0.8), 10, random.uniform(0, 1))
      ]
    }
    return Queries(
      centres: centres, radii_m: [5000, 50000, 500_000, 2_000_000],
      boxes: Dictionary(
        uniqueKeysWithValues: ["0.1", "1", "10", "60"].map { ($0, boxes($0, centres)) }),
      polygons: [
        "star1": stars(0.5), "star5": stars(2.5), "holes5": holed, "big10k": [[coast(centres[0])]],
      ],
      predicate: Condition(population_gt: 500_000, category: "restaurant"), knn_k: [10, 100],
      join: join)
  }

  private static func pick(
    _ towns: [(longitude: Double, latitude: Double)], _ random: inout Random
  ) -> [Double] {
    let town = towns[Int(random.uniform(0, Double(towns.count)))]
    return [shifted(town.longitude), shifted(town.latitude)]
  }

  private static func shifted(_ value: Double) -> Double { rounded(rounded(value, 7) + 5e-8, 8) }

  private static func boxes(_ width: String, _ centres: [[Double]]) -> [[Double]] {
    let half = (Double(width) ?? 0) / 2
    return centres.map { centre in
      [
        max(shifted(centre[0] - half), -179.99999995), max(shifted(centre[1] - half), -89.99999995),
        min(shifted(centre[0] + half), 179.99999995), min(shifted(centre[1] + half), 89.99999995),
      ]
    }
  }

  private static func star(
    _ centre: [Double], _ outer: Double, _ inner: Double, _ tips: Int, _ phase: Double
  ) -> Ring {
    ring(centre, 2 * tips) { index in (index % 2 == 0 ? outer : inner, phase) }
  }

  /// A ring of 10 000 vertices, as rough as a coast.
  private static func coast(_ centre: [Double]) -> Ring {
    var random = Random(seed: 8)
    return ring(centre, 10000) { index in
      let angle = 2 * Double.pi * Double(index) / 10000
      let wave = 0.06 * sin(37 * angle) + 0.03 * sin(401 * angle)
      return (2.3 * (1 + wave + 0.01 * random.uniform(-1, 1)), 0)
    }
  }

  private static func ring(
    _ centre: [Double], _ count: Int, _ vertex: (Int) -> (radius: Double, phase: Double)
  ) -> Ring {
    var ring = (0..<count).map { index in
      let (radius, phase) = vertex(index)
      let angle = phase + 2 * Double.pi * Double(index) / Double(count)
      return [shifted(centre[0] + radius * cos(angle)), shifted(centre[1] + radius * sin(angle))]
    }
    ring.append(ring[0])
    return ring
  }
}
