import CairnTestSupport

@testable import CairnGeometry

extension Geometry {
  /// A random geometry of any kind whose rings are closed, with empty parts, partial altitudes, and
  /// coordinates in fixed point, of full precision, or at the limits.
  static func random(_ random: inout SplitMix64) -> Geometry {
    var source = RandomGeometry(
      hasAltitudes: random.chance(0.4), isRounded: random.chance(0.5), random: random)
    let kind = random.pick(Kind.allCases)
    source.add(kind, depth: 0)
    random = source.random
    return source.builder.geometry()
  }
}

private struct RandomGeometry {
  let hasAltitudes: Bool
  let isRounded: Bool
  var random: SplitMix64
  var builder = GeometryBuilder()

  init(hasAltitudes: Bool, isRounded: Bool, random: SplitMix64) {
    self.hasAltitudes = hasAltitudes
    self.isRounded = isRounded
    self.random = random
  }

  mutating func add(_ kind: Geometry.Kind, depth: Int) {
    builder.begin(kind)
    let isEmpty = random.chance(0.15)
    switch kind {
    case .point: if !isEmpty { addVertex() }
    case .lineString: if !isEmpty { for _ in 0..<2 + random.below(5) { addVertex() } }
    case .polygon: if !isEmpty { for _ in 0..<1 + random.below(3) { addRing() } }
    case .geometryCollection:
      for _ in 0..<random.below(4) {
        add(random.pick(depth < 3 ? Geometry.Kind.allCases : [.point, .polygon]), depth: depth + 1)
      }
    default:
      for _ in 0..<random.below(4) { add(kind.memberKind ?? .point, depth: depth + 1) }
    }
    builder.end()
  }

  private mutating func addRing() {
    builder.beginRing()
    let first = vertex()
    builder.add(longitude: first.x, latitude: first.y, altitude: first.z)
    for _ in 0..<2 + random.below(6) { addVertex() }
    builder.add(longitude: first.x, latitude: first.y, altitude: first.z)
    builder.endRing()
  }

  private mutating func addVertex() {
    let vertex = vertex()
    builder.add(longitude: vertex.x, latitude: vertex.y, altitude: vertex.z)
  }

  private mutating func vertex() -> (x: Double, y: Double, z: Double?) {
    (
      coordinate(180), coordinate(90),
      hasAltitudes && random.chance(0.8) ? coordinate(9000) : nil
    )
  }

  private mutating func coordinate(_ bound: Double) -> Double {
    switch random.below(20) {
    case 0: return bound
    case 1: return -bound
    case 2: return 0
    case 3: return isRounded ? 1 : -0.0
    case 4:
      return isRounded
        ? -1 : random.pick([.leastNonzeroMagnitude, 1e-7, -1.5e-300, 1e-5, 0.1 + 0.2])
    default:
      let value = Double.random(in: -bound...bound, using: &random)
      return isRounded ? (value * 1e7).rounded() / 1e7 : value
    }
  }
}
