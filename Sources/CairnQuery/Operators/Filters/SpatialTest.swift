import CairnGeometry
import CairnIndex
import CairnSystem
import CairnValues

/// A spatial condition on single locations and geometries, against a constant shape.
///
/// A shape is prepared on first use, for locations and for geometries separately, because each
/// preparation takes time. Several threads may share a test.
final class SpatialTest: @unchecked Sendable {
  // Sendable: `lock` guards the prepared shapes, and the rest is constant.

  /// The condition that a value and the shape must meet, or must not meet.
  enum Condition: Hashable, Sendable {
    /// Any relation but `disjoint`, which is the negation of `intersects`.
    case relation(SpatialRelation)
    /// At most this many radians away, or fewer if the bound is not closed.
    case near(Double, isClosed: Bool)
  }

  let shape: Shape
  let condition: Condition
  /// Whether the values that do not meet the condition pass instead. Null and the empty geometry
  /// never pass.
  let isInverted: Bool
  private let lock = Lock()
  private var cachedLocations: LocationMatcher?
  private var cachedGeometries: GeometryMatcher?

  /// Creates the test of `GEOINTERSECTS shape`, `GEODISTANCE(…, shape) < distance` and the like.
  init(_ condition: SpatialCondition, shape: Shape) {
    self.shape = shape
    (self.condition, isInverted) = Condition.test(of: condition)
  }

  /// The test of locations, which ignores `isInverted`.
  func locations() throws(GeometryError) -> LocationMatcher {
    lock.lock()
    defer { lock.unlock() }
    if let cachedLocations { return cachedLocations }
    let made = try LocationMatcher(condition, shape: shape)
    cachedLocations = made
    return made
  }

  /// The test of geometries, which ignores `isInverted`.
  func geometries() throws(GeometryError) -> GeometryMatcher {
    lock.lock()
    defer { lock.unlock() }
    if let cachedGeometries { return cachedGeometries }
    let made = try GeometryMatcher(condition, shape: shape)
    cachedGeometries = made
    return made
  }

  /// Whether a value passes. A shape that cannot be prepared has no relation to anything.
  func holds(_ value: Value) -> Bool {
    var holder = Holder(self)
    return holder.holds(value)
  }

  /// The test of many values by one thread, which takes the prepared shapes once.
  struct Holder {
    private let test: SpatialTest
    private var locations: LocationMatcher?
    private var geometries: GeometryMatcher?

    init(_ test: SpatialTest) { self.test = test }

    /// Whether a value passes. A shape that cannot be prepared has no relation to anything.
    mutating func holds(_ value: Value) -> Bool {
      switch value {
      case .point(let position):
        guard let matcher = locations ?? (try? test.locations()) else { return false }
        locations = matcher
        return matcher.holds(longitude: position.longitude, latitude: position.latitude)
          != test.isInverted
      case .geometry(let bytes):
        guard let matcher = geometries ?? (try? test.geometries()) else { return false }
        geometries = matcher
        return bytes.withUnsafeBytes { bytes in
          let view = GeometryView(bytes)
          return view.vertexCount > 0 && matcher.holds(view) != test.isInverted
        }
      default: return false
      }
    }
  }

  /// Whether a location passes.
  func holds(longitude: Double, latitude: Double) -> Bool {
    guard let matcher = try? locations() else { return false }
    return matcher.holds(longitude: longitude, latitude: latitude) != isInverted
  }
}

extension SpatialTest.Condition {
  /// The condition that is tested, and whether it is inverted.
  static func test(of condition: SpatialCondition) -> (Self, isInverted: Bool) {
    switch condition {
    case .relation(.disjoint): (.relation(.intersects), true)
    case .relation(let relation): (.relation(relation), false)
    case .distance(let comparison, let distance):
      test(of: comparison, radians: distance.radians)
    }
  }

  private static func test(
    of comparison: ComparisonOperator, radians: Double
  ) -> (Self, isInverted: Bool) {
    switch comparison {
    case .less: (.near(radians, isClosed: false), false)
    case .greaterOrEqual: (.near(radians, isClosed: false), true)
    case .greater: (.near(radians, isClosed: true), true)
    case .lessOrEqual, .equal, .notEqual: (.near(radians, isClosed: true), false)
    }
  }
}

// MARK: Locations

/// A condition on locations, prepared for one shape.
enum LocationMatcher: Sendable {
  /// The locations in a region.
  case region(Region)
  /// The locations less than some radians from another one, and a region that contains them.
  case near(Origin, Double, Region)
  /// The locations near a shape, and a region that contains them.
  case distance(PreparedOrigin, Double, isClosed: Bool, Region)
  /// The locations in a relation to a shape, and a region that contains them.
  case relation(PreparedShape, SpatialRelation, Region)

  init(_ condition: SpatialTest.Condition, shape: Shape) throws(GeometryError) {
    switch condition {
    case .near(let radians, let isClosed):
      self = try LocationMatcher.near(radians, isClosed: isClosed, of: shape)
    case .relation(let relation):
      if relation.isCovering, let area = shape.area {
        self = .region(area.region)
      } else {
        let prepared = try PreparedShape(shape)
        self = .relation(prepared, relation, Region(around: prepared.bounds))
      }
    }
  }

  private static func near(
    _ radians: Double, isClosed: Bool, of shape: Shape
  ) throws(GeometryError) -> LocationMatcher {
    if let center = shape.location, let radius = Distance.radians(radians) {
      let circle = Region(GeoCircle(center: center, radius: radius))
      let origin = Origin(longitude: center.longitude, latitude: center.latitude)
      return isClosed ? .region(circle) : .near(origin, radians, circle)
    }
    let origin = try PreparedOrigin(shape)
    let reach = Region(around: origin.bounds(within: radians))
    return .distance(origin, radians, isClosed: isClosed, reach)
  }

