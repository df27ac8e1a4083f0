/// The algorithm of Douglas and Peucker for one line or ring in longitude and latitude.
///
/// Source: David Douglas and Thomas Peucker, "Algorithms for the reduction of the number of points
/// required to represent a digitized line or its caricature", Cartographica 10 (1973).
struct DouglasPeucker {
  /// The plane in which distances are measured.
  enum Scale {
    /// That of longitude and latitude.
    case plane
    /// One with the scale of the sphere at the vertex whose distance is measured.
    case earth
  }

  private let line: PlaneRing
  private let scales: [Double]
  private let square: Double
  private var isKept: [Bool]
  /// The other vertices of the geometry, and the number of the first one of this line among them.
  private var obstacles: (grid: VertexGrid, first: Int)?

  init(_ line: PlaneRing, tolerance: Double, scale: Scale) {
    self.line = line
    scales = scale == .plane ? [] : line.ys.map { cosine(degrees: $0) }
    square = tolerance * tolerance
    isKept = Array(repeating: false, count: line.count)
    if line.count > 0 { (isKept[0], isKept[line.count - 1]) = (true, true) }
  }

  /// The indices of the vertices that are left.
  var kept: [Int] { isKept.indices.filter { isKept[$0] } }

  /// Leaves vertices out.
  ///
  /// With obstacles, an edge takes the place of others only if no vertex lies between it and these, or
  /// on it. Nothing that did not cross then crosses: an edge that crosses the new one would have to come
  /// out between the old ones, or end in between. And no ring vanishes.
  ///
  /// - Parameter first: The number of the first vertex among the obstacles.
  mutating func simplify(isRing: Bool, among grid: VertexGrid? = nil, from first: Int = 0) {
    guard line.count > 2 else { return }
    obstacles = grid.map { ($0, first) }
    if isRing {
      for index in 1..<line.count - 1 where isEndOfCut(index) { isKept[index] = true }
    }
    let isClosed = line.isClosed
    if isClosed, !isRing || grid != nil, kept.count < 3 { keepFarthest(0..<line.count - 1) }
    if isRing, grid != nil, kept.count < 4 { keepCorner() }
    let fixed = kept
    var pending = zip(fixed, fixed.dropFirst()).map { $0..<$1 }
    while let part = pending.popLast() {
      guard let (index, distance) = farthest(part), distance > square || isBlocked(part) else {
        continue
      }
      isKept[index] = true
      pending.append(part.lowerBound..<index)
      pending.append(index..<part.upperBound)
    }
  }

  /// Keeps the vertex that is farthest from the edge between two others, the bounds of the range.
  private mutating func keepFarthest(_ part: Range<Int>) {
    if let index = farthest(part)?.index { isKept[index] = true }
  }

  /// Keeps a third corner of a ring that has two.
  private mutating func keepCorner() {
    let corners = kept
    let parts = zip(corners, corners.dropFirst()).map { $0..<$1 }
    let farthest = parts.compactMap { self.farthest($0) }.max { $0.distance < $1.distance }
    if let farthest { isKept[farthest.index] = true }
  }

  /// The vertex between two others, the bounds of the range, that is farthest from the edge between
  /// these, and the square of its distance.
  private func farthest(_ part: Range<Int>) -> (index: Int, distance: Double)? {
    let (start, end) = (part.lowerBound, part.upperBound)
    var found: (index: Int, distance: Double)?
    for index in start + 1..<max(start + 1, end) {
      let distance = squaredDistance(index, start: start, end: end)
      if distance > found?.distance ?? -1 { found = (index, distance) }
    }
    return found
  }

  /// The square of the distance of a vertex from an edge.
  private func squaredDistance(_ index: Int, start: Int, end: Int) -> Double {
    let scale = scales.isEmpty ? 1 : scales[index]
    let (x, y) = ((line.xs[index] - line.xs[start]) * scale, line.ys[index] - line.ys[start])
    let (east, north) = ((line.xs[end] - line.xs[start]) * scale, line.ys[end] - line.ys[start])
    let length = east * east + north * north
    let share = length > 0 ? max(0, min(1, (x * east + y * north) / length)) : 0
    let (dx, dy) = (x - share * east, y - share * north)
    return dx * dx + dy * dy
  }

  /// Whether a vertex of a ring is at an end of an edge along the antimeridian or a pole.
  private func isEndOfCut(_ index: Int) -> Bool {
    let (x, y) = (line.xs[index], line.ys[index])
    let neighbours = [index - 1, index + 1]
    if abs(x) == 180 { return neighbours.contains { line.xs[$0] != x } }
    return abs(y) == 90 && neighbours.contains { line.ys[$0] != y }
  }
}

