package import CairnGeometry

extension RTree {
  /// A part of an answer.
  package enum Match {
    /// Every position of a range, none of them tested.
    case range(Range<Int>)
    /// Those positions 64 * leaf + i whose bit i is set; at least one.
    case leaf(Int, UInt64)
  }

  /// Gives the positions whose points lie in a region, in order, each once; `positions` restricts
  /// them to a range that begins and ends on a block or with the tree.
  package func search(
    _ region: Region, in positions: Range<Int>? = nil, _ visit: (Match) -> Void
  ) {
    search(region, in: positions) { match in
      visit(match)
      return true
    }
  }

  /// The same until `visit` is false.
  package func search(
    _ region: Region, in positions: Range<Int>? = nil, until visit: (Match) -> Bool
  ) {
    withoutActuallyEscaping(visit) { visit in
      var walk = Walk(self, region, positions ?? 0..<count, ClosureVisitor(visit: visit))
      walk.run()
    }
  }

  /// The number of points in a region.
  package func count(in region: Region) -> Int {
    var walk = Walk(self, region, 0..<count, CountingVisitor())
    walk.run()
    return walk.visitor.count
  }
}

/// What is done with the parts of an answer.
protocol SearchVisitor {
  /// Whether to go on.
  mutating func take(_ range: Range<Int>) -> Bool
  /// Whether to go on.
  mutating func take(leaf: Int, _ bits: UInt64) -> Bool
}

private struct ClosureVisitor: SearchVisitor {
  let visit: (RTree.Match) -> Bool

  func take(_ range: Range<Int>) -> Bool { visit(.range(range)) }
  func take(leaf: Int, _ bits: UInt64) -> Bool { visit(.leaf(leaf, bits)) }
}

private struct CountingVisitor: SearchVisitor {
  private(set) var count = 0

  mutating func take(_ range: Range<Int>) -> Bool {
    count += range.count
    return true
  }

  mutating func take(leaf: Int, _ bits: UInt64) -> Bool {
    count += bits.nonzeroBitCount
    return true
  }
}
