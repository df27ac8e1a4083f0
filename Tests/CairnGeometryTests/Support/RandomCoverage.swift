import CairnTestSupport

@testable import CairnGeometry

/// Polygons that cover the whole world without gaps and overlaps: a grid of cells with winding borders,
/// some with an island of another polygon.
struct RandomCoverage {
  private(set) var geometries: [Geometry] = []
  private let count: Int
  private var random: SplitMix64
  private var horizontal: [[[PlanePoint]]] = []
  private var vertical: [[[PlanePoint]]] = []

  /// - Parameters:
  ///   - count: The number of rows, and half of the number of columns.
  ///   - details: The number of vertices of a border.
  init(count: Int, details: Int, seed: UInt64) {
    self.count = count
    random = SplitMix64(seed: seed)
    let corners = (0...count).map { row in
      (0...2 * count).map { column in corner(column, row: row) }
    }
    horizontal = corners.enumerated().map { row, line in
      zip(line, line.dropFirst()).map { a, b in
        border(a, b, details: row % count == 0 ? 1 : details)
      }
    }
    vertical = (0..<count).map { row in
      (0...2 * count).map { column in
        border(
          corners[row][column], corners[row + 1][column],
          details: column % (2 * count) == 0 ? 1 : details)
      }
    }
    for row in 0..<count {
      for column in 0..<2 * count { addCell(column, row: row) }
    }
  }

  private var size: Double { 180 / Double(count) }

  private mutating func corner(_ column: Int, row: Int) -> PlanePoint {
    let isOuter = row % count == 0 || column % (2 * count) == 0
    let shift = isOuter ? 0 : size / 10
    return PlanePoint(
      x: column == 2 * count
        ? 180 : Double(column) * size - 180 + Double.random(in: -1...1, using: &random) * shift,
      y: row == count
        ? 90 : Double(row) * size - 90 + Double.random(in: -1...1, using: &random) * shift)
  }

  private mutating func border(_ a: PlanePoint, _ b: PlanePoint, details: Int) -> [PlanePoint] {
    let inner = (1..<max(1, details)).map { step in
      let share = Double(step) / Double(details)
      let offset = share * (1 - share) * Double.random(in: -0.4...0.4, using: &random)
      return PlanePoint(
        x: a.x + (b.x - a.x) * share - (b.y - a.y) * offset,
        y: a.y + (b.y - a.y) * share + (b.x - a.x) * offset)
    }
    return [a] + inner + [b]
  }

  private mutating func addCell(_ column: Int, row: Int) {
    let ring =
      horizontal[row][column] + vertical[row][column + 1].dropFirst()
      + horizontal[row + 1][column].reversed().dropFirst()
      + vertical[row][column].reversed().dropFirst()
    guard random.chance(0.4) else { return geometries.append(polygon([ring])) }
    let center = PlanePoint(
      x: (Double(column) + 0.5) * size - 180, y: (Double(row) + 0.5) * size - 90)
    let corners = 5 + random.below(20)
    var island = (0..<corners).map { index in
      let angle = Double(index) * 2 * .pi / Double(corners)
      let radius = size * Double.random(in: 0.05...0.2, using: &random)
      return PlanePoint(
        x: center.x + radius * cosine(angle), y: center.y + radius * sine(angle))
    }
    island.append(island[0])
    geometries.append(polygon([ring, island.reversed()]))
    geometries.append(polygon([island]))
  }

  private func polygon(_ rings: [[PlanePoint]]) -> Geometry {
    Geometry(rings: rings.map { $0.map { ($0.x, $0.y) } })
  }
}
