/// A stretch of the outline of a polygon as it lies on the earth.
struct EarthOutline {
  /// The vertices; the last repeats the first if the outline is a whole ring.
  fileprivate(set) var line: PlaneLine
  /// The turn of corners that point out of the polygon: 1 to the left, -1 to the right.
  let turnOfCorners: Int
}

extension GeometryView {
  /// The outlines of the polygons on the earth. Two kinds of edges are left out: those along a pole, and
  /// edges along the antimeridian with a polygon on either side.
  var earthOutlines: [EarthOutline] {
    let seam = Seam(self)
    var outlines: [EarthOutline] = []
    for case .polygon(let rings) in parts {
      var isHole = false
      for ring in rings {
        outlines += stretches(of: ring, isHole: isHole, seam: seam)
        isHole = true
      }
    }
    return outlines
  }

  private func stretches(of ring: Range<Int>, isHole: Bool, seam: Seam) -> [EarthOutline] {
    let turn = (self.ring(ring).signedArea > 0) != isHole ? 1 : -1
    var runs = [PlaneLine()]
    for vertex in ring.dropLast() {
      let (start, end) = (point(vertex), point(vertex + 1))
      for (from, to) in seam.outline(from: start, to: end) {
        let isConnected = runs.last?.last.map { $0 == from } ?? false
        if !isConnected {
          if runs.last?.count != 0 { runs.append(PlaneLine()) }
          append(from, to: &runs[runs.count - 1], vertex: from == start ? vertex : nil)
        }
        append(to, to: &runs[runs.count - 1], vertex: to == end ? vertex + 1 : nil)
      }
    }
    // A run that ends where the ring begins goes on in the first one.
    if runs.count > 1, let end = runs.last?.last, end == runs[0].first,
      end == point(ring.lowerBound)
    {
      var joined = runs.removeLast()
      joined.append(contentsOf: runs[0])
      runs[0] = joined
    }
    return runs.filter { $0.count > 0 }.map { EarthOutline(line: $0, turnOfCorners: turn) }
  }

  private func point(_ vertex: Int) -> PlanePoint {
    PlanePoint(x: longitude(vertex), y: latitude(vertex))
  }

  private func append(_ point: PlanePoint, to line: inout PlaneLine, vertex: Int?) {
    line.append(point.x, y: point.y, altitude: vertex.flatMap { altitude($0) })
  }
}

/// The parts of the antimeridian with a polygon on either side.
private struct Seam {
  /// Latitudes, from south to north.
  private var shared: [ClosedRange<Double>] = []

  init(_ view: GeometryView) {
    let east = Self.ranges(view, longitude: 180)
    guard !east.isEmpty else { return }
    for other in Self.ranges(view, longitude: -180) {
      for range in east where range.overlaps(other) {
        let common = range.clamped(to: other)
        if common.lowerBound < common.upperBound { shared.append(common) }
      }
    }
    shared.sort { $0.lowerBound < $1.lowerBound }
  }

  /// The latitudes of the edges of polygons along a meridian; ranges that meet are joined.
  private static func ranges(_ view: GeometryView, longitude: Double) -> [ClosedRange<Double>] {
    var ranges: [ClosedRange<Double>] = []
    for case .polygon(let rings) in view.parts {
      for ring in rings {
        for vertex in ring.dropLast()
        where view.longitude(vertex) == longitude && view.longitude(vertex + 1) == longitude {
          let (one, other) = (view.latitude(vertex), view.latitude(vertex + 1))
          ranges.append(min(one, other)...max(one, other))
        }
      }
    }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var joined: [ClosedRange<Double>] = []
    for range in ranges {
      if let last = joined.last, last.upperBound >= range.lowerBound {
        joined[joined.count - 1] =
          last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// The parts of an edge that are an outline, in its direction.
  func outline(
    from start: PlanePoint, to end: PlanePoint
  ) -> [(from: PlanePoint, to: PlanePoint)] {
    if abs(start.y) == 90, start.y == end.y { return [] }
    guard abs(start.x) == 180, start.x == end.x, !shared.isEmpty else { return [(start, end)] }
    let (south, north) = (min(start.y, end.y), max(start.y, end.y))
    var parts: [(from: PlanePoint, to: PlanePoint)] = []
    var reached = south
    func add(upTo y: Double) {
      guard reached < y else { return }
      parts.append((PlanePoint(x: start.x, y: reached), PlanePoint(x: start.x, y: y)))
    }
    for range in shared where range.upperBound > reached && range.lowerBound < north {
      add(upTo: range.lowerBound)
      reached = range.upperBound
    }
    add(upTo: north)
    return start.y <= end.y ? parts : parts.reversed().map { ($0.to, $0.from) }
  }
}
