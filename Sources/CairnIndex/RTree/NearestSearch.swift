package import CairnGeometry

/// The distances that a search for the nearest entries of an R-tree compares, as keys that rise with
/// the distance.
package protocol DistanceMeasure {
  /// The blocks of the entries.
  associatedtype Block: LeafBlock

  /// A lower bound of the keys of all entries in a rectangle; infinite if they are beyond the limit.
  mutating func bound(of envelope: Envelope, upTo limit: Double) -> Double
  /// Adds the entries of a leaf that are not beyond the limit of a search, measured or only bounded.
  ///
  /// - Parameters:
  ///   - leaf: The number of the leaf in its block.
  ///   - first: The position of the leaf's first entry.
  mutating func open(
    _ leaf: Int, of block: Block, first: Int, into search: inout NearestSearch)
  /// The key of an entry that was only bounded; nil if the entry is not a candidate, or beyond the
  /// limit.
  mutating func key(at position: Int, upTo limit: Double) -> Double?
  /// Returns the distance of an entry with this key.
  func distance(ofKey key: Double) -> Double
}

extension DistanceMeasure {
  /// Nil: a measure that measures entries at once leaves none that are only bounded.
  package mutating func key(at position: Int, upTo limit: Double) -> Double? { nil }

  /// The key itself.
  package func distance(ofKey key: Double) -> Double { key }
}

/// A best-first search for the nearest entries of one or several R-trees: it opens the node that may
/// contain the nearest one first. Few entries are measured.
package struct NearestSearch {
  private var queue = DistanceQueue()
  private var threshold: TopKThreshold

  /// Prepares a search.
  ///
  /// - Parameter enough: The number of entries that the caller needs at most, of all trees together;
  ///   entries beyond these may be skipped. Pass nil if the caller may reject some of them.
  package init(enough: Int? = nil) { threshold = TopKThreshold(capacity: enough ?? .max) }

  /// The greatest key that matters.
  package var limit: Double { threshold.key }

  /// Adds an entry with its key, which is at most the limit.
  package mutating func add(_ position: Int, key: Double) {
    threshold.offer(key)
    queue.push(DistanceQueue.Item(key: key, measured: position))
  }

  /// Adds an entry with a lower bound of its key. It is measured when no other can be nearer.
  package mutating func add(_ position: Int, bound: Double) {
    queue.push(
      DistanceQueue.Item(key: bound, index: position, level: DistanceQueue.Item.unmeasured))
  }

  /// Visits the positions and distances of a tree's entries, nearest first, and at equal distance in
  /// order of the position, until `visit` returns false.
  package mutating func run<Measure: DistanceMeasure>(
    _ tree: RTree<Measure.Block>, _ measure: inout Measure, visit: (Int, Double) -> Bool
  ) {
    queue.removeAll()
    guard let bounds = tree.nodes.bounds else { return }
    push(bounds, 0, level: tree.nodes.height - 1, &measure)
    while let next = queue.pop(), next.key <= limit {
      if next.isMeasured {
        guard visit(next.index, measure.distance(ofKey: next.key)) else { return }
      } else if next.level == DistanceQueue.Item.unmeasured {
        guard let key = measure.key(at: next.index, upTo: limit), key <= limit else { continue }
        add(next.index, key: key)
      } else if next.level == 0 {
        let (block, leaf) = tree.block(ofLeaf: next.index)
        measure.open(leaf, of: block, first: next.index * TreeNodes.leafSize, into: &self)
      } else {
        let children = tree.nodes.children(next.level, at: next.index)
        let envelopes = tree.nodes.envelopes(next.level - 1, from: children.lowerBound)
        for child in children {
          push(envelopes[child - children.lowerBound], child, level: next.level - 1, &measure)
        }
      }
    }
  }

  /// Adds a node that is not beyond the limit.
  @inline(__always)
  private mutating func push<Measure: DistanceMeasure>(
    _ envelope: Envelope, _ index: Int, level: Int, _ measure: inout Measure
  ) {
    let key = measure.bound(of: envelope, upTo: limit)
    guard key <= limit else { return }
    queue.push(DistanceQueue.Item(key: key, index: index, level: level))
  }
}
