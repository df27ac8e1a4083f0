extension EdgeCover {
  /// Whether a place in degrees lies in a polygon or on its boundary.
  func contains(_ longitude: Double, _ latitude: Double) -> Bool {
    contains(longitude, latitude, Step.near(longitude), Step.near(latitude))
  }

  /// Which of up to 64 places in steps lie in a polygon.
  func select(_ xs: UnsafePointer<Int32>, _ ys: UnsafePointer<Int32>, _ count: Int) -> UInt64 {
    let (inside, open) = sort(xs, ys, count)
    return inside
      | gather(open) {
        contains(Step.degrees(xs[$0]), Step.degrees(ys[$0]), xs[$0], ys[$0])
      }
  }

  /// The places that lie in a stretch inside, and those in an unsure one.
  private func sort(
    _ xs: UnsafePointer<Int32>, _ ys: UnsafePointer<Int32>, _ count: Int
  ) -> (inside: UInt64, open: UInt64) {
    let (south, shift, top) = (Int(south), Int(shift), UInt(bitPattern: bandCount))
    let (starts, stops) = (starts, stops)
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<count {
      let band = (Int(ys[index]) &- south) >> shift
      guard UInt(bitPattern: band) < top else { continue }
      let x = turned(xs[index])
      var stop = stops + Int(starts[band])
      if starts[band + 1] &- starts[band] > 24 { stop += leap(band, x) }
      while stop[1].longitude <= x { stop += 1 }
      let state = UInt64(stop.pointee.state)
      words.0 |= (state & 1) &<< UInt64(truncatingIfNeeded: index)
      words.1 |= (state &>> 1) &<< UInt64(truncatingIfNeeded: index)
    }
    return words
  }

  /// The same for a place whose steps, rounded down, are known.
  @inline(__always)
  func contains(_ x: Double, _ y: Double, _ xStep: Int32, _ yStep: Int32) -> Bool {
    let band = (Int(yStep) - Int(south)) >> Int(shift)
    guard band >= 0, band < bandCount else { return false }
    let stop = stop(band, turned(xStep))
    if stop.pointee.state != State.unsure.rawValue {
      return stop.pointee.state == State.inside.rawValue
    }
    return decide(stop.pointee.entry..<stop[1].entry, x, y)
  }

  @inline(__always)
  private func turned(_ step: Int32) -> Int32 {
    guard turn != 0 else { return step }
    let sum = Int64(step) + Int64(turn)
    let (half, full) = (Int64(Step.halfTurn), 2 * Int64(Step.halfTurn))
    return Int32(sum >= half ? sum - full : sum < -half ? sum + full : sum)
  }

  /// The exact test among the edges of an unsure stretch; a rough probe settles it but next to an edge.
  private func decide(_ range: Range<Int>, _ x: Double, _ y: Double) -> Bool {
    let longitude = turn == 0 ? x : wrapped(x + Step.degrees(turn))
    if let rough = Edge.roughProbe(longitude, y),
      let isInside = decide(range, rough, ifNear: { _ in nil })
    {
      return isInside
    }
    let isInside = decide(range, Edge.probe(longitude, y)) { entry in
      judge(Int(polygons[Int(entry.edge)]), x, y)
    }
    return isInside ?? true
  }

  /// - Parameter ifNear: decides for the polygon of an edge that the point is too close to; nil: give up.
  @inline(__always)
  private func decide(
    _ range: Range<Int>, _ point: Edge.Probe, ifNear: (Entry) -> Bool?
  ) -> Bool? {
    var isInside = false
    var isSettled = false
    for index in range {
      let entry = entries[index]
      if entry.opensPolygon {
        if isInside { return true }
        isInside = entry.isInside
        isSettled = false
      }
      if isSettled { continue }
      switch edges[Int(entry.edge)].side(of: point) {
      case .west: isInside.toggle()
      case .near:
        guard let decided = ifNear(entry) else { return nil }
        isInside = decided
        isSettled = true
      case .east, .apart: break
      }
    }
    return isInside
  }
}
