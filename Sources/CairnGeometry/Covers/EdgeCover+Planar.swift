extension EdgeCover where Edge == PlanarEdge {
  /// Polygons with straight edges in longitude and latitude; GEOS decides on their boundaries.
  convenience init(planar polygon: GeoPolygon) {
    var edges: [PlanarEdge] = []
    var polygons: [UInt32] = []
    for (index, rings) in polygon.polygons.enumerated() {
      for ring in rings {
        for (one, other) in zip(ring, ring.dropFirst())
        where one.longitude != other.longitude || one.latitude != other.latitude {
          edges.append(PlanarEdge(one, other))
          polygons.append(UInt32(index))
        }
      }
    }
    let judge = BoundaryJudge(polygon.polygons)
    self.init(edges, polygons: polygons) { judge.covers(polygon: $0, x: $1, y: $2) }
  }
}
