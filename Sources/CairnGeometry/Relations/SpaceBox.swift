/// A box in space around arcs of the unit sphere, or around a rectangle of the plane of longitude and
/// latitude, rounded outward.
package struct SpaceBox {
  /// The least coordinate of each axis.
  package var low: SIMD4<Float>
  /// The greatest coordinate of each axis.
  package var high: SIMD4<Float>

  /// More than the rounding of single precision.
  private static let padding: Float = 1.3e-7

  /// The box around nothing.
  package static var empty: SpaceBox {
    SpaceBox(low: SIMD4(repeating: .infinity), high: SIMD4(repeating: -.infinity))
  }

  /// Creates a box between its corners.
  @inline(__always)
  package init(low: SIMD4<Float>, high: SIMD4<Float>) {
    self.low = low
    self.high = high
  }

  /// The box around an arc. An arc leaves its chord by less than a quarter of the chord's square.
  @inline(__always)
  init(_ start: Vector, end: Vector) {
    let padding = Self.padding + Float(start.chordSquared(to: end)) / 4
    let one = SIMD4(Float(start.x), Float(start.y), Float(start.z), 0)
    let other = SIMD4(Float(end.x), Float(end.y), Float(end.z), 0)
    low = pointwiseMin(one, other) - padding
    high = pointwiseMax(one, other) + padding
  }

  /// The box between two opposite corners.
  init(corner: Vector, corner other: Vector) {
    low = SIMD4(Float(corner.x), Float(corner.y), Float(corner.z), 0) - Self.padding
    high = SIMD4(Float(other.x), Float(other.y), Float(other.z), 0) + Self.padding
  }

  /// The smallest box around both.
  package func union(_ other: SpaceBox) -> SpaceBox {
    SpaceBox(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
  }

  @inline(__always)
  func intersects(_ other: SpaceBox) -> Bool {
    all((low .<= other.high) .& (other.low .<= high))
  }

  /// A lower bound of the squared distance to a point of another box.
  @inline(__always)
  func distanceSquared(to other: SpaceBox) -> Float {
    let gap = pointwiseMax(
      pointwiseMax(low - other.high, other.low - high), SIMD4<Float>(repeating: 0))
    return (gap * gap).sum() * (1 - 1e-5)
  }
}

extension SpaceBox {
  /// The box around a rectangle of meridians and parallels.
  init(_ envelope: Envelope) {
    let (south, north) = (max(-90, envelope.south), min(90, envelope.north))
    let cosines = (cosine(degrees: south), cosine(degrees: north))
    let widest = south <= 0 && north >= 0 ? 1 : max(cosines.0, cosines.1)
    let narrowest = min(cosines.0, cosines.1)
    let x = Self.cosines(west: envelope.west, east: envelope.east)
    let y = Self.cosines(west: envelope.west - 90, east: envelope.east - 90)
    let low = Vector(
      x: x.0 * (x.0 < 0 ? widest : narrowest), y: y.0 * (y.0 < 0 ? widest : narrowest),
      z: sine(degrees: south))
    let high = Vector(
      x: x.1 * (x.1 > 0 ? widest : narrowest), y: y.1 * (y.1 > 0 ? widest : narrowest),
      z: sine(degrees: north))
    self.init(corner: low, corner: high)
  }

  /// The least and the greatest cosine of the angles between two, in degrees.
  private static func cosines(west: Double, east: Double) -> (Double, Double) {
    let ends = (cosine(west.inRadians), cosine(east.inRadians))
    /// Whether a whole number of turns after `angle` lies in the range.
    func spans(_ angle: Double) -> Bool {
      ((east - angle) / 360).rounded(.down) >= ((west - angle) / 360).rounded(.up)
    }
    return (spans(180) ? -1 : min(ends.0, ends.1), spans(0) ? 1 : max(ends.0, ends.1))
  }
}

// MARK: Bounds of distances

extension SpaceBox {
  /// The box of a rectangle: on the unit sphere, or with planar edges in the plane, in degrees.
  package init(_ envelope: Envelope, edges: GeoPolygon.Edges) {
    guard edges == .planar else {
      self.init(envelope)
      return
    }
    self.init(
      low: SIMD4(
        Self.below(envelope.west), Self.below(envelope.south), 0, 0),
      high: SIMD4(
        -Self.below(-envelope.east), -Self.below(-envelope.north), 0, 0))
  }

  /// The box of a location.
  package init(longitude: Double, latitude: Double, edges: GeoPolygon.Edges) {
    guard edges == .planar else {
      let direction = Vector(roughLongitude: longitude, latitude: latitude)
      self.init(corner: direction, corner: direction)
      return
    }
    self.init(
      low: SIMD4(Self.below(longitude), Self.below(latitude), 0, 0),
      high: SIMD4(-Self.below(-longitude), -Self.below(-latitude), 0, 0))
  }

  private static func below(_ degrees: Double) -> Float {
    let number = Float(degrees)
    return Double(number) > degrees ? number.nextDown : number
  }

  /// The squared distance between boxes beyond which nothing in them is up to an angle away, or with
  /// planar edges up to a length in radians.
  package static func square(ofRadians radians: Double, edges: GeoPolygon.Edges) -> Float {
    let degrees = radians.inDegrees
    let square =
      edges == .planar ? degrees * degrees : Sphere.chordSquared(ofAngle: min(radians, .pi))
    return min(.greatestFiniteMagnitude, Float(square * (1 + 1e-6)) + .leastNormalMagnitude)
  }
}
