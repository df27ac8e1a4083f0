extension Geometry {
  /// Returns the same area with rings that do not touch themselves; nil if that does not make the
  /// geometry valid.
  package func splitWhereRingsTouch(edges: GeoPolygon.Edges) -> Geometry? {
    let result = withView { view -> Geometry? in
      var rewriter = GeometryRewriter(view, rules: Splitting())
      guard let geometry = try? rewriter.geometry(), rewriter.rules.isChanged else { return nil }
      return geometry
    }
    guard let result, (try? result.validate(edges: edges)) != nil else { return nil }
    return result
  }
}

/// The rules of a split.
private struct Splitting: GeometryRules {
  private(set) var isChanged = false

  mutating func polygons(of rings: [PlaneRing], name: String) -> [[PlaneRing]] {
    guard let split = RingSplitter.split(rings) else { return [rings] }
    isChanged = true
    return split
  }
}
