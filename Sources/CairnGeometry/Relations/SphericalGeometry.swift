/// The directions of a geometry's vertices, in chains, for questions with geodesic edges.
///
/// It does not own its memory. Equal neighbours in a chain are kept once. A chain of one vertex is a
/// point.
struct SphericalGeometry {
  /// A point, a line or a ring.
  struct Chain {
    /// The vertices; a ring repeats its first one.
    var vertices: Range<Int>
    /// The index of the polygon that the ring belongs to; -1 for points and lines.
    var polygon: Int
  }

  /// A polygon: rings whose vertices follow one another.
  struct Polygon {
    var chains: Range<Int>
    var vertices: Range<Int>
    var frame: PolygonFrame
  }

  /// The role of a vertex in its chain.
  enum Role: UInt8 {
    /// An arc leads from the vertex to the next one.
    case start
    /// The vertex is the last one of a chain.
    case end
    /// The vertex is a chain of its own.
    case point
  }

  private(set) var count = 0
  private(set) var chainCount = 0
  private(set) var polygonCount = 0
  /// Whether one of the parts is a line.
  private(set) var hasLines = false
  /// Whether one of the parts is a point.
  private(set) var hasPoints = false
  // The memory is valid as long as the one that the geometry was read into.
  let vectors: UnsafeMutablePointer<Vector>
  let roles: UnsafeMutablePointer<Role>
  let chains: UnsafeMutablePointer<Chain>
  let polygons: UnsafeMutablePointer<Polygon>
  /// The number of vertices that the memory can hold.
  private let capacity: Int
  /// Whether the memory was too small.
  private var isFull = false

  private init(_ memory: UnsafeMutableRawPointer, view: GeometryView, capacity: Int) {
    assert(
      Int(bitPattern: memory) % MemoryLayout<Polygon>.alignment == 0, "the memory is not aligned")
    self.capacity = capacity
    let words = view.structureCount
    vectors = memory.bindMemory(to: Vector.self, capacity: capacity)
    let afterVectors = memory + capacity * MemoryLayout<Vector>.stride
    chains = afterVectors.bindMemory(to: Chain.self, capacity: words)
    let afterChains = afterVectors + words * MemoryLayout<Chain>.stride
    polygons = afterChains.bindMemory(to: Polygon.self, capacity: words / 3 + 1)
    let afterPolygons = afterChains + (words / 3 + 1) * MemoryLayout<Polygon>.stride
    roles = afterPolygons.bindMemory(to: Role.self, capacity: capacity)
  }

  /// The bytes that a geometry needs.
  private static func size(_ view: GeometryView, capacity: Int) -> Int {
    let words = view.structureCount
    return capacity * (MemoryLayout<Vector>.stride + 1) + words * MemoryLayout<Chain>.stride
      + (words / 3 + 1) * MemoryLayout<Polygon>.stride
  }

  /// Calls `body` with the directions of a geometry, in temporary memory.
  static func with<Result>(
    _ view: GeometryView, _ body: (SphericalGeometry) -> Result
  ) -> Result {
    let capacity = view.vertexCount
    let result = with(view, capacity: capacity, body)
    // Only arcs between opposite points need more vertices than the geometry has.
    if let result { return result }
    return withUnsafeTemporaryAllocation(
      byteCount: size(view, capacity: 2 * capacity), alignment: 16
    ) { memory in
      body(read(view, parts: view.parts, memory: memory, capacity: 2 * capacity))
    }
  }

  private static func with<Result>(
    _ view: GeometryView, capacity: Int, _ body: (SphericalGeometry) -> Result
  ) -> Result? {
    withUnsafeTemporaryAllocation(byteCount: size(view, capacity: capacity), alignment: 16) {
      memory in
      let geometry = read(view, parts: view.parts, memory: memory, capacity: capacity)
      return geometry.isFull ? nil : body(geometry)
    }
  }

  /// The directions of a geometry in memory that the caller owns, both valid until the caller
  /// deallocates it. Parts that are near one another follow one another.
  static func allocate(
    _ view: GeometryView
  ) -> (geometry: SphericalGeometry, memory: UnsafeMutableRawBufferPointer) {
    let parts = orderedParts(view)
    let capacity = view.vertexCount * 2
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size(view, capacity: capacity), alignment: 16)
    return (read(view, parts: parts, memory: memory, capacity: capacity), memory)
  }

  private static func read(
    _ view: GeometryView, parts: some Sequence<GeometryView.Part>,
    memory: UnsafeMutableRawBufferPointer, capacity: Int
  ) -> SphericalGeometry {
    guard let base = memory.baseAddress else {
      preconditionFailure("temporary memory has no address")
    }
    assert(memory.count >= size(view, capacity: capacity), "the memory is too small")
    var geometry = SphericalGeometry(base, view: view, capacity: capacity)
    for part in parts { geometry.append(part, of: view) }
    return geometry
  }

  /// The parts in the order of a curve through space, if they are many.
  private static func orderedParts(_ view: GeometryView) -> [GeometryView.Part] {
    var keyed: [(key: UInt64, part: GeometryView.Part)] = []
    for part in view.parts {
      keyed.append((mortonKey(Vector(view, index: part.firstVertex)), part))
    }
    if keyed.count > 8 { keyed.sort { $0.key < $1.key } }
    return keyed.map(\.part)
  }

  /// The position of a direction on a curve in Morton order.
  private static func mortonKey(_ vector: Vector) -> UInt64 {
    func spread(_ value: Double) -> UInt64 {
      var bits = UInt64(max(0, min(2_097_151, (value + 1) * 1_048_576)))
      bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF
      bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF
      bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F
      bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3
      return (bits | bits << 2) & 0x1249_2492_4924_9249
    }
    return spread(vector.x) | spread(vector.y) << 1 | spread(vector.z) << 2
  }
}