extension DouglasPeucker {
  /// Whether a vertex that is not part of a stretch lies between it and the edge from its start to its
  /// end, or on one of them.
  private func isBlocked(_ part: Range<Int>) -> Bool {
    guard let (grid, first) = obstacles, part.count > 1 else { return false }
    let stretch = PlaneRing(
      xs: Array(line.xs[part.lowerBound...part.upperBound]),
      ys: Array(line.ys[part.lowerBound...part.upperBound]))
    let own = first + part.lowerBound...first + part.upperBound
    let last = stretch.count - 1
    return grid.contains(in: stretch) { vertex, x, y in
      guard !own.contains(vertex) else { return false }
      // The ends stay, so another path may touch them.
      if x == stretch.xs[0] && y == stretch.ys[0] || x == stretch.xs[last] && y == stretch.ys[last]
      {
        return false
      }
      return stretch.winds(around: PlanePoint(x: x, y: y))
    }
  }
}

extension PlaneRing {
  /// Whether the line, closed by an edge from its end to its start, winds around a point or passes
  /// through it.
  fileprivate func winds(around point: PlanePoint) -> Bool {
    var turns = 0
    var before = count - 1
    for index in 0..<count {
      let a = PlanePoint(x: xs[before], y: ys[before])
      let b = PlanePoint(x: xs[index], y: ys[index])
      before = index
      guard min(a.y, b.y)...max(a.y, b.y) ~= point.y, point.x <= max(a.x, b.x) else { continue }
      let side = orientation(a, b: b, c: point)
      if side == 0, min(a.x, b.x)...max(a.x, b.x) ~= point.x { return true }
      if a.y <= point.y, b.y > point.y, side > 0 { turns += 1 }
      if a.y > point.y, b.y <= point.y, side < 0 { turns -= 1 }
    }
    return turns != 0
  }
}

/// The vertices of a geometry, in the cells of a grid.
struct VertexGrid {
  private let xs: [Double]
  private let ys: [Double]
  private let origin: (x: Double, y: Double)
  /// The sizes of a cell in degrees.
  private let size: (x: Double, y: Double)
  private let columns: Int
  private let rows: Int
  /// `vertices[firsts[c]..<firsts[c + 1]]` are those of cell c, row by row.
  private var firsts: [Int]
  private var vertices: [Int]

  init(_ view: GeometryView) {
    xs = (0..<view.vertexCount).map { view.longitude($0) }
    ys = (0..<view.vertexCount).map { view.latitude($0) }
    let bounds = view.planarBounds ?? (0, 0, 0, 0)
    let side = max(1, Int((Double(xs.count) / 2).squareRoot()))
    (columns, rows) = (side, side)
    origin = (bounds.west, bounds.south)
    size = (
      max(1e-12, (bounds.east - bounds.west) / Double(side)),
      max(1e-12, (bounds.north - bounds.south) / Double(side))
    )
    firsts = Array(repeating: 0, count: columns * rows + 1)
    vertices = Array(repeating: 0, count: xs.count)
    let cells = xs.indices.map { row(ys[$0]) * columns + column(xs[$0]) }
    for cell in cells { firsts[cell + 1] += 1 }
    for cell in 0..<columns * rows { firsts[cell + 1] += firsts[cell] }
    var next = firsts
    for (vertex, cell) in cells.enumerated() {
      vertices[next[cell]] = vertex
      next[cell] += 1
    }
  }

  private func column(_ x: Double) -> Int { max(0, min(columns - 1, Int((x - origin.x) / size.x))) }
  private func row(_ y: Double) -> Int { max(0, min(rows - 1, Int((y - origin.y) / size.y))) }

  /// Whether a vertex in the box around a line satisfies a condition.
  func contains(in line: PlaneRing, where isWanted: (Int, Double, Double) -> Bool) -> Bool {
    guard let west = line.xs.min(), let east = line.xs.max(), let south = line.ys.min(),
      let north = line.ys.max()
    else { return false }
    for row in row(south)...row(north) {
      let first = firsts[row * columns + column(west)]
      for index in first..<firsts[row * columns + column(east) + 1] {
        let vertex = vertices[index]
        let (x, y) = (xs[vertex], ys[vertex])
        if x >= west, x <= east, y >= south, y <= north, isWanted(vertex, x, y) { return true }
      }
    }
    return false
  }
}
