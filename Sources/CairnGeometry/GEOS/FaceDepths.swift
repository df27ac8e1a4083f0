/// The faces of a planar graph by depth: the least number of edges that a path from the outer face
/// crosses.
///
/// The faces of odd depth are the area of the graph's edges according to `GEOSMakeValid`. It fills
/// all bounded faces, removes their boundary, empties the faces that the remaining edges enclose,
/// and so on: each round reaches one edge further in. If no edge is used twice, this is the
/// even-odd rule.
struct FaceDepths {
  private let faces: [[PlaneRing]]
  private let isFilled: [Bool]
  /// Whether two faces of odd depth share an edge.
  let fillsNeighbours: Bool

  /// The faces of odd depth.
  var filledFaces: [[PlaneRing]] {
    faces.indices.filter { isFilled[$0] }.map { faces[$0] }
  }

  /// Creates the depths of bounded faces, each a list of closed rings, whose common edges have
  /// common ends. Returns nil if more than two share an edge.
  init?(_ faces: [[PlaneRing]]) {
    guard let borders = Self.borders(of: faces) else { return nil }
    let depths = DualGraph(borders, faceCount: faces.count + 1).depths(from: faces.count)
    self.faces = faces
    let isFilled = depths.map { $0 % 2 == 1 }
    fillsNeighbours = borders.contains { isFilled[$0.one] && isFilled[$0.other] }
    self.isFilled = isFilled
  }

  /// An edge between two faces.
  fileprivate struct Border {
    let one: Int
    let other: Int
  }

  /// An edge of a face, from its lesser point to its greater.
  private struct Side {
    let start: PlanePoint
    let end: PlanePoint
    let face: Int

    init(from one: PlanePoint, to other: PlanePoint, face: Int) {
      (start, end) = one.isBefore(other) ? (one, other) : (other, one)
      self.face = face
    }

    func isBefore(_ other: Side) -> Bool {
      start == other.start ? end.isBefore(other.end) : start.isBefore(other.start)
    }

    func isOnEdge(of other: Side) -> Bool { start == other.start && end == other.end }
  }

  /// The edges between faces. The number of faces denotes the outer one.
  private static func borders(of faces: [[PlaneRing]]) -> [Border]? {
    let sides = sides(of: faces)
    var borders: [Border] = []
    borders.reserveCapacity(sides.count)
    var index = 0
    while index < sides.count {
      var next = index + 1
      while next < sides.count, sides[next].isOnEdge(of: sides[index]) { next += 1 }
      guard next - index <= 2 else { return nil }
      let other = next - index == 2 ? sides[index + 1].face : faces.count
      borders.append(Border(one: sides[index].face, other: other))
      index = next
    }
    return borders
  }

  /// The edges of all faces, sorted so that the two sides of an edge are neighbours.
  private static func sides(of faces: [[PlaneRing]]) -> [Side] {
    var sides: [Side] = []
    for (face, rings) in faces.enumerated() {
      for ring in rings {
        for index in ring.xs.indices.dropLast() {
          sides.append(
            Side(
              from: PlanePoint(x: ring.xs[index], y: ring.ys[index]),
              to: PlanePoint(x: ring.xs[index + 1], y: ring.ys[index + 1]), face: face))
        }
      }
    }
    sides.sort { $0.isBefore($1) }
    return sides
  }
}

/// The faces as the nodes of a graph, connected by the edges between them.
private struct DualGraph {
  /// `neighbours[firsts[f]..<firsts[f + 1]]` are the neighbours of face f.
  private var firsts: [Int]
  private var neighbours: [Int]

  init(_ borders: [FaceDepths.Border], faceCount: Int) {
    firsts = Array(repeating: 0, count: faceCount + 1)
    for border in borders {
      firsts[border.one + 1] += 1
      firsts[border.other + 1] += 1
    }
    for face in 0..<faceCount { firsts[face + 1] += firsts[face] }
    var next = firsts
    neighbours = Array(repeating: 0, count: 2 * borders.count)
    for border in borders {
      neighbours[next[border.one]] = border.other
      next[border.one] += 1
      neighbours[next[border.other]] = border.one
      next[border.other] += 1
    }
  }

  /// The distance of each face from `start`; 0 for a face that is not connected to it.
  func depths(from start: Int) -> [Int] {
    var depths = Array(repeating: -1, count: firsts.count - 1)
    depths[start] = 0
    var queue = [start]
    var index = 0
    while index < queue.count {
      let face = queue[index]
      for other in neighbours[firsts[face]..<firsts[face + 1]] where depths[other] < 0 {
        depths[other] = depths[face] + 1
        queue.append(other)
      }
      index += 1
    }
    return depths.map { max(0, $0) }
  }
}
