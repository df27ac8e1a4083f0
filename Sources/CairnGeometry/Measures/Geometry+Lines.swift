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
    return try MeasuredLine.measuring(self) { $0.location(at: fraction * $0.length) }
  }

  /// Returns locations along the geometry's line, one at its start and others at equal distances on the
  /// WGS 84 ellipsoid; nil if it has no line. Several lines follow one another, as those do that were
  /// cut at the antimeridian.
  ///
  /// - Parameter distance: The distance along the line from one location to the next.
  /// - Returns: A multipoint, with altitudes between those of the neighbouring vertices.
  /// - Throws: ``GeometryError`` if the distance is 0, there would be more than 10 million locations,
  ///   or PROJ is not installed.
  /// - Complexity: O(*n* + *m* log *n*) for *n* vertices and *m* locations.
  public func locations(every distance: Distance) throws(GeometryError) -> Geometry? {
    let step = distance.asMeters()
    return try MeasuredLine.measuring(self) { (line) throws(GeometryError) in
      let count = line.length / step
      guard step > 0, count < 1e7 else {
        throw GeometryError(
          .outOfRange,
          message: "locations every \(step) m along a line of \(line.length) m are more than "
            + "10 million")
      }
      // A last location that only rounding keeps from the end is there.
      return Geometry(
        points: (0...Int(count + 1e-9)).compactMap { line.location(at: Double($0) * step) })
    }
  }

  /// Returns the part of the geometry's line between two parts of its length, measured along geodesics
  /// on the WGS 84 ellipsoid; nil if it has no line. Several lines follow one another.
  ///
  /// - Parameters:
  ///   - start: 0 for the start of the line, 1 for its end.
  ///   - end: the same for the end of the part, not less than `start`.
  /// - Returns: A line, or a multiline if the part belongs to several. If both fractions are the same,
  ///   it is a point.
  /// - Throws: ``GeometryError`` if a fraction is out of range, or PROJ is not installed.
  /// - Complexity: O(*n*) in the number of vertices.
  public func line(from start: Double, to end: Double) throws(GeometryError) -> Geometry? {
    guard 0...1 ~= start, start...1 ~= end else {
      throw GeometryError(
        .outOfRange,
        message: "the part of a line is from \(start) to \(end); expected 0 to 1, in this order")
    }
    return try MeasuredLine.measuring(self) { measured in
      let lines = measured.lines(from: start * measured.length, to: end * measured.length)
        .compactMap { GeoLineString($0) }
      if start < end, !lines.isEmpty {
        return lines.count == 1 ? Geometry(lines[0]) : Geometry(lines: lines)
      }
      return measured.location(at: start * measured.length).map { Geometry($0) }
    }
  }

  /// Returns the part of the length of the geometry's line at which it is nearest to a location: 0 for
  /// its start, 1 for its end; nil if it has no line.
  ///
  /// The nearest position is that on the sphere, and the length is measured along geodesics on the WGS
  /// 84 ellipsoid. Several lines follow one another. Of several nearest positions, it is the first.
  ///
  /// - Throws: ``GeometryError`` if PROJ is not installed.
  /// - Complexity: O(*n*) in the number of vertices.
  public func fraction(nearestTo location: GeoPoint) throws(GeometryError) -> Double? {
    try MeasuredLine.measuring(self) { line in
      line.length > 0 ? line.distance(ofPositionNearest: Vector(location)) / line.length : 0
    }
  }
}
