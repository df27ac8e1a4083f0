import CairnGeometry
import CairnStorage
import CairnSystem
import CairnValues

/// A spatial condition on two locations or geometries.
struct SpatialPairTest: Sendable {
  private let condition: SpatialTest.Condition
  private let isInverted: Bool
  private let edges: GeoPolygon.Edges

  /// Creates the test of `a GEOINTERSECTS b`, `GEODISTANCE(a, b) < distance` and the like.
  ///
  /// - Parameter edges: The edges of both sides of a relation. A distance is always along shortest
  ///   paths.
  init(_ condition: SpatialCondition, edges: GeoPolygon.Edges) {
    (self.condition, isInverted) = SpatialTest.Condition.test(of: condition)
    if case .relation = condition { self.edges = edges } else { self.edges = .geodesic }
  }

  /// Whether two values pass. Other values than locations and geometries do not.
  func holds(_ a: Value, _ b: Value) -> Bool {
    a.withView { a in b.withView { b in holds(a, b) } ?? false } ?? false
  }

  /// Whether two geometries pass. The empty geometry does not.
  ///
  /// - Parameter shapes: Keeps what is prepared of geometries that lie in a store; nil if the
  ///   geometries lie elsewhere.
  func holds(
    _ a: GeometryView, _ b: GeometryView, shapes: PreparedGeometries? = nil
  ) -> Bool {
    guard a.vertexCount > 0, b.vertexCount > 0 else { return false }
    return meets(a, b, shapes: shapes) != isInverted
  }

  private func meets(
    _ a: GeometryView, _ b: GeometryView, shapes: PreparedGeometries?
  ) -> Bool {
    switch condition {
    case .near(let limit, let isClosed):
      let radians = distance(a, b, upTo: limit, shapes: shapes)
      return isClosed ? radians <= limit && radians < .infinity : radians < limit
    case .relation(.contains): return relates(b, .within, to: a, shapes: shapes)
    case .relation(let relation): return relates(a, relation, to: b, shapes: shapes)
    }
  }

  /// Whether a geometry has a relation to another one that only those have which meet. Their boxes
  /// decide most pairs, because they contain the geometries with either kind of edges.
  private func relates(
    _ a: GeometryView, _ relation: SpatialRelation, to b: GeometryView,
    shapes: PreparedGeometries?
  ) -> Bool {
    guard let box = a.bounds, let other = b.bounds, box.intersects(other) else { return false }
    if edges == .planar, !b.isWorthPreparing {
      return PlanarRelation.holds(relation, a, to: b)
    }
    return prepared(b, shapes: shapes)?.shape?.holds(relation, a) ?? false
  }

  /// The least distance of two geometries in radians; infinity if it is beyond `limit`.
  private func distance(
    _ a: GeometryView, _ b: GeometryView, upTo limit: Double, shapes: PreparedGeometries?
  ) -> Double {
    let (less, more) = a.vertexCount <= b.vertexCount ? (a, b) : (b, a)
    if more.vertexCount == 1 {
      return Sphere.angle(
        less.latitude(0), longitude: less.longitude(0), otherLatitude: more.latitude(0),
        otherLongitude: more.longitude(0))
    }
    // The simpler geometry is prepared, unless the other one is prepared for other rows too.
    let isShared = shapes != nil && more.isWorthPreparing
    return prepared(isShared ? more : less, shapes: isShared ? shapes : nil)?.origin?
      .distance(to: isShared ? less : more, upTo: limit) ?? .infinity
  }

  private func prepared(
    _ view: GeometryView, shapes: PreparedGeometries?
  ) -> PreparedGeometries.Prepared? {
    guard let shapes, view.isWorthPreparing else { return make(view) }
    return shapes.prepared(view, make: make)
  }

  private func make(_ view: GeometryView) -> PreparedGeometries.Prepared? {
    if case .near = condition {
      let shape = Shape.geometry(Geometry(copying: view), edges: .geodesic)
      return (try? PreparedOrigin(shape)).map { .origin($0) }
    }
    return (try? PreparedShape(stored: view, edges: edges)).map { .shape($0) }
  }
}

/// The geometries with many vertices that a condition has prepared for comparisons, so that rows that
/// lead to one object share the work. They are found by their bytes' address in the snapshot.
final class PreparedGeometries: @unchecked Sendable {
  // Sendable: `found` and `vertexCount` are only touched under `lock`.

  /// A geometry that is prepared for relations or for distances.
  enum Prepared {
    case shape(PreparedShape)
    case origin(PreparedOrigin)

    var shape: PreparedShape? { if case .shape(let shape) = self { shape } else { nil } }
    var origin: PreparedOrigin? { if case .origin(let origin) = self { origin } else { nil } }
  }

  /// The number of vertices of all geometries up to which they are kept.
  private static let capacity = 4_000_000

  private let lock = Lock()
  private var found: [UnsafeRawPointer: Prepared] = [:]
  private var vertexCount = 0

  /// The prepared form of a geometry that stays where it is as long as the condition; nil if it
  /// cannot be prepared.
  func prepared(_ view: GeometryView, make: (GeometryView) -> Prepared?) -> Prepared? {
    if let known = lock.withLock({ found[view.base] }) { return known }
    guard let new = make(view) else { return nil }
    lock.withLock {
      if vertexCount > Self.capacity {
        found.removeAll()
        vertexCount = 0
      }
      found[view.base] = new
      vertexCount += view.vertexCount
    }
    return new
  }
}

extension GeometryView {
  /// Whether the geometry has so many vertices that preparing it saves time.
  fileprivate var isWorthPreparing: Bool { vertexCount >= 48 }
}

extension Value {
  /// Calls `body` with a view of a location or a geometry; nil for other values.
  fileprivate func withView<Result>(_ body: (GeometryView) -> Result) -> Result? {
    switch self {
    case .point(let point): PackedPoint(point.longitude, latitude: point.latitude).withView(body)
    case .geometry(let bytes): bytes.withUnsafeBytes { body(GeometryView($0)) }
    default: nil
    }
  }
}
