@testable import CairnGeometry

/// Plain implementations to compare the regions with.
enum Oracle {
  /// Counts how often a ray from a point to the east crosses rings, vertex by vertex.
  ///
  /// It is written without generic functions, which take most of the time of a test where they are
  /// not specialised.
  struct Crossings {
    private let x: Double
    private let y: Double
    private let square: Double
    private var lastX = 0.0
    private var lastY = 0.0
    private var hasLast = false
    private var isOdd = false
    private var isNear = false

    init(_ x: Double, _ y: Double, band: Double) {
      self.x = x
      self.y = y
      square = band * band
    }

    /// Whether the number is odd; nil if the point is within `band` of an edge.
    var isInside: Bool? { isNear ? nil : isOdd }

    /// Starts another ring.
    mutating func endRing() { hasLast = false }

    mutating func add(_ nextX: Double, _ nextY: Double) {
      let (ax, ay) = (lastX, lastY)
      (lastX, lastY) = (nextX, nextY)
      guard hasLast else {
        hasLast = true
        return
      }
      let (dx, dy) = (nextX - ax, nextY - ay)
      let length = dx * dx + dy * dy
      var share = length == 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length
      share = share < 0 ? 0 : share > 1 ? 1 : share
      let (ex, ey) = (ax + share * dx - x, ay + share * dy - y)
      if ex * ex + ey * ey <= square { isNear = true }
      if (ay > y) != (nextY > y), x < dx * (y - ay) / dy + ax { isOdd = !isOdd }
    }
  }

  /// Planar polygons: each outer ring without its holes.
  static func planar(_ polygon: GeoPolygon, _ x: Double, _ y: Double, band: Double = 1e-12)
    -> Bool?
  {
    var isInAny = false
    for rings in polygon.polygons {
      var crossings = Crossings(x, y, band: band)
      for ring in rings {
        var index = 0
        while index < ring.count {
          crossings.add(ring[index].longitude, ring[index].latitude)
          index += 1
        }
        crossings.endRing()
      }
      guard let isInside = crossings.isInside else { return nil }
      isInAny = isInAny || isInside
    }
    return isInAny
  }

  /// A geodesic polygon projected from the centre of the earth, where its edges are straight.
  struct Geodesic {
    private typealias Ring = [(x: Double, y: Double)]

    /// Each polygon's projection and projected rings; nil if it cannot be projected.
    private let polygons: [(projection: Gnomonic, rings: [Ring]?)?]

    init(_ polygon: GeoPolygon) {
      polygons = polygon.polygons.map { rings in
        guard let projection = Gnomonic(about: rings[0].map(Vector.init(_:))) else { return nil }
        var planes: [Ring] = []
        for ring in rings {
          let plane = ring.compactMap { projection.project(Vector($0)) }
          guard plane.count == ring.count else { return (projection, nil) }
          planes.append(plane)
        }
        return (projection, planes)
      }
    }

    /// Whether a point is in the polygon; nil within `band` of an edge.
    func contains(_ point: GeoPoint, band: Double = 1e-10) -> Bool? {
      let vector = Vector(point)
      var isInAny = false
      for polygon in polygons {
        guard let polygon else { return nil }
        guard let (x, y) = polygon.projection.project(vector) else { continue }
        guard let rings = polygon.rings else { return nil }
        var crossings = Crossings(x, y, band: band * (1 + x * x + y * y))
        for ring in rings {
          var index = 0
          while index < ring.count {
            crossings.add(ring[index].x, ring[index].y)
            index += 1
          }
          crossings.endRing()
        }
        guard let isInside = crossings.isInside else { return nil }
        isInAny = isInAny || isInside
      }
      return isInAny
    }
  }

  /// The square of the chord between two unit vectors.
  static func chordSquared(_ one: GeoPoint, _ other: GeoPoint) -> Double {
    let difference = Vector(one) - Vector(other)
    return difference.dot(difference)
  }
}
