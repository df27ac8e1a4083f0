import CairnGeometry
import CairnIndex
import CairnStorage
import CairnSystem

/// The spatial condition of a join, for tests of the driver's rows against candidates.
///
/// A candidate with many vertices is prepared once; one with few is compared as it is. If one side
/// holds points, it is the driver. The threads of a join share the test, which only `prepare` changes.
final class JoinTest {
  /// The condition of a driver's geometry against a candidate's.
  enum Condition {
    case relation(SpatialRelation, edges: GeoPolygon.Edges)
    case distance(radians: Double, edges: GeoPolygon.Edges)
  }

  /// A candidate that was prepared.
  private enum Prepared {
    /// An area, for points: the regions decide 64 points at once.
    case region(Region)
    case shape(PreparedShape)
    case origin(PreparedOrigin)
  }

  private let condition: Condition
  private let driver: JoinSide
  private let candidates: JoinCandidates
  private var prepared: [Prepared?] = []
  /// The geometries of the candidates, unless these are points.
  private let views: UnsafeMutablePointer<GeometryView>

  /// The number of vertices from which preparing a candidate is worthwhile, if it meets many rows.
  private static let manyVertices = 48

  init(_ condition: Condition, driver: JoinSide, candidates: JoinCandidates) {
    self.condition = condition
    self.driver = driver
    self.candidates = candidates
    views = .allocate(capacity: candidates.keys.count)
  }

  deinit { views.deallocate() }

  /// Prepares the candidates for which that is worthwhile, on all cores.
  func prepare() throws(GeometryError) {
    prepared = Array(repeating: nil, count: candidates.keys.count)
    guard !candidates.side.holdsPoints else { return }
    let failure = FirstError()
    prepared.withUnsafeMutableBufferPointer { prepared in
      // Each call writes its own elements.
      let prepared = prepared
      let count = prepared.count
      let parts = min(count, WorkerPool.shared.width * 16)
      WorkerPool.shared.run(parts) { part in
        let range = count * part / parts..<count * (part + 1) / parts
        for candidate in range {
          guard case .geometry(let view) = candidates.place(candidate) else { continue }
          (views + candidate).initialize(to: view)
          do throws(GeometryError) {
            prepared[candidate] =
              try isRepeated(candidate, in: range) ? prepared[candidate - 1] : make(candidate)
          } catch { failure.note(error) }
        }
      }
    }
    if let error = failure.error { throw error }
  }

  /// Whether a candidate has the geometry of the one before it, because links of both lead to one
  /// object. Such candidates follow each other in the order of their boxes.
  private func isRepeated(_ candidate: Int, in range: Range<Int>) -> Bool {
    candidate > range.lowerBound && view(candidate).base == view(candidate - 1).base
  }

  /// The geometry of a candidate that is not a point, after it was read.
  @inline(__always)
  private func view(_ candidate: Int) -> GeometryView {
    assert(!candidates.side.holdsPoints, "the candidates are points")
    assert(candidate >= 0 && candidate < candidates.keys.count, "the candidate does not exist")
    return views[candidate]
  }

  private func make(_ candidate: Int) throws(GeometryError) -> Prepared? {
    let view = view(candidate)
    switch condition {
    case .relation(let relation, let edges):
      if edges == .planar, view.vertexCount < Self.manyVertices { return nil }
      if driver.holdsPoints, relation.isCovering, view.isArea {
        return .region(Region(.geometry(Geometry(copying: view), edges: edges)))
      }
      return .shape(try PreparedShape(stored: view, edges: edges))
    case .distance(_, let edges):
      guard view.vertexCount >= Self.manyVertices else { return nil }
      let shape = Shape.geometry(Geometry(copying: view), edges: edges)
      return .origin(try PreparedOrigin(shape, edges: edges))
    }
  }

  /// The distance from a place to a candidate in radians; infinity if it is beyond a limit.
  func distance(
    from place: JoinPlace, _ origin: PlaceOrigin, to candidate: Int, upTo limit: Double
  ) -> Double {
    guard case .origin(let prepared) = prepared[candidate] else {
      return origin.distance(to: candidates.place(candidate), upTo: limit)
    }
    return switch place {
    case .point(let x, let y): prepared.distance(longitude: x, latitude: y, upTo: limit)
    case .geometry(let view): prepared.distance(to: view, upTo: limit)
    }
  }

  /// The answer for every geometry of the driver in a rectangle.
  @inline(__always)
  func classify(_ envelope: Envelope, candidate: Int) -> Containment {
    switch prepared[candidate] {
    case nil, .origin: return .intersecting
    case .region(let region): return region.classify(envelope)
    case .shape(let shape):
      let answer = shape.classify(envelope)
      guard answer == .contained, case .relation(let relation, _) = condition else { return answer }
      return relation.answer(for: answer)
    }
  }

