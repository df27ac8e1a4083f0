package import CairnGeometry

/// A condition on geometries that their boxes may decide.
package protocol BoxCondition {
  /// The answer for every geometry whose box lies in a rectangle: none matches (`disjoint`), all
  /// match (`contained`), or the geometries have to be tested (`intersecting`). The rectangle is a
  /// node of the tree or the box of one geometry.
  func classify(_ envelope: Envelope) -> Containment
}

extension BoxTree {
  /// A part of the result of a search.
  package enum Match {
    /// All positions of a range match.
    case range(Range<Int>)
    /// The positions 64 * leaf + i match whose bit i of `sure` is set, and those have to be tested
    /// whose bit of `candidates` is set; no bit is set in both, at least one in either.
    case leaf(Int, sure: UInt64, candidates: UInt64)
  }

  /// Visits the positions that match a condition or have to be tested, in ascending order, until
  /// `visit` returns false.
  ///
  /// - Parameter positions: restricts the search to a range that begins and ends at a block
  ///   boundary or at the end of the tree.
  @inlinable
  package func search<Condition: BoxCondition>(
    _ condition: Condition, in positions: Range<Int>? = nil, until visit: (Match) -> Bool
  ) {
    let positions = (positions ?? 0..<count).clamped(to: 0..<count)
    guard height > 0, !positions.isEmpty else { return }
    _ = traverse(
      height - 1, nodes: 0..<1, positions: positions, condition: condition, visit: visit)
  }

  /// Visits the positions of the same search.
  @inlinable
  package func search<Condition: BoxCondition>(
    _ condition: Condition, in positions: Range<Int>? = nil, visit: (Match) -> Void
  ) {
    search(
      condition, in: positions,
      until: { match in
        visit(match)
        return true
      })
  }

  /// The number of positions that match a condition, and of those that have to be tested.
  @inlinable
  package func count<Condition: BoxCondition>(
    _ condition: Condition
  ) -> (sure: Int, candidates: Int) {
    var result = (sure: 0, candidates: 0)
    search(
      condition,
      until: { match in
        switch match {
        case .range(let range): result.sure += range.count
        case .leaf(_, let sure, let candidates):
          result.sure += sure.nonzeroBitCount
          result.candidates += candidates.nonzeroBitCount
        }
        return true
      })
    return result
  }

  /// Traverses neighbouring nodes of a level; returns false to stop the whole search.
  @inlinable
  func traverse<Condition: BoxCondition>(
    _ level: Int, nodes: Range<Int>, positions: Range<Int>, condition: Condition,
    visit: (Match) -> Bool
  ) -> Bool {
    let envelopes = envelopes(level, from: nodes.lowerBound)
    var contained = 0..<0
    for index in nodes {
      let range = self.positions(level, at: index).clamped(to: positions)
      guard !range.isEmpty else { continue }
      switch condition.classify(envelopes[index - nodes.lowerBound]) {
      case .disjoint: continue
      case .contained:
        if contained.upperBound == range.lowerBound, !contained.isEmpty {
          contained = contained.lowerBound..<range.upperBound
          continue
        }
        guard contained.isEmpty || visit(.range(contained)) else { return false }
        contained = range
      case .intersecting:
        guard contained.isEmpty || visit(.range(contained)) else { return false }
        contained = 0..<0
        let goesOn =
          level == 0
          ? test(index, condition: condition, visit: visit)
          : traverse(
            level - 1, nodes: children(level, at: index), positions: positions,
            condition: condition, visit: visit)
        guard goesOn else { return false }
      }
    }
    return contained.isEmpty || visit(.range(contained))
  }

  /// Classifies the boxes of a leaf.
  @inlinable
  func test<Condition: BoxCondition>(
    _ leaf: Int, condition: Condition, visit: (Match) -> Bool
  ) -> Bool {
    let boxes = boxes(ofLeaf: leaf)
    var (sure, candidates) = (UInt64(0), UInt64(0))
    for index in boxes.indices {
      switch condition.classify(boxes[index]) {
      case .disjoint: continue
      case .contained: sure |= 1 << UInt64(index)
      case .intersecting: candidates |= 1 << UInt64(index)
      }
    }
    return sure | candidates == 0 || visit(.leaf(leaf, sure: sure, candidates: candidates))
  }
}

extension BoxTree {
  /// The most nodes of a level, and the most leaves, that an estimate opens.
  @usableFromInline static var estimatedNodes: Int { 64 }
  @usableFromInline static var estimatedLeaves: Int { 4 }

  /// The approximate number of positions that match a condition or have to be tested, after at most
  /// a few hundred nodes and boxes.
  @inlinable
  package func estimate<Condition: BoxCondition>(_ condition: Condition) -> Int {
    var contained = 0
    var frontier = height == 0 ? [] : [0]
    var level = height - 1
    while level >= 0 {
      var open: [Int] = []
      for index in frontier {
        switch condition.classify(envelope(level, at: index)) {
        case .disjoint: break
        case .contained: contained += positions(level, at: index).count
        case .intersecting: open.append(index)
        }
      }
      if level == 0 || open.count > Self.estimatedNodes {
        return contained + guess(condition, level: level, nodes: open)
      }
      frontier = open.flatMap { children(level, at: $0) }
      level -= 1
    }
    return contained
  }

  /// The estimated number of such positions below intersecting nodes, by the share of some of their
  /// children that the condition does not exclude.
  @inlinable
  func guess<Condition: BoxCondition>(
    _ condition: Condition, level: Int, nodes: [Int]
  ) -> Int {
    guard !nodes.isEmpty else { return 0 }
    let most = level == 0 ? Self.estimatedLeaves : Self.estimatedNodes / RTree.fanOut
    let step = (nodes.count + most - 1) / most
    var (seen, found) = (0, 0)
    for index in stride(from: 0, to: nodes.count, by: step) {
      let envelopes =
        level == 0
        ? boxes(ofLeaf: nodes[index])
        : UnsafeBufferPointer(
          start: envelopes(level - 1, from: children(level, at: nodes[index]).lowerBound),
          count: children(level, at: nodes[index]).count)
      seen += envelopes.count
      found += envelopes.count { condition.classify($0) != .disjoint }
    }
    let total = nodes.reduce(0) { $0 + positions(level, at: $1).count }
    return max(1, Int(Double(total) * Double(found) / Double(max(1, seen))))
  }
}
