package import CairnGeometry

extension RTree<PointBlock> {
  /// Adds the number of points in each cell of a grid. A subtree that lies in one cell is counted
  /// without a visit.
  ///
  /// - Parameters:
  ///   - hidden: The number of positions of a range that do not count.
  ///   - hiddenBits: The positions of a leaf that do not count; bit i is the leaf's position i.
  package func count(
    into counts: GridCounts, hidden: (Range<Int>) -> Int, hiddenBits: (_ leaf: Int) -> UInt64
  ) {
    guard nodes.height > 0 else { return }
    count(
      nodes.height - 1, nodes: 0..<1, into: counts, hidden: hidden, hiddenBits: hiddenBits)
  }

  private func count(
    _ level: Int, nodes: Range<Int>, into counts: GridCounts, hidden: (Range<Int>) -> Int,
    hiddenBits: (Int) -> UInt64
  ) {
    let envelopes = self.nodes.envelopes(level, from: nodes.lowerBound)
    for index in nodes {
      let envelope = envelopes[index - nodes.lowerBound]
      switch counts.grid.cover(of: envelope) {
      case .none: continue
      case .one(let cell):
        let range = self.nodes.positions(level, at: index)
        counts.add(range.count - hidden(range), to: cell)
      case .several:
        guard level == 0 else {
          count(
            level - 1, nodes: self.nodes.children(level, at: index), into: counts, hidden: hidden,
            hiddenBits: hiddenBits)
          continue
        }
        count(leaf: index, envelope, into: counts, hidden: hiddenBits(index))
      }
    }
  }

  private func count(leaf: Int, _ envelope: Envelope, into counts: GridCounts, hidden: UInt64) {
    let (block, leaf) = block(ofLeaf: leaf)
    let grid = counts.grid
    guard block.isFixed, let cells = grid.fewCells(envelope) else {
      return block.count(leaf: leaf, into: counts, hidden: hidden)
    }
    for row in cells.rows {
      for column in cells.columns {
        let found = block.select(leaf: leaf, in: grid.envelope(column: column, row: row))
        counts.add((found & ~hidden).nonzeroBitCount, to: row * grid.columns.count + column)
      }
    }
  }
}

extension PointBlock {
  /// Adds the number of a leaf's points in each cell, point by point.
  fileprivate func count(leaf: Int, into counts: GridCounts, hidden: UInt64) {
    let range = range(ofLeaf: leaf)
    for index in range where hidden >> UInt64(index - range.lowerBound) & 1 == 0 {
      let (x, y) = fixedPoint(at: index)
      if let cell = counts.grid.cell(longitude: x, latitude: y) { counts.add(1, to: cell) }
    }
  }

  /// The coordinates of one point in E7 fixed point, rounded down.
  @inline(__always)
  package func fixedPoint(at index: Int) -> (longitude: Int32, latitude: Int32) {
    assert(index >= 0 && index < count, "the block does not have the point")
    if isFixed { return (longitudesE7[index], latitudesE7[index]) }
    return (E7.below(longitudeDegrees[index]), E7.below(latitudeDegrees[index]))
  }
}

extension RTree<BoxBlock> {
  /// Visits the boxes that meet a window, other than those of subtrees in one cell that a test
  /// calls small.
  ///
  /// - Parameters:
  ///   - window: Rectangles that boxes must meet.
  ///   - isSmall: Whether all boxes in a rectangle are small; its row is the second parameter.
  ///   - whole: Receives the cell and the positions of a subtree of small boxes.
  ///   - box: Receives the position and the box of any other.
  package func visit(
    _ window: [Envelope], grid: LocationGrid, isSmall: (Envelope, Int) -> Bool,
    whole: (Int, Range<Int>) -> Void, box: (Int, Envelope) -> Void
  ) {
    guard nodes.height > 0 else { return }
    visit(
      nodes.height - 1, nodes: 0..<1, window, grid: grid, isSmall: isSmall, whole: whole, box: box)
  }

  private func visit(
    _ level: Int, nodes: Range<Int>, _ window: [Envelope], grid: LocationGrid,
    isSmall: (Envelope, Int) -> Bool, whole: (Int, Range<Int>) -> Void,
    box: (Int, Envelope) -> Void
  ) {
    let envelopes = self.nodes.envelopes(level, from: nodes.lowerBound)
    for index in nodes {
      let envelope = envelopes[index - nodes.lowerBound]
      guard window.meet(envelope) else { continue }
      if case .one(let cell) = grid.cover(of: envelope),
        isSmall(envelope, cell / grid.columns.count)
      {
        whole(cell, self.nodes.positions(level, at: index))
      } else if level > 0 {
        visit(
          level - 1, nodes: self.nodes.children(level, at: index), window, grid: grid,
          isSmall: isSmall,
          whole: whole, box: box)
      } else {
        let (block, leaf) = block(ofLeaf: index)
        let range = block.range(ofLeaf: leaf)
        for row in range where window.meet(block[row]) {
          box(index * TreeNodes.leafSize + row - range.lowerBound, block[row])
        }
      }
    }
  }
}

extension [Envelope] {
  /// Whether any of the rectangles has a point in common with another one.
  @inline(__always)
  package func meet(_ other: Envelope) -> Bool {
    for envelope in self where envelope.intersects(other) { return true }
    return false
  }
}
