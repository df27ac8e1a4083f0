extension EdgeCover where Edge == GeodesicEdge {
  /// Polygons whose edges are great circles; what lies on an edge is inside.
  convenience init(geodesic polygon: GeoPolygon) {
    let seam = Seam(polygon.polygons)
    var edges: [GeodesicEdge] = []
    var polygons: [UInt32] = []
    for (index, rings) in polygon.polygons.enumerated() {
      var pieces = GeodesicPieces(turn: seam.turn)
      for ring in rings { pieces.append(ring) }
      let made = pieces.closed()
      edges += made
      polygons += Array(repeating: UInt32(index), count: made.count)
    }
    self.init(edges, polygons: polygons, turn: seam.turnSteps) { _, _, _ in true }
  }
}
