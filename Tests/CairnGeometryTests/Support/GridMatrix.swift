import Foundation

@testable import CairnGeometry

/// The intersection matrix of two grid geometries with whole coordinates, as the oracle of relations.
///
/// Vertical lines through all vertices and crossings divide the plane into slabs, in which edges do not
/// meet. A point of each piece of an edge and of each area between them is located in both geometries
/// by fractions of integers.
struct GridMatrix {
  private let one: GridLocator
  private let other: GridLocator
  private(set) var matrix = IntersectionMatrix()

  init(_ one: GridGeometry, _ other: GridGeometry) {
    self.one = GridLocator(one)
    self.other = GridLocator(other)
    let edges = self.one.edges + self.other.edges
    var points = Set(self.one.vertices + self.other.vertices)
    for (number, a) in edges.enumerated() {
      for b in edges[..<number] { if let point = a.crossing(b) { points.insert(point) } }
    }
    for point in points { insert(point, dimension: 0) }
    for edge in edges where edge.a.x == edge.b.x {
      let ys = points.filter(edge.contains).map(\.y).sorted()
      for (low, high) in zip(ys, ys.dropFirst()) {
        insert(GridPoint(x: edge.a.x, y: low.middle(high)), dimension: 1)
      }
    }
    let xs = Set(points.map(\.x)).sorted()
    for (west, east) in zip(xs, xs.dropFirst()) {
      insertSlab(at: west.middle(east), edges: edges)
    }
  }

  private mutating func insertSlab(at x: Fraction, edges: [GridEdge]) {
    let ys = Set(edges.compactMap { $0.y(at: x) }).sorted()
    for y in ys { insert(GridPoint(x: x, y: y), dimension: 1) }
    for (low, high) in zip(ys, ys.dropFirst()) {
      insert(GridPoint(x: x, y: low.middle(high)), dimension: 2)
    }
  }

  private mutating func insert(_ point: GridPoint, dimension: Int) {
    matrix.insert(PlaneCell(one.part(point), other.part(point), dimension: dimension))
  }
}

/// A rational number in lowest terms.
struct Fraction: Hashable, Comparable {
  let top: Int
  let bottom: Int

  init(_ top: Int, over bottom: Int = 1) {
    var (a, b) = (abs(top), abs(bottom))
    while b != 0 { (a, b) = (b, a % b) }
    let sign = bottom < 0 ? -1 : 1
    self.top = sign * top / a
    self.bottom = sign * bottom / a
  }

  var double: Double { Double(top) / Double(bottom) }

  static func < (a: Fraction, b: Fraction) -> Bool { a.top * b.bottom < b.top * a.bottom }
  static func + (a: Fraction, b: Fraction) -> Fraction {
    Fraction(a.top * b.bottom + b.top * a.bottom, over: a.bottom * b.bottom)
  }
  static func * (a: Fraction, b: Fraction) -> Fraction {
    Fraction(a.top * b.top, over: a.bottom * b.bottom)
  }
  static prefix func - (a: Fraction) -> Fraction { Fraction(-a.top, over: a.bottom) }

  func middle(_ other: Fraction) -> Fraction { (self + other) * Fraction(1, over: 2) }
}

struct GridPoint: Hashable {
  let x: Fraction
  let y: Fraction

  init(x: Fraction, y: Fraction) {
    self.x = x
    self.y = y
  }

  init(_ point: (Int, Int)) {
    x = Fraction(point.0)
    y = Fraction(point.1)
  }
}

/// An edge with a length.
struct GridEdge {
  let a: GridPoint
  let b: GridPoint

  /// 1 for points on the left, -1 for points on the right, 0 for those on the line.
  func side(_ point: GridPoint) -> Int {
    let (run, rise) = (b.x + -a.x, b.y + -a.y)
    return (run * (point.y + -a.y) + -(rise * (point.x + -a.x))).top.signum()
  }

  func contains(_ point: GridPoint) -> Bool {
    side(point) == 0 && min(a.x, b.x) <= point.x && point.x <= max(a.x, b.x)
      && min(a.y, b.y) <= point.y && point.y <= max(a.y, b.y)
  }

  /// The latitude of the edge at a longitude between its ends; nil elsewhere.
  func y(at x: Fraction) -> Fraction? {
    guard min(a.x, b.x) < x, x < max(a.x, b.x) else { return nil }
    let run = b.x + -a.x
    return a.y + (b.y + -a.y) * (x + -a.x) * Fraction(run.bottom, over: run.top)
  }

