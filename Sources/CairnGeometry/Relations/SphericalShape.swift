/// A geometry with geodesic edges, prepared for questions about many others.
final class SphericalShape: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.
  let geometry: SphericalGeometry
  let tree: ArcTree
  /// The polygons; nil for a shape without any.
  let region: Region?
  /// A rectangle around the shape; it spans all longitudes if the shape reaches a pole or the
  /// antimeridian.
  let bounds: Envelope
  private let memory: UnsafeMutableRawBufferPointer

  /// Prepares a geometry that is not empty. Throws if a ring is too short or not closed.
  init(_ view: GeometryView) throws(GeometryError) {
    let polygons = view.polygons
    region = polygons.isEmpty ? nil : try GeoPolygon(polygons: polygons, edges: .geodesic).region
    (geometry, memory) = SphericalGeometry.allocate(view)
    tree = ArcTree(geometry)
    bounds = (region?.bounds ?? .empty).union(view.lineBounds)
  }

  /// Prepares a polygon, whose edges count as geodesic.
  init(_ polygon: GeoPolygon) throws(GeometryError) {
    region =
      polygon.edges == .geodesic
      ? polygon.region : try GeoPolygon(polygons: polygon.polygons, edges: .geodesic).region
    let packed = Geometry(polygon)
    (geometry, memory) = packed.withView { SphericalGeometry.allocate($0) }
    tree = ArcTree(geometry)
    bounds = region?.bounds ?? .empty
  }

  deinit { memory.deallocate() }

  /// The side of a comparison that the shape takes.
  var side: SphericalSide { SphericalSide(geometry: geometry, region: region) }

  /// Whether the shape has points or lines.
  private var hasLinesOrPoints: Bool {
    geometry.chainCount > 0 && (geometry.hasLines || geometry.hasPoints)
  }

  /// The relation to a rectangle that contains a geometry. Disjoint and contained are always right.
  func classify(_ envelope: Envelope) -> Containment {
    if let region {
      let answer = region.classify(envelope)
      if answer != .disjoint { return answer }
    }
    guard hasLinesOrPoints, tree.meets(SpaceBox(envelope)) else { return .disjoint }
    return .intersecting
  }
}

/// One of two geometries that are compared, and a way to tell whether its polygons contain a
/// direction.
struct SphericalSide {
  let geometry: SphericalGeometry
  /// The prepared polygons, if the geometry is large.
  let region: Region?

  /// The number of comparisons above which it pays to prepare polygons.
  private static let preparationLimit = 1 << 20

  init(geometry: SphericalGeometry, region: Region?) {
    self.geometry = geometry
    self.region = region
  }

  /// Creates the side of a stored geometry, about which `count` questions are expected.
  init(_ geometry: SphericalGeometry, of view: GeometryView, questions count: Int) {
    self.geometry = geometry
    let isLarge =
      geometry.hasPolygons && count > 8 && geometry.count * count > Self.preparationLimit
    let polygon = isLarge ? try? GeoPolygon(polygons: view.polygons, edges: .geodesic) : nil
    region = polygon?.region
  }

  /// Whether a direction is in a polygon or on its boundary.
  func contains(_ point: Vector) -> Bool {
    guard geometry.hasPolygons else { return false }
    guard let region else { return geometry.polygonsContain(point) }
    guard let location = point.location else { return false }
    return region.contains(longitude: location.longitude, latitude: location.latitude)
  }

  /// Whether a polygon contains the first vertex of a chain of another geometry.
  func containsChain(of other: SphericalGeometry) -> Bool {
    guard geometry.hasPolygons else { return false }
    for chain in 0..<other.chainCount
    where contains(other.vectors[other.chains[chain].vertices.lowerBound]) {
      return true
    }
    return false
  }
}

extension GeometryView {
  /// The rings of all polygons.
  var polygons: [[[GeoPoint]]] {
    var polygons: [[[GeoPoint]]] = []
    for case .polygon(let rings) in parts {
      polygons.append(
        rings.filter { !$0.isEmpty }.map { ring in
          ring.compactMap { GeoPoint(latitude: latitude($0), longitude: longitude($0)) }
        })
    }
    return polygons
  }

  /// The smallest rectangle around the points and lines, whose edges are geodesic.
  var lineBounds: Envelope {
    var bounds = Envelope.empty
    for part in parts {
      switch part {
      case .point(let index): bounds = bounds.union(lineBounds(index..<index + 1))
      case .line(let range): bounds = bounds.union(lineBounds(range))
      case .polygon: break
      }
    }
    return bounds
  }

  private func lineBounds(_ range: Range<Int>) -> Envelope {
    var (west, south, east, north) = (181.0, 91.0, -181.0, -91.0)
    var isAllRound = false
    for index in range {
      let (x, y) = (longitude(index), latitude(index))
      isAllRound = isAllRound || abs(x) >= 180 || abs(y) >= 90
      (west, south, east, north) = (min(west, x), min(south, y), max(east, x), max(north, y))
      guard index + 1 < range.upperBound else { continue }
      isAllRound = isAllRound || abs(longitude(index + 1) - x) >= 180
      guard let apex = apexLatitude(index) else { continue }
      (south, north) = (min(south, apex), max(north, apex))
    }
    // The padding is far above any rounding.
    return Envelope(
      west: isAllRound ? -180 : west, south: max(-90, south - 1e-10),
      east: isAllRound ? 180 : east, north: min(90, north + 1e-10))
  }

  /// The latitude of an edge's northernmost or southernmost point in degrees, if it lies between
  /// the ends.
  private func apexLatitude(_ index: Int) -> Double? {
    let arc = Arc(Vector(self, index: index), end: Vector(self, index: index + 1))
    guard arc.length > 1e-12, let apex = arc.apex else { return nil }
    return apex.location?.latitude
  }
}

extension Arc {
  /// The northernmost or southernmost point, if it lies between the ends.
  var apex: Vector? {
    guard !isPoint else { return nil }
    let (before, after) = (normal.cross(start).z, normal.cross(end).z)
    guard before * after < 0 else { return nil }
    let top = Vector(
      x: -normal.x * normal.z, y: -normal.y * normal.z,
      z: normal.x * normal.x + normal.y * normal.y)
    return (before > 0 ? top : top * -1).unit
  }
}
