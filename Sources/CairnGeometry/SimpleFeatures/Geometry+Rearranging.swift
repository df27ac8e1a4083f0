/// Geometries with the same locations in another form.
extension Geometry {
  /// Returns the geometry with the vertices of each line and ring in reverse order.
  ///
  /// - Complexity: O(*n*) in the number of vertices.
  public func reversed() -> Geometry {
    withView { view in
      var builder = GeometryBuilder()
      builder.append(view) { vertices, _ in vertices.reversed() }
      return builder.geometry()
    }
  }

  /// Returns the geometry without altitudes.
  ///
  /// - Complexity: O(*n*) in the number of vertices.
  public func withoutAltitudes() -> Geometry {
    guard hasAltitudes else { return self }
    return withView { view in
      var builder = GeometryBuilder()
      builder.append(view)
      builder.removeAltitudes()
      return builder.geometry()
    }
  }

  /// The outer ring of a polygon, as a closed line; nil if the geometry is of another kind or empty.
  public var exteriorRing: Geometry? {
    withView { view in
      guard view.kind == .polygon,
        case .polygon(var rings)? = view.parts.first(where: { _ in true }),
        let ring = rings.next()
      else { return nil }
      var builder = GeometryBuilder()
      builder.begin(.lineString)
      for vertex in ring {
        builder.add(
          longitude: view.longitude(vertex), latitude: view.latitude(vertex),
          altitude: view.altitude(vertex))
      }
      builder.end()
      return builder.geometry()
    }
  }
}
