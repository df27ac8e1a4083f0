extension GeometryView {
  /// The greatest number of levels of a geometry: 1 for a point, 2 for a multipoint or a collection
  /// of points.
  package static let maxNestingDepth = 100

  /// The error of a geometry with too many levels.
  package static var nestingError: GeometryError {
    GeometryError(
      .encoding,
      message: "geometries are nested more than \(maxNestingDepth) levels deep; flatten collections"
    )
  }

  /// The number of levels.
  package var nestingDepth: Int {
    var depth = 0
    var pending: [Int] = []
    var word = 0
    while word + 1 < structureCount {
      let (kind, count) = (structure(word), structure(word + 1))
      depth = max(depth, pending.count + 1)
      word += kind == 3 ? 2 + count : 2
      if kind > 3 { pending.append(count) }
      while let members = pending.popLast() {
        guard members == 0 else {
          pending.append(members - 1)
          break
        }
      }
    }
    return depth
  }

  /// Checks that lines and rings are long enough, rings are closed, and every vertex is on the
  /// earth.
  ///
  /// - Throws: ``GeometryError`` that names the polygon, ring or line, and the value.
  package func checkRules() throws(GeometryError) {
    if !isOnEarth { throw coordinateError() }
    try checkPaths()
  }

  /// Checks that lines and rings are long enough, and that rings are closed.
  func checkPaths() throws(GeometryError) {
    try forEachPath { path throws(GeometryError) in
      let (count, first, last) = (
        path.vertices.count, path.vertices.lowerBound, path.vertices.upperBound - 1
      )
      switch path.role {
      case .point: break
      case .line:
        guard count == 1 else { return }
        throw GeometryError(
          .tooFewPoints, message: "\(name(of: path)) has 1 point; a line needs at least 2",
          location: points(path.vertices).first)
      case .ring(let polygon, let ring):
        guard count > 0 else {
          throw GeometryError(
            ring == 0 ? .tooFewPoints : .emptyHole, message: "\(name(of: path)) has no points",
            polygon: polygon, ring: ring)
        }
        guard longitude(first) == longitude(last), latitude(first) == latitude(last) else {
          throw GeometryError(
            .closed,
            message:
              "\(name(of: path)) is not closed: it begins at \(text(first)) and ends at \(text(last))",
            polygon: polygon, ring: ring, location: points(last..<last + 1).first)
        }
        guard count > 3 else {
          throw GeometryError(
            .tooFewPoints,
            message: "\(name(of: path)) has \(count == 1 ? "1 point" : "\(count) points");"
              + " a ring needs at least 4, the last repeating the first",
            polygon: polygon, ring: ring, location: points(first..<first + 1).first)
        }
      }
    }
  }

  private func text(_ vertex: Int) -> String {
    "longitude \(longitude(vertex)), latitude \(latitude(vertex))"
  }
}

extension GeometryView {
  /// Consecutive vertices, and the part of a geometry that they are.
  private struct Path {
    enum Role {
      case point
      case line
      case ring(polygon: Int, ring: Int)
    }

    let role: Role
    /// The number of points or lines before this one.
    let index: Int
    let vertices: Range<Int>
  }

  /// Calls `body` with every point, line and ring, including empty ones.
  private func forEachPath(
    _ body: (Path) throws(GeometryError) -> Void
  ) throws(GeometryError) {
    var cursor = Cursor()
    var (points, lines, polygons) = (0, 0, 0)
    while cursor.word + 1 < structureCount {
      let (kind, count) = (structure(cursor.word), structure(cursor.word + 1))
      cursor.word += 2
      switch kind {
      case 1, 2:
        let vertices = cursor.vertex..<cursor.vertex + count
        cursor.vertex += count
        try body(
          Path(
            role: kind == 1 ? .point : .line, index: kind == 1 ? points : lines, vertices: vertices)
        )
        if kind == 1 { points += 1 } else { lines += 1 }
      case 3:
        for ring in 0..<count {
          let vertices = cursor.vertex..<cursor.vertex + structure(cursor.word + ring)
          cursor.vertex = vertices.upperBound
          try body(
            Path(role: .ring(polygon: polygons, ring: ring), index: ring, vertices: vertices))
        }
        cursor.word += count
        polygons += 1
      default: break
      }
    }
  }

  /// The name of a path in messages. Parts are counted from 1.
  private func name(of path: Path) -> String {
    switch path.role {
    case .point: kind == .point ? "the point" : "point \(path.index + 1)"
    case .line: kind == .lineString ? "the line" : "line \(path.index + 1)"
    case .ring(let polygon, let ring):
      (ring == 0 ? "the outer ring" : "hole \(ring)")
        + (kind == .polygon ? "" : " of polygon \(polygon + 1)")
    }
  }

  /// Whether all coordinates are finite and in their ranges.
  package var isOnEarth: Bool {
    let count = vertexCount
    assert(holdsCoordinates, "the coordinates are outside of the bytes")
    let (xs, ys) = (longitudes, latitudes)
    var areAll = true
    if isFixed {
      for index in 0..<count {
        let x = xs.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        let y = ys.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        areAll =
          areAll && x.magnitude <= E7.halfTurn.magnitude && y.magnitude <= E7.quarterTurn.magnitude
      }
    } else {
      for index in 0..<count {
        let x = xs.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
        let y = ys.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
        areAll = areAll && abs(x) <= 180 && abs(y) <= 90
      }
    }
    if hasAltitudes {
      for index in 0..<count { areAll = areAll && (altitude(index) ?? 0).isFinite }
    }
    return areAll
  }

  /// The error of the first coordinate that is not finite or out of its range.
  private func coordinateError() -> GeometryError {
    do throws(GeometryError) {
      try forEachPath { path throws(GeometryError) in
        for vertex in path.vertices {
          if let error = error(at: vertex, of: path) { throw error }
        }
      }
    } catch {
      return error
    }
    return GeometryError(.outOfRange, message: "a coordinate is out of its range")
  }

  private func error(at vertex: Int, of path: Path) -> GeometryError? {
    let (x, y, z) = (longitude(vertex), latitude(vertex), altitude(vertex) ?? 0)
    let coordinates: [(name: String, value: Double, bound: Double)] = [
      ("a longitude", x, 180), ("a latitude", y, 90),
      ("an altitude", z, .greatestFiniteMagnitude),
    ]
    guard let wrong = coordinates.first(where: { !(abs($0.value) <= $0.bound) }) else { return nil }
    var owner = name(of: path)
    if case .point = path.role {
    } else {
      owner = "point \(vertex - path.vertices.lowerBound + 1) of \(owner)"
    }
    let expected =
      wrong.bound > 180
      ? "a finite number" : "a number of -\(Int(wrong.bound)) to \(Int(wrong.bound))"
    let hint =
      abs(y) > 90 && abs(y) <= 180 && abs(x) <= 90
      ? "; latitude and longitude may be swapped" : ""
    var (polygon, ring): (Int?, Int?)
    if case .ring(let ofPolygon, let index) = path.role { (polygon, ring) = (ofPolygon, index) }
    return GeometryError(
      wrong.value.isFinite ? .outOfRange : .notFinite,
      message: "\(owner) has \(wrong.name) of \(wrong.value), expected \(expected)\(hint)",
      polygon: polygon, ring: ring)
  }
}
