package import CairnGeometry

extension BoxTree {
  /// Visits positions by rising distance, and at equal distance in order of the position, until
  /// `visit` returns false.
  ///
  /// Distances are in a unit of the caller's choice. Nodes and boxes are opened in order of a lower
  /// bound, so that few geometries are measured.
  ///
  /// - Parameters:
  ///   - queue: Scratch memory, which the next search can use again.
  ///   - threshold: Positions beyond it are skipped, and each measured position is offered to it.
  ///     Several trees may share it. Its capacity is `.max` if `visit` may reject positions.
  ///   - lowerBound: A lower bound of the distances of all geometries in a rectangle.
  ///   - exact: The distance of the geometry at a position; nil if the position is not a candidate or
  ///     farther away than the second parameter.
  package func nearest(
    queue: inout DistanceQueue, threshold: inout TopKThreshold, lowerBound: (Envelope) -> Double,
    exact: (Int, Double) -> Double?, visit: (Int, Double) -> Bool
  ) {
    nearest(
      queue: &queue, threshold: &threshold, lowerBound: lowerBound,
      open: { leaf, queue, threshold in
        for (row, box) in boxes(ofLeaf: leaf).enumerated() {
          let key = lowerBound(box)
          guard key <= threshold.key else { continue }
          queue.push(
            .init(
              key: key, node: leaf * PointBlock.leafSize + row, level: DistanceQueue.Item.box))
        }
      }, exact: exact, visit: visit)
  }

  /// Visits the same positions with scratch memory of its own.
  ///
  /// - Parameter enough: The number of positions that the caller needs at most; positions beyond
  ///   these may be skipped. Pass nil if `visit` may reject some of them.
  package func nearest(
    enough: Int? = nil, lowerBound: (Envelope) -> Double, exact: (Int, Double) -> Double?,
    visit: (Int, Double) -> Bool
  ) {
    var queue = DistanceQueue()
    var threshold = TopKThreshold(capacity: enough ?? .max)
    nearest(
      queue: &queue, threshold: &threshold, lowerBound: lowerBound, exact: exact, visit: visit)
  }
}

extension RTree {
  /// Visits positions by rising distance, and at equal distance in order of the position, until
  /// `visit` returns false. Distances are in a unit of the caller's choice.
  ///
  /// - Parameters:
  ///   - enough: The number of positions that the caller needs at most; positions beyond these may
  ///     be skipped. Pass nil if `visit` may reject some of them.
  ///   - lowerBound: A lower bound of the distances of all points in a rectangle.
  ///   - exact: The distance of a point; more than the second parameter if it does not matter.
  package func nearest(
    enough: Int? = nil, lowerBound: (Envelope) -> Double,
    exact: (_ point: (longitude: Double, latitude: Double), _ limit: Double) -> Double,
    visit: (Int, Double) -> Bool
  ) {
    var queue = DistanceQueue()
    var threshold = TopKThreshold(capacity: enough ?? .max)
    nearest(
      queue: &queue, threshold: &threshold, lowerBound: lowerBound,
      open: { leaf, queue, threshold in
        for position in positions(0, at: leaf) {
          let key = exact(point(at: position), threshold.key)
          guard key <= threshold.key, key < .infinity else { continue }
          threshold.offer(key)
          queue.push(.init(key: key, position: position))
        }
      }, exact: { _, _ in nil }, visit: visit)
  }
}

extension NodeHierarchy {
  /// A best-first search.
  ///
  /// - Parameter open: Pushes the positions of a leaf, measured or with lower bounds.
  fileprivate func nearest(
    queue: inout DistanceQueue, threshold: inout TopKThreshold, lowerBound: (Envelope) -> Double,
    open: (Int, inout DistanceQueue, inout TopKThreshold) -> Void,
    exact: (Int, Double) -> Double?, visit: (Int, Double) -> Bool
  ) {
    queue.removeAll()
    guard let bounds else { return }
    queue.push(.init(key: lowerBound(bounds), node: 0, level: height - 1))
    while let next = queue.pop(), next.key <= threshold.key {
      if next.isPoint {
        guard visit(next.index, next.key) else { return }
      } else if next.level == DistanceQueue.Item.box {
        guard let key = exact(next.index, threshold.key), key <= threshold.key else { continue }
        threshold.offer(key)
        queue.push(.init(key: key, position: next.index))
      } else if next.level == 0 {
        open(next.index, &queue, &threshold)
      } else {
        let children = children(next.level, at: next.index)
        let nodes = envelopes(next.level - 1, from: children.lowerBound)
        for child in children {
          let key = lowerBound(nodes[child - children.lowerBound])
          guard key <= threshold.key else { continue }
          queue.push(.init(key: key, node: child, level: next.level - 1))
        }
      }
    }
  }
}
