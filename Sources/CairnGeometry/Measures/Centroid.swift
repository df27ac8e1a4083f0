extension GeometryView {
  /// The centroid, as ``Geometry/centroid`` describes it.
  package var centroid: GeoPoint? {
    var sum = CentroidSum(self, joinsAntimeridian: isCutAtAntimeridian)
    for part in parts { sum.add(part) }
    return sum.centroid
  }

  /// Whether some parts end at the antimeridian on one side, some on the other, and none on both.
  private var isCutAtAntimeridian: Bool {
    var (endsEast, endsWest) = (false, false)
    for part in parts {
      let vertices: Range<Int>
      switch part {
      case .point: continue
      case .line(let line): vertices = line
      case .polygon(var rings): vertices = rings.next() ?? 0..<0
      }
      let isEastern = vertices.contains { longitude($0) == 180 }
      let isWestern = vertices.contains { longitude($0) == -180 }
      if isEastern, isWestern { return false }
      endsEast = endsEast || isEastern
      endsWest = endsWest || isWestern
    }
    return endsEast && endsWest
  }
}

/// The sums that the centroid of a geometry is computed from.
private struct CentroidSum {
  /// Weighted coordinates, relative to the first vertex, and their weight.
  private struct Sum {
    var (x, y, weight) = (0.0, 0.0, 0.0)

    mutating func add(_ x: Double, y: Double, weight: Double) {
      self.x += x * weight
      self.y += y * weight
      self.weight += weight
    }
  }

  private let view: GeometryView
  private let joinsAntimeridian: Bool
  /// The first vertex. Sums relative to it lose fewer digits.
  private let base: PlanePoint
  private var areas = Sum()
  private var lines = Sum()
  private var points = Sum()

  init(_ view: GeometryView, joinsAntimeridian: Bool) {
    self.view = view
    self.joinsAntimeridian = joinsAntimeridian
    base =
      view.vertexCount == 0
      ? PlanePoint(x: 0, y: 0) : PlanePoint(x: view.longitude(0), y: view.latitude(0))
  }

  /// The centroid, or nil without a vertex.
  var centroid: GeoPoint? {
    guard let sum = [areas, lines, points].first(where: { $0.weight > 0 }) else { return nil }
    let longitude = wrapped(base.x + sum.x / sum.weight)
    // Rounding must not lead beyond the vertices, which may lie at the pole.
    let latitude = max(-90, min(90, base.y + sum.y / sum.weight))
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  mutating func add(_ part: GeometryView.Part) {
    switch part {
    case .point(let vertex):
      let point = point(vertex, turn: 0)
      points.add(point.x, y: point.y, weight: 1)
    case .line(let vertices): add(line: vertices, turn: turn(vertices))
    case .polygon(let rings): add(rings)
    }
  }

  private mutating func add(_ rings: GeometryView.Rings) {
    var outer: Range<Int>?
    for ring in rings where !ring.isEmpty {
      let turn = turn(outer ?? ring)
      add(ring: ring, isHole: outer != nil, turn: turn)
      // The outlines count if no polygon has an area.
      add(line: ring, turn: turn)
      outer = outer ?? ring
    }
  }

  /// The degrees by which a part is moved so that the parts on both sides of the antimeridian join.
  private func turn(_ vertices: Range<Int>) -> Double {
    guard joinsAntimeridian, !vertices.contains(where: { view.longitude($0) > 0 }) else { return 0 }
    return 360
  }

  private func point(_ vertex: Int, turn: Double) -> PlanePoint {
    PlanePoint(x: view.longitude(vertex) + turn - base.x, y: view.latitude(vertex) - base.y)
  }

  private mutating func add(line: Range<Int>, turn: Double) {
    var last = point(line.lowerBound, turn: turn)
    let before = lines.weight
    for vertex in line.dropFirst() {
      let next = point(vertex, turn: turn)
      let (x, y) = (next.x - last.x, next.y - last.y)
      lines.add(
        (last.x + next.x) / 2, y: (last.y + next.y) / 2, weight: (x * x + y * y).squareRoot())
      last = next
    }
    if lines.weight == before { points.add(last.x, y: last.y, weight: 1) }
  }

  private mutating func add(ring: Range<Int>, isHole: Bool, turn: Double) {
    let first = point(ring.lowerBound, turn: turn)
    var last = first
    var sum = Sum()
    for vertex in ring.dropFirst() {
      let next = point(vertex, turn: turn)
      // Twice the area of the triangle from the first vertex, and three times its centroid.
      let twice = (last.x - first.x) * (next.y - first.y) - (next.x - first.x) * (last.y - first.y)
      sum.add((first.x + last.x + next.x) / 3, y: (first.y + last.y + next.y) / 3, weight: twice)
      last = next
    }
    let sign = (sum.weight < 0) == isHole ? 1.0 : -1.0
    areas.x += sign * sum.x
    areas.y += sign * sum.y
    areas.weight += sign * sum.weight
  }
}
