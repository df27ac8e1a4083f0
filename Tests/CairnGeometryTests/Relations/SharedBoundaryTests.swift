import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Large geometries that have most of their boundaries in common. Comparing each two edges would
/// not finish.
@Suite struct SharedBoundaryTests {
  private typealias Position = (x: Double, y: Double)

  /// A border from south to north with long teeth, whose boxes all overlap.
  private static func border(_ count: Int, _ random: inout SplitMix64) -> [Position] {
    (0..<count).map { index in
      let share = Double(index) / Double(count)
      return (x: 5 * share + (index % 2 == 0 ? 0 : random.double(3...4)), y: 40 * share)
    }
  }

  private static func ring(_ points: [Position], isReversed: Bool = false) -> [GeoPoint] {
    let closed = points + points.prefix(1)
    return (isReversed ? closed.reversed() : closed).compactMap {
      GeoPoint(latitude: $0.y, longitude: $0.x)
    }
  }

  private static func west(_ border: [Position]) -> [Position] { border + [(-20, 41), (-20, -1)] }
  private static func east(_ border: [Position]) -> [Position] { border + [(20, 41), (20, -1)] }

  private func relations(_ one: Geometry, _ other: Geometry) throws -> Set<SpatialRelation> {
    let shape = try #require(PlanarMatcher(.geometry(other, edges: .planar)))
    return one.withView { view in
      var found: Set<SpatialRelation> = []
      for relation in SpatialRelation.allCases {
        if shape.holds(relation, view) { found.insert(relation) }
        let unprepared = other.withView { PlanarRelation.holds(relation, view, to: $0) }
        #expect(unprepared == found.contains(relation), "\(relation)")
      }
      return found
    }
  }

  @Test(arguments: [Soak.count(4_000, long: 20_000), 300]) func neighboursAndCopies(count: Int)
    throws
  {
    var random = SplitMix64(seed: 21)
    let border = Self.border(count, &random)
    let (west, east) = (Self.ring(Self.west(border)), Self.ring(Self.east(border)))
    let (left, right) = (Geometry.polygons([[west]]), Geometry.polygons([[east]]))
    #expect(
      try relations(left, right) == [.intersects, .touches])
    let same: Set<SpatialRelation> = [.within, .contains, .intersects, .equals]
    #expect(try relations(left, left) == same)
    let turned = Self.ring(Self.west(border), isReversed: true)
    #expect(try relations(left, .polygons([[turned]])) == same)
    // An edge that two polygons of a collection share is compared like any other.
    guard count < 1000 else { return }
    let both = Geometry.collection(of: [[west], [east]])
    let inside: Set<SpatialRelation> = [.within, .intersects]
    #expect(try relations(left, both) == inside)
    #expect(try relations(right, both) == inside)
  }

  /// A copy that differs in one vertex or hole.
  @Test(arguments: [Soak.count(2_000, long: 20_000), 300]) func nearlyTheSame(count: Int) throws {
    var random = SplitMix64(seed: 22)
    let border = Self.border(count, &random)
    let whole = Geometry.polygons([[Self.ring(Self.west(border))]])
    var points = border
    // A vertex of the east is drawn back to the west.
    points[count / 2 | 1].x -= 1
    let smaller = Geometry.polygons([[Self.ring(Self.west(points))]])
    let inside: Set<SpatialRelation> = [.within, .intersects]
    #expect(try relations(smaller, whole) == inside)
    let hole = Self.ring([(-10, 10), (-9, 10), (-9, 11), (-10, 11)])
    let holed = Geometry.polygons([[Self.ring(Self.west(border)), hole]])
    #expect(try relations(holed, whole) == inside)
    // The hole is filled by another polygon with the same outline.
    let filled = Geometry.collection(of: [[Self.ring(Self.west(border)), hole], [hole]])
    #expect(
      try relations(whole, filled) == [.within, .contains, .intersects, .equals])
    // A wedge is cut out whose tip lies in the hole.
    points[count / 2 | 1].x = -9.5
    points[count / 2 | 1].y = 10.5
    if count == 300 {
      let crossing = Geometry.polygons([[Self.ring(Self.west(points))]])
      #expect(try !relations(crossing, holed).contains(.within))
    }
  }

  /// Polygons on a grid whose edges are cut into many, so that they are compared by their common
  /// edges, against the same ones with few edges.
  @Test(arguments: [23, 24] as [UInt64])
  func cutEdgesMakeNoDifference(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geos = try GEOSRelations()
    for _ in 0..<Soak.count(50, long: 250) {
      let size = random.int(2...4)
      let kinds: [Geometry.Kind] = [.polygon, .multiPolygon, .geometryCollection]
      let one = try random.gridGeometry(random.pick(kinds), size: size, scale: 1, geos).geometry
      let other = try random.gridGeometry(random.pick(kinds), size: size, scale: 1, geos).geometry
      for relation in [SpatialRelation.within, .contains] {
        let expected = one.withView { a in
          other.withView { PlanarRelation.holds(relation, a, to: $0) }
        }
        let found = one.cut(32).withView { a in
          other.cut(32).withView { PlanarRelation.holds(relation, a, to: $0) }
        }
        #expect(found == expected, "\(relation) \(one.text) \(other.text) seed \(seed)")
      }
    }
  }

  /// Shapes that touch have no distance.
  @Test func touchingShapesHaveNoDistance() throws {
    var random = SplitMix64(seed: 25)
    for count in [3, 10, 40, 3000] {
      let border = Self.border(count, &random)
      let left = Geometry.polygons([[Self.ring(Self.west(border))]])
      let right = Geometry.polygons([[Self.ring(Self.east(border))]])
      #expect(left.distance(to: right)?.asMeters() == 0, "\(count)")
      let origin = try PreparedOrigin(.geometry(left, edges: .geodesic))
      #expect(right.withView { origin.distance(to: $0) } == 0, "\(count)")
      #expect(Geometry.lines([Self.ring(border)]).withView { origin.distance(to: $0) } == 0)
    }
  }
}

extension Geometry {
  /// A collection of polygons.
  fileprivate static func collection(of polygons: [[[GeoPoint]]]) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(.geometryCollection)
    for polygon in polygons { Geometry.polygons([polygon]).withView { builder.append($0) } }
    builder.end()
    return builder.geometry()
  }

  /// The same geometry with each edge cut into equal pieces, which must be a power of 2 for
  /// coordinates on a grid of whole degrees.
  fileprivate func cut(_ pieces: Int) -> Geometry {
    withView { view in
      var builder = GeometryBuilder()
      func add(_ range: Range<Int>) {
        for index in range {
          let (x, y) = (view.longitude(index), view.latitude(index))
          guard index + 1 < range.upperBound else {
            builder.add(longitude: x, latitude: y)
            continue
          }
          let (toX, toY) = (view.longitude(index + 1), view.latitude(index + 1))
          for piece in 0..<pieces {
            let share = Double(piece) / Double(pieces)
            builder.add(longitude: x + share * (toX - x), latitude: y + share * (toY - y))
          }
        }
      }
      if kind.rawValue >= 4 { builder.begin(kind) }
      for part in view.parts {
        switch part {
        case .point(let index):
          builder.begin(.point)
          add(index..<index + 1)
        case .line(let range):
          builder.begin(.lineString)
          add(range)
        case .polygon(let rings):
          builder.begin(.polygon)
          for ring in rings {
            builder.beginRing()
            add(ring)
          }
        }
        builder.end()
      }
      if kind.rawValue >= 4 { builder.end() }
      return builder.geometry()
    }
  }
}
