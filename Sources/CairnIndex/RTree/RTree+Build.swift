package import CairnGeometry

extension RTree {
  /// Writes the rectangles of a block's leaves, one for every 64 points begun.
  package static func leafEnvelopes(
    of block: PointBlock, into envelopes: UnsafeMutablePointer<Envelope>
  ) {
    let leaves = (block.count + PointBlock.leafSize - 1) / PointBlock.leafSize
    for leaf in 0..<leaves {
      envelopes[leaf] = envelope(of: block, block.range(ofLeaf: leaf))
    }
  }

  /// The rectangle around some points of a block.
  static func envelope(of block: PointBlock, _ range: Range<Int>) -> Envelope {
    block.isFixed ? envelope(ofSteps: block, range) : envelope(ofDegrees: block, range)
  }

  private static func envelope(ofSteps block: PointBlock, _ range: Range<Int>) -> Envelope {
    let (xs, ys) = (block.longitudeSteps, block.latitudeSteps)
    var (west, south) = (Int32.max, Int32.max)
    var (east, north) = (Int32.min, Int32.min)
    for index in range {
      west = min(west, xs[index])
      east = max(east, xs[index])
      south = min(south, ys[index])
      north = max(north, ys[index])
    }
    return Envelope(lanes: SIMD4(west, south, -east, -north))
  }

  private static func envelope(ofDegrees block: PointBlock, _ range: Range<Int>) -> Envelope {
    let (xs, ys) = (block.longitudeDegrees, block.latitudeDegrees)
    var (west, south) = (Double.infinity, Double.infinity)
    var (east, north) = (-Double.infinity, -Double.infinity)
    for index in range {
      west = min(west, xs[index])
      east = max(east, xs[index])
      south = min(south, ys[index])
      north = max(north, ys[index])
    }
    return Envelope(west: west, south: south, east: east, north: north)
  }

  /// The rectangles of the level above: one for every eight children begun.
  package static func parents(of children: UnsafeBufferPointer<Envelope>) -> [Envelope] {
    stride(from: 0, to: children.count, by: fanOut).map { start in
      children[start..<min(start + fanOut, children.count)]
        .reduce(Envelope.empty) { $0.union($1) }
    }
  }
}
