package import CairnGeometry

/// Up to 4096 points in place: longitudes and latitudes, as Doubles in degrees or as Int32 steps of 1e-7 degrees.
package struct PointBlock {
  /// Points in a leaf, and bits in a word of a selection.
  @inlinable package static var leafSize: Int { 64 }
  /// Points in a full block.
  @inlinable package static var capacity: Int { 4096 }

  @usableFromInline let longitudes: UnsafeRawPointer
  @usableFromInline let latitudes: UnsafeRawPointer
  /// Whether the coordinates are Int32 steps.
  package let isFixed: Bool
  /// The number of points.
  package let count: Int

  /// Views memory that outlives the block and is aligned to its coordinates.
  @inlinable
  package init(
    longitudes: UnsafeRawPointer, latitudes: UnsafeRawPointer, isFixed: Bool, count: Int
  ) {
    self.longitudes = longitudes
    self.latitudes = latitudes
    self.isFixed = isFixed
    self.count = count
  }

  /// The coordinates of one point in degrees.
  @inlinable
  package func point(at index: Int) -> (longitude: Double, latitude: Double) {
    if isFixed {
      return (
        Step.degrees(longitudeSteps[index]), Step.degrees(latitudeSteps[index])
      )
    }
    return (longitudeDegrees[index], latitudeDegrees[index])
  }

  @inlinable var longitudeSteps: UnsafePointer<Int32> {
    longitudes.assumingMemoryBound(to: Int32.self)
  }
  @inlinable var latitudeSteps: UnsafePointer<Int32> {
    latitudes.assumingMemoryBound(to: Int32.self)
  }
  @inlinable var longitudeDegrees: UnsafePointer<Double> {
    longitudes.assumingMemoryBound(to: Double.self)
  }
  @inlinable var latitudeDegrees: UnsafePointer<Double> {
    latitudes.assumingMemoryBound(to: Double.self)
  }

  /// The points of a leaf, counted from the first of the block.
  @inlinable
  func range(ofLeaf leaf: Int) -> Range<Int> {
    let start = leaf * Self.leafSize
    return start..<min(start + Self.leafSize, count)
  }

  /// Writes the coordinates of a leaf in degrees into two buffers of 64 and gives how many they are.
  package func decode(
    leaf: Int, longitudes x: UnsafeMutablePointer<Double>,
    latitudes y: UnsafeMutablePointer<Double>
  ) -> Int {
    let range = range(ofLeaf: leaf)
    let (start, count) = (range.lowerBound, range.count)
    if isFixed {
      let (xs, ys) = (longitudeSteps + start, latitudeSteps + start)
      for index in 0..<count { x[index] = Step.degrees(xs[index]) }
      for index in 0..<count { y[index] = Step.degrees(ys[index]) }
    } else {
      x.update(from: longitudeDegrees + start, count: count)
      y.update(from: latitudeDegrees + start, count: count)
    }
    return count
  }

  /// Which points of a leaf lie in a region; bit i is the leaf's point i.
  package func select(leaf: Int, in region: Region) -> UInt64 {
    let range = range(ofLeaf: leaf)
    let (start, count) = (range.lowerBound, range.count)
    if isFixed {
      return region.select(
        longitudeSteps: longitudeSteps + start, latitudeSteps: latitudeSteps + start,
        count: count)
    }
    return region.select(
      longitudes: longitudeDegrees + start, latitudes: latitudeDegrees + start, count: count)
  }

  /// Whether every coordinate is exactly the Double that its nearest step reads as; -0.0 is not.
  package static func isFixed(
    longitudes: UnsafePointer<Double>, latitudes: UnsafePointer<Double>, count: Int
  ) -> Bool {
    isFixed(longitudes, count) && isFixed(latitudes, count)
  }

  private static func isFixed(_ values: UnsafePointer<Double>, _ count: Int) -> Bool {
    for index in 0..<count {
      let value = values[index]
      let step = (value * Step.perDegree).rounded()
      guard abs(step) <= Double(Int32.max),
        Step.degrees(Int32(step)).bitPattern == value.bitPattern
      else { return false }
    }
    return true
  }
}
