package import CairnGeometry

/// A condition on the entries of an R-tree.
///
/// The searches are specialised for each type of condition in this module. Elsewhere, only generic code
/// would be called.
package protocol EntryCondition {
  /// The blocks of the entries.
  associatedtype Block: LeafBlock

  /// The answer for one entry: `intersecting` if the entry alone does not decide whether its row
  /// matches.
  func classify(_ index: Int, of block: Block) -> Containment
  /// Visits the positions as ``RTree/search(_:in:until:)`` does.
  func search(_ tree: RTree<Block>, in positions: Range<Int>?, until visit: (TreeMatch) -> Bool)
  /// Counts the positions as ``RTree/count(_:)`` does.
  func count(in tree: RTree<Block>) -> (sure: Int, candidates: Int)
  /// Estimates the number of positions as ``RTree/estimate(_:)`` does.
  func estimate(in tree: RTree<Block>) -> Int
}

/// The classification of nodes and leaves that the searches for a condition are made of.
protocol LeafCondition {
  /// The blocks of the entries.
  associatedtype Block: LeafBlock

  /// The answer for every entry in a rectangle: none matches (`disjoint`), all match (`contained`), or
  /// they have to be looked at one by one (`intersecting`).
  func classify(_ envelope: Envelope) -> Containment
  /// The answers for the entries of a leaf.
  func select(leaf: Int, of block: Block) -> LeafMatches
  /// The approximate number of entries below some nodes that match or are undecided. The nodes are
  /// intersecting and of one level.
  func estimate(below nodes: [Int], _ level: Int, of tree: RTree<Block>) -> Int
}

/// The entries of a leaf that a condition does not exclude. Bit i is the leaf's entry i, and no bit is
/// set in both.
package struct LeafMatches {
  /// The entries that match.
  package var sure: UInt64
  /// The entries whose rows have to be tested.
  package var candidates: UInt64

  /// Makes the matches of a leaf.
  package init(sure: UInt64, candidates: UInt64 = 0) {
    self.sure = sure
    self.candidates = candidates
  }

  /// Whether the condition excludes all entries.
  package var isEmpty: Bool { sure | candidates == 0 }
}

/// A part of the result of a search.
package enum TreeMatch {
  /// All positions of a range match, without individual tests.
  case range(Range<Int>)
  /// The matches among the positions 64 * leaf + i; at least one.
  case leaf(Int, LeafMatches)
}

extension RTree {
  /// Visits the positions that match a condition or have to be tested, in ascending order, until
  /// `visit` returns false.
  ///
  /// - Parameter positions: restricts the search to a range that begins and ends at a block
  ///   boundary or at the end of the tree.
  package func search<Condition: EntryCondition>(
    _ condition: Condition, in positions: Range<Int>? = nil, until visit: (TreeMatch) -> Bool
  ) where Condition.Block == Block {
    condition.search(self, in: positions, until: visit)
  }

  /// Visits the positions of the same search.
  package func forEachMatch<Condition: EntryCondition>(
    of condition: Condition, in positions: Range<Int>? = nil, visit: (TreeMatch) -> Void
  ) where Condition.Block == Block {
    condition.search(self, in: positions) { match in
      visit(match)
      return true
    }
  }

  /// The number of positions that match a condition, and of those that have to be tested.
  package func count<Condition: EntryCondition>(
    _ condition: Condition
  ) -> (sure: Int, candidates: Int) where Condition.Block == Block {
    condition.count(in: self)
  }

  /// The approximate number of positions that match a condition or have to be tested, after visiting at
  /// most a few hundred nodes and boxes.
  package func estimate<Condition: EntryCondition>(
    _ condition: Condition
  ) -> Int where Condition.Block == Block {
    condition.estimate(in: self)
  }
}

/// The receiver of the parts of a result.
protocol MatchVisitor {
  /// Receives a part; returns whether to continue.
  mutating func take(_ match: TreeMatch) -> Bool
}

private struct ClosureVisitor: MatchVisitor {
  let visit: (TreeMatch) -> Bool

  func take(_ match: TreeMatch) -> Bool { visit(match) }
}

private struct CountingVisitor: MatchVisitor {
  private(set) var sure = 0
  private(set) var candidates = 0

  @inline(__always)
  mutating func take(_ match: TreeMatch) -> Bool {
    switch match {
    case .range(let range): sure += range.count
    case .leaf(_, let found):
      sure += found.sure.nonzeroBitCount
      candidates += found.candidates.nonzeroBitCount
    }
    return true
  }
}

