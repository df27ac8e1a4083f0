/// Polygons in bands of latitude, each cut where its stretches of inside, outside and unsure change.
final class EdgeCover<Edge: RegionEdge>: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.

  enum State: UInt32 {
    case outside
    case inside
    case unsure
  }

  /// Where a stretch begins.
  struct Stop {
    /// The first step of longitude.
    var longitude: Int32
    /// The state in the low two bits, above it the first of its entries.
    private let word: UInt32

    init(_ longitude: Int32, _ state: State, _ entry: Int) {
      self.longitude = longitude
      word = state.rawValue | UInt32(truncatingIfNeeded: entry) << 2
    }

    var state: UInt32 { word & 3 }
    var entry: Int { Int(word >> 2) }
  }

  /// An edge of an unsure stretch.
  struct Entry {
    var edge: UInt32
    /// The first edge of its polygon in the stretch.
    var opensPolygon: Bool
    /// Whether the polygon holds the western end of the stretch.
    var isInside: Bool
  }

  /// Added to a longitude to bring the polygons away from the ends, in steps.
  let turn: Int32
  let south: Int32
  let shift: Int32
  let bandCount: Int
  let bounds: Envelope
  let edges: UnsafeMutablePointer<Edge>
  let polygons: [UInt32]
  let starts: UnsafeMutablePointer<UInt32>
  let stops: UnsafeMutablePointer<Stop>
  let entries: UnsafeMutablePointer<Entry>
  /// Decides for a polygon and a point that lies on an edge, or too close to tell.
  let judge: @Sendable (Int, Double, Double) -> Bool

  /// `polygons` names each edge's polygon.
  init(
    _ source: [Edge], polygons: [UInt32], turn: Int32 = 0,
    judge: @escaping @Sendable (Int, Double, Double) -> Bool
  ) {
    var builder = EdgeCoverBuilder(source, polygons: polygons)
    builder.build()
    self.turn = turn
    self.judge = judge
    self.polygons = polygons
    bounds = turn == 0 ? builder.bounds : builder.bounds.allRound
    south = builder.south
    shift = builder.shift
    bandCount = builder.bandCount
    edges = Self.copy(source)
    starts = Self.copy(builder.starts)
    stops = Self.copy(builder.stops)
    entries = Self.copy(builder.entries)
  }

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
  }
}

extension Envelope {
  /// The same parallels at every longitude.
  fileprivate var allRound: Envelope {
    isEmpty ? self : Envelope(lanes: SIMD4(-Step.halfTurn, lanes.y, -Step.halfTurn, lanes.w))
  }
}
