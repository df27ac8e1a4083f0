extension PlanarSide {
  /// The most vertices that are searched without a tree.
  static var treeThreshold: Int { 48 }

  /// Calls `body` with the side of a geometry. Small ones cost no allocation.
  @inline(__always)
  static func read<Result>(
    _ geometry: GeometryView, _ body: (PlanarSide) -> Result
  ) -> Result {
    let layout = PlanarLayout(geometry, treeThreshold: treeThreshold)
    // A temporary allocation of a greater alignment would not be on the stack.
    return withUnsafeTemporaryAllocation(byteCount: layout.size + 16, alignment: 16) { memory in
      let rest = -Int(bitPattern: memory.baseAddress) & (PlanarLayout.alignment - 1)
      let aligned = UnsafeMutableRawBufferPointer(rebasing: memory[rest...])
      return body(PlanarSide(geometry, layout: layout, memory: aligned))
    }
  }

  /// Reads a geometry into memory of the size of a layout.
  init(_ geometry: GeometryView, layout: PlanarLayout, memory: UnsafeMutableRawBufferPointer) {
    assert(memory.count >= layout.size, "the memory is smaller than the layout")
    assert(geometry.holdsCoordinates, "the coordinates are outside of the bytes")
    let count = geometry.vertexCount
    let chains = layout.chains(in: memory)
    let (xs, ys) = (layout.xs(in: memory), layout.ys(in: memory))
    Self.copy(geometry.longitudes, isFixed: geometry.isFixed, count: count, to: xs)
    Self.copy(geometry.latitudes, isFixed: geometry.isFixed, count: count, to: ys)
    var reader = ChainReader(
      layout, chains: chains, labels: layout.labels(in: memory), xs: xs, ys: ys)
    reader.read(geometry)
    self.init(reader, layerCount: reader.assignLayers(), vertexCount: count)
    if layout.hasTree {
      tree = PlanarTree(self, boxes: layout.boxes(in: memory), starts: layout.starts(in: memory))
    }
  }

  /// Creates a side without a tree.
  private init(_ reader: ChainReader, layerCount: Int, vertexCount: Int) {
    xs = UnsafePointer(reader.xs)
    ys = UnsafePointer(reader.ys)
    labels = UnsafePointer(reader.labels)
    chains = UnsafePointer(reader.chains)
    self.vertexCount = vertexCount
    chainCount = reader.chainCount
    self.layerCount = layerCount
    polygonCount = reader.polygonCount
    polygonsAreDisjoint = reader.polygonsAreDisjoint
    hasLines = reader.hasLines
    hasPoints = reader.hasPoints
    bounds = reader.bounds
  }

  @inline(__always)
  private static func copy(
    _ axis: UnsafeRawPointer, isFixed: Bool, count: Int, to values: UnsafeMutablePointer<Double>
  ) {
    guard isFixed else {
      UnsafeMutableRawPointer(values).copyMemory(from: axis, byteCount: count * 8)
      return
    }
    for index in 0..<count {
      values[index] = E7.degrees(axis.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
    }
  }
}

/// The positions of the arrays of a side in one block of memory.
struct PlanarLayout {
  /// The alignment of the memory.
  static var alignment: Int { 32 }

  let vertexCount: Int
  let chainCapacity: Int
  let hasTree: Bool
  let size: Int
  private let boxOffset: Int
  private let xOffset: Int

  /// - Parameter treeThreshold: the most vertices that need no tree.
  init(_ geometry: GeometryView, treeThreshold: Int) {
    vertexCount = geometry.vertexCount
    // Every chain has a word of its own, and a line or point also one for its kind.
    chainCapacity = max(1, geometry.structureCount - 1)
    hasTree = vertexCount > treeThreshold
    boxOffset = chainCapacity * MemoryLayout<PlanarSide.Chain>.stride
    let boxes = hasTree ? PlanarTree.boxCount(vertexCount) : 0
    xOffset = boxOffset + boxes * MemoryLayout<PlanarBox>.stride
    size = xOffset + 20 * vertexCount + 16 + (hasTree ? PlanarTree.startCount * 8 : 0)
  }

  /// The chains. Valid as long as the memory.
  func chains(
    in memory: UnsafeMutableRawBufferPointer
  ) -> UnsafeMutablePointer<PlanarSide.Chain> {
    pointer(memory, offset: 0, count: chainCapacity)
  }

  /// The boxes of the tree. Valid as long as the memory.
  func boxes(in memory: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<PlanarBox> {
    pointer(memory, offset: boxOffset, count: PlanarTree.boxCount(vertexCount))
  }

  /// The longitudes. Valid as long as the memory.
  func xs(in memory: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<Double> {
    pointer(memory, offset: xOffset, count: vertexCount)
  }

  /// The latitudes. Valid as long as the memory.
  func ys(in memory: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<Double> {
    pointer(memory, offset: xOffset + 8 * vertexCount, count: vertexCount)
  }

  /// The chain of each vertex. Valid as long as the memory.
  func labels(in memory: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<UInt32> {
    pointer(memory, offset: xOffset + 16 * vertexCount, count: vertexCount)
  }

  /// The levels of the tree. Valid as long as the memory.
  func starts(in memory: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<Int> {
    pointer(
      memory, offset: (xOffset + 20 * vertexCount + 7) & ~7, count: PlanarTree.startCount)
  }

  /// An array in the memory. Valid as long as the memory.
  @inline(__always)
  private func pointer<Value>(
    _ memory: UnsafeMutableRawBufferPointer, offset: Int, count: @autoclosure () -> Int
  ) -> UnsafeMutablePointer<Value> {
    assert(
      offset >= 0 && offset + count() * MemoryLayout<Value>.stride <= memory.count,
      "an array is outside of the memory")
    assert(
      (Int(bitPattern: memory.baseAddress) + offset) % MemoryLayout<Value>.alignment == 0,
      "an array is not aligned")
    // A temporary buffer is never without an address, because a layout is never empty.
    return (memory.baseAddress.unsafelyUnwrapped + offset).assumingMemoryBound(to: Value.self)
  }
}

/// Collects the chains of a geometry whose coordinates were read.
struct ChainReader {
  // The memory is that of the side.
  let chains: UnsafeMutablePointer<PlanarSide.Chain>
  let labels: UnsafeMutablePointer<UInt32>
  let xs: UnsafeMutablePointer<Double>
  let ys: UnsafeMutablePointer<Double>
  private let layout: PlanarLayout
  private(set) var chainCount = 0
  private(set) var polygonCount = 0
  private(set) var polygonsAreDisjoint = true
  private(set) var hasLines = false
  private(set) var hasPoints = false
  private(set) var bounds = PlanarBox.empty

  init(
    _ layout: PlanarLayout, chains: UnsafeMutablePointer<PlanarSide.Chain>,
    labels: UnsafeMutablePointer<UInt32>, xs: UnsafeMutablePointer<Double>,
    ys: UnsafeMutablePointer<Double>
  ) {
    self.layout = layout
    self.chains = chains
    self.labels = labels
    self.xs = xs
    self.ys = ys
  }

  mutating func read(_ geometry: GeometryView) {
    for part in geometry.parts {
      switch part {
      case .point(let vertex):
        hasPoints = true
        append(vertex..<vertex + 1, layer: -1, isOuter: false)
      case .line(let vertices):
        // A line of one vertex is a point.
        if vertices.count > 1 { hasLines = true } else { hasPoints = true }
        append(vertices, layer: -1, isOuter: false)
      case .polygon(let rings):
        polygonCount += 1
        var isOuter = true
        for ring in rings where !ring.isEmpty {
          append(ring, layer: 0, isOuter: isOuter)
          isOuter = false
        }
      }
    }
    polygonsAreDisjoint = geometry.kind != .geometryCollection || polygonCount < 2
  }

  private mutating func append(_ vertices: Range<Int>, layer: Int32, isOuter: Bool) {
    assert(
      vertices.lowerBound >= 0 && vertices.upperBound <= layout.vertexCount,
      "a vertex is outside of the memory")
    assert(chainCount < layout.chainCapacity, "a chain is outside of the memory")
    var box = PlanarBox.empty
    for vertex in vertices {
      box.insert(PlanePoint(x: xs[vertex], y: ys[vertex]))
      (labels + vertex).initialize(to: UInt32(truncatingIfNeeded: chainCount))
    }
    (chains + chainCount).initialize(
      to: PlanarSide.Chain(
        vertices: Int32(vertices.lowerBound)..<Int32(vertices.upperBound), isOuter: isOuter,
        layer: layer, box: box))
    chainCount += 1
    bounds.insert(box)
  }

  // MARK: Layers

  /// Puts polygons whose boxes overlap into different layers, and returns the number of layers.
  func assignLayers() -> Int {
    guard polygonCount > 1 else { return polygonCount }
    let count = polygonCount > 64 ? assignBySweeping() : assignByComparing()
    copyLayersToHoles()
    return count
  }

  /// Compares each two boxes of at most 64 polygons.
  private func assignByComparing() -> Int {
    var count = 0
    for index in 0..<chainCount where chains[index].isOuter {
      var taken: UInt64 = 0
      for other in 0..<index where chains[other].isOuter {
        if chains[other].box.overlaps(chains[index].box) {
          taken |= 1 << UInt64(chains[other].layer)
        }
      }
      let layer = (~taken).trailingZeroBitCount
      chains[index].layer = Int32(layer)
      count = max(count, layer + 1)
    }
    return count
  }

  /// Compares each box with those that reach its western side.
  private func assignBySweeping() -> Int {
    let order = (0..<chainCount).filter { chains[$0].isOuter }
      .sorted { chains[$0].box.west < chains[$1].box.west }
    var active: [Int] = []
    /// The last polygon for which a layer was found to be taken.
    var takenFor: [Int] = []
    for index in order {
      let box = chains[index].box
      active.removeAll { chains[$0].box.east <= box.west }
      for other in active where chains[other].box.overlaps(box) {
        takenFor[Int(chains[other].layer)] = index
      }
      let layer = takenFor.firstIndex { $0 != index } ?? takenFor.count
      if layer == takenFor.count { takenFor.append(-1) }
      chains[index].layer = Int32(layer)
      active.append(index)
    }
    return takenFor.count
  }

  private func copyLayersToHoles() {
    var layer: Int32 = 0
    for index in 0..<chainCount where chains[index].isRing {
      if chains[index].isOuter { layer = chains[index].layer } else { chains[index].layer = layer }
    }
  }
}
