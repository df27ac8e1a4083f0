import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnIndex

@Suite struct HilbertTests {
  /// The position on the curve, computed bit by bit as in textbooks.
  private func plain(_ x: UInt32, _ y: UInt32) -> UInt64 {
    var (x, y) = (x, y)
    var key: UInt64 = 0
    for bit in stride(from: 31, through: 0, by: -1) {
      let (right, up) = (x >> UInt32(bit) & 1, y >> UInt32(bit) & 1)
      key = key << 2 | UInt64((3 * right) ^ up)
      if up == 0 {
        if right == 1 { (x, y) = (~x, ~y) }
        swap(&x, &y)
      }
    }
    return key
  }

  private func degrees(_ cell: UInt32, _ scale: Double) -> Double {
    (Double(cell) + 0.5) * (scale / 4_294_967_296) - scale / 2
  }

  @Test func followsTheCurve() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let x = UInt32.random(in: .min ... .max, using: &random)
      let y = UInt32.random(in: .min ... .max, using: &random)
      let key = Hilbert.key(longitude: degrees(x, 360), latitude: degrees(y, 180))
      // A cell's lower half may be rounded to its neighbour.
      #expect(key >> 4 == plain(x, y) >> 4 || key &- plain(x, y) &+ 64 < 128)
    }
  }

  @Test func neighboursOnTheCurveAreNeighboursOnTheMap() {
    var cells: [UInt64: (Int, Int)] = [:]
    for x in 0..<32 {
      for y in 0..<32 {
        let key = Hilbert.key(
          longitude: (Double(x) + 0.5) * 360 / 32 - 180, latitude: (Double(y) + 0.5) * 180 / 32 - 90
        )
        cells[key >> 54] = (x, y)
      }
    }
    #expect(cells.count == 1024)
    for key in 0..<1023 {
      guard let one = cells[UInt64(key)], let next = cells[UInt64(key) + 1] else { continue }
      #expect(abs(one.0 - next.0) + abs(one.1 - next.1) == 1)
    }
  }

  @Test func keysOfManyEqualSingleKeys() {
    var random = SplitMix64(seed: 4)
    let points = Workload.edges.points(500, &random)
    let (xs, ys) = (points.map(\.longitude), points.map(\.latitude))
    var keys = Array(repeating: UInt64(0), count: 500)
    Hilbert.keys(longitudes: xs, latitudes: ys, count: 500, into: &keys)
    #expect(keys == zip(xs, ys).map { Hilbert.key(longitude: $0, latitude: $1) })
  }
}
