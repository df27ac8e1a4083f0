import CairnGeometry
import CairnIndex
import CairnStorage

/// The rows of the driver, in pieces that threads work through independently: the chunks of its base
/// runs, then the rows that no run covers.
struct JoinPieces {
  /// A piece of work.
  enum Piece {
    /// The rows of a chunk that a base run covers.
    case chunk(Int, of: JoinRun)
    /// Rows that no run covers, at most 64 and near each other.
    case keys(ArraySlice<Int>)
  }

  /// The pieces, in the order of their rows as far as runs cover them.
  let pieces: [Piece]

  init(_ side: JoinSide) {
    var pieces: [Piece] = []
    for run in side.runs {
      for chunk in run.chunks where side.rows.hasRows(chunk) {
        pieces.append(.chunk(chunk, of: run))
      }
    }
    let keys = side.uncoveredKeys
    let order = keys.map { Hilbert.key(of: side.envelope(of: $0)) }
      .withUnsafeBufferPointer { RadixSort.order($0) }
    let sorted = order.map { keys[Int($0)] }
    for start in stride(from: 0, to: sorted.count, by: PointBlock.leafSize) {
      pieces.append(.keys(sorted[start..<min(start + PointBlock.leafSize, sorted.count)]))
    }
    self.pieces = pieces
  }
}

/// One thread's work on a join.
struct JoinWalk {
  private let driver: JoinSide
  private let candidates: JoinCandidates
  private let test: JoinTest
  private let sink: JoinSink
  private let scratch = ScratchBuffers()
  private let oneRow = OneRow()
  private var found: [Int32] = []
  private var selection: Selection

  init(_ driver: JoinSide, candidates: JoinCandidates, test: JoinTest, sink: JoinSink) {
    self.driver = driver
    self.candidates = candidates
    self.test = test
    self.sink = sink
    selection = Selection(scratch.borrowBitmap())
    selection.upper = ChunkShape.words
    selection.clear()
  }

  /// Finds the partners of a piece's rows.
  mutating func run(_ piece: JoinPieces.Piece) {
    switch piece {
    case .chunk(let chunk, let run): visit(chunk, of: run)
    case .keys(let keys): visit(keys)
    }
  }

  private mutating func visit(_ keys: ArraySlice<Int>) {
    let envelopes = keys.map { driver.envelope(of: $0) }
    candidates.find(envelopes.reduce(.empty) { $0.union($1) }, into: &found)
    for candidate in found {
      let box = candidates.envelopes[Int(candidate)]
      for (key, envelope) in zip(keys, envelopes) where box.intersects(envelope) {
        guard test.holds(key, candidate: Int(candidate)) else { continue }
        oneRow.select(key) { sink.take(Int(candidate), chunk: RowAddress(key).chunk, rows: $0) }
      }
    }
  }

  private mutating func visit(_ chunk: Int, of run: JoinRun) {
    let chunkLevel = 2
    let nodes = run.nodes
    let level = min(chunkLevel, nodes.height - 1)
    let position = RowAddress.firstKey(ofChunk: chunk) - run.rows.lowerBound
    let node = position >> nodes.span(level)
    let leaves = LeafReader(driver, chunk: chunk)
    candidates.find(nodes.envelope(level, at: node), into: &found)
    for candidate in found {
      mark(level, node: node, of: nodes, firstPosition: position, leaves, candidate: Int(candidate))
      if selection.lower < selection.upper {
        for word in selection.lower..<selection.upper {
          selection.words[word] &=
            driver.rows.word(chunk, at: word) & run.covered.word(chunk, at: word)
        }
        var rows = selection
        if rows.trim() { sink.take(Int(candidate), chunk: chunk, rows: rows) }
      }
      selection.clear()
    }
  }

  /// Selects the rows below a node that are partners of a candidate.
  private mutating func mark(
    _ level: Int, node: Int, of nodes: TreeNodes, firstPosition: Int, _ leaves: LeafReader,
    candidate: Int
  ) {
    let box = candidates.envelopes[candidate]
    let envelope = nodes.envelope(level, at: node)
    guard box.intersects(envelope) else { return }
    switch test.classify(envelope, candidate: candidate) {
    case .disjoint: return
    case .contained:
      let rows = nodes.positions(level, at: node)
      selection.add(rows.lowerBound - firstPosition..<rows.upperBound - firstPosition)
    case .intersecting:
      guard level > 0 else {
        let leaf = node - firstPosition >> 6
        let bits = leaves.select(
          leaf, count: nodes.positions(0, at: node).count, test: test, candidate: candidate,
          box: box)
        if bits != 0 { selection.add(leaf, bits: bits) }
        return
      }
      for child in nodes.children(level, at: node) {
        mark(
          level - 1, node: child, of: nodes, firstPosition: firstPosition, leaves,
          candidate: candidate)
      }
    }
  }
}

/// The rows of a chunk of the driver, in leaves of 64.
private struct LeafReader {
  private enum Content {
    case points(PointBlock)
    case geometries(Chunk, boxes: UnsafePointer<Envelope>)
  }

  private let content: Content

  init(_ driver: JoinSide, chunk: Int) {
    let rows = driver.column.chunk(chunk)
    content =
      driver.boxes.map { .geometries(rows, boxes: $0.chunk(chunk).boxes) } ?? .points(rows.points)
  }

  /// The rows of a leaf that are partners of a candidate.
  func select(
    _ leaf: Int, count: Int, test: JoinTest, candidate: Int, box: Envelope
  ) -> UInt64 {
    switch content {
    case .points(let points): return test.select(points, leaf: leaf, candidate: candidate)
    case .geometries(let rows, let boxes):
      var (hits, open) = (UInt64(0), UInt64(0))
      for index in 0..<count where box.intersects(boxes[leaf << 6 | index]) {
        switch test.classify(boxes[leaf << 6 | index], candidate: candidate) {
        case .disjoint: continue
        case .contained: hits |= 1 << UInt64(index)
        case .intersecting: open |= 1 << UInt64(index)
        }
      }
      if open != 0 { hits |= test.select(rows, leaf: leaf, among: open, candidate: candidate) }
      return hits
    }
  }
}
