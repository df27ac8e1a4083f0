/// One side of a comparison in the plane: the vertices of a geometry with their structure.
///
/// A side does not own its memory. A small one has no tree, and is searched from end to end.
struct PlanarSide {
  /// A point, a line or a ring.
  struct Chain {
    /// The vertices. A point has one.
    let vertices: Range<Int32>
    /// Whether it is a ring, the first of a polygon.
    let isOuter: Bool
    /// The layer of a ring's polygon; -1 for lines and points.
    ///
    /// Polygons of one layer have disjoint interiors. So a point inside of a layer, apart from
    /// edges, is one from which a ray crosses an odd number of the layer's edges.
    var layer: Int32
    /// The box of the vertices.
    let box: PlanarBox

    var isRing: Bool { layer >= 0 }
  }

  // The memory is valid as long as the one that the side was read into.
  let xs: UnsafePointer<Double>
  let ys: UnsafePointer<Double>
  /// The index of each vertex's chain.
  let labels: UnsafePointer<UInt32>
  let chains: UnsafePointer<Chain>
  let vertexCount: Int
  let chainCount: Int
  /// The number of layers of polygons.
  let layerCount: Int
  let polygonCount: Int
  /// Whether the polygons have disjoint interiors, as those of anything but a collection do.
  let polygonsAreDisjoint: Bool
  let hasLines: Bool
  let hasPoints: Bool
  let bounds: PlanarBox
  var tree: PlanarTree?
  /// An index that decides points against the polygons, if there is one.
  var bands: Unmanaged<BandIndex<PlanarEdge>>?

  var hasRings: Bool { polygonCount > 0 }
  /// Whether nothing but a single polygon makes up the area and the lines.
  var isSinglePolygon: Bool { polygonCount == 1 && !hasLines }

  @inline(__always)
  func point(_ vertex: Int) -> PlanePoint {
    assert(vertex >= 0 && vertex < vertexCount, "a vertex is outside of the side")
    return PlanePoint(x: xs[vertex], y: ys[vertex])
  }

  /// Whether an edge goes from a vertex to the next one.
  @inline(__always)
  func isEdge(_ vertex: Int) -> Bool {
    assert(vertex >= 0 && vertex < vertexCount, "a vertex is outside of the side")
    return vertex &+ 1 < vertexCount && labels[vertex] == labels[vertex &+ 1]
  }

  /// The chain of a vertex. Valid as long as the memory of the side.
  @inline(__always)
  func chain(_ vertex: Int) -> UnsafePointer<Chain> {
    assert(vertex >= 0 && vertex < vertexCount, "a vertex is outside of the side")
    assert(labels[vertex] < chainCount, "a vertex does not belong to a chain")
    return chains + Int(labels[vertex])
  }
}

extension PlanarSide {
  /// An edge from `a` to `b`, or a point, which has two equal ends.
  struct Item {
    /// The index of the first vertex.
    let vertex: Int
    let a: PlanePoint
    let b: PlanePoint

    @inline(__always)
    var box: PlanarBox { PlanarBox(a, b: b) }
  }

  /// Calls `visit` with each edge and point whose box meets a rectangle, until it returns true.
  ///
  /// - Returns: whether a call returned true.
  @inline(__always)
  func search(_ box: PlanarBox, _ visit: (Item) -> Bool) -> Bool {
    guard let tree else { return scan(0..<vertexCount, box: box, visit) }
    return tree.search(box) { range in
      scan(range.lowerBound..<min(range.upperBound, vertexCount), box: box, visit)
    }
  }

  @inline(__always)
  private func scan(_ range: Range<Int>, box: PlanarBox, _ visit: (Item) -> Bool) -> Bool {
    for vertex in range {
      let a = point(vertex)
      let end: Int
      if isEdge(vertex) {
        end = vertex &+ 1
      } else if chain(vertex).pointee.vertices.count == 1 {
        end = vertex
      } else {
        continue
      }
      let item = Item(vertex: vertex, a: a, b: point(end))
      if item.box.meets(box), visit(item) { return true }
    }
    return false
  }

  /// Whether a point belongs to the side.
  func covers(_ point: PlanePoint) -> Bool {
    guard bounds.contains(point) else { return false }
    if let bands {
      if bands._withUnsafeGuaranteedRef({ $0.contains(point.x, latitude: point.y) }) { return true }
      return (hasLines || hasPoints) && touches(point)
    }
    guard hasRings else { return touches(point) }
    for group in 0..<groupCount {
      guard let layers = layers(around: point, group: group) else { return true }
      if layers != 0 { return true }
    }
    return false
  }

  /// The number of words of a bitmap of layers.
  var groupCount: Int { (layerCount + 63) >> 6 }

  /// Whether a point lies on an edge, or is a point of the side.
  private func touches(_ point: PlanePoint) -> Bool {
    search(PlanarBox(point, b: point)) { orientation($0.a, b: $0.b, c: point) == 0 }
  }

  /// A bitmap of those layers of a group of 64 that contain a point; nil if the point lies on an
  /// edge or is a point of the side.
  private func layers(around point: PlanePoint, group: Int) -> UInt64? {
    var layers: UInt64 = 0
    let isOnEdge = search(PlanarBox(eastOf: point)) { item in
      let (low, high) = item.a.y <= item.b.y ? (item.a, item.b) : (item.b, item.a)
      let way = orientation(low, b: high, c: point)
      if way == 0 { return item.box.contains(point) }
      if way > 0, low.y <= point.y, point.y < high.y { toggle(item, in: &layers, group: group) }
      return false
    }
    return isOnEdge ? nil : layers
  }

  /// Bitmaps of those layers of a group of 64 that contain the points just beyond the start of a
  /// segment, on its left and on its right.
  func layers(beside start: DisplacedStart, group: Int) -> (left: UInt64, right: UInt64) {
    if layerCount == 1, let bands {
      let sides = bands._withUnsafeGuaranteedRef { $0.contains(start) }
      return (sides.left ? 1 : 0, sides.right ? 1 : 0)
    }
    var (left, right): (UInt64, UInt64) = (0, 0)
    _ = search(PlanarBox(eastOf: start.a)) { item in
      let (low, high) = item.a.y <= item.b.y ? (item.a, item.b) : (item.b, item.a)
      let sides = start.sides(of: low, high: high)
      if sides.left == .east { toggle(item, in: &left, group: group) }
      if sides.right == .east { toggle(item, in: &right, group: group) }
      return false
    }
    return (left, right)
  }

  @inline(__always)
  private func toggle(_ item: Item, in layers: inout UInt64, group: Int) {
    let layer = Int(chain(item.vertex).pointee.layer)
    if layer >= 0, layer >> 6 == group { layers ^= 1 << UInt64(layer & 63) }
  }
}
