/// The side of a geometry that is compared many times: it owns its memory, and has a tree and an
/// index of its area.
final class PlanarShape: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.
  let side: PlanarSide
  private let memory: UnsafeMutableRawBufferPointer
  private let bands: BandIndex<PlanarEdge>?

  /// The most vertices that are searched without a tree.
  private static var treeThreshold: Int { 16 }

  init(_ geometry: Geometry) {
    let (memory, read) = geometry.withView { view in
      let layout = PlanarLayout(view, treeThreshold: Self.treeThreshold)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.size, alignment: 32)
      return (memory, PlanarSide(view, layout: layout, memory: memory))
    }
    self.memory = memory
    bands = read.hasRings ? read.makeBands() : nil
    var side = read
    side.bands = bands.map { .passUnretained($0) }
    self.side = side
  }

  deinit { memory.deallocate() }
}

extension PlanarSide {
  /// The most vertices, of a side or of what it is compared with, for which an index of the area does
  /// not pay in a single comparison.
  static var bandThreshold: Int { 512 }

  /// A new index of the area of a large side that has none; nil for other sides.
  var missingBands: BandIndex<PlanarEdge>? {
    bands == nil && hasRings && vertexCount > Self.bandThreshold ? makeBands() : nil
  }

  /// Calls `body` with the side, which has an index of its area where that pays for a comparison
  /// with a number of vertices.
  @inline(__always)
  func withBands<Result>(for count: Int, _ body: (PlanarSide) -> Result) -> Result {
    guard count > Self.bandThreshold, let bands = missingBands else { return body(self) }
    return withExtendedLifetime(bands) {
      var side = self
      side.bands = .passUnretained(bands)
      return body(side)
    }
  }

  /// A new index of the area.
  func makeBands() -> BandIndex<PlanarEdge> {
    var edges: [PlanarEdge] = []
    var polygons: [UInt32] = []
    edges.reserveCapacity(vertexCount)
    polygons.reserveCapacity(vertexCount)
    var polygon: UInt32 = 0
    for index in 0..<chainCount where chains[index].isRing {
      if chains[index].isOuter { polygon += 1 }
      for vertex in chains[index].vertices.dropLast() {
        let (a, b) = (point(Int(vertex)), point(Int(vertex) + 1))
        guard a != b else { continue }
        edges.append(PlanarEdge(a, other: b))
        polygons.append(polygon - 1)
      }
    }
    return BandIndex(planar: edges, polygons: polygons)
  }
}
