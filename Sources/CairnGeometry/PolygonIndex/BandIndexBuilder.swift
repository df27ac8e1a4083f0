/// Divides edges into bands, and sorts the pieces in each.
struct BandIndexBuilder<Edge: RegionEdge> {
  typealias Index = BandIndex<Edge>

  /// The part of an edge in one band, in E7 fixed point longitudes.
  private struct Piece {
    var west: Int32
    var east: Int32
    var edge: UInt32
    /// Whether the piece crosses the middle of the band.
    var crosses: Bool
  }

  /// The units of 1e-7 degree by which a piece is widened each way: far above any rounding, far
  /// below any use.
  private static var padding: Int32 { 3 }

  private let edges: [Edge]
  private let polygons: [UInt32]
  private(set) var south: Int32 = 0
  private(set) var shift: Int32 = 0
  private(set) var bandCount = 0
  private(set) var bounds = Envelope.empty
  private(set) var starts: [UInt32] = [0]
  private(set) var stops: [Index.Stop] = []
  private(set) var entries: [Index.Entry] = []

  private var pieces: [Piece] = []
  private var isOdd: [Bool]
  private var oddCount = 0

  init(_ edges: [Edge], polygons: [UInt32]) {
    self.edges = edges
    self.polygons = polygons
    isOdd = Array(repeating: false, count: Int(polygons.max() ?? 0) + 1)
  }

  mutating func build() {
    guard let north = measure() else { return }
    let target = bandTarget(height: E7.degrees(north) - E7.degrees(south))
    while (north - south) >> shift >= target { shift += 1 }
    bandCount = Int((north - south) >> shift) + 1
    stops.reserveCapacity(bandCount * 6)
    let (firsts, order) = sortedIntoBands()
    for band in 0..<bandCount {
      pieces.removeAll(keepingCapacity: true)
      let (low, middle, high) = latitudes(of: band)
      for slot in firsts[band]..<firsts[band + 1] {
        append(order[slot], low: low, middle: middle, high: high)
      }
      sortPieces()
      closeBand()
    }
  }

  /// The number of bands: about one for four edges, but few enough that long edges are not cut into
  /// more than a handful of pieces each, on average.
  private func bandTarget(height: Double) -> Int32 {
    let rise = edges.reduce(0) { $0 + min(180, $1.north - $1.south) }
    let budget = 8 * Double(edges.count + 4096) * height / max(rise, 1e-9)
    return Int32(max(96, min(Double(1 << 16), Double(edges.count / 4), budget)))
  }

  /// Sets `south` and returns the northernmost latitude in E7 fixed point, or nil without edges.
  private mutating func measure() -> Int32? {
    guard let low = edges.map(\.south).min(), let high = edges.map(\.north).max() else {
      return nil
    }
    south = max(-E7.quarterTurn, E7.below(max(-90, low)) - Self.padding)
    return min(E7.quarterTurn, E7.above(min(90, high)) + Self.padding)
  }

  /// The latitudes of a band in degrees: its edges widened by the tolerance, and its middle.
  private func latitudes(of band: Int) -> (low: Double, middle: Double, high: Double) {
    let low = Int64(south) + Int64(band) << Int64(shift)
    let high = low + 1 << Int64(shift)
    let scale = 1 / E7.perDegree
    return (
      Double(low - Int64(Self.padding)) * scale, Double(low + high) / 2 * scale,
      Double(high + Int64(Self.padding)) * scale
    )
  }

  private func bands(of edge: Edge) -> ClosedRange<Int> {
    func band(_ degrees: Double, padding: Int32) -> Int {
      let step = Int64((max(-90, min(90, degrees)) * E7.perDegree).rounded(.down))
      return max(0, min(bandCount - 1, Int((step + Int64(padding) - Int64(south)) >> Int64(shift))))
    }
    return band(edge.south, padding: -Self.padding)...band(edge.north, padding: Self.padding)
  }

  /// The edges of every band: `order[firsts[b]..<firsts[b + 1]]` are those of band b.
  private func sortedIntoBands() -> (firsts: [Int], order: [UInt32]) {
    var firsts = Array(repeating: 0, count: bandCount + 2)
    for edge in edges {
      for band in bands(of: edge) { firsts[band + 2] += 1 }
    }
    for band in 0..<bandCount { firsts[band + 2] += firsts[band + 1] }
    var order = Array(repeating: UInt32(0), count: firsts[bandCount + 1])
    for (index, edge) in edges.enumerated() {
      for band in bands(of: edge) {
        order[firsts[band + 1]] = UInt32(index)
        firsts[band + 1] += 1
      }
    }
    return (firsts, order)
  }