  /// A region that contains every location that meets the condition.
  var region: Region {
    switch self {
    case .region(let region), .near(_, _, let region), .distance(_, _, _, let region),
      .relation(_, _, let region):
      region
    }
  }

  /// Whether a location in degrees meets the condition.
  func holds(longitude: Double, latitude: Double) -> Bool {
    switch self {
    case .region(let region):
      return region.contains(longitude: longitude, latitude: latitude)
    case .near(let origin, let radians, let region):
      return region.contains(longitude: longitude, latitude: latitude)
        && origin.angle(longitude, latitude: latitude) < radians
    case .distance(let origin, let limit, let isClosed, _):
      let radians = origin.distance(longitude: longitude, latitude: latitude, upTo: limit)
      return isClosed ? radians <= limit : radians < limit
    case .relation(let shape, let relation, _):
      return shape.holds(relation, longitude: longitude, latitude: latitude)
    }
  }
}

extension Shape {
  /// The box, circle or polygon whose region is the shape; nil for other geometries.
  fileprivate var area: Shape? {
    guard case .geometry(let geometry, let edges) = self else { return self }
    return geometry.polygon(edges: edges).map { .polygon($0) }
  }

  /// The location, if the shape is a single point.
  var location: GeoPoint? {
    if case .geometry(let geometry, _) = self { geometry.point } else { nil }
  }
}

// MARK: Geometries

/// A condition on geometries, prepared for one shape.
enum GeometryMatcher: Sendable {
  case relation(PreparedShape, SpatialRelation)
  /// The geometries that contain or equal the shape. Their boxes contain the rectangle, which lies
  /// around points of the shape.
  case covering(PreparedShape, SpatialRelation, inner: Envelope)
  /// The geometries near a shape, whose boxes meet the rectangle. If the shape is a location, the
  /// region is the circle around it.
  case near(PreparedOrigin, Double, isClosed: Bool, reach: Envelope, circle: Region?)
  /// The geometries whose boxes meet any of the rectangles.
  case reach([Envelope])

  init(_ condition: SpatialTest.Condition, shape: Shape) throws(GeometryError) {
    switch condition {
    case .near(let radians, let isClosed):
      let origin = try PreparedOrigin(shape)
      let circle = shape.location.flatMap { center in
        Distance.radians(radians).map { Region(GeoCircle(center: center, radius: $0)) }
      }
      self = .near(
        origin, radians, isClosed: isClosed, reach: origin.bounds(within: radians), circle: circle)
    case .relation(let relation) where relation == .contains || relation == .equals:
      self = .covering(try PreparedShape(shape), relation, inner: shape.innerBounds)
    case .relation(let relation): self = .relation(try PreparedShape(shape), relation)
    }
  }

  /// The condition as far as boxes decide it. It is asked about each node and box, so that its closures
  /// hold what they need and nothing else.
  var boxes: BoxCondition {
    switch self {
    case .relation(let shape, let relation):
      relation.isCovering
        ? BoxCondition { shape.classify($0) }
        : BoxCondition { relation.answer(for: shape.classify($0)) }
    case .covering(let shape, _, let inner):
      BoxCondition { box in
        guard box.contains(inner) else { return .disjoint }
        return shape.classify(box) == .disjoint ? .disjoint : .intersecting
      }
    case .near(_, _, let isClosed, let reach, .some(let circle)):
      BoxCondition { box in
        guard reach.intersects(box) else { return .disjoint }
        let found = circle.classify(box)
        return found == .contained && !isClosed ? .intersecting : found
      }
    case .near(let origin, let radians, _, let reach, .none):
      BoxCondition { box in
        guard reach.intersects(box) else { return .disjoint }
        return origin.lowerBound(to: box) > radians ? .disjoint : .intersecting
      }
    case .reach(let envelopes):
      BoxCondition { box in
        guard envelopes.meet(box) else { return .disjoint }
        return envelopes.contains { $0.contains(box) } ? .contained : .intersecting
      }
    }
  }

  /// Whether a geometry meets the condition. The empty geometry does not.
  func holds(_ geometry: GeometryView) -> Bool {
    switch self {
    case .relation(let shape, let relation), .covering(let shape, let relation, _):
      return shape.holds(relation, geometry)
    case .near(let origin, let limit, let isClosed, _, _):
      let radians = origin.distance(to: geometry, upTo: limit)
      return isClosed ? radians <= limit && radians < .infinity : radians < limit
    case .reach: return true
    }
  }
}

extension Shape {
  /// A rectangle around points of the shape, rounded inward: the box of a geometry that contains
  /// the shape contains the rectangle. Points at the poles and on the antimeridian are left out,
  /// because a geometry may have them at another longitude.
  fileprivate var innerBounds: Envelope {
    var bounds = Envelope.empty
    func add(_ longitude: Double, latitude: Double) {
      guard abs(longitude) < 180, abs(latitude) < 90 else { return }
      let point = Envelope(
        lanes: SIMD4(
          E7.above(longitude), E7.above(latitude), -E7.below(longitude), -E7.below(latitude)))
      bounds = bounds.union(point)
    }
    switch self {
    case .circle(let circle): add(circle.center.longitude, latitude: circle.center.latitude)
    case .box(let box):
      for corner in [box.bottomLeft, box.topRight] {
        add(corner.longitude, latitude: corner.latitude)
      }
    case .polygon(let polygon):
      for point in polygon.polygons.joined().joined() {
        add(point.longitude, latitude: point.latitude)
      }
    case .geometry(let geometry, _):
      geometry.withView { view in
        for vertex in 0..<view.vertexCount {
          add(view.longitude(vertex), latitude: view.latitude(vertex))
        }
      }
    }
    return bounds
  }
}
