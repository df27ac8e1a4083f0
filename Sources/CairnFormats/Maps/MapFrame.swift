internal import CairnGeometry
import CairnSystem

/// The part of the earth that a map shows, in an equirectangular projection: a degree of longitude
/// has its true length in the middle of the map.
struct MapFrame {
  private(set) var west: Double
  private(set) var east: Double
  private(set) var south: Double
  private(set) var north: Double

  /// The range of the ratio of width to height.
  private static let aspects = 0.8...2.6
  private static let margin = 0.06
  /// The least extent in degrees.
  private static let minSpan = 0.01

  /// Creates a frame that contains the points, the lines and areas, the outline and the origin.
  init(
    _ points: PointBuffer, shapes: ShapeBuffer = ShapeBuffer(), outline: Outline?,
    origin: GeoPoint?
  ) {
    var span = LongitudeSpan()
    var latitudes = (low: 90.0, high: -90.0)
    func add(_ latitude: Double) {
      latitudes = (min(latitudes.low, latitude), max(latitudes.high, latitude))
    }
    for index in 0..<points.count {
      span.add(points[index].longitude)
      add(points[index].latitude)
    }
    for shape in shapes.shapes {
      span.add(from: shape.west, to: shape.east)
      add(shape.south)
      add(shape.north)
    }
    for ring in outline?.rings ?? [] {
      let longitudes = ring.map(\.longitude)
      span.add(from: longitudes.min() ?? 0, to: longitudes.max() ?? 0)
      for place in ring { add(place.latitude) }
      if let pole = RingShape(ring).pole { add(pole) }
    }
    if let origin {
      span.add(origin.longitude)
      add(origin.latitude)
    }
    let bounds = span.bounds ?? (-180, 180)
    (west, east) = bounds
    (south, north) = span.bounds == nil ? (-60, 85) : latitudes
    addMargin()
    fitAspect()
  }

  /// The length of a degree of longitude relative to one of latitude.
  var squeeze: Double {
    east - west > 300 ? 1 : max(0.2, cos((south + north) / 2 * .pi / 180))
  }

  /// The ratio of width to height.
  var aspect: Double { (east - west) * squeeze / (north - south) }

  private mutating func addMargin() {
    let across = max(Self.minSpan, (east - west) * Self.margin)
    let along = max(Self.minSpan, (north - south) * Self.margin)
    (south, north) = (max(-90, south - along), min(90, north + along))
    (west, east) = (west - across, east + across)
    if east - west >= 360 { (west, east) = (-180, 180) }
  }

  /// Extends the frame if it would be a narrow strip.
  private mutating func fitAspect() {
    if aspect > Self.aspects.upperBound {
      let more = ((east - west) * squeeze / Self.aspects.upperBound - (north - south)) / 2
      (south, north) = (south - more, north + more)
      if south < -90 { (south, north) = (-90, min(90, north - 90 - south)) }
      if north > 90 { (south, north) = (max(-90, south - north + 90), 90) }
    } else if aspect < Self.aspects.lowerBound {
      let more = ((north - south) * Self.aspects.lowerBound / squeeze - (east - west)) / 2
      (west, east) = (west - more, east + more)
      if east - west > 360 {
        let middle = (west + east) / 2
        (west, east) = (middle - 180, middle + 180)
      }
    }
  }

  /// Returns the position of a point as fractions of width and height from the upper left, in the
  /// rotation that the frame shows.
  func position(_ longitude: Double, latitude: Double) -> (x: Double, y: Double) {
    var turned = longitude
    if turned < west { turned += 360 }
    if turned > east, turned - 360 >= west { turned -= 360 }
    return ((turned - west) / (east - west), (north - latitude) / (north - south))
  }

  /// Returns the rotations, multiples of 360 degrees, that bring part of a longitude interval into
  /// the frame.
  func rotations(from low: Double, to high: Double) -> [Double] {
    [-720, -360, 0, 360, 720].filter { high + $0 >= west && low + $0 <= east }
  }
}

/// The shape of a ring relative to the poles.
struct RingShape {
  /// The latitude of the pole that the ring encloses, if any.
  let pole: Double?

  init(_ ring: [Outline.Vertex]) {
    guard let first = ring.first, let last = ring.last, abs(last.longitude - first.longitude) > 180
    else {
      pole = nil
      return
    }
    let middle = ring.reduce(0) { $0 + $1.latitude } / Double(ring.count)
    pole = middle < 0 ? -90 : 90
  }

  /// Returns the vertices of the enclosed area, including the pole if the ring goes round one.
  static func area(_ ring: [Outline.Vertex]) -> [(longitude: Double, latitude: Double)] {
    var points = ring.map { (longitude: $0.longitude, latitude: $0.latitude) }
    if let pole = RingShape(ring).pole, let first = points.first, let last = points.last {
      points += [(last.longitude, pole), (first.longitude, pole)]
    }
    return points
  }
}

/// The shortest interval of longitudes that contains all added ones; it may cross the antimeridian.
struct LongitudeSpan {
  private static let binCount = 720
  private static let binWidth = 360.0 / Double(binCount)
  /// The smallest gap, in degrees, that is worth rotating the map for.
  private static let minGap = 20.0

  /// The least and greatest longitudes in each bin, in degrees from the bin's western edge.
  private var lowest = [Double](repeating: .infinity, count: binCount)
  private var highest = [Double](repeating: -.infinity, count: binCount)

