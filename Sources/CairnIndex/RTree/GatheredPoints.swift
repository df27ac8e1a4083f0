/// Points of several blocks that are tested together, up to 64.
package final class GatheredPoints {
  private let longitudes: UnsafeMutableRawPointer
  private let latitudes: UnsafeMutableRawPointer

  /// Allocates memory for 64 points.
  package init() {
    let size = TreeNodes.leafSize * MemoryLayout<Double>.stride
    longitudes = .allocate(byteCount: size, alignment: 32)
    latitudes = .allocate(byteCount: size, alignment: 32)
  }

  deinit {
    longitudes.deallocate()
    latitudes.deallocate()
  }

  /// Copies points, and returns them as a block, which is valid until the next call.
  ///
  /// - Parameter point: The block of a point, and its index there.
  package func block(
    count: Int, point: (Int) -> (block: PointBlock, index: Int)
  ) -> PointBlock {
    assert(count >= 0 && count <= TreeNodes.leafSize, "there is memory for 64 points")
    let isFixed = (0..<count).allSatisfy { point($0).block.isFixed }
    for place in 0..<count {
      let (block, index) = point(place)
      assert(index >= 0 && index < block.count, "the block does not have the point")
      if isFixed {
        let (xs, ys) = (block.longitudesE7, block.latitudesE7)
        longitudes.storeBytes(of: xs[index], toByteOffset: place * 4, as: Int32.self)
        latitudes.storeBytes(of: ys[index], toByteOffset: place * 4, as: Int32.self)
      } else {
        let (x, y) = block.point(at: index)
        longitudes.storeBytes(of: x, toByteOffset: place * 8, as: Double.self)
        latitudes.storeBytes(of: y, toByteOffset: place * 8, as: Double.self)
      }
    }
    return PointBlock(
      longitudes: longitudes, latitudes: latitudes, isFixed: isFixed, count: count)
  }
}
