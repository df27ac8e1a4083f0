/// A ring in the plane, closed.
struct PlaneRing: Sendable {
  var xs: [Double]
  var ys: [Double]
}

/// A polygon drawn in a plane, where GEOS can judge it.
struct PlaneImage {
  let rings: [PlaneRing]
  private let gnomonic: Gnomonic?

  /// Longitude and latitude as they stand.
  init(planar rings: [[GeoPoint]]) {
    self.rings = rings.map { ring in
      PlaneRing(xs: ring.map(\.longitude), ys: ring.map(\.latitude))
    }
    gnomonic = nil
  }

  /// Seen from the middle of the earth, where every geodesic is straight; throws beyond a hemisphere.
  init(gnomonic rings: [[GeoPoint]], polygon: Int) throws(GeometryError) {
    let vectors = rings.map { $0.map(Vector.init(_:)) }
    let projection = Gnomonic(about: vectors.first ?? [])
    var images: [PlaneRing] = []
    for (index, ring) in vectors.enumerated() {
      var image = PlaneRing(xs: [], ys: [])
      for (place, vector) in ring.enumerated() {
        guard let (x, y) = projection.project(vector) else {
          throw GeometryError(
            .beyondHemisphere,
            "The polygon does not fit into a hemisphere, so that its inside is not certain.",
            polygon: polygon, ring: index, place: rings[index][place])
        }
        image.xs.append(x)
        image.ys.append(y)
      }
      images.append(image)
    }
    self.rings = images
    self.gnomonic = projection
  }

  /// Throws what GEOS finds wrong with the polygon.
  func validate(polygon: Int) throws(GeometryError) {
    guard let fault = try GEOSPolygon(rings, in: GEOSContext()).fault() else { return }
    let place = place(fault.x, fault.y)
    let spot = place.map { " at \($0)" } ?? ""
    throw GeometryError(
      kind(of: fault.reason), "The polygon is not valid: \(fault.reason)\(spot).",
      polygon: polygon, place: place)
  }

  private func place(_ x: Double, _ y: Double) -> GeoPoint? {
    guard let gnomonic else { return GeoPoint(latitude: y, longitude: x) }
    return gnomonic.place(x, y)
  }

  private func kind(of reason: String) -> GeometryError.Kind {
    switch reason {
    case "Hole lies outside shell": .holeOutsideOuterRing
    case "Holes are nested": .nesting
    case "Duplicate Rings": .sharedEdge
    case "Ring Self-intersection": .duplicateVertex
    default: .selfIntersection
    }
  }
}
