/// A band index of polygons: bands of latitude, each divided into stretches of longitude that are
/// inside, outside or unsure.
final class BandIndex<Edge: RegionEdge>: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.

  enum State: UInt32 {
    case outside
    case inside
    case unsure
  }

  /// The start of a stretch.
  struct Stop {
    /// The first longitude in E7 fixed point.
    var longitude: Int32
    /// The state in the low two bits, and above it the index of the first of its entries.
    private let word: UInt32

    init(_ longitude: Int32, state: State, entry: Int) {
      assert(entry >= 0 && entry < 1 << 30, "the index of an entry has 30 bits")
      self.longitude = longitude
      word = state.rawValue | UInt32(truncatingIfNeeded: entry) << 2
    }

    var state: UInt32 { word & 3 }
    var entry: Int { Int(word >> 2) }
  }

  /// An edge of an unsure stretch.
  struct Entry {
    /// The index of the edge.
    var edge: UInt32
    /// Whether it is the first edge of its polygon in the stretch.
    var isFirstOfPolygon: Bool
    /// Whether the polygon contains the western end of the stretch.
    var isInside: Bool
  }

  /// The rotation: the E7 fixed point value added to every longitude to keep the polygons away from
  /// ±180.
  let rotation: Int32
  let south: Int32
  let shift: Int32
  let bandCount: Int
  let bounds: Envelope
  // The memory is valid while the index exists.
  let edges: UnsafeMutablePointer<Edge>
  let polygons: [UInt32]
  let starts: UnsafeMutablePointer<UInt32>
  let stops: UnsafeMutablePointer<Stop>
  /// The longitudes of the stops of each band after its first, eight a band in two vectors, so that a
  /// few comparisons find a stretch without a branch.
  private let heads: UnsafeMutablePointer<SIMD4<Int32>>
  let entries: UnsafeMutablePointer<Entry>
  /// Decides for a polygon and a point that lies on an edge, or too close to tell.
  let fallback: @Sendable (Int, Double, Double) -> Bool

  /// Builds the index; `polygons` contains the polygon number of each edge.
  init(
    _ source: [Edge], polygons: [UInt32], rotation: Int32 = 0,
    fallback: @escaping @Sendable (Int, Double, Double) -> Bool
  ) {
    assert(source.count == polygons.count, "each edge belongs to a polygon")
    var builder = BandIndexBuilder(source, polygons: polygons)
    builder.build()
    self.rotation = rotation
    self.fallback = fallback
    self.polygons = polygons
    bounds = rotation == 0 ? builder.bounds : builder.bounds.allRound
    south = builder.south
    shift = builder.shift
    bandCount = builder.bandCount
    edges = Self.copy(source)
    starts = Self.copy(builder.starts)
    stops = Self.copy(builder.stops)
    entries = Self.copy(builder.entries)
    heads = Self.heads(builder.stops, starts: builder.starts)
  }

  /// The vectors of `heads`. Valid until the index deallocates them.
  private static func heads(
    _ stops: [Stop], starts: [UInt32]
  ) -> UnsafeMutablePointer<SIMD4<Int32>> {
    var heads: [SIMD4<Int32>] = []
    heads.reserveCapacity(2 * starts.count)
    for (start, end) in zip(starts, starts.dropFirst()) {
      for first in [Int(start) + 1, Int(start) + 5] {
        var vector = SIMD4<Int32>(repeating: .max)
        for index in first..<max(first, min(first + 4, Int(end))) {
          vector[index - first] = stops[index].longitude
        }
        heads.append(vector)
      }
    }
    return copy(heads)
  }

  /// A copy of values. Valid until the index deallocates it.
  private static func copy<T>(_ values: [T]) -> UnsafeMutablePointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
    values.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      memory.initialize(from: base, count: source.count)
    }
    return memory
  }

  deinit {
    edges.deallocate()
    starts.deallocate()
    stops.deallocate()
    entries.deallocate()
    heads.deallocate()
  }
}

extension Envelope {
  /// A rectangle of the same latitudes that spans all longitudes.
  fileprivate var allRound: Envelope {
    isEmpty ? self : Envelope(lanes: SIMD4(-E7.halfTurn, lanes.y, -E7.halfTurn, lanes.w))
  }
}

