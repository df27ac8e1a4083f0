package import CairnGeometry

/// A condition on geometries that their boxes may decide.
package struct BoxCondition: EntryCondition, LeafCondition {
  private let answer: (Envelope) -> Containment

  /// Makes a condition.
  ///
  /// - Parameter answer: Returns the answer for every geometry whose box lies in a rectangle: none
  ///   matches (`disjoint`), all match (`contained`), or the geometries have to be tested
  ///   (`intersecting`). The rectangle is a node of the tree or the box of one geometry.
  package init(_ answer: @escaping (Envelope) -> Containment) { self.answer = answer }

  package func search(
    _ tree: RTree<BoxBlock>, in positions: Range<Int>?, until visit: (TreeMatch) -> Bool
  ) {
    traverse(tree, in: positions, until: visit)
  }

  package func count(in tree: RTree<BoxBlock>) -> (sure: Int, candidates: Int) {
    countMatches(in: tree)
  }

  package func estimate(in tree: RTree<BoxBlock>) -> Int { estimateMatches(in: tree) }

  package func classify(_ envelope: Envelope) -> Containment { answer(envelope) }

  package func classify(_ index: Int, of block: BoxBlock) -> Containment { answer(block[index]) }

  func select(leaf: Int, of block: BoxBlock) -> LeafMatches {
    let range = block.range(ofLeaf: leaf)
    var found = LeafMatches(sure: 0)
    for index in range {
      let bit: UInt64 = 1 << UInt64(index - range.lowerBound)
      switch answer(block[index]) {
      case .disjoint: continue
      case .contained: found.sure |= bit
      case .intersecting: found.candidates |= bit
      }
    }
    return found
  }

  /// The estimate by the share of some of the nodes' children that the condition does not exclude: the
  /// boxes of four leaves, or 64 nodes.
  func estimate(below nodes: [Int], _ level: Int, of tree: RTree<BoxBlock>) -> Int {
    guard !nodes.isEmpty else { return 0 }
    let most = level == 0 ? 4 : Self.estimatedNodes / TreeNodes.fanOut
    let step = (nodes.count + most - 1) / most
    var (seen, found) = (0, 0)
    for index in stride(from: 0, to: nodes.count, by: step) {
      let children = tree.childEnvelopes(level, at: nodes[index])
      seen += children.count
      found += children.count { answer($0) != .disjoint }
    }
    let total = nodes.reduce(0) { $0 + tree.nodes.positions(level, at: $1).count }
    return max(1, Int(Double(total) * Double(found) / Double(max(1, seen))))
  }
}

extension RTree<BoxBlock> {
  /// The rectangles of a node's children, or the boxes of a leaf, valid while the memory of the tree
  /// is.
  fileprivate func childEnvelopes(
    _ level: Int, at index: Int
  ) -> UnsafeBufferPointer<Envelope> {
    guard level == 0 else {
      let children = nodes.children(level, at: index)
      return UnsafeBufferPointer(
        start: nodes.envelopes(level - 1, from: children.lowerBound), count: children.count)
    }
    let (block, leaf) = block(ofLeaf: index)
    let range = block.range(ofLeaf: leaf)
    return UnsafeBufferPointer(start: block.start + range.lowerBound, count: range.count)
  }
}
