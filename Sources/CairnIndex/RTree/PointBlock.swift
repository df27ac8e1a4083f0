package import CairnGeometry

/// Up to 4096 points read in place: longitudes and latitudes, as Doubles in degrees or as Int32 in
/// E7 fixed point.
package struct PointBlock: LeafBlock {
  @usableFromInline let longitudes: UnsafeRawPointer
  @usableFromInline let latitudes: UnsafeRawPointer
  /// Whether the coordinates are in E7 fixed point.
  package let isFixed: Bool
  /// The number of points.
  package let count: Int

  /// Creates a view of memory that outlives the block and is aligned to its coordinates.
  @inlinable
  package init(
    longitudes: UnsafeRawPointer, latitudes: UnsafeRawPointer, isFixed: Bool, count: Int
  ) {
    assert(count >= 0 && count <= TreeNodes.blockSize, "a block has up to 4096 points")
    assert(Int(bitPattern: longitudes) & (isFixed ? 3 : 7) == 0, "the longitudes are not aligned")
    assert(Int(bitPattern: latitudes) & (isFixed ? 3 : 7) == 0, "the latitudes are not aligned")
    self.longitudes = longitudes
    self.latitudes = latitudes
    self.isFixed = isFixed
    self.count = count
  }

  /// The coordinates of one point in degrees.
  @inlinable
  package func point(at index: Int) -> (longitude: Double, latitude: Double) {
    assert(index >= 0 && index < count, "the block does not have the point")
    if isFixed {
      return (
        E7.degrees(longitudesE7[index]), E7.degrees(latitudesE7[index])
      )
    }
    return (longitudeDegrees[index], latitudeDegrees[index])
  }

  /// The `count` longitudes in fixed point, valid while the memory of the block is.
  @inlinable var longitudesE7: UnsafePointer<Int32> {
    assert(isFixed, "the coordinates are in degrees")
    return longitudes.assumingMemoryBound(to: Int32.self)
  }

  /// The `count` latitudes in fixed point, valid while the memory of the block is.
  @inlinable var latitudesE7: UnsafePointer<Int32> {
    assert(isFixed, "the coordinates are in degrees")
    return latitudes.assumingMemoryBound(to: Int32.self)
  }

  /// The `count` longitudes in degrees, valid while the memory of the block is.
  @inlinable var longitudeDegrees: UnsafePointer<Double> {
    assert(!isFixed, "the coordinates are in fixed point")
    return longitudes.assumingMemoryBound(to: Double.self)
  }

  /// The `count` latitudes in degrees, valid while the memory of the block is.
  @inlinable var latitudeDegrees: UnsafePointer<Double> {
    assert(!isFixed, "the coordinates are in fixed point")
    return latitudes.assumingMemoryBound(to: Double.self)
  }

  /// Whether all of some points are points of a leaf, for the asserts; bit i is the leaf's point i.
  private func hasPoints(_ points: UInt64, ofLeaf leaf: Int) -> Bool {
    range(ofLeaf: leaf).count >= UInt64.bitWidth - points.leadingZeroBitCount
  }

  /// Writes the coordinates of a leaf in degrees into two buffers of 64, and returns their number.
  package func decode(
    leaf: Int, longitudes x: UnsafeMutablePointer<Double>,
    latitudes y: UnsafeMutablePointer<Double>
  ) -> Int {
    let range = range(ofLeaf: leaf)
    let (start, count) = (range.lowerBound, range.count)
    if isFixed {
      let (xs, ys) = (longitudesE7 + start, latitudesE7 + start)
      for index in 0..<count { x[index] = E7.degrees(xs[index]) }
      for index in 0..<count { y[index] = E7.degrees(ys[index]) }
    } else {
      x.update(from: longitudeDegrees + start, count: count)
      y.update(from: latitudeDegrees + start, count: count)
    }
    return count
  }

  /// A bitmap of the points of a leaf that are in a region; bit i is the leaf's point i.
  package func select(leaf: Int, in region: Region) -> UInt64 {
    let range = range(ofLeaf: leaf)
    let (start, count) = (range.lowerBound, range.count)
    if isFixed {
      return region.select(
        longitudesE7: longitudesE7 + start, latitudesE7: latitudesE7 + start,
        count: count)
    }
    return region.select(
      longitudes: longitudeDegrees + start, latitudes: latitudeDegrees + start, count: count)
  }

  /// A bitmap of those of some points of a leaf that are in a region; others may be set as well.
  ///
  /// - Parameter points: A bit for each point to test; bit i is the leaf's point i.
  package func select(leaf: Int, among points: UInt64, in region: Region) -> UInt64 {
    assert(hasPoints(points, ofLeaf: leaf), "the leaf does not have the points")
    // All points of a leaf together cost as much as a few one by one.
    guard points.nonzeroBitCount <= 3 else { return select(leaf: leaf, in: region) }
    let start = leaf * TreeNodes.leafSize
    var (rest, inside) = (points, UInt64(0))
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      rest &= rest &- 1
      let (x, y) = point(at: start | bit)
      if region.contains(longitude: x, latitude: y) { inside |= 1 << UInt64(bit) }
    }
    return inside
  }

  /// A bitmap of the points of a leaf that are in a rectangle, or a little beyond it; bit i is the
  /// leaf's point i.
  package func select(leaf: Int, in envelope: Envelope) -> UInt64 {
    let range = range(ofLeaf: leaf)
    if isFixed, range.count == TreeNodes.leafSize {
      return envelope.select(
        longitudesE7: longitudesE7 + range.lowerBound, latitudesE7: latitudesE7 + range.lowerBound)
    }
    let (west, south) = (envelope.west, envelope.south)
    let (east, north) = (envelope.east, envelope.north)
    var bits: UInt64 = 0
    for index in range {
      let (x, y) = point(at: index)
      // Without a branch, because none is predictable.
      let isAcross = SIMD2(x, -x) .>= SIMD2(west, -east)
      let isAlong = SIMD2(y, -y) .>= SIMD2(south, -north)
      bits |= (all(isAcross .& isAlong) ? 1 : 0) &<< UInt64(index &- range.lowerBound)
    }
    return bits
  }

  /// Returns the points among some of a leaf that a geometry covers. Its edges are straight in
  /// longitude and latitude, and it is not prepared.
  ///
  /// - Parameter points: A bit for each point to test; bit i is the leaf's point i.
  package func select(leaf: Int, among points: UInt64, coveredBy geometry: GeometryView) -> UInt64 {
    assert(hasPoints(points, ofLeaf: leaf), "the leaf does not have the points")
    let start = leaf * TreeNodes.leafSize
    if isFixed {
      return PlanarRelation.covered(
        points, longitudesE7: longitudesE7 + start, latitudesE7: latitudesE7 + start, by: geometry)
    }
    var (rest, covered) = (points, UInt64(0))
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      rest &= rest &- 1
      let (x, y) = point(at: start | bit)
      if PlanarRelation.holds(.within, longitude: x, latitude: y, to: geometry) {
        covered |= 1 << UInt64(bit)
      }
    }
    return covered
  }

  /// Whether every coordinate is exactly the Double that its nearest E7 fixed point value converts
  /// to; -0.0 is not.
  package static func isFixed(
    longitudes: UnsafePointer<Double>, latitudes: UnsafePointer<Double>, count: Int
  ) -> Bool {
    isFixed(longitudes, count: count) && isFixed(latitudes, count: count)
  }

  private static func isFixed(_ values: UnsafePointer<Double>, count: Int) -> Bool {
    assert(count >= 0, "the number of coordinates is negative")
    for index in 0..<count {
      let value = values[index]
      let step = (value * E7.perDegree).rounded()
      guard abs(step) <= Double(Int32.max),
        E7.degrees(Int32(step)).bitPattern == value.bitPattern
      else { return false }
    }
    return true
  }
}

extension PointBlock {
  package func envelope(of points: Range<Int>) -> Envelope {
    guard isFixed else {
      let (west, south, east, north) = extent(of: points)
      return Envelope(west: west, south: south, east: east, north: north)
    }
    assert(points.lowerBound >= 0 && points.upperBound <= count, "no such points")
    let (xs, ys) = (longitudesE7, latitudesE7)
    var (west, south) = (Int32.max, Int32.max)
    var (east, north) = (Int32.min, Int32.min)
    for index in points {
      west = min(west, xs[index])
      east = max(east, xs[index])
      south = min(south, ys[index])
      north = max(north, ys[index])
    }
    return Envelope(lanes: SIMD4(west, south, -east, -north))
  }

  package func extent(
    of points: Range<Int>
  ) -> (west: Double, south: Double, east: Double, north: Double) {
    assert(points.lowerBound >= 0 && points.upperBound <= count, "no such points")
    var (west, south) = (Double.infinity, Double.infinity)
    var (east, north) = (-Double.infinity, -Double.infinity)
    for index in points {
      let (x, y) = point(at: index)
      west = min(west, x)
      east = max(east, x)
      south = min(south, y)
      north = max(north, y)
    }
    return (west, south, east, north)
  }
}
