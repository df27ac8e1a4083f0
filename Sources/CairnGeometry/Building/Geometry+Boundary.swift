extension Geometry {
  /// Returns the boundary of the geometry: the outlines of polygons, and the ends of lines.
  ///
  /// A location where an even number of lines end, as that where a closed line begins, is not an end.
  /// On the earth, edges of polygons along a pole and those where a polygon is cut at the
  /// antimeridian are not outlines. Points have no boundary.
  ///
  /// - Returns: A line or a multiline of polygons, and a multipoint of lines. A collection with both
  ///   has a collection of both, and a geometry without either an empty collection.
  /// - Complexity: O(*n*) in the number of vertices.
  public func boundary() -> Geometry {
    withView { view in
      var (hasLines, hasPolygons) = (
        view.kind == .lineString || view.kind == .multiLineString, view.isArea
      )
      for part in view.parts {
        switch part {
        case .point: break
        case .line: hasLines = true
        case .polygon: hasPolygons = true
        }
      }
      var builder = GeometryBuilder()
      if hasLines == hasPolygons { builder.begin(.geometryCollection) }
      if hasPolygons { builder.add(view.earthOutlines.map(\.line)) }
      if hasLines { builder.add(endsOf: view) }
      if hasLines == hasPolygons { builder.end() }
      return builder.geometry()
    }
  }
}

extension GeometryBuilder {
  /// Adds a multiline, or a line if there is exactly one.
  fileprivate mutating func add(_ lines: [PlaneLine]) {
    if lines.count != 1 { begin(.multiLineString) }
    for line in lines {
      begin(.lineString)
      for index in 0..<line.count {
        add(longitude: line.xs[index], latitude: line.ys[index], altitude: line.altitudes[index])
      }
      end()
    }
    if lines.count != 1 { end() }
  }

  /// Adds a multipoint of the locations where an odd number of lines end.
  fileprivate mutating func add(endsOf view: GeometryView) {
    var counts: [PlanePoint: Int] = [:]
    var ends: [(place: PlanePoint, vertex: Int)] = []
    for case .line(let vertices) in view.parts {
      for vertex in [vertices.lowerBound, vertices.upperBound - 1] {
        // Both sides of the antimeridian, and all longitudes of a pole, are one place.
        let (x, y) = (view.longitude(vertex), view.latitude(vertex))
        let place = PlanePoint(x: abs(y) == 90 ? 0 : x == -180 ? 180 : x, y: y)
        if counts[place] == nil { ends.append((place, vertex)) }
        counts[place, default: 0] += 1
      }
    }
    begin(.multiPoint)
    for (place, vertex) in ends where (counts[place] ?? 0) % 2 == 1 {
      begin(.point)
      add(
        longitude: view.longitude(vertex), latitude: view.latitude(vertex),
        altitude: view.altitude(vertex))
      end()
    }
    end()
  }
}
