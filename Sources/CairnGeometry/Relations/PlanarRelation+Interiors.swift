/// Relations that depend on interiors, not only on whether points are common.
extension PlanarRelation {
  /// The dimensions in which the parts of two geometries meet.
  package static func matrix(_ one: GeometryView, _ other: GeometryView) -> IntersectionMatrix {
    PlanarSide.read(one) { one in
      PlanarSide.read(other) { other in
        var matrix = IntersectionMatrix()
        func insert(_ cell: PlaneCell) -> Bool {
          matrix.insert(cell)
          return false
        }
        var box = one.bounds
        box.insert(other.bounds)
        PlaneCells.with(one, other: other) { cells in
          _ = cells.visitEdges(near: box, insert)
          _ = cells.visitVertices(near: box, insert)
        }
        return matrix
      }
    }
  }

  /// Whether the two have points in common, but none in the interior of both.
  static func touch(_ one: PlanarSide, other: PlanarSide) -> Bool {
    intersect(one, other: other) && !interiorsMeet(one, other: other)
  }

  /// Whether the interiors meet, and a part of the side of lower dimension lies outside of the other
  /// one; two lines cross in nothing but points.
  static func cross(_ one: PlanarSide, other: PlanarSide) -> Bool {
    guard one.bounds.meets(other.bounds) else { return false }
    let (dimension, otherDimension) = (one.dimension, other.dimension)
    if dimension == 1, otherDimension == 1 { return interiorDimension(one, other: other) == 0 }
    guard dimension != otherDimension else { return false }
    let (lower, higher) = dimension < otherDimension ? (one, other) : (other, one)
    return interiorsMeet(one, other: other) && !covers(higher, inner: lower)
  }

  /// Whether the two have the same dimension, in which their interiors meet, and neither covers the
  /// other.
  static func overlap(_ one: PlanarSide, other: PlanarSide) -> Bool {
    guard one.bounds.meets(other.bounds) else { return false }
    let dimension = one.dimension
    guard dimension == other.dimension else { return false }
    let isCommon =
      dimension == 1
      ? interiorDimension(one, other: other) == 1 : interiorsMeet(one, other: other)
    return isCommon && !covers(one, inner: other) && !covers(other, inner: one)
  }

  /// Whether each of the two covers the other one.
  static func equal(_ one: PlanarSide, other: PlanarSide) -> Bool {
    all(one.bounds.lanes .== other.bounds.lanes) && covers(one, inner: other)
      && covers(other, inner: one)
  }

  /// Whether a point is in the interior of both sides.
  private static func interiorsMeet(_ one: PlanarSide, other: PlanarSide) -> Bool {
    let box = one.bounds.intersection(other.bounds)
    return PlaneCells.with(one, other: other) { cells in
      // The interior of points is their vertices.
      if one.dimension > 0, other.dimension > 0, cells.visitEdges(near: box, { $0.isInner }) {
        return true
      }
      // Around a common point of two areas they have an area in common, which lies along edges.
      return (!one.isAreaOnly || !other.isAreaOnly) && cells.visitVertices(near: box) { $0.isInner }
    }
  }

  /// The dimension in which the interiors of two sides of lines meet; -1 if they do not.
  private static func interiorDimension(_ one: PlanarSide, other: PlanarSide) -> Int {
    var dimension = -1
    func insert(_ cell: PlaneCell) -> Bool {
      if cell.isInner { dimension = max(dimension, cell.dimension) }
      return dimension > 0
    }
    let box = one.bounds.intersection(other.bounds)
    let cells = PlaneCells(one: one, other: other)
    if !cells.visitEdges(near: box, insert) { _ = cells.visitVertices(near: box, insert) }
    return dimension
  }
}

extension PlanarSide {
  /// The greatest dimension of the parts. A line without a length is a point.
  fileprivate var dimension: Int {
    if hasRings { return 2 }
    return hasLines && search(bounds) { $0.a != $0.b } ? 1 : 0
  }

  /// Whether there is nothing but polygons.
  fileprivate var isAreaOnly: Bool { hasRings && !hasLines && !hasPoints }
}

extension PlanarBox {
  /// The rectangle that two which meet have in common.
  fileprivate func intersection(_ other: PlanarBox) -> PlanarBox {
    PlanarBox(lanes: lanes.replacing(with: other.lanes, where: other.lanes .> lanes))
  }
}
