package import CairnGeometry

extension RTree {
  /// About how many points lie in a region, after looking at a few hundred nodes at most.
  package func estimate(_ region: Region) -> Int {
    var held = 0
    var frontier = levels.height == 0 ? [] : [0]
    var level = levels.height - 1
    while level >= 0 {
      var cut: [Int] = []
      for index in frontier {
        switch region.classify(levels.node(level, index).pointee) {
        case .missed: break
        case .held: held += positions(level, index).count
        case .cut: cut.append(index)
        }
      }
      if level == 0 || cut.count > 64 { return held + guess(region, level, cut) }
      frontier = cut.flatMap { children(level, $0) }
      level -= 1
    }
    return held
  }

  /// The points of cut nodes, by the share of each that the region's bounds take.
  private func guess(_ region: Region, _ level: Int, _ nodes: [Int]) -> Int {
    let bounds = region.bounds
    return nodes.reduce(0) { sum, index in
      let share = levels.node(level, index).pointee.share(in: bounds)
      return sum + max(1, Int(share * Double(positions(level, index).count)))
    }
  }
}

extension Envelope {
  /// The part of the rectangle that lies in another, 0 ... 1, in longitude and latitude.
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