  /// The rows of a leaf of 64 points that meet the condition.
  func select(_ points: PointBlock, leaf: Int, candidate: Int) -> UInt64 {
    if case .region(let region) = prepared[candidate] {
      return points.select(leaf: leaf, in: region)
    }
    var near = points.select(leaf: leaf, in: candidates.envelopes[candidate])
    if near == 0 { return 0 }
    if !isPrepared(candidate), case .relation(let relation, edges: .planar) = condition,
      relation.isCovering, !candidates.side.holdsPoints
    {
      return points.select(leaf: leaf, among: near, coveredBy: view(candidate))
    }
    var hits: UInt64 = 0
    while near != 0 {
      let bit = near.trailingZeroBitCount
      near &= near &- 1
      let point = points.point(at: leaf << 6 | bit)
      if holds(longitude: point.longitude, latitude: point.latitude, candidate: candidate) {
        hits |= 1 << UInt64(bit)
      }
    }
    return hits
  }

  /// Returns the geometries among some of a leaf that meet the condition.
  ///
  /// - Parameter rows: A bit for each row to test; bit i is row i of the leaf.
  func select(
    _ chunk: Chunk, leaf: Int, among rows: UInt64, candidate: Int, readings: JoinReadings
  ) -> UInt64 {
    guard !isPrepared(candidate), case .relation(let relation, edges: .planar) = condition,
      !candidates.side.holdsPoints
    else {
      return rows.keepingEach { holds(chunk.geometry(at: leaf << 6 | $0), candidate: candidate) }
    }
    let other = readings.candidate(candidate, of: view(candidate))
    return rows.keepingEach { row in
      readings.row(leaf << 6 | row, of: chunk).holds(relation, to: other)
    }
  }

  /// Whether a candidate was prepared.
  @inline(__always)
  func isPrepared(_ candidate: Int) -> Bool { prepared[candidate] != nil }

  /// Whether a row of the driver meets the condition.
  func holds(_ key: Int, candidate: Int) -> Bool {
    switch driver.place(of: key) {
    case .point(let x, let y): holds(longitude: x, latitude: y, candidate: candidate)
    case .geometry(let view): holds(view, candidate: candidate)
    }
  }

  private func holds(longitude: Double, latitude: Double, candidate: Int) -> Bool {
    switch (prepared[candidate], condition) {
    case (.region(let region), _):
      return region.contains(longitude: longitude, latitude: latitude)
    case (.shape(let shape), .relation(let relation, _)):
      return shape.holds(relation, longitude: longitude, latitude: latitude)
    case (.origin(let origin), .distance(let limit, _)):
      return origin.distance(longitude: longitude, latitude: latitude, upTo: limit) <= limit
    default: break
    }
    switch (candidates.place(candidate), condition) {
    // A location neither touches nor crosses another one, nor overlaps it.
    case (.point, .relation(.touches, _)), (.point, .relation(.crosses, _)),
      (.point, .relation(.overlaps, _)):
      return false
    case (.point(let x, let y), .relation(_, let edges)):
      return Self.isSame(longitude, latitude, x, y, isPlanar: edges == .planar)
    case (.point(let x, let y), .distance(let limit, let edges)):
      return edges.distance(
        longitude: longitude, latitude: latitude, otherLongitude: x, otherLatitude: y) <= limit
    case (.geometry(let view), .relation(let relation, _)):
      return PlanarRelation.holds(
        relation, longitude: longitude, latitude: latitude, to: view)
    case (.geometry(let view), .distance(let limit, let edges)):
      return edges.distance(longitude: longitude, latitude: latitude, view, upTo: limit) <= limit
    }
  }

  private func holds(_ view: GeometryView, candidate: Int) -> Bool {
    switch (prepared[candidate], condition) {
    case (.shape(let shape), .relation(let relation, _)): return shape.holds(relation, view)
    case (.origin(let origin), .distance(let limit, _)):
      return origin.distance(to: view, upTo: limit) <= limit
    default: break
    }
    guard case .geometry(let other) = candidates.place(candidate) else { return false }
    switch condition {
    case .relation(let relation, _): return PlanarRelation.holds(relation, view, to: other)
    case .distance(let limit, let edges):
      return edges.distance(view, other, upTo: limit) <= limit
    }
  }

  /// Whether two locations are one: by their numbers, or on the sphere, where longitudes 180 and
  /// -180 are one meridian and every longitude meets at a pole.
  private static func isSame(
    _ longitude: Double, _ latitude: Double, _ otherLongitude: Double, _ otherLatitude: Double,
    isPlanar: Bool
  ) -> Bool {
    guard latitude == otherLatitude else { return false }
    if longitude == otherLongitude { return true }
    return !isPlanar
      && (abs(latitude) == 90 || (abs(longitude) == 180 && longitude == -otherLongitude))
  }
}

/// The first error that one of several threads meets.
final class FirstError: @unchecked Sendable {
  // Sendable: `lock` guards `first`, the only variable.
  private let lock = Lock()
  private var first: GeometryError?

  /// The error; nil if no thread has met one.
  var error: GeometryError? { lock.withLock { first } }

  /// Keeps an error unless there is one already.
  func note(_ error: GeometryError) {
    lock.withLock { if first == nil { first = error } }
  }
}