extension BandIndex {
  /// The relation of the polygons to a rectangle.
  func classify(_ envelope: Envelope) -> Containment {
    guard bandCount > 0 else { return .disjoint }
    guard rotation != 0 else { return classify(-envelope.lanes.w, lanes: envelope.lanes) }
    return classifyRotated(envelope)
  }

  /// Classifies a rectangle whose longitudes may split into two ranges when rotated.
  private func classifyRotated(_ envelope: Envelope) -> Containment {
    let (half, full) = (Int64(E7.halfTurn), 2 * Int64(E7.halfTurn))
    let west = Int64(envelope.lanes.x) + Int64(rotation)
    let east = Int64(-envelope.lanes.z) + Int64(rotation)
    func part(_ west: Int64, east: Int64) -> Containment {
      var lanes = envelope.lanes
      lanes.x = Int32(west)
      lanes.z = Int32(-east)
      return classify(-lanes.w, lanes: lanes)
    }
    if west >= half { return part(west - full, east: east - full) }
    if east < -half { return part(west + full, east: east + full) }
    if west < -half {
      return Self.both(part(west + full, east: half), other: part(-half, east: east))
    }
    if east >= half {
      return Self.both(part(west, east: half), other: part(-half, east: east - full))
    }
    return part(west, east: east)
  }

  private static func both(_ one: Containment, other: Containment) -> Containment {
    one == other ? one : .intersecting
  }

  private func classify(_ high: Int32, lanes: SIMD4<Int32>) -> Containment {
    let top = Int(high) - Int(south)
    let bottom = Int(lanes.y) - Int(south)
    let first = max(0, bottom >> Int(shift))
    let last = min(bandCount - 1, top >> Int(shift))
    guard first <= last else { return .disjoint }
    let state = state(first, west: lanes.x, east: -lanes.z)
    if state == State.unsure.rawValue { return .intersecting }
    for band in first..<last + 1 where self.state(band, west: lanes.x, east: -lanes.z) != state {
      return .intersecting
    }
    if state == State.outside.rawValue { return .disjoint }
    return bottom >= 0 && top >> Int(shift) < bandCount ? .contained : .intersecting
  }

  /// The state all over a range of longitudes of a band; unsure if there is more than one state.
  @inline(__always)
  private func state(_ band: Int, west: Int32, east: Int32) -> UInt32 {
    let stop = stop(band, longitude: west)
    return stop[1].longitude <= east ? State.unsure.rawValue : stop.pointee.state
  }

  /// The stretch of a band that contains a longitude, followed by the next one. Valid while the
  /// index exists.
  @inline(__always)
  func stop(_ band: Int, longitude: Int32) -> UnsafePointer<Stop> {
    assert(band >= 0 && band < bandCount, "the band does not exist")
    assert(longitude < .max, "the last stop of a band ends the search")
    let first = UnsafePointer(stops + Int(starts[band]))
    if starts[band + 1] &- starts[band] <= 10 { return first + index(inHeads: band, longitude) }
    var low = first + searchStart(band, longitude: longitude)
    while low[1].longitude <= longitude { low += 1 }
    return low
  }

  /// The index of the stretch that contains a longitude, in a band of at most nine stretches.
  @inline(__always)
  private func index(inHeads band: Int, _ longitude: Int32) -> Int {
    assert(starts[band + 1] - starts[band] <= 10, "the heads hold nine stretches")
    let point = SIMD4<Int32>(repeating: longitude)
    let one = SIMD4<Int32>(repeating: 1)
    let low = SIMD4<Int32>.zero.replacing(with: one, where: heads[2 &* band] .<= point)
    let high = SIMD4<Int32>.zero.replacing(with: one, where: heads[2 &* band &+ 1] .<= point)
    return Int((low &+ high).wrappedSum())
  }

  /// An index in the long list of stops of a band, close before the stop that is searched.
  func searchStart(_ band: Int, longitude: Int32) -> Int {
    let base = stops + Int(starts[band])
    var low = 0
    var high = Int(starts[band + 1] - starts[band]) - 1
    while high - low > 4 {
      let middle = (low + high) / 2
      if base[middle].longitude <= longitude { low = middle } else { high = middle }
    }
    return low
  }
}