  /// The point at which two edges cross that are not on one line.
  func crossing(_ other: GridEdge) -> GridPoint? {
    guard side(other.a) * side(other.b) <= 0, other.side(a) * other.side(b) <= 0 else { return nil }
    let (run, rise) = (b.x + -a.x, b.y + -a.y)
    let (otherRun, otherRise) = (other.b.x + -other.a.x, other.b.y + -other.a.y)
    let determinant = run * otherRise + -(rise * otherRun)
    guard determinant.top != 0 else { return nil }
    let (x, y) = (other.a.x + -a.x, other.a.y + -a.y)
    let share =
      (x * otherRise + -(y * otherRun)) * Fraction(determinant.bottom, over: determinant.top)
    return GridPoint(x: a.x + run * share, y: a.y + rise * share)
  }
}

/// Locates points in the union of the parts of a geometry.
private struct GridLocator {
  private(set) var vertices: [GridPoint] = []
  private var points: Set<GridPoint> = []
  private var lines: [GridEdge] = []
  /// The number of lines that end at a point.
  private var ends: [GridPoint: Int] = [:]
  private var polygons: [[GridEdge]] = []

  var edges: [GridEdge] { lines + polygons.joined() }

  init(_ geometry: GridGeometry) {
    for part in geometry.parts {
      switch part {
      case .point(let point):
        points.insert(GridPoint(point))
        vertices.append(GridPoint(point))
      case .line(let line):
        lines += edges(line)
        for end in [line.first, line.last].compactMap({ $0 }) {
          ends[GridPoint(end), default: 0] += 1
        }
      case .polygon(let rings): polygons.append(rings.flatMap { edges($0) })
      }
    }
  }

  private mutating func edges(_ path: [(Int, Int)]) -> [GridEdge] {
    let path = path.map { GridPoint($0) }
    vertices += path
    return zip(path, path.dropFirst()).filter { $0 != $1 }.map { GridEdge(a: $0, b: $1) }
  }

  func part(_ point: GridPoint) -> IntersectionMatrix.Part {
    let onRing = polygons.joined().filter { $0.contains(point) }
    for edges in polygons where !edges.contains(where: { $0.contains(point) }) {
      if Self.isEnclosed(point, by: edges) { return .interior }
    }
    if !onRing.isEmpty { return isSurrounded(point, by: onRing) ? .interior : .boundary }
    if (ends[point] ?? 0) % 2 == 1 { return .boundary }
    return points.contains(point) || lines.contains { $0.contains(point) } ? .interior : .exterior
  }

  private static func isEnclosed(_ point: GridPoint, by edges: [GridEdge]) -> Bool {
    edges.reduce(false) { isInside, edge in
      guard (edge.a.y <= point.y) != (edge.b.y <= point.y) else { return isInside }
      return edge.side(point) == (edge.a.y < edge.b.y ? 1 : -1) ? !isInside : isInside
    }
  }

  /// Whether polygons cover each direction from a point on rings. The steps are so small that they
  /// leave the point for nothing else, and so large that rounding does not matter.
  private func isSurrounded(_ point: GridPoint, by onRing: [GridEdge]) -> Bool {
    let (x, y) = (point.x.double, point.y.double)
    let ends = onRing.flatMap { [$0.a, $0.b] }.filter { $0 != point }
    let angles = ends.map { atan2($0.y.double - y, $0.x.double - x) }.sorted()
    let next = angles.dropFirst() + [angles[0] + 2 * .pi]
    return zip(angles, next).allSatisfy { angle, next in
      guard next - angle > 1e-6 else { return true }
      let middle = (angle + next) / 2
      return isInside(x + 1e-9 * cos(middle), y + 1e-9 * sin(middle))
    }
  }

  private func isInside(_ x: Double, _ y: Double) -> Bool {
    polygons.contains { edges in
      edges.reduce(false) { isInside, edge in
        let (ax, ay, bx, by) = (edge.a.x.double, edge.a.y.double, edge.b.x.double, edge.b.y.double)
        guard (ay <= y) != (by <= y) else { return isInside }
        return ax + (bx - ax) * (y - ay) / (by - ay) > x ? !isInside : isInside
      }
    }
  }
}
