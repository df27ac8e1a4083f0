internal import CairnGeometry

extension GeometryView {
  /// Copies the geometry into a builder, with its coordinates changed by `map`.
  func copy<Failure: Error>(
    into builder: inout GeometryBuilder,
    map: (Double, Double) throws(Failure) -> (x: Double, y: Double)
  ) throws(Failure) {
    var copy = GeometryCopy(view: self)
    try copy.run(into: &builder, map: map)
  }
}

/// Copies a geometry, whose structure it reads in preorder.
private struct GeometryCopy {
  let view: GeometryView
  private var word = 0
  private var vertex = 0

  init(view: GeometryView) { self.view = view }

  mutating func run<Failure: Error>(
    into builder: inout GeometryBuilder,
    map: (Double, Double) throws(Failure) -> (x: Double, y: Double)
  ) throws(Failure) {
    guard let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(word))) else {
      return
    }
    let count = view.structure(word + 1)
    word += 2
    builder.begin(kind)
    switch kind {
    case .point, .lineString: try copy(count, into: &builder, map: map)
    case .polygon:
      for _ in 0..<count {
        let vertices = view.structure(word)
        word += 1
        builder.beginRing()
        try copy(vertices, into: &builder, map: map)
        builder.endRing()
      }
    case .multiPoint, .multiLineString, .multiPolygon, .geometryCollection:
      for _ in 0..<count { try run(into: &builder, map: map) }
    }
    builder.end()
  }

  private mutating func copy<Failure: Error>(
    _ count: Int, into builder: inout GeometryBuilder,
    map: (Double, Double) throws(Failure) -> (x: Double, y: Double)
  ) throws(Failure) {
    for index in vertex..<vertex + count {
      let point = try map(view.longitude(index), view.latitude(index))
      builder.add(longitude: point.x, latitude: point.y, altitude: view.altitude(index))
    }
    vertex += count
  }
}
