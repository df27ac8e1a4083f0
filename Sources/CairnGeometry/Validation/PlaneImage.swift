/// A polygon projected onto a plane, where its edges are straight.
struct PlaneImage {
  /// The rings as given, with the same indexes as `rings`.
  let locations: [[GeoPoint]]
  let rings: [PlaneRing]
  private let gnomonic: Gnomonic?

  /// Uses longitude and latitude unchanged.
  init(planar rings: [[GeoPoint]]) {
    locations = rings
    self.rings = rings.map { ring in
      PlaneRing(xs: ring.map(\.longitude), ys: ring.map(\.latitude))
    }
    gnomonic = nil
  }

  /// Uses longitude and latitude as a file contains them, beyond the antimeridian too.
  init(written rings: [PlaneRing]) {
    locations = rings.map { ring in
      ring.xs.indices.compactMap { index in
        GeoPoint(latitude: ring.ys[index], longitude: normalized(ring.xs[index]))
      }
    }
    self.rings = rings
    gnomonic = nil
  }

  /// Projects from the centre of the earth, which makes every geodesic straight. Throws if the
  /// polygon exceeds a hemisphere.
  init(gnomonic rings: [[GeoPoint]], polygon: Int) throws(GeometryError) {
    let outer = rings.first ?? []
    guard let projection = Gnomonic(about: outer.map(Vector.init(_:))) else {
      throw GeometryError(
        .beyondHemisphere,
        message:
          "the outer ring does not fit into a hemisphere, so that its inside is not certain; "
          + "cut the polygon into smaller ones",
        polygon: polygon, ring: 0, location: outer.first)
    }
    var images: [PlaneRing] = []
    for (index, ring) in rings.enumerated() {
      images.append(try Self.image(ring, projection: projection, polygon: polygon, ring: index))
    }
    locations = rings
    self.rings = images
    gnomonic = projection
  }

  /// Projects the rings of several polygons from the centre of the earth. Returns nil if they do not
  /// fit into a hemisphere.
  init?(gnomonicTogether rings: [[GeoPoint]]) {
    guard let projection = Gnomonic(about: rings.joined().map(Vector.init(_:))) else { return nil }
    var images: [PlaneRing] = []
    for (index, ring) in rings.enumerated() {
      guard let image = try? Self.image(ring, projection: projection, polygon: 0, ring: index)
      else { return nil }
      images.append(image)
    }
    locations = rings
    self.rings = images
    gnomonic = projection
  }

  private static func image(
    _ ring: [GeoPoint], projection: Gnomonic, polygon: Int, ring number: Int
  ) throws(GeometryError) -> PlaneRing {
    var image = PlaneRing(xs: [], ys: [])
    image.xs.reserveCapacity(ring.count)
    image.ys.reserveCapacity(ring.count)
    for location in ring {
      // The inside is in the hemisphere of the outer ring, so a point beyond belongs to a hole.
      guard let (x, y) = projection.project(Vector(location)) else {
        throw RingFault.outside(number, location: location).error(polygon: polygon)
      }
      image.xs.append(x)
      image.ys.append(y)
    }
    return image
  }

  /// Whether the edges are geodesic.
  var isGnomonic: Bool { gnomonic != nil }

  /// The location of a point of the plane.
  func location(_ x: Double, y: Double) -> GeoPoint? {
    guard let gnomonic else { return GeoPoint(latitude: y, longitude: normalized(x)) }
    return gnomonic.location(x, y: y)
  }
}