extension LeafCondition {
  /// Traverses a tree until `visit` returns false.
  func traverse(
    _ tree: RTree<Block>, in positions: Range<Int>?, until visit: (TreeMatch) -> Bool
  ) {
    withoutActuallyEscaping(visit) { visit in
      var traversal = TreeTraversal(
        tree, self, positions: positions, visitor: ClosureVisitor(visit: visit))
      traversal.run()
    }
  }

  /// Traverses a tree, and counts the matches.
  func countMatches(in tree: RTree<Block>) -> (sure: Int, candidates: Int) {
    var traversal = TreeTraversal(tree, self, positions: nil, visitor: CountingVisitor())
    traversal.run()
    return (traversal.visitor.sure, traversal.visitor.candidates)
  }
}

/// A traversal of a tree from the root, in order of the positions.
struct TreeTraversal<Condition: LeafCondition, Visitor: MatchVisitor> {
  private let tree: RTree<Condition.Block>
  private let condition: Condition
  private let positions: Range<Int>
  /// The block that was read last, because neighbouring leaves share it.
  private var block: Condition.Block?
  private var blockIndex = -1
  private(set) var visitor: Visitor

  init(
    _ tree: RTree<Condition.Block>, _ condition: Condition, positions: Range<Int>?,
    visitor: Visitor
  ) {
    self.tree = tree
    self.condition = condition
    self.positions = (positions ?? 0..<tree.count).clamped(to: 0..<tree.count)
    self.visitor = visitor
  }

  mutating func run() {
    guard tree.nodes.height > 0, !positions.isEmpty else { return }
    _ = traverse(tree.nodes.height - 1, nodes: 0..<1)
  }

  /// Traverses neighbouring nodes of a level; returns false to stop the whole traversal.
  private mutating func traverse(_ level: Int, nodes: Range<Int>) -> Bool {
    let span = TreeNodes.span(level)
    let nodes = nodes.clamped(
      to: positions.lowerBound >> span..<(positions.upperBound - 1) >> span + 1)
    let envelopes = tree.nodes.envelopes(level, from: nodes.lowerBound)
    var contained = 0..<0
    for index in nodes {
      switch condition.classify(envelopes[index - nodes.lowerBound]) {
      case .disjoint: continue
      case .contained:
        let range = (index << span..<(index + 1) << span).clamped(to: positions)
        if contained.upperBound == range.lowerBound, !contained.isEmpty {
          contained = contained.lowerBound..<range.upperBound
          continue
        }
        guard contained.isEmpty || visitor.take(.range(contained)) else { return false }
        contained = range
      case .intersecting:
        guard contained.isEmpty || visitor.take(.range(contained)) else { return false }
        contained = 0..<0
        let goesOn =
          level == 0
          ? test(index) : traverse(level - 1, nodes: tree.nodes.children(level, at: index))
        guard goesOn else { return false }
      }
    }
    return contained.isEmpty || visitor.take(.range(contained))
  }

  /// Tests the entries of a leaf.
  private mutating func test(_ leaf: Int) -> Bool {
    let index = leaf >> 6
    if index != blockIndex {
      block = tree.blocks(index)
      blockIndex = index
    }
    guard let block else { return true }
    let found = condition.select(leaf: leaf & 63, of: block)
    return found.isEmpty || visitor.take(.leaf(leaf, found))
  }
}

extension LeafCondition {
  /// The most nodes of a level that an estimate opens.
  static var estimatedNodes: Int { 64 }

  /// Estimates the number of matches from the upper levels of a tree.
  func estimateMatches(in tree: RTree<Block>) -> Int {
    let nodes = tree.nodes
    var contained = 0
    var frontier = nodes.height == 0 ? [] : [0]
    var level = nodes.height - 1
    while level >= 0 {
      var intersecting: [Int] = []
      for index in frontier {
        switch classify(nodes.envelope(level, at: index)) {
        case .disjoint: break
        case .contained: contained += nodes.positions(level, at: index).count
        case .intersecting: intersecting.append(index)
        }
      }
      if level == 0 || intersecting.count > Self.estimatedNodes {
        return contained + estimate(below: intersecting, level, of: tree)
      }
      frontier = intersecting.flatMap { nodes.children(level, at: $0) }
      level -= 1
    }
    return contained
  }
}
