import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Shapes of every kind as prepared shapes, regions and outlines.
@Suite struct PlanarShapeTests {
  /// A rectangle that contains a geometry must not be classified against the geometry's answer.
  @Test(arguments: [11, 12] as [UInt64])
  func rectanglesAgreeWithGeometries(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geos = try GEOSRelations()
    for kind in Geometry.Kind.allCases {
      for _ in 0..<20 {
        let shape = try random.gridGeometry(kind, size: 7, scale: 1, geos).geometry
        let prepared = try #require(PlanarMatcher(.geometry(shape, edges: .planar)))
        for _ in 0..<10 {
          let one = try random.gridGeometry(.allCases[random.int(0...6)], size: 4, scale: 0.5, geos)
          let geometry = one.geometry
          let box = geometry.withView { PlanarSide.read($0) { $0.bounds.envelope } }
          let (intersects, within) = geometry.withView {
            (prepared.holds(.intersects, $0), prepared.holds(.within, $0))
          }
          switch prepared.classify(box) {
          case .disjoint: #expect(!intersects && !within, "\(one.text), seed \(seed)")
          case .contained: #expect(intersects && within, "\(one.text), seed \(seed)")
          case .intersecting: break
          }
        }
      }
    }
  }

  /// The region of a geometry answers for points as the prepared shape does.
  @Test(arguments: [21, 22] as [UInt64])
  func regionsAgreeWithRelations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geos = try GEOSRelations()
    for kind in Geometry.Kind.allCases {
      for _ in 0..<10 {
        let one = try random.gridGeometry(kind, size: 5, scale: 1, geos)
        let region = Region(.geometry(one.geometry, edges: .planar))
        for x in 0...10 {
          for y in 0...10 {
            let (x, y) = (Double(x) / 2, Double(y) / 2)
            let expected = try one.parts.contains {
              try geos.holds("intersects", one.text($0), "POINT (\(x) \(y))")
            }
            #expect(
              region.contains(longitude: x, latitude: y) == expected,
              "\(one.text) at \(x) \(y), seed \(seed)")
            let point = Envelope(west: x, south: y, east: x, north: y)
            let answer = region.classify(point)
            #expect(answer != (expected ? .disjoint : .contained), "\(one.text) at \(x) \(y)")
          }
        }
      }
    }
  }

  /// Boxes across the antimeridian are two rectangles, and an edge at 180 is also one at -180.
  @Test func boxesCrossTheAntimeridian() throws {
    let across = try box(170, -10, -170, 10)
    #expect(across.holds(.within, line([(171, 0), (180, 5)])))
    #expect(across.holds(.within, line([(-180, 0), (-171, 5)])))
    #expect(!across.holds(.intersects, line([(-169, 0), (169, 5)])))
    #expect(across.holds(.intersects, line([(-171, 0), (171, 5)])))
    #expect(!across.holds(.within, line([(-171, 0), (171, 5)])))
    let edge = try box(170, -10, 180, 10)
    #expect(edge.holds(.within, longitude: -180, latitude: 0))
    #expect(edge.holds(.contains, polygon([(160, -20), (180, -20), (180, 20), (160, 20)])))
    #expect(edge.classify(Envelope(west: 171, south: 0, east: 172, north: 1)) == .contained)
    #expect(edge.classify(Envelope(west: 161, south: 0, east: 162, north: 1)) == .disjoint)
  }

  /// A box without height is a line.
  @Test func flatBoxesAreLines() throws {
    let flat = try box(0, 5, 10, 5)
    #expect(flat.holds(.within, line([(1, 5), (2, 5)])))
    #expect(flat.holds(.intersects, line([(1, 4), (2, 6)])))
    #expect(!flat.holds(.intersects, line([(1, 4), (2, 4.5)])))
  }

  /// Overlapping members of a collection cover together what none covers alone.
  @Test func membersCoverTogether() throws {
    let squares = (0..<80).map { index -> [(Double, Double)] in
      let west = Double(index)
      return [(west, 0), (west + 1.5, 0), (west + 1.5, 1), (west, 1), (west, 0)]
    }
    var builder = GeometryBuilder()
    builder.begin(.geometryCollection)
    for square in squares {
      builder.begin(.polygon)
      builder.beginRing()
      for point in square { builder.add(longitude: point.0, latitude: point.1) }
      builder.endRing()
      builder.end()
    }
    builder.end()
    let prepared = try PreparedShape(.geometry(builder.geometry(), edges: .planar))
    #expect(prepared.holds(.within, line([(0.25, 0.3), (79.9, 0.7)])))
    #expect(prepared.holds(.within, polygon([(0.25, 0.25), (79.9, 0), (79, 1), (0.5, 0.75)])))
    #expect(!prepared.holds(.within, polygon([(0.25, 0.25), (79.9, -0.1), (79, 1), (0.5, 0.75)])))
  }

  @Test func emptyGeometriesMatchNothing() throws {
    let prepared = try box(0, 0, 10, 10)
    let empty = Geometry(packed: []).bytes
    for relation in SpatialRelation.allCases {
      #expect(!Geometry(packed: empty).withView { prepared.holds(relation, $0) })
    }
  }

  @Test func outlinesHaveEveryPart() throws {
    var builder = GeometryBuilder()
    builder.begin(.geometryCollection)
    builder.begin(.point)
    builder.add(longitude: 1, latitude: 2)
    builder.end()
    builder.begin(.lineString)
    for point in [(0.0, 0.0), (3, 4)] { builder.add(longitude: point.0, latitude: point.1) }
    builder.end()
    builder.end()
    let outline = Outline(.geometry(builder.geometry(), edges: .planar))
    #expect(outline.rings.isEmpty)
    #expect(outline.points == [Outline.Vertex(longitude: 1, latitude: 2)])
    #expect(outline.lines.map { $0.map(\.longitude) } == [[0, 3]])
  }

  private func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) throws -> PreparedShape {
    let box = GeoBox(bottomLeft: (south, west), topRight: (north, east))
    return try PreparedShape(.box(try #require(box)))
  }

  private func line(_ points: [(Double, Double)]) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for point in points { builder.add(longitude: point.0, latitude: point.1) }
    builder.end()
    return builder.geometry()
  }

  private func polygon(_ points: [(Double, Double)]) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(.polygon)
    builder.beginRing()
    for point in points + points.prefix(1) { builder.add(longitude: point.0, latitude: point.1) }
    builder.endRing()
    builder.end()
    return builder.geometry()
  }
}

extension PreparedShape {
  fileprivate func holds(_ relation: SpatialRelation, _ geometry: Geometry) -> Bool {
    geometry.withView { holds(relation, $0) }
  }
}
