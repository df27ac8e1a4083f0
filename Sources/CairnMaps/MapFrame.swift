internal import CairnGeometry
import CairnSystem

/// The part of the earth that a map shows.
///
/// The projection is equirectangular: a degree of longitude has its true length in the middle of the
/// map. Near a pole it is azimuthal and equidistant. The bounds are in the plane of the projection,
/// in degrees.
struct MapFrame {
  private(set) var west: Double
  private(set) var east: Double
  private(set) var south: Double
  private(set) var north: Double
  /// The projection around a pole; nil for the equirectangular one.
  let polar: PolarProjection?

  /// The range of the ratio of width to height.
  private static let aspects = 0.8...2.6
  private static let margin = 0.06
  /// The least extent in degrees.
  private static let minSpan = 0.01
  /// Maps from this width on show the whole world.
  private static let worldSpan = 270.0
  /// The parallels of a map of the world, unless there are rows beyond them.
  private static let worldParallels = (south: -60.0, north: 85.0)

  /// Creates a frame that contains the points, the lines and areas, the outline and the origin.
  init(
    _ points: PointBuffer, shapes: ShapeBuffer = ShapeBuffer(), outline: Outline?,
    origin: GeoPoint?
  ) {
    let content = MapContent(points: points, shapes: shapes, outline: outline, origin: origin)
    var span = LongitudeSpan()
    var parallels = (low: 90.0, high: -90.0)
    content.forEachVertex { longitude, latitude in
      span.add(longitude)
      parallels = (min(parallels.low, latitude), max(parallels.high, latitude))
    }
    let meridians = span.bounds
    polar = meridians.flatMap { PolarProjection($0, parallels: parallels) }
    if let polar {
      (west, east, south, north) = (.infinity, -.infinity, .infinity, -.infinity)
      content.forEachVertex { add(polar.point($0, latitude: $1)) }
    } else {
      (west, east) = meridians ?? (-180, 180)
      (south, north) = meridians == nil ? Self.worldParallels : (parallels.low, parallels.high)
    }
    addMargin()
    fitAspect()
  }

  /// The length of a degree of longitude relative to one of latitude.
  var squeeze: Double {
    polar != nil || east - west > Self.worldSpan
      ? 1 : max(0.2, cos((south + north) / 2 * .pi / 180))
  }

  /// The ratio of width to height.
  var aspect: Double { (east - west) * squeeze / (north - south) }

  /// The distance of the farthest corner from the origin of the plane.
  var radius: Double {
    let (x, y) = (max(abs(west), abs(east)), max(abs(south), abs(north)))
    return (x * x + y * y).squareRoot()
  }

  private mutating func add(_ point: (x: Double, y: Double)) {
    (west, east) = (min(west, point.x), max(east, point.x))
    (south, north) = (min(south, point.y), max(north, point.y))
  }

  private mutating func addMargin() {
    let across = max(Self.minSpan, (east - west) * Self.margin)
    let along = max(Self.minSpan, (north - south) * Self.margin)
    guard polar == nil else {
      (west, east, south, north) = (west - across, east + across, south - along, north + along)
      return
    }
    let isWorld = east - west >= Self.worldSpan
    if isWorld, north - south > 60 {
      (south, north) = (
        min(south, Self.worldParallels.south), max(north, Self.worldParallels.north)
      )
    } else {
      (south, north) = (max(-90, south - along), min(90, north + along))
    }
    (west, east) = isWorld ? (-180, 180) : (west - across, east + across)
  }

  /// Extends the frame if it would be a narrow strip.
  private mutating func fitAspect() {
    if aspect > Self.aspects.upperBound {
      let more = ((east - west) * squeeze / Self.aspects.upperBound - (north - south)) / 2
      (south, north) = (south - more, north + more)
      guard polar == nil else { return }
      if south < -90 { (south, north) = (-90, min(90, north - 90 - south)) }
      if north > 90 { (south, north) = (max(-90, south - north + 90), 90) }
    } else if aspect < Self.aspects.lowerBound {
      let more = ((north - south) * Self.aspects.lowerBound / squeeze - (east - west)) / 2
      (west, east) = (west - more, east + more)
      if polar == nil, east - west > 360 {
        let middle = (west + east) / 2
        (west, east) = (middle - 180, middle + 180)
      }
    }
  }

  /// Returns the position of a point as fractions of width and height from the upper left, in the
  /// rotation that the frame shows.
  func position(_ longitude: Double, latitude: Double) -> (x: Double, y: Double) {
    if let polar {
      let point = polar.point(longitude, latitude: latitude)
      return fraction(point.x, y: point.y)
    }
    var turned = longitude
    if turned < west { turned += 360 }
    if turned > east, turned - 360 >= west { turned -= 360 }
    return fraction(turned, y: latitude)
  }

  /// Returns a point of the plane as fractions of width and height from the upper left.
  func fraction(_ x: Double, y: Double) -> (x: Double, y: Double) {
    ((x - west) / (east - west), (north - y) / (north - south))
  }

  /// Returns the fractions of the width at which the same meridian lies, in all rotations that a map
  /// may show.
  func neighbours(_ x: Double) -> [Double] {
    let turn = 360 / (east - west)
    return polar == nil ? [x - turn, x, x + turn] : [x]
  }

  /// Returns the rotations, multiples of 360 degrees, that bring part of a longitude interval into
  /// the frame.
  func rotations(from low: Double, to high: Double) -> [Double] {
    [-720, -360, 0, 360, 720].filter { high + $0 >= west && low + $0 <= east }
  }
}

/// Everything that a frame must contain.
private struct MapContent {
  let points: PointBuffer
  let shapes: ShapeBuffer
  let outline: Outline?
  let origin: GeoPoint?

  /// The distance of the sampled points of a parallel, in degrees.
  private static let step = 0.4

  /// Calls the closure with the points, and with points all round the lines and areas.
  func forEachVertex(_ visit: (_ longitude: Double, _ latitude: Double) -> Void) {
    for index in 0..<points.count { visit(points[index].longitude, points[index].latitude) }
    for shape in shapes.shapes {
      visitParallel(shape.south, from: shape.west, to: shape.east, visit)
      visitParallel(shape.north, from: shape.west, to: shape.east, visit)
    }
    for ring in outline?.rings ?? [] {
      for (start, end) in zip(ring, ring.dropFirst()) {
        let (low, high) = (
          min(start.longitude, end.longitude), max(start.longitude, end.longitude)
        )
        visitParallel(start.latitude, from: low, to: high, visit)
      }
      if let pole = RingShape(ring).pole { visit(ring.first?.longitude ?? 0, pole) }
    }
    if let origin { visit(origin.longitude, origin.latitude) }
  }

  private func visitParallel(
    _ latitude: Double, from west: Double, to east: Double, _ visit: (Double, Double) -> Void
  ) {
    var longitude = west
    while longitude < east {
      visit(longitude, latitude)
      longitude += Self.step
    }
    visit(east, latitude)
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