  /// Adds a longitude, of any rotation.
  mutating func add(_ longitude: Double) {
    let turned = (longitude + 180) / 360
    let position = (turned - turned.rounded(.down)) * Double(Self.binCount)
    let bin = min(Int(position), Self.binCount - 1)
    let offset = (position - Double(bin)) * Self.binWidth
    lowest[bin] = min(lowest[bin], offset)
    highest[bin] = max(highest[bin], offset)
  }

  /// Adds all longitudes between two.
  mutating func add(from west: Double, to east: Double) {
    var longitude = west
    while longitude < east {
      add(longitude)
      longitude += Self.binWidth
    }
    add(east)
  }

  /// The bounds in degrees; `east` may be beyond 180. Nil if nothing was added.
  var bounds: (west: Double, east: Double)? {
    let used = lowest.indices.filter { lowest[$0] < .infinity }
    guard let first = used.first, let last = used.last else { return nil }
    var widest = (gap: Self.west(of: first) + 360 - Self.west(of: last), before: first, after: last)
    for (bin, next) in zip(used, used.dropFirst()) {
      let gap = Self.west(of: next) - Self.west(of: bin)
      if gap > widest.gap { widest = (gap, next, bin) }
    }
    guard widest.gap > Self.minGap else { return (-180, 180) }
    let west = Self.west(of: widest.before) + lowest[widest.before]
    let east = Self.west(of: widest.after) + highest[widest.after]
    return (west, east < west ? east + 360 : east)
  }

  private static func west(of bin: Int) -> Double { Double(bin) * binWidth - 180 }
}

/// Projects rings on the earth into a frame, once for each 360-degree rotation in which the frame
/// shows them.
struct FrameDrawing {
  private let frame: MapFrame

  init(_ frame: MapFrame) { self.frame = frame }

  /// Calls `draw` with each segment of a coast.
  func forEachLine(
    _ ring: [Coastline.Vertex], draw: ((x: Double, y: Double), (x: Double, y: Double)) -> Void
  ) {
    for rotation in rotations(ring.lazy.map(\.longitude)) {
      for (start, end) in zip(ring, ring.dropFirst()) where !start.isMapEdge(to: end) {
        draw(
          point(start.longitude + rotation, latitude: start.latitude),
          point(end.longitude + rotation, latitude: end.latitude))
      }
    }
  }

  /// Calls `draw` with each segment of an outline.
  func forEachLine(
    _ ring: [Outline.Vertex], draw: ((x: Double, y: Double), (x: Double, y: Double)) -> Void
  ) {
    for rotation in rotations(ring.lazy.map(\.longitude)) {
      for (start, end) in zip(ring, ring.dropFirst()) {
        draw(
          point(start.longitude + rotation, latitude: start.latitude),
          point(end.longitude + rotation, latitude: end.latitude))
      }
    }
  }

  /// Returns the ring as filled areas, clipped to the frame.
  func areas(_ ring: [Coastline.Vertex]) -> [[(x: Double, y: Double)]] {
    areas(ring.map { ($0.longitude, $0.latitude) })
  }

  /// Returns the ring as filled areas, clipped to the frame. A ring round a pole includes the pole.
  func areas(_ ring: [Outline.Vertex]) -> [[(x: Double, y: Double)]] {
    areas(RingShape.area(ring))
  }

  /// Returns a ring of a row as filled areas, clipped to the frame.
  func areas(
    _ ring: some Collection<(longitude: Double, latitude: Double)>
  ) -> [[(x: Double, y: Double)]] {
    areas(ring.map { ($0.longitude, $0.latitude) })
  }

  /// Returns the parts of a line that the frame shows.
  func lines(
    _ line: some Collection<(longitude: Double, latitude: Double)>
  ) -> [[(x: Double, y: Double)]] {
    var found: [[(x: Double, y: Double)]] = []
    for rotation in rotations(line.lazy.map(\.longitude)) {
      var own: [(x: Double, y: Double)] = []
      var last: (x: Double, y: Double)?
      for vertex in line {
        let next = point(vertex.longitude + rotation, latitude: vertex.latitude)
        defer { last = next }
        guard let last else { continue }
        guard UnitClip.line(last, end: next) != nil else {
          if own.count > 1 { found.append(own) }
          own = []
          continue
        }
        if own.isEmpty { own.append(last) }
        own.append(next)
      }
      if own.count > 1 { found.append(own) }
    }
    return found
  }

  private func areas(_ points: [(Double, Double)]) -> [[(x: Double, y: Double)]] {
    rotations(points.lazy.map(\.0)).compactMap { rotation in
      let area = UnitClip.ring(points.map { point($0.0 + rotation, latitude: $0.1) }, margin: 0.02)
      return area.count > 2 ? area : nil
    }
  }

  private func rotations(_ longitudes: some Sequence<Double>) -> [Double] {
    var (low, high) = (Double.infinity, -Double.infinity)
    for longitude in longitudes { (low, high) = (min(low, longitude), max(high, longitude)) }
    return frame.rotations(from: low, to: high)
  }

  /// Returns the position as fractions of width and height, without rotating the longitude.
  private func point(_ longitude: Double, latitude: Double) -> (x: Double, y: Double) {
    (
      (longitude - frame.west) / (frame.east - frame.west),
      (frame.north - latitude) / (frame.north - frame.south)
    )
  }
}
