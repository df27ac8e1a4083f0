package import CairnGeometry

extension Region: EntryCondition {
  package func classify(_ index: Int, of block: PointBlock) -> Containment {
    let point = block.point(at: index)
    return contains(longitude: point.longitude, latitude: point.latitude) ? .contained : .disjoint
  }

  package func search(
    _ tree: RTree<PointBlock>, in positions: Range<Int>?, until visit: (TreeMatch) -> Bool
  ) {
    RegionClassifier(self).traverse(tree, in: positions, until: visit)
  }

  package func count(in tree: RTree<PointBlock>) -> (sure: Int, candidates: Int) {
    RegionClassifier(self).countMatches(in: tree)
  }

  package func estimate(in tree: RTree<PointBlock>) -> Int {
    RegionClassifier(self).estimateMatches(in: tree)
  }
}

/// A region whose bounds are compared without a call.
private struct RegionClassifier: LeafCondition {
  private let region: Region
  private let outerBounds: SIMD4<Int32>
  private let innerBounds: Envelope
  private let isRectangle: Bool

  init(_ region: Region) {
    self.region = region
    outerBounds = region.outerBounds
    innerBounds = region.innerBounds
    isRectangle = region.isRectangle
  }

  @inline(__always)
  func classify(_ envelope: Envelope) -> Containment {
    if any(envelope.lanes .> outerBounds) { return .disjoint }
    if innerBounds.contains(envelope) { return .contained }
    return isRectangle ? .intersecting : region.classify(envelope)
  }

  @inline(__always)
  func select(leaf: Int, of block: PointBlock) -> LeafMatches {
    LeafMatches(sure: block.select(leaf: leaf, in: region))
  }

  /// The estimate by the share of each node that is in the region's bounds.
  func estimate(below nodes: [Int], _ level: Int, of tree: RTree<PointBlock>) -> Int {
    let bounds = region.bounds
    return nodes.reduce(0) { sum, index in
      let share = tree.nodes.envelope(level, at: index).share(in: bounds)
      return sum + max(1, Int(share * Double(tree.nodes.positions(level, at: index).count)))
    }
  }
}

extension Envelope {
  /// The share of the rectangle that lies in another one, 0 ... 1, in longitude and latitude.
  fileprivate func share(in other: Envelope) -> Double {
    let common = pointwiseMax(lanes, other.lanes)
    func area(_ lanes: SIMD4<Int32>) -> Double {
      let width = Double(-lanes.z) - Double(lanes.x) + 1
      let height = Double(-lanes.w) - Double(lanes.y) + 1
      return max(0, width) * max(0, height)
    }
    return area(common) / area(lanes)
  }
}
