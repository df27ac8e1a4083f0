/// Leaves of the R-tree: 64 places close together, which fall into few stretches of few bands.
extension EdgeCover {
  /// The states along the longitudes of a leaf in one band, with at most two changes.
  private struct LeafBand {
    /// The first longitudes of the second and third stretch; no longitude where there is none.
    var second = Int32.max
    var third = Int32.max
    /// The state of the first stretch, and the bits by which those of the others differ from the one before.
    var first: UInt32 = 0
    var change: UInt32 = 0
    var lastChange: UInt32 = 0
  }

  private static var mostBands: Int { 24 }

  /// The places that lie in a stretch inside, and those in an unsure one; the same as place by place, without a branch
  /// for each.
  ///
  /// Nil where the places are not a full leaf, or are spread over too much.
  func sortLeaf(
    _ xs: UnsafePointer<Int32>, _ ys: UnsafePointer<Int32>, _ count: Int
  ) -> (inside: UInt64, open: UInt64)? {
    guard count == 64, turn == 0, bandCount > 0 else { return nil }
    let (west, east) = bounds(of: xs)
    let (low, high) = bounds(of: ys)
    let firstBand = (Int(low) &- Int(south)) >> Int(shift)
    let lastBand = (Int(high) &- Int(south)) >> Int(shift)
    guard lastBand &- firstBand < Self.mostBands else { return nil }
    return withUnsafeTemporaryAllocation(of: LeafBand.self, capacity: Self.mostBands) { bands in
      guard let bands = bands.baseAddress else { return nil }
      for band in firstBand...lastBand {
        guard let made = leafBand(band, west, east) else { return nil }
        (bands + (band &- firstBand)).initialize(to: made)
      }
      let (south, shift) = (Int(south), Int(shift))
      var words: (UInt64, UInt64) = (0, 0)
      for index in stride(from: 63, through: 0, by: -1) {
        let band = bands[(Int(ys[index]) &- south) >> shift &- firstBand]
        let x = xs[index]
        let state =
          band.first ^ (x >= band.second ? band.change : 0)
          ^ (x >= band.third ? band.lastChange : 0)
        words.0 = words.0 &<< 1 | UInt64(state & 1)
        words.1 = words.1 &<< 1 | UInt64(state &>> 1)
      }
      return words
    }
  }

  /// The states of a band between two longitudes; nil where they change more than twice.
  private func leafBand(_ band: Int, _ west: Int32, _ east: Int32) -> LeafBand? {
    guard band >= 0, band < bandCount else { return LeafBand() }
    let stop = stop(band, west)
    var made = LeafBand(first: stop.pointee.state)
    guard stop[1].longitude <= east else { return made }
    made.second = stop[1].longitude
    made.change = stop[1].state ^ made.first
    guard stop[2].longitude <= east else { return made }
    made.third = stop[2].longitude
    made.lastChange = stop[2].state ^ stop[1].state
    return stop[3].longitude <= east ? nil : made
  }

  /// The least and the greatest of 64 values.
  private func bounds(of values: UnsafePointer<Int32>) -> (least: Int32, greatest: Int32) {
    var least = values.four(0)
    var greatest = least
    for part in 1..<16 {
      let four = values.four(4 * part)
      least = pointwiseMin(least, four)
      greatest = pointwiseMax(greatest, four)
    }
    return (least.min(), greatest.max())
  }
}
