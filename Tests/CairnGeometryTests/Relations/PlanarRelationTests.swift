import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct PlanarRelationTests {
  /// Every pair of kinds: GEOS is the oracle, part by part.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func agreesWithGEOSOnAGrid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geos = try GEOSRelations()
    for one in Geometry.Kind.allCases {
      for other in Geometry.Kind.allCases {
        for _ in 0..<Soak.count(12, long: 25) {
          let size = random.int(2...7)
          // A step of a tenth makes coordinates that no Double is equal to, and puts some of the
          // vertices that seem to lie on an edge next to it.
          let scale = random.int(0...2) == 0 ? 0.1 : 1
          let a = try random.gridGeometry(one, size: size, scale: scale, geos)
          let isSame = random.int(0...9) == 0
          let b = isSame ? a : try random.gridGeometry(other, size: size, scale: scale, geos)
          try compare(a, b, geos, "seed \(seed)")
        }
      }
    }
  }

  private func compare(
    _ a: GridGeometry, _ b: GridGeometry, _ geos: GEOSRelations, _ comment: String
  ) throws {
    let intersects = try Self.intersect(a, b, geos)
    var expected: [(SpatialRelation, Bool)] = [(.intersects, intersects), (.disjoint, !intersects)]
    if let within = try Self.covers(b, a, geos) { expected.append((.within, within)) }
    if let contains = try Self.covers(a, b, geos) { expected.append((.contains, contains)) }
    // Asked with and without preparation.
    let (one, other) = (a.geometry, b.geometry)
    let prepared = try #require(PlanarMatcher(.geometry(other, edges: .planar)))
    one.withView { view in
      other.withView { otherView in
        for (relation, answer) in expected {
          #expect(
            prepared.holds(relation, view) == answer,
            "\(relation) prepared: \(a.text) to \(b.text), \(comment)")
          #expect(
            PlanarRelation.holds(relation, view, to: otherView) == answer,
            "\(relation): \(a.text) to \(b.text), \(comment)")
        }
      }
    }
  }

  private static func intersect(
    _ a: GridGeometry, _ b: GridGeometry, _ geos: GEOSRelations
  ) throws -> Bool {
    for one in a.parts {
      for other in b.parts where try geos.holds("intersects", a.text(one), b.text(other)) {
        return true
      }
    }
    return false
  }

  /// Whether `b` covers each part of `a`; nil if GEOS cannot tell.
  private static func covers(
    _ b: GridGeometry, _ a: GridGeometry, _ geos: GEOSRelations
  ) throws -> Bool? {
    for part in a.parts {
      guard let covers = try covers(b, a.text(part), part, geos) else { return nil }
      if !covers { return false }
    }
    return true
  }

  private static func covers(
    _ b: GridGeometry, _ text: String, _ part: GridGeometry.Part, _ geos: GEOSRelations
  ) throws -> Bool? {
    for other in b.parts where try geos.holds("covers", b.text(other), text) { return true }
    if case .point = part { return false }
    if b.kind == .multiPolygon, b.scale != 1 { return try geos.holds("covers", b.textOfKind, text) }
    if b.parts.count == 1, case .polygon = b.parts[0] { return false }
    // What is left after subtracting the parts is exact enough only for whole numbers.
    guard b.scale == 1 else { return nil }
    let lines = b.parts.filter { if case .line = $0 { true } else { false } }
    let areas = b.parts.filter { if case .polygon = $0 { true } else { false } }
    if case .polygon = part {
      return try geos.remainder(of: text, without: areas.map(b.text)) < 1e-7
    }
    return try geos.remainder(of: text, without: (lines + areas).map(b.text)) < 1e-7
  }
}
