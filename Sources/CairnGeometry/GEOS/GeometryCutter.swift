import CairnSystem

extension Geometry {
  /// Whether any part of the geometry is a polygon.
  package var hasPolygons: Bool {
    withView { view in
      view.parts.contains { if case .polygon = $0 { true } else { false } }
    }
  }
}

/// An area that is prepared to cut many geometries, in the plane of longitude and latitude. Several
/// threads may use it.
// Sendable: `lock` guards the copies for GEOS, and one thread at a time takes each of them.
package final class GeometryCutter: @unchecked Sendable {
  /// The side of the area that is kept.
  package enum Side: Sendable {
    /// The parts in the area.
    case inside
    /// The parts outside of it.
    case outside
  }

  /// The area in the memory of GEOS.
  private struct Copy {
    let context: GEOSContext
    let area: GEOSDimensions

    init(_ area: Geometry) throws(GeometryError) {
      let context = try GEOSContext()
      self.context = context
      self.area = try area.withView { (view) throws(GeometryError) in
        try GEOSDimensions(view, in: context)
      }
    }
  }

  private let area: Geometry
  private let tree: AreaTree
  private let side: Side
  private let prepared: PreparedShape
  private let lock = Lock()
  /// Copies of the whole area, which take long to make if it is large.
  private var copies: [Copy] = []

  /// Prepares an area.
  ///
  /// - Throws: ``GeometryError`` if the geometry is not valid or has no polygons.
  package init(_ area: Geometry, keeping side: Side) throws(GeometryError) {
    guard area.hasPolygons || area.isEmpty else {
      throw GeometryError(.wrongKind, message: "geometries are cut by polygons, not by \(area)")
    }
    self.area = area
    self.side = side
    prepared = try PreparedShape(.geometry(area, edges: .planar))
    tree = AreaTree(area)
  }

  /// Returns the part of a valid geometry on the side of the area that is kept; nil if nothing is left.
  ///
  /// Of lines remain lines and of polygons polygons: points and lines in which a geometry only touches
  /// the area are left out. A geometry that is kept whole is returned as it is.
  package func part(of geometry: Geometry) throws(GeometryError) -> Geometry? {
    try geometry.withView { (view) throws(GeometryError) in
      guard let bounds = view.bounds else { return nil }
      let isInside = side == .inside
      switch prepared.classify(bounds) {
      case .disjoint: return isInside ? nil : geometry
      case .contained: return isInside ? geometry : nil
      case .intersecting: break
      }
      guard prepared.holds(.intersects, view) else { return isInside ? nil : geometry }
      if prepared.holds(.within, view) { return isInside ? geometry : nil }
      return try cut(view, bounds)
    }
  }

  private func cut(_ view: GeometryView, _ bounds: Envelope) throws(GeometryError) -> Geometry? {
    let (part, isWhole) = try tree.part(around: bounds)
    let copy = try isWhole ? takeCopy() : Copy(part)
    defer { if isWhole { lock.withLock { copies.append(copy) } } }
    return try cut(view, by: copy)
  }

  private func cut(_ view: GeometryView, by copy: Copy) throws(GeometryError) -> Geometry? {
    let own = try GEOSDimensions(view, in: copy.context)
    let parts =
      side == .inside
      ? try copy.area.polygons.map { (area) throws(GeometryError) in try own.parts(within: area) }
      : try own.differences(from: copy.area)
    let result = try GEOSDimensions.union(parts ?? [], in: copy.context)
    if result.isEmpty { return nil }
    // A single part is not one of several.
    let members = result.members
    return members.count == 1 ? members[0] : result
  }

  private func takeCopy() throws(GeometryError) -> Copy {
    if let copy = lock.withLock({ copies.popLast() }) { return copy }
    return try Copy(area)
  }
}