  private mutating func append(_ index: UInt32, low: Double, middle: Double, high: Double) {
    let edge = edges[Int(index)]
    let (west, east) = edge.span(south: low, north: high)
    let first = Int32((west * E7.perDegree).rounded(.down)) - Self.padding
    let last = Int32((east * E7.perDegree).rounded(.up)) + Self.padding
    bounds = bounds.union(
      Envelope(
        lanes: SIMD4(
          first, Self.step(max(low, edge.south)), -last, -Self.step(min(high, edge.north)) - 1)))
    pieces.append(
      Piece(
        west: first, east: last, edge: index,
        crosses: edge.south <= middle && middle < edge.north))
  }

  private static func step(_ degrees: Double) -> Int32 {
    Int32((max(-90, min(90, degrees)) * E7.perDegree).rounded(.down))
  }

  // MARK: One band

  /// Sorts the pieces from west to east; by insertion, because a band has a handful of them.
  private mutating func sortPieces() {
    guard pieces.count <= 40 else { return pieces.sort { $0.west < $1.west } }
    pieces.withUnsafeMutableBufferPointer { pieces in
      for index in pieces.indices.dropFirst() {
        let piece = pieces[index]
        var slot = index
        while slot > 0, pieces[slot - 1].west > piece.west {
          pieces[slot] = pieces[slot - 1]
          slot -= 1
        }
        pieces[slot] = piece
      }
    }
  }

  private mutating func closeBand() {
    stops.append(Index.Stop(.min, state: .outside, entry: entries.count))
    var state = Index.State.outside
    var next = 0
    while next < pieces.count {
      let first = next
      var last = pieces[next].east
      while next < pieces.count, pieces[next].west <= last {
        last = max(last, pieces[next].east)
        next += 1
      }
      state = closeStretch(first..<next, to: last, after: state)
    }
    stops.append(Index.Stop(.max, state: .outside, entry: entries.count))
    starts.append(UInt32(stops.count))
    guard oddCount > 0 else { return }
    for index in isOdd.indices where isOdd[index] { isOdd[index] = false }
    oddCount = 0
  }

  /// Appends a stretch of overlapping pieces and the clear one after it, whose state it returns.
  private mutating func closeStretch(
    _ range: Range<Int>, to last: Int32, after state: Index.State
  ) -> Index.State {
    let isSure = isOdd.count > 1 && isContainedInOthers(range)
    if !isSure {
      stops.append(Index.Stop(pieces[range.lowerBound].west, state: .unsure, entry: entries.count))
      appendEntries(range)
    }
    for piece in pieces[range] where piece.crosses { toggle(Int(polygons[Int(piece.edge)])) }
    let behind: Index.State = oddCount > 0 ? .inside : .outside
    if !isSure || behind != state {
      stops.append(Index.Stop(last + 1, state: behind, entry: entries.count))
    }
    return behind
  }

  private mutating func toggle(_ polygon: Int) {
    isOdd[polygon].toggle()
    oddCount += isOdd[polygon] ? 1 : -1
  }

  /// Whether a polygon contains the whole stretch, because it has no edge in it.
  private func isContainedInOthers(_ range: Range<Int>) -> Bool {
    guard oddCount > 0 else { return false }
    // A stretch has a handful of pieces.
    var odd = 0
    for index in range {
      let polygon = polygons[Int(pieces[index].edge)]
      guard isOdd[Int(polygon)] else { continue }
      let isFirst = (range.lowerBound..<index).allSatisfy {
        polygons[Int(pieces[$0].edge)] != polygon
      }
      if isFirst { odd += 1 }
    }
    return oddCount > odd
  }

  private mutating func appendEntries(_ range: Range<Int>) {
    if isOdd.count > 1, range.count > 1 {
      pieces.withUnsafeMutableBufferPointer { [polygons] pieces in
        var stretch = UnsafeMutableBufferPointer(rebasing: pieces[range])
        stretch.sort { polygons[Int($0.edge)] < polygons[Int($1.edge)] }
      }
    }
    var current: UInt32?
    for piece in pieces[range] {
      let polygon = polygons[Int(piece.edge)]
      entries.append(
        Index.Entry(
          edge: piece.edge, isFirstOfPolygon: polygon != current, isInside: isOdd[Int(polygon)]))
      current = polygon
    }
  }
}
