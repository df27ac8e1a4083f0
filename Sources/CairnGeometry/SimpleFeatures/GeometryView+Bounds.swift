extension GeometryView {
  /// The least rectangle around the vertices in degrees; nil if the geometry is empty.
  package var planarBounds: (west: Double, south: Double, east: Double, north: Double)? {
    guard vertexCount > 0 else { return nil }
    let extent = extent(of: 0..<vertexCount)
    let unit = isFixed ? E7.perDegree : 1
    return (extent.west / unit, extent.south / unit, extent.east / unit, extent.north / unit)
  }

  /// A rectangle that contains the geometry in both readings of its edges, straight in longitude
  /// and latitude or on the sphere; nil if the geometry is empty.
  ///
  /// On the sphere, edges bulge towards a pole, and -180 and 180 degrees are the same meridian. So
  /// what touches or crosses that meridian, or touches a pole, has all longitudes.
  ///
  /// - Complexity: O(*n*) in the number of vertices. Edges of up to half a degree of longitude need
  ///   no trigonometric function.
  package var bounds: Envelope? {
    guard vertexCount > 0 else { return nil }
    var result = Envelope.empty
    for part in parts {
      switch part {
      case .point(let index): result = result.union(bounds(of: index..<index + 1, isRing: false))
      case .line(let vertices): result = result.union(bounds(of: vertices, isRing: false))
      case .polygon(let rings):
        for ring in rings { result = result.union(bounds(of: ring, isRing: true)) }
      }
    }
    return result
  }

  /// The bounds of a line or a ring in both readings of its edges.
  private func bounds(of vertices: Range<Int>, isRing: Bool) -> Envelope {
    let extent = extent(of: vertices)
    let unit = isFixed ? 1 : E7.perDegree
    var planar: Envelope
    if isFixed {
      planar = Envelope(
        lanes: SIMD4(
          Int32(extent.west), Int32(extent.south), -Int32(extent.east), -Int32(extent.north)))
    } else {
      planar = Envelope(
        west: extent.west, south: extent.south, east: extent.east, north: extent.north)
    }
    if min(planar.lanes.y, planar.lanes.w) <= -E7.quarterTurn { planar.addAllLongitudes() }
    if min(planar.lanes.x, planar.lanes.z) <= -E7.halfTurn { planar.addAllLongitudes() }
    let longestStep = extent.longestStep * unit / E7.perDegree
    guard longestStep > GeodesicExtent.shortStep else {
      planar.bulge(by: GeodesicExtent.bulge(ofStep: longestStep))
      return planar
    }
    var geodesic = GeodesicExtent(south: planar.south, north: planar.north)
    for index in vertices.dropLast() {
      geodesic.addEdge(
        from: (longitude(index), latitude(index)), to: (longitude(index + 1), latitude(index + 1)))
    }
    if isRing { geodesic.addInterior() }
    return geodesic.envelope(around: planar)
  }

  /// The least and greatest coordinates of some vertices, in E7 units or degrees as they are stored.
  private struct Extent {
    var west = Double.infinity
    var south = Double.infinity
    var east = -Double.infinity
    var north = -Double.infinity
    /// The greatest difference of longitude of two neighbours.
    var longestStep = 0.0
  }

  private func extent(of vertices: Range<Int>) -> Extent {
    isFixed
      ? extent(of: vertices) { Double($0.loadUnaligned(fromByteOffset: $1 * 4, as: Int32.self)) }
      : extent(of: vertices) { $0.loadUnaligned(fromByteOffset: $1 * 8, as: Double.self) }
  }

  @inline(__always)
  private func extent(
    of vertices: Range<Int>, load: (UnsafeRawPointer, Int) -> Double
  ) -> Extent {
    assert(
      vertices.lowerBound >= 0 && vertices.upperBound <= vertexCount && holdsCoordinates,
      "a vertex is outside of the geometry")
    let (xs, ys) = (longitudes, latitudes)
    var extent = Extent()
    var last = vertices.isEmpty ? 0 : load(xs, vertices.lowerBound)
    for index in vertices {
      let (x, y) = (load(xs, index), load(ys, index))
      extent.west = x < extent.west ? x : extent.west
      extent.east = x > extent.east ? x : extent.east
      extent.south = y < extent.south ? y : extent.south
      extent.north = y > extent.north ? y : extent.north
      let step = abs(x - last)
      extent.longestStep = step > extent.longestStep ? step : extent.longestStep
      last = x
    }
    return extent
  }
}

extension Envelope {
  /// Extends the rectangle to all longitudes.
  fileprivate mutating func addAllLongitudes() {
    lanes.x = -E7.halfTurn
    lanes.z = -E7.halfTurn
  }

  /// Moves the northern edge of what lies north of the equator, and the southern edge of what lies
  /// south of it, towards the pole.
  fileprivate mutating func bulge(by degrees: Double) {
    let units = Int32((degrees * E7.perDegree).rounded(.up))
    if lanes.y < 0 { lanes.y = max(-E7.quarterTurn, lanes.y - units) }
    if lanes.w < 0 { lanes.w = max(-E7.quarterTurn, lanes.w - units) }
  }
}

