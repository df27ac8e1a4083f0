/// A geometry of a plane as plain loops measure it: every edge of one against every edge of another.
public struct PlanarOracle {
  public typealias Point = SIMD2<Double>

  /// Points, lines and rings; a point has one vertex.
  public var chains: [[Point]] = []
  /// The rings of each polygon.
  public var polygons: [[[Point]]] = []

  /// The geometry without a part.
  public init() {}

  /// The least distance to another geometry, 0 if they meet; infinity if one has no part.
  public func distance(to other: PlanarOracle) -> Double {
    if contains(anyOf: other.chains) || other.contains(anyOf: chains) { return 0 }
    var best = Double.infinity
    let others = other.edges
    for (a, b) in edges {
      for (c, d) in others {
        if Self.cross(a, b, c, d) { return 0 }
        best = min(
          best, Self.distance(a, c, d), Self.distance(b, c, d), Self.distance(c, a, b),
          Self.distance(d, a, b))
      }
    }
    return best
  }

  private var edges: [(Point, Point)] {
    chains.flatMap { chain in
      chain.count == 1 ? [(chain[0], chain[0])] : Array(zip(chain, chain.dropFirst()))
    }
  }

  private func contains(anyOf chains: [[Point]]) -> Bool {
    chains.contains { chain in
      polygons.contains { rings in
        rings.count { Self.isInside(chain[0], ring: $0) } % 2 == 1
      }
    }
  }

  private static func isInside(_ point: Point, ring: [Point]) -> Bool {
    zip(ring, ring.dropFirst()).count { a, b in
      (a.y > point.y) != (b.y > point.y)
        && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    } % 2 == 1
  }

  private static func distance(_ point: Point, _ start: Point, _ end: Point) -> Double {
    let (way, edge) = (point - start, end - start)
    let length = product(edge, edge)
    let part = length == 0 ? 0 : max(0, min(1, product(way, edge) / length))
    let gap = way - edge * part
    return product(gap, gap).squareRoot()
  }

  /// The scalar product, without the generic `sum()`, which is slow where it is not specialised.
  private static func product(_ a: Point, _ b: Point) -> Double { a.x * b.x + a.y * b.y }

  private static func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }
}
