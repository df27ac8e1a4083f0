extension Geometry {
  /// The length of the outlines of the geometry's polygons, holes included, in metres on the WGS 84
  /// ellipsoid, along geodesics; 0 if it has no polygon.
  ///
  /// Edges where a polygon is cut at the antimeridian, and those along a pole, do not count.
  ///
  /// - Throws: ``GeometryError`` if PROJ is not installed.
  /// - Complexity: O(*n*) in the number of vertices.
  public var perimeter: Double {
    get throws(GeometryError) {
      let ellipsoid = try Ellipsoid.wgs84()
      let outlines = withView { $0.earthOutlines }
      return outlines.reduce(0) { sum, outline in
        let line = outline.line
        return (1..<max(1, line.count)).reduce(sum) { sum, index in
          sum
            + ellipsoid.distance(
              line.ys[index - 1], longitude: line.xs[index - 1], otherLatitude: line.ys[index],
              otherLongitude: line.xs[index])
        }
      }
    }
  }

  /// Returns the location at a part of the length of the geometry's line, measured along geodesics on
  /// the WGS 84 ellipsoid; nil if it has no line. Several lines follow one another, as those do that
  /// were cut at the antimeridian.
  ///
  /// - Parameter fraction: 0 for the start of the line, 1 for its end.
  /// - Returns: A location with an altitude between those of the neighbouring vertices.
  /// - Throws: ``GeometryError`` if the fraction is out of range, or PROJ is not installed.
  /// - Complexity: O(*n*) in the number of vertices.
  public func location(atFraction fraction: Double) throws(GeometryError) -> GeoPoint? {
    guard 0...1 ~= fraction else {
      throw GeometryError(
        .outOfRange, message: "the fraction of a line is \(fraction); expected 0 to 1")
    }
    let ellipsoid = try Ellipsoid.wgs84()
    return withView { $0.location(atFraction: fraction, on: ellipsoid) }
  }
}

extension GeometryView {
  fileprivate func location(atFraction fraction: Double, on ellipsoid: Ellipsoid) -> GeoPoint? {
    guard let length = ellipsoid.length(of: self) else { return nil }
    var rest = fraction * length
    var last = 0
    for case .line(let vertices) in parts {
      for vertex in vertices.dropLast() {
        let step = ellipsoid.distance(
          latitude(vertex), longitude: longitude(vertex), otherLatitude: latitude(vertex + 1),
          otherLongitude: longitude(vertex + 1))
        if rest < step { return location(rest, of: step, after: vertex, on: ellipsoid) }
        rest -= step
      }
      last = vertices.upperBound - 1
    }
    return points(last..<last + 1).first
  }

  /// The location at a distance from a vertex, on the edge after it, which has a length.
  private func location(
    _ distance: Double, of length: Double, after vertex: Int, on ellipsoid: Ellipsoid
  ) -> GeoPoint? {
    guard distance > 0 else { return points(vertex..<vertex + 1).first }
    let azimuth = ellipsoid.azimuth(
      latitude(vertex), longitude: longitude(vertex), otherLatitude: latitude(vertex + 1),
      otherLongitude: longitude(vertex + 1))
    let place = ellipsoid.location(
      distance, fromLatitude: latitude(vertex), longitude: longitude(vertex), azimuth: azimuth)
    // An edge along the antimeridian stays on its side.
    let isMeridian = longitude(vertex) == longitude(vertex + 1)
    let low = altitude(vertex) ?? 0
    let height = low + ((altitude(vertex + 1) ?? 0) - low) * distance / length
    return GeoPoint(
      latitude: place.latitude, longitude: isMeridian ? longitude(vertex) : place.longitude,
      altitude: max(0, height))
  }
}