/// The bounds of a path of great circles that may be long.
private struct GeodesicExtent {
  /// The difference of longitude in degrees up to which an edge's bulge is estimated.
  static let shortStep = 0.5

  /// An upper bound of the latitude in degrees by which a short edge exceeds its ends.
  ///
  /// The summit of a great circle is at most half of the step away from the higher end. With d that
  /// half and p the end's latitude, the summit's tangent is tan p / cos d, so the edge exceeds
  /// its end by no more than (1 / cos d - 1) / 2 <= d² / 4 · (1 + d²), where π / 2880 degrees is
  /// the value of d² / 4 for a step of one degree.
  static func bulge(ofStep degrees: Double) -> Double {
    degrees * degrees * (Double.pi / 2880) * 1.0001
  }

  /// The sum of opposite unit vectors is shorter than this. Their great circle is not determined.
  private static let antipodal = 1e-4
  /// The chord up to which two locations are so close that a summit is not computed.
  private static let coincident = 1e-6
  /// A slope below this may be a rounding error.
  private static let level = 1e-9
  /// More degrees than the rounding error of a summit.
  private static let margin = 1e-9

  private var south: Double
  private var north: Double
  private var hasAllLongitudes = false
  private var isWorld = false
  /// The longitude that was reached, counted on beyond ±180, relative to the first vertex.
  private var reached = 0.0
  private var westernmost = 0.0
  private var easternmost = 0.0
  /// The longitude of the last vertex that is not a pole.
  private var last: Double?

  init(south: Double, north: Double) {
    self.south = south
    self.north = north
  }

  typealias Location = (longitude: Double, latitude: Double)

  mutating func addEdge(from start: Location, to end: Location) {
    advance(to: start)
    advance(to: end)
    if abs(start.latitude) == 90 || abs(end.latitude) == 90 {
      // The edge is a meridian, or the way from pole to pole, which could be any.
      hasAllLongitudes = true
      if start.latitude == -end.latitude { isWorld = true }
      return
    }
    let step = abs(end.longitude - start.longitude)
    if step > 180 { hasAllLongitudes = true }
    if step <= Self.shortStep {
      let degrees = Self.bulge(ofStep: step)
      bulge(
        low: min(start.latitude, end.latitude), high: max(start.latitude, end.latitude), by: degrees
      )
    } else {
      addLongEdge(from: start, to: end)
    }
  }

  /// Adds what lies up to `degrees` beyond an edge's ends, towards the poles.
  private mutating func bulge(low: Double, high: Double, by degrees: Double) {
    if high > 0 { north = max(north, high + degrees) }
    if low < 0 { south = min(south, low - degrees) }
  }

  private mutating func addLongEdge(from first: Location, to second: Location) {
    let start = Vector(longitude: first.longitude, latitude: first.latitude)
    let end = Vector(longitude: second.longitude, latitude: second.latitude)
    guard (start + end).length > Self.antipodal else {
      isWorld = true
      return
    }
    let length = (start - end).length
    guard length > Self.coincident else {
      // The plane is not determined well, but no point is further away than the other end.
      bulge(
        low: min(first.latitude, second.latitude), high: max(first.latitude, second.latitude),
        by: length.inDegrees + Self.margin)
      return
    }
    let normal = start.normal(to: end)
    let summit =
      arcTangent((normal.x * normal.x + normal.y * normal.y).squareRoot(), x: abs(normal.z))
      .inDegrees + Self.margin
    // The edge rises at its start and falls at its end if the summit is between.
    let (rise, fall) = (normal.cross(start).z, normal.cross(end).z)
    if rise > -Self.level, fall < Self.level { north = max(north, summit) }
    if rise < Self.level, fall > -Self.level { south = min(south, -summit) }
  }

  private mutating func advance(to location: Location) {
    guard abs(location.latitude) < 90 else { return }
    if let last { reached += wrapped(location.longitude - last) }
    last = location.longitude
    westernmost = min(westernmost, reached)
    easternmost = max(easternmost, reached)
  }

  /// Adds what lies inside of a ring: its smaller side.
  ///
  /// A ring within half of the longitudes, or within a hemisphere, has a pole inside only if it winds
  /// around it. Otherwise the rectangle may be larger than needed.
  mutating func addInterior() {
    let isWinding = abs(reached) > 180
    guard isWinding || easternmost - westernmost >= 180 - Self.margin else { return }
    if south > 0 {
      if isWinding { north = 90 }
    } else if north < 0 {
      if isWinding { south = -90 }
    } else {
      isWorld = true
    }
  }

  func envelope(around planar: Envelope) -> Envelope {
    if isWorld { return .world }
    var result = planar.union(
      Envelope(
        west: planar.west, south: max(-90, south), east: planar.east, north: min(90, north)))
    let touchesPole = min(result.lanes.y, result.lanes.w) <= -E7.quarterTurn
    if hasAllLongitudes || touchesPole { result.addAllLongitudes() }
    return result
  }
}
