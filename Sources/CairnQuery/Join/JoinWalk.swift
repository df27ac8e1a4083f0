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
    for start in stride(from: 0, to: keys.count, by: TreeNodes.leafSize) {
      pieces.append(.keys(keys[start..<min(start + TreeNodes.leafSize, keys.count)]))
    }
    self.pieces = pieces
  }
}

/// One thread's work on a join.
struct JoinWalk {
  private let driver: JoinSide
  private let candidates: JoinCandidates
  private let test: JoinTest
  private let isOnce: Bool
  private let sink: any JoinSink
  private let scratch = ScratchBuffers()
  private let oneRow = OneRow()
  private let gathered = GatheredPoints()
  private let nodes = ChunkNodes()
  private let readings = JoinReadings()
  private var found: [Int32] = []
  private var selection: Selection

  /// - Parameter isOnce: Whether rows have only partners with greater keys.
  init(
    _ driver: JoinSide, candidates: JoinCandidates, test: JoinTest, isOnce: Bool, sink: any JoinSink
  ) {
    self.driver = driver
    self.candidates = candidates
    self.test = test
    self.isOnce = isOnce
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
    let envelope = envelopes.reduce(Envelope.empty) { $0.union($1) }
    candidates.find(envelope, into: &found)
    guard driver.holdsPoints else { return compare(keys, envelopes: envelopes) }
    let points = gathered.block(count: keys.count) { place in
      let address = RowAddress(driver.target(of: keys[keys.startIndex + place]))
      return (driver.column.chunk(address.chunk).points, address.row)
    }
    for candidate in found {
      switch test.classify(envelope, candidate: Int(candidate)) {
      case .disjoint: continue
      case .contained: take(keys, rows: .max, candidate: Int(candidate))
      case .intersecting:
        let rows = test.select(points, leaf: 0, candidate: Int(candidate))
        take(keys, rows: rows, candidate: Int(candidate))
      }
    }
  }

  /// The end of the keys whose rows may be partners of a candidate.
  private func end(_ candidate: Int32) -> Int {
    isOnce ? candidates.keys[Int(candidate)] : .max
  }

  /// Tests geometries one by one.
  private func compare(_ keys: ArraySlice<Int>, envelopes: [Envelope]) {
    for candidate in found {
      let (box, end) = (candidates.envelopes[Int(candidate)], end(candidate))
      for (key, envelope) in zip(keys, envelopes) where key < end && box.intersects(envelope) {
        guard test.holds(key, candidate: Int(candidate)) else { continue }
        oneRow.select(key) { sink.take(Int(candidate), chunk: RowAddress(key).chunk, rows: $0) }
      }
    }
  }

  /// Passes on the keys whose bits are set.
  private func take(_ keys: ArraySlice<Int>, rows: UInt64, candidate: Int) {
    let end = end(Int32(candidate))
    for (place, key) in keys.enumerated() where rows >> UInt64(place) & 1 != 0 && key < end {
      oneRow.select(key) { sink.take(candidate, chunk: RowAddress(key).chunk, rows: $0) }
    }
  }

  private mutating func visit(_ chunk: Int, of run: JoinRun) {
    let first = RowAddress.firstKey(ofChunk: chunk) - run.rows.lowerBound
    nodes.read(run.nodes, from: first)
    readings.begin()
    let leaves = LeafReader(driver, chunk: chunk, readings: readings)
    candidates.find(nodes.envelope(ChunkNodes.top, at: 0), into: &found)
    for candidate in found {
      let end = end(candidate) - RowAddress.firstKey(ofChunk: chunk)
      mark(ChunkNodes.top, node: 0, leaves: leaves, candidate: Int(candidate), end: end)
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

  /// Selects the rows below a node, and before `end`, that are partners of a candidate.
  private mutating func mark(
    _ level: Int, node: Int, leaves: LeafReader, candidate: Int, end: Int
  ) {
    let box = candidates.envelopes[candidate]
    let envelope = nodes.envelope(level, at: node)
    let rows = nodes.rows(level, at: node)
    guard rows.lowerBound < end, box.intersects(envelope) else { return }
    switch test.classify(envelope, candidate: candidate) {
    case .disjoint: return
    case .contained: selection.add(rows.lowerBound..<min(rows.upperBound, end))
    case .intersecting:
      guard level > 0 else {
        let count = min(rows.count, end - rows.lowerBound)
        let bits = leaves.select(
          node, count: count, test: test, candidate: candidate, box: box)
        if bits != 0 { selection.add(node, bits: bits) }
        return
      }
      for child in nodes.children(level, at: node) {
        mark(level - 1, node: child, leaves: leaves, candidate: candidate, end: end)
      }
    }
  }
}