extension SphericalGeometry {
  /// Whether the geometry has a polygon.
  var hasPolygons: Bool { polygonCount > 0 }

  /// The arc that starts at a vertex; a point where the vertex is one.
  @inline(__always)
  func arc(_ index: Int) -> Arc {
    assert(
      index >= 0 && index < count && (roles[index] != .start || index + 1 < count),
      "an arc is outside of the geometry")
    return Arc(vectors[index], end: roles[index] == .start ? vectors[index + 1] : vectors[index])
  }

  /// The index of the chain of a vertex.
  func chain(ofVertex index: Int) -> Int {
    assert(index >= 0 && index < count, "a vertex is outside of the geometry")
    var (low, high) = (0, chainCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if chains[middle].vertices.lowerBound <= index { low = middle } else { high = middle }
    }
    return low
  }

  private mutating func append(_ part: GeometryView.Part, of view: GeometryView) {
    switch part {
    case .point(let index):
      hasPoints = true
      appendChain(index..<index + 1, of: view, polygon: -1)
    case .line(let range):
      hasLines = true
      appendChain(range, of: view, polygon: -1)
    case .polygon(let rings):
      let (firstChain, firstVertex) = (chainCount, count)
      for ring in rings where !ring.isEmpty { appendChain(ring, of: view, polygon: polygonCount) }
      guard !isFull else { return }
      let vertices = firstVertex..<count
      let frame = PolygonFrame(self, chains: firstChain..<chainCount, vertices: vertices)
      assert(
        polygonCount < view.structureCount / 3 + 1, "a polygon is outside of the memory")
      (polygons + polygonCount).initialize(
        to: Polygon(chains: firstChain..<chainCount, vertices: vertices, frame: frame))
      polygonCount += 1
    }
  }

  private mutating func appendChain(_ range: Range<Int>, of view: GeometryView, polygon: Int) {
    assert(
      range.lowerBound >= 0 && range.upperBound <= view.vertexCount && view.holdsCoordinates,
      "a vertex is outside of the geometry")
    let first = count
    let (longitudes, latitudes) = (view.longitudes, view.latitudes)
    let isFixed = view.isFixed
    for index in range {
      let vector = Vector(
        roughLongitude: GeometryView.coordinate(longitudes, index: index, isFixed: isFixed),
        latitude: GeometryView.coordinate(latitudes, index: index, isFixed: isFixed))
      if count > first {
        let last = vectors[count - 1]
        if vector == last { continue }
        if (vector + last).dot(vector + last) < 1e-29 {
          let longitude = GeometryView.coordinate(longitudes, index: index - 1, isFixed: isFixed)
          append(Self.middle(from: last, longitude: longitude))
        }
      }
      append(vector)
    }
    guard !isFull else { return }
    assert(count > first, "a chain has a vertex")
    assert(chainCount < view.structureCount, "a chain is outside of the memory")
    roles[count - 1] = count - first == 1 ? .point : .end
    (chains + chainCount).initialize(to: Chain(vertices: first..<count, polygon: polygon))
    chainCount += 1
  }

  /// A position on the path from a direction to the opposite one: it goes over the north pole, but
  /// from pole to pole along the meridian of its start.
  private static func middle(from start: Vector, longitude: Double) -> Vector {
    let pole = Vector(x: 0, y: 0, z: 1)
    let isAtPole = start.isAt(pole) || start.isAt(pole * -1)
    return isAtPole ? Vector(roughLongitude: longitude, latitude: 0) : pole
  }

  @inline(__always)
  private mutating func append(_ vector: Vector) {
    guard count < capacity else {
      isFull = true
      return
    }
    vectors[count] = vector
    roles[count] = .start
    count += 1
  }
}

extension GeometryView.Part {
  /// The index of the first vertex.
  var firstVertex: Int {
    switch self {
    case .point(let index): return index
    case .line(let range): return range.lowerBound
    case .polygon(let rings):
      var rings = rings
      return rings.next()?.lowerBound ?? 0
    }
  }
}

extension GeometryView {
  /// A coordinate in degrees, of an array whose form is known.
  @inline(__always)
  static func coordinate(_ axis: UnsafeRawPointer, index: Int, isFixed: Bool) -> Double {
    isFixed
      ? E7.degrees(axis.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
      : axis.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
  }
}

extension Vector {
  /// The direction of a vertex.
  init(_ view: GeometryView, index: Int) {
    self.init(roughLongitude: view.longitude(index), latitude: view.latitude(index))
  }
}
