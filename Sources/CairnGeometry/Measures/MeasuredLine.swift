/// The lines of a geometry, one after another, with distances in metres along geodesics on the WGS 84
/// ellipsoid. Lines that were cut at the antimeridian are one again.
struct MeasuredLine {
  /// An edge, from a vertex to the next one.
  private struct Edge {
    let vertex: Int
    /// The distance of the vertex from the start of the lines.
    let start: Double
    /// The distance of the next vertex.
    let end: Double
    /// The number of the line.
    let line: Int
  }

  /// The distance from the first vertex to the last.
  private(set) var length = 0.0
  private var edges: [Edge] = []
  // The view is valid as long as the line is in use.
  private let view: GeometryView
  private let ellipsoid: Ellipsoid

  /// Measures the lines of a geometry; nil if it has none.
  init?(_ view: GeometryView, on ellipsoid: Ellipsoid) {
    self.view = view
    self.ellipsoid = ellipsoid
    var line = 0
    for case .line(let vertices) in view.parts {
      for vertex in vertices.dropLast() {
        let end = length + distance(vertex, to: vertex + 1)
        edges.append(Edge(vertex: vertex, start: length, end: end, line: line))
        length = end
      }
      line += 1
    }
    if edges.isEmpty { return nil }
  }

  private func distance(_ vertex: Int, to other: Int) -> Double {
    ellipsoid.distance(
      view.latitude(vertex), longitude: view.longitude(vertex), otherLatitude: view.latitude(other),
      otherLongitude: view.longitude(other))
  }

  /// Measures the lines of a geometry, and calls `body`; nil if it has none.
  static func measuring<Result>(
    _ geometry: Geometry,
    _ body: (MeasuredLine) throws(GeometryError) -> Result?
  ) throws(GeometryError) -> Result? {
    let ellipsoid = try Ellipsoid.wgs84()
    return try geometry.withView { (view) throws(GeometryError) in
      guard let line = MeasuredLine(view, on: ellipsoid) else { return nil }
      return try body(line)
    }
  }

  // MARK: Locations

  /// The location at a distance from the start, with an altitude between those of the neighbouring
  /// vertices.
  ///
  /// - Complexity: O(log *n*) in the number of vertices.
  func location(at distance: Double) -> GeoPoint? {
    guard distance < length else { return vertex(edges[edges.count - 1].vertex + 1) }
    return location(at: distance, on: edges[index(at: distance)])
  }

  /// The index of the last edge that starts at or before a distance.
  private func index(at distance: Double) -> Int {
    var (low, high) = (0, edges.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if edges[middle].start <= distance { low = middle } else { high = middle }
    }
    return low
  }

  private func vertex(_ index: Int) -> GeoPoint? { view.points(index..<index + 1).first }

  private func location(at distance: Double, on edge: Edge) -> GeoPoint? {
    let (index, rest, length) = (edge.vertex, distance - edge.start, edge.end - edge.start)
    guard rest > 0 else { return vertex(index) }
    guard rest < length else { return vertex(index + 1) }
    let azimuth = ellipsoid.azimuth(
      view.latitude(index), longitude: view.longitude(index),
      otherLatitude: view.latitude(index + 1), otherLongitude: view.longitude(index + 1))
    let place = ellipsoid.location(
      rest, fromLatitude: view.latitude(index), longitude: view.longitude(index), azimuth: azimuth)
    // An edge along the antimeridian stays on its side.
    let isMeridian = view.longitude(index) == view.longitude(index + 1)
    let low = view.altitude(index) ?? 0
    let height = low + ((view.altitude(index + 1) ?? 0) - low) * rest / length
    return GeoPoint(
      latitude: place.latitude, longitude: isMeridian ? view.longitude(index) : place.longitude,
      altitude: max(0, height))
  }

  // MARK: Parts

  /// The lines between two distances from the start, the first not greater than the second.
  func lines(from start: Double, to end: Double) -> [[GeoPoint]] {
    var lines: [[GeoPoint]] = []
    var current: [GeoPoint] = []
    var line = -1
    for edge in edges where edge.end >= start && edge.start <= end {
      if edge.line != line {
        if current.count > 1 { lines.append(current) }
        line = edge.line
        current = [location(at: max(start, edge.start), on: edge)].compactMap(\.self)
      }
      guard let next = location(at: min(end, edge.end), on: edge) else { continue }
      if next != current.last || edge.end == edge.start { current.append(next) }
    }
    if current.count > 1 { lines.append(current) }
    return lines
  }

  /// The distance from the start of the position that is nearest to a direction on the sphere.
  func distance(ofPositionNearest target: Vector) -> Double {
    var (best, found, foot) = (Double.infinity, edges[0], Vector(view, index: edges[0].vertex))
    for edge in edges {
      let arc = Arc(Vector(view, index: edge.vertex), end: Vector(view, index: edge.vertex + 1))
      let square = arc.chordSquared(to: target)
      if square < best { (best, found, foot) = (square, edge, arc.nearest(to: target)) }
    }
    guard let place = foot.location else { return found.start }
    let step = ellipsoid.distance(
      view.latitude(found.vertex), longitude: view.longitude(found.vertex),
      otherLatitude: place.latitude, otherLongitude: place.longitude)
    return min(found.start + step, found.end)
  }
}
