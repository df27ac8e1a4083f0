extension GeometryView {
  /// The geometry with longitudes that continue beyond 180 degrees, if it takes less of them so: parts
  /// to the west of the widest gap are moved by a turn. Nil if it needs no move.
  ///
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  var continuedBeyondAntimeridian: Geometry? {
    var ranges: [ClosedRange<Double>] = []
    for vertices in outerPaths {
      let xs = vertices.map { longitude($0) }
      if let west = xs.min(), let east = xs.max() { ranges.append(west...east) }
    }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    guard var reached = ranges.first?.upperBound, let west = ranges.first?.lowerBound else {
      return nil
    }
    var widest = (west: 0.0, width: 0.0)
    for range in ranges {
      let width = range.lowerBound - reached
      if width > widest.width { widest = (reached, width) }
      reached = max(reached, range.upperBound)
    }
    return widest.width > 360 - (reached - west) ? turned(upTo: widest.west) : nil
  }

  /// The geometry with the parts that lie to the west of a meridian, or on it, moved by a turn.
  private func turned(upTo meridian: Double) -> Geometry {
    var builder = GeometryBuilder()
    builder.append(self)
    builder.withCoordinates { xs, _ in
      for index in xs.indices where xs[index] <= meridian { xs[index] += 360 }
    }
    return builder.geometry()
  }

  /// The vertices of each point, line and outer ring.
  private var outerPaths: [Range<Int>] {
    parts.map { part in
      switch part {
      case .point(let vertex): vertex..<vertex + 1
      case .line(let line): line
      case .polygon(var rings): rings.next() ?? 0..<0
      }
    }
  }
}

extension Geometry {
  /// The result of an operation in the plane, on a geometry that continues beyond 180 degrees where it
  /// takes less of the longitudes so. The result is cut at the antimeridian.
  func acrossAntimeridian(
    _ operation: (Geometry) throws(GeometryError) -> Geometry
  ) throws(GeometryError) -> Geometry {
    guard let whole = withView({ $0.continuedBeyondAntimeridian }) else {
      return try operation(self)
    }
    return try operation(whole).wrapped()
  }
}