extension BandIndex {
  /// Whether a location in degrees is in a polygon or on its boundary.
  func contains(_ longitude: Double, latitude: Double) -> Bool {
    contains(longitude, y: latitude, xE7: E7.near(longitude), yE7: E7.near(latitude))
  }

  /// A bitmap of those among up to 64 locations in E7 fixed point that are in a polygon.
  func select(_ xs: UnsafePointer<Int32>, ys: UnsafePointer<Int32>, count: Int) -> UInt64 {
    let (inside, open) = sort(xs, ys: ys, count: count)
    return inside
      | gather(open) {
        contains(E7.degrees(xs[$0]), y: E7.degrees(ys[$0]), xE7: xs[$0], yE7: ys[$0])
      }
  }

  /// The locations that lie in a stretch inside, and those in an unsure one.
  private func sort(
    _ xs: UnsafePointer<Int32>, ys: UnsafePointer<Int32>, count: Int
  ) -> (inside: UInt64, open: UInt64) {
    assert(count >= 0 && count <= 64, "a word holds 64 results")
    let (south, shift, top) = (Int(south), Int(shift), UInt(bitPattern: bandCount))
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<count {
      let band = (Int(ys[index]) &- south) >> shift
      guard UInt(bitPattern: band) < top else { continue }
      let state = UInt64(stop(band, longitude: rotated(xs[index])).pointee.state)
      words.0 |= (state & 1) &<< UInt64(truncatingIfNeeded: index)
      words.1 |= (state &>> 1) &<< UInt64(truncatingIfNeeded: index)
    }
    return words
  }

  /// Whether a location, whose coordinates in E7 fixed point are known, is in a polygon.
  @inline(__always)
  func contains(_ x: Double, y: Double, xE7: Int32, yE7: Int32) -> Bool {
    let band = (Int(yE7) - Int(south)) >> Int(shift)
    guard band >= 0, band < bandCount else { return false }
    let stop = stop(band, longitude: rotated(xE7))
    if stop.pointee.state != State.unsure.rawValue {
      return stop.pointee.state == State.inside.rawValue
    }
    return decide(stop.pointee.entry..<stop[1].entry, x: x, y: y)
  }

  @inline(__always)
  private func rotated(_ longitude: Int32) -> Int32 {
    guard rotation != 0 else { return longitude }
    let sum = Int64(longitude) + Int64(rotation)
    let (half, full) = (Int64(E7.halfTurn), 2 * Int64(E7.halfTurn))
    return Int32(sum >= half ? sum - full : sum < -half ? sum + full : sum)
  }

  /// The exact test among the edges of an unsure stretch. A rough probe settles all but the
  /// locations next to an edge.
  private func decide(_ range: Range<Int>, x: Double, y: Double) -> Bool {
    let longitude = rotation == 0 ? x : wrapped(x + E7.degrees(rotation))
    if let rough = Edge.roughProbe(longitude, latitude: y),
      let isInside = decide(range, point: rough, ifNear: { _ in nil })
    {
      return isInside
    }
    let isInside = decide(range, point: Edge.probe(longitude, latitude: y)) { entry in
      fallback(Int(polygons[Int(entry.edge)]), x, y)
    }
    return isInside ?? true
  }

  /// The number of entries, which the last stop of the last band ends with.
  private var entryCount: Int { stops[Int(starts[bandCount]) - 1].entry }

  /// - Parameter ifNear: decides for the polygon of an edge that the point is too close to.
  ///   Returning nil gives up.
  @inline(__always)
  private func decide(
    _ range: Range<Int>, point: Edge.Probe, ifNear: (Entry) -> Bool?
  ) -> Bool? {
    assert(range.lowerBound >= 0 && range.upperBound <= entryCount, "an entry does not exist")
    var isInside = false
    var isSettled = false
    for index in range {
      let entry = entries[index]
      if entry.isFirstOfPolygon {
        if isInside { return true }
        isInside = entry.isInside
        isSettled = false
      }
      if isSettled { continue }
      assert(Int(entry.edge) < polygons.count, "an edge does not exist")
      switch edges[Int(entry.edge)].side(of: point) {
      case .west: isInside.toggle()
      case .near:
        guard let decided = ifNear(entry) else { return nil }
        isInside = decided
        isSettled = true
      case .east, .apart: break
      }
    }
    return isInside
  }
}
