import CairnSystem

/// Builds the packed form of a geometry from its parts, in the order of WKT.
///
/// A builder may be used again after `reset()`, which keeps its memory.
package struct GeometryBuilder {
  private var structure: [UInt32] = []
  private var longitudes: [Double] = []
  private var latitudes: [Double] = []
  private var altitudes: [Double] = []
  private var hasAltitudes = false
  /// The indices of the counts of the open geometries, the innermost one last.
  private var open: [Int] = []
  /// The index of the count of vertices of the open point, line or ring.
  private var counted = 0

  /// Creates a builder of nothing.
  package init() {}

  /// The number of geometries that are open.
  package var depth: Int { open.count }

  /// The number of vertices so far.
  package var vertexCount: Int { longitudes.count }

  /// Forgets everything that was added.
  package mutating func reset() {
    structure.removeAll(keepingCapacity: true)
    longitudes.removeAll(keepingCapacity: true)
    latitudes.removeAll(keepingCapacity: true)
    altitudes.removeAll(keepingCapacity: true)
    hasAltitudes = false
    open.removeAll(keepingCapacity: true)
    counted = 0
  }

  /// Begins a geometry, or a member of the open one.
  package mutating func begin(_ kind: Geometry.Kind) {
    if let parent = open.last { structure[parent] += 1 }
    structure.append(UInt32(kind.rawValue))
    structure.append(0)
    counted = structure.count - 1
    open.append(counted)
  }

  /// Ends the open geometry.
  package mutating func end() { open.removeLast() }

  /// Begins a ring of the open polygon.
  package mutating func beginRing() {
    if let polygon = open.last { structure[polygon] += 1 }
    structure.append(0)
    counted = structure.count - 1
  }

  /// Ends the open ring.
  package mutating func endRing() {}

  /// Adds a vertex, in degrees and metres, to the open point, line or ring. An altitude of NaN is
  /// none.
  @inline(__always)
  package mutating func add(longitude: Double, latitude: Double, altitude: Double? = nil) {
    addVertex(longitude: longitude, latitude: latitude, altitude: altitude)
    structure[counted] += 1
  }

  /// Adds a polygon, which may be a member of the open geometry.
  ///
  /// - Parameter altitudes: The altitudes of the places that have one.
  mutating func appendPolygon(_ rings: [PlaneRing], altitudes: [PlanePoint: Double] = [:]) {
    begin(.polygon)
    for ring in rings {
      beginRing()
      for (x, y) in zip(ring.xs, ring.ys) {
        let altitude = altitudes.isEmpty ? nil : altitudes[PlanePoint(x: x, y: y)]
        add(longitude: x, latitude: y, altitude: altitude)
      }
      endRing()
    }
    end()
  }

  /// Adds a multipolygon, or a polygon if there is exactly one.
  ///
  /// - Parameter altitudes: The altitudes of the places that have one.
  mutating func appendPolygons(_ polygons: [[PlaneRing]], altitudes: [PlanePoint: Double] = [:]) {
    if polygons.count != 1 { begin(.multiPolygon) }
    for rings in polygons { appendPolygon(rings, altitudes: altitudes) }
    if polygons.count != 1 { end() }
  }

  /// Adds a point, as a member of the open geometry. At sea level it has no altitude.
  package mutating func appendPoint(longitude: Double, latitude: Double, altitude: Double) {
    begin(.point)
    add(longitude: longitude, latitude: latitude, altitude: altitude == 0 ? nil : altitude)
    end()
  }

  /// Adds a vertex that is counted already.
  @inline(__always)
  private mutating func addVertex(longitude: Double, latitude: Double, altitude: Double?) {
    if let altitude, !altitude.isNaN {
      addAltitude(altitude)
    } else if hasAltitudes {
      altitudes.append(.nan)
    }
    longitudes.append(longitude)
    latitudes.append(latitude)
  }

  private mutating func addAltitude(_ altitude: Double) {
    if !hasAltitudes {
      altitudes.append(contentsOf: repeatElement(.nan, count: vertexCount))
      hasAltitudes = true
    }
    altitudes.append(altitude)
  }

  /// Adds a geometry, as a member of the open one.
  package mutating func append(_ view: GeometryView) {
    append(view, from: .init(), to: .init(word: view.structureCount, vertex: view.vertexCount))
  }

  /// Adds the geometry between two cursors, as a member of the open one.
  package mutating func append(
    _ view: GeometryView, from start: GeometryView.Cursor, to end: GeometryView.Cursor
  ) {
    if let parent = open.last { structure[parent] += 1 }
    for word in start.word..<end.word { structure.append(UInt32(view.structure(word))) }
    for index in start.vertex..<end.vertex {
      addVertex(
        longitude: view.longitude(index), latitude: view.latitude(index),
        altitude: view.altitude(index))
    }
  }

  /// Adds a geometry, as a member of the open one, with other vertices: each line and each ring has
  /// those that `vertices` returns for its own, given whether it is a ring.
  mutating func append(
    _ view: GeometryView, choosing vertices: (Range<Int>, _ isRing: Bool) -> [Int]
  ) {
    if let parent = open.last { structure[parent] += 1 }
    var (word, vertex) = (0, 0)
    /// Adds the path whose number of vertices comes next.
    func addPath(isRing: Bool, isPoint: Bool = false) {
      let own = vertex..<vertex + view.structure(word)
      let chosen = isPoint ? Array(own) : vertices(own, isRing)
      structure.append(UInt32(chosen.count))
      for index in chosen {
        addVertex(
          longitude: view.longitude(index), latitude: view.latitude(index),
          altitude: view.altitude(index))
      }
      vertex = own.upperBound
      word += 1
    }
    while word + 1 < view.structureCount {
      let (kind, count) = (view.structure(word), view.structure(word + 1))
      structure.append(UInt32(kind))
      word += 1
      if kind == 1 || kind == 2 {
        addPath(isRing: false, isPoint: kind == 1)
        continue
      }
      structure.append(UInt32(count))
      word += 1
      if kind == 3 { for _ in 0..<count { addPath(isRing: true) } }
    }
  }

  /// Calls `body` with the longitudes and latitudes of all vertices, which it may change, as to
  /// convert them from another coordinate system.
  package mutating func withCoordinates<Result>(
    _ body: (
      _ longitudes: UnsafeMutableBufferPointer<Double>,
      _ latitudes: UnsafeMutableBufferPointer<Double>
    ) throws -> Result
  ) rethrows -> Result {
    try longitudes.withUnsafeMutableBufferPointer { xs in
      try latitudes.withUnsafeMutableBufferPointer { ys in try body(xs, ys) }
    }
  }

  /// Removes the altitudes of all vertices.
  package mutating func removeAltitudes() {
    hasAltitudes = false
    altitudes.removeAll(keepingCapacity: true)
  }

  /// Exchanges the longitudes and the latitudes of all vertices.
  package mutating func swapAxes() { swap(&longitudes, &latitudes) }

  /// Appends the packed form to `bytes`.
  package func encode(into bytes: inout [UInt8]) {
    let count = longitudes.count
    assert(latitudes.count == count, "there is a latitude for each longitude")
    assert(
      altitudes.count == (hasAltitudes ? count : 0), "there is an altitude for each vertex or none")
    let isFixed =
      longitudes.withUnsafeBufferPointer { E7.areExact($0) }
      && latitudes.withUnsafeBufferPointer { E7.areExact($0) }
    let axis = isFixed ? (count * 4 + 7) & ~7 : count * 8
    let words = (structure.count * 4 + 7) & ~7
    let size = 16 + words + 2 * axis + (hasAltitudes ? count * 8 : 0)
    let start = bytes.count
    bytes.appendZeros(size)
    bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress.map({ $0 + start }) else { return }
      let flags =
        (isFixed ? GeometryView.fixedFlag : 0) | (hasAltitudes ? GeometryView.altitudesFlag : 0)
      base.storeBytes(of: UInt8(truncatingIfNeeded: structure.first ?? 0), as: UInt8.self)
      base.storeBytes(of: flags, toByteOffset: 1, as: UInt8.self)
      base.storeBytes(of: UInt32(count), toByteOffset: 4, as: UInt32.self)
      base.storeBytes(of: UInt32(structure.count), toByteOffset: 8, as: UInt32.self)
      structure.withUnsafeBytes { (base + 16).copy($0) }
      let xs = base + 16 + words
      assert(
        xs + 2 * axis + altitudes.count * 8 == base + size, "the parts do not add up to the size")
      if isFixed {
        for index in 0..<count {
          xs.storeBytes(
            of: Int32(E7.nearest(longitudes[index])), toByteOffset: index * 4,
            as: Int32.self)
          xs.storeBytes(
            of: Int32(E7.nearest(latitudes[index])), toByteOffset: axis + index * 4,
            as: Int32.self)
        }
      } else {
        longitudes.withUnsafeBytes { xs.copy($0) }
        latitudes.withUnsafeBytes { (xs + axis).copy($0) }
      }
      if hasAltitudes { altitudes.withUnsafeBytes { (xs + 2 * axis).copy($0) } }
    }
  }

  /// The geometry that was built.
  package func geometry() -> Geometry {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return Geometry(packed: bytes)
  }
}

extension GeometryBuilder {
  /// Takes noise of rounding at the limits off the coordinates, which are degrees.
  package mutating func removeNoise() {
    withCoordinates { longitudes, latitudes in
      for index in longitudes.indices {
        longitudes[index] = EarthLimits.longitude(longitudes[index])
        latitudes[index] = EarthLimits.latitude(latitudes[index])
      }
    }
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func copy(_ bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress { copyMemory(from: base, byteCount: bytes.count) }
  }
}
