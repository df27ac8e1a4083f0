internal import CairnGeometry

extension RTree {
  /// Throws where a level has the wrong size, or a rectangle is not the least around what is below it.
  package func checkInvariants() throws(IndexError) {
    let sizes = RTree.levelSizes(count: count)
    guard sizes.count == levels.height else {
      throw IndexError("A tree of \(count) points has \(levels.height) levels, not \(sizes.count).")
    }
    for (level, size) in sizes.enumerated() {
      for index in 0..<size { try check(level, index) }
    }
  }

  /// Throws where a level has the wrong size, a point does not lie in its leaf, or a rectangle is not the least around
  /// the ones below it.
  ///
  /// - Parameter isTold: whether the tree speaks for the point at a position; others may have moved.
  package func checkInvariants(where isTold: (Int) -> Bool) throws(IndexError) {
    let sizes = RTree.levelSizes(count: count)
    guard sizes.count == levels.height else {
      throw IndexError("A tree of \(count) points has \(levels.height) levels, not \(sizes.count).")
    }
    for position in 0..<count where isTold(position) {
      let (x, y) = point(at: position)
      let leaf = levels.node(0, position / PointBlock.leafSize).pointee
      guard leaf.holds(Envelope(west: x, south: y, east: x, north: y)) else {
        throw IndexError("Point \(position) lies outside its leaf.")
      }
    }
    for (level, size) in sizes.enumerated().dropFirst() {
      for index in 0..<size { try check(level, index) }
    }
  }

  private func check(_ level: Int, _ index: Int) throws(IndexError) {
    let expected = level == 0 ? leafEnvelope(index) : parentEnvelope(level, index)
    let found = levels.node(level, index).pointee
    guard found == expected else {
      throw IndexError(
        "Node \(index) of level \(level) is \(found.lanes), but what is below it is \(expected.lanes)."
      )
    }
  }

  private func leafEnvelope(_ index: Int) -> Envelope {
    let block = points(index >> 6)
    return RTree.envelope(of: block, block.range(ofLeaf: index & 63))
  }

  private func parentEnvelope(_ level: Int, _ index: Int) -> Envelope {
    children(level, index).reduce(Envelope.empty) {
      $0.union(levels.node(level - 1, $1).pointee)
    }
  }
}
