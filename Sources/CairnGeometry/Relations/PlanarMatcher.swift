/// A box, or a polygon or geometry with planar edges, prepared for tests against many geometries.
final class PlanarMatcher: Sendable {
  /// A rectangle around the shape.
  let bounds: Envelope
  /// The shape as it covers other geometries.
  private let shape: PlanarShape
  /// The shape as others cover it, and as interiors and boundaries meet: without the second writing of
  /// a box's edge at the antimeridian.
  private let plain: PlanarShape
  private let box: BoxTest?

  /// Prepares a shape; returns nil if its edges are not planar.
  init?(_ shape: Shape) {
    switch shape {
    case .box(let box):
      let test = BoxTest(box)
      self.box = test
      self.shape = PlanarShape(box)
      let isPlain = test.second == nil || box.west > box.east
      plain = isPlain ? self.shape : PlanarShape(GeometryBuilder.geometry([test.first]))
    case .polygon(let polygon) where polygon.edges == .planar:
      box = nil
      self.shape = PlanarShape(GeometryBuilder.geometry(polygon))
      plain = self.shape
    case .geometry(let geometry, .planar):
      box = nil
      self.shape = PlanarShape(geometry)
      plain = self.shape
    case .circle, .polygon, .geometry: return nil
    }
    bounds = self.shape.side.bounds.envelope
  }

  /// The relation of the shape to a rectangle that contains a geometry.
  func classify(_ envelope: Envelope) -> Containment {
    box?.classify(envelope) ?? shape.classify(envelope)
  }

  /// Whether a geometry has the relation to the shape.
  func holds(_ relation: SpatialRelation, _ geometry: GeometryView) -> Bool {
    PlanarSide.read(geometry) { side in
      switch relation {
      case .within, .intersects, .disjoint:
        PlanarRelation.holds(relation, side, to: shape.side)
      case .contains, .touches, .crosses, .overlaps, .equals:
        PlanarRelation.holds(relation, side, to: plain.side)
      }
    }
  }

  /// Whether a location in degrees has the relation to the shape.
  func holds(_ relation: SpatialRelation, longitude: Double, latitude: Double) -> Bool {
    let point = PlanePoint(x: longitude, y: latitude)
    guard shape.side.vertexCount > 0, !point.x.isNaN, !point.y.isNaN else { return false }
    switch relation {
    case .within, .intersects: return shape.side.covers(point)
    case .disjoint: return !shape.side.covers(point)
    case .contains, .equals: return PlanarBox(point, b: point).contains(plain.side.bounds)
    case .touches: return plain.side.part(of: point) == .boundary
    // A single location is inside or outside.
    case .crosses, .overlaps: return false
    }
  }
}

extension PlanarShape {
  /// The shape of a box; its edge at the antimeridian is in it twice.
  convenience init(_ box: GeoBox) {
    let test = BoxTest(box)
    self.init(GeometryBuilder.geometry([test.first] + (test.second.map { [$0] } ?? [])))
  }

  /// The relation of the shape to a rectangle.
  func classify(_ envelope: Envelope) -> Containment {
    let area = side.bands?._withUnsafeGuaranteedRef { $0.classify(envelope) } ?? .disjoint
    guard area == .disjoint, side.hasLines || side.hasPoints else { return area }
    let box = PlanarBox(envelope)
    return side.search(box) { !box.isBeside($0) } ? .intersecting : .disjoint
  }
}

extension PlanarBox {
  /// The rectangle of an envelope, in degrees.
  init(_ envelope: Envelope) {
    lanes = SIMD4(envelope.west, envelope.south, -envelope.east, -envelope.north)
  }

  /// Whether all corners lie on one side of an edge's line.
  fileprivate func isBeside(_ item: PlanarSide.Item) -> Bool {
    func side(_ x: Double, _ y: Double) -> Int {
      orientation(item.a, b: item.b, c: PlanePoint(x: x, y: y))
    }
    let sum = side(west, south) + side(west, north) + side(east, south) + side(east, north)
    return abs(sum) == 4
  }
}

extension GeometryBuilder {
  /// The geometry of a polygon.
  fileprivate static func geometry(_ polygon: GeoPolygon) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(.multiPolygon)
    for rings in polygon.polygons {
      builder.begin(.polygon)
      for ring in rings {
        builder.addRing(ring.map { PlanePoint(x: $0.longitude, y: $0.latitude) })
      }
      builder.end()
    }
    builder.end()
    return builder.geometry()
  }

  /// The geometry of rectangles, those without an area as lines and points.
  fileprivate static func geometry(_ rectangles: [BoxTest.Rectangle]) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(.geometryCollection)
    for box in rectangles { builder.add(box) }
    builder.end()
    return builder.geometry()
  }

  private mutating func add(_ box: BoxTest.Rectangle) {
    let corners = [
      PlanePoint(x: box.west, y: box.south), PlanePoint(x: box.east, y: box.south),
      PlanePoint(x: box.east, y: box.north), PlanePoint(x: box.west, y: box.north),
    ]
    if box.west < box.east, box.south < box.north {
      begin(.polygon)
      addRing(corners + corners.prefix(1))
    } else {
      begin(.lineString)
      for corner in [corners[0], corners[2]] { add(longitude: corner.x, latitude: corner.y) }
    }
    end()
  }

  private mutating func addRing(_ points: [PlanePoint]) {
    beginRing()
    for point in points { add(longitude: point.x, latitude: point.y) }
    endRing()
  }
}
