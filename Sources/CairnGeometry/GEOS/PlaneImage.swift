/// A polygon drawn in a plane, where its edges are straight.
struct PlaneImage {
  /// The rings as they were, by the same numbers.
  let places: [[GeoPoint]]
  let rings: [PlaneRing]
  private let gnomonic: Gnomonic?

  /// Longitude and latitude as they stand.
  init(planar rings: [[GeoPoint]]) {
    places = rings
    self.rings = rings.map { ring in
      PlaneRing(xs: ring.map(\.longitude), ys: ring.map(\.latitude))
    }
    gnomonic = nil
  }

  /// Longitude and latitude as a file writes them, beyond the antimeridian too.
  init(written rings: [PlaneRing]) {
    places = rings.map { ring in
      ring.xs.indices.compactMap { index in
        GeoPoint(latitude: ring.ys[index], longitude: turned(ring.xs[index]))
      }
    }
    self.rings = rings
    gnomonic = nil
  }

  /// Seen from the middle of the earth, where every geodesic is straight; throws beyond a hemisphere.
  init(gnomonic rings: [[GeoPoint]], polygon: Int) throws(GeometryError) {
    let outer = rings.first ?? []
    guard let projection = Gnomonic(about: outer.map(Vector.init(_:))) else {
      throw GeometryError(
        .beyondHemisphere,
        "The outer ring does not fit into a hemisphere, so that its inside is not certain; "
          + "cut the polygon into smaller ones.",
        polygon: polygon, ring: 0, place: outer.first)
    }
    var images: [PlaneRing] = []
    for (index, ring) in rings.enumerated() {
      images.append(try Self.image(ring, projection, polygon: polygon, ring: index))
    }
    places = rings
    self.rings = images
    gnomonic = projection
  }

  private static func image(
    _ ring: [GeoPoint], _ projection: Gnomonic, polygon: Int, ring number: Int
  ) throws(GeometryError) -> PlaneRing {
    var image = PlaneRing(xs: [], ys: [])
    image.xs.reserveCapacity(ring.count)
    image.ys.reserveCapacity(ring.count)
    for place in ring {
      // The inside is in the hemisphere of the outer ring; what lies beyond is a hole's point.
      guard let (x, y) = projection.project(Vector(place)) else {
        throw RingFault.outside(number, place).error(polygon: polygon)
      }
      image.xs.append(x)
      image.ys.append(y)
    }
    return image
  }

  /// Edges are geodesic.
  var isGnomonic: Bool { gnomonic != nil }

  /// The place that belongs to a point of the plane.
  func place(_ x: Double, _ y: Double) -> GeoPoint? {
    guard let gnomonic else { return GeoPoint(latitude: y, longitude: turned(x)) }
    return gnomonic.place(x, y)
  }
}
