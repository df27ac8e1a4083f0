extension Region {
  /// The region of any shape.
  package convenience init(_ shape: Shape) {
    switch shape {
    case .box(let box): self.init(box)
    case .circle(let circle): self.init(circle)
    case .polygon(let polygon): self.init(polygon)
    }
  }

  /// What lies in a box.
  package convenience init(_ box: GeoBox) {
    let test = BoxTest(box)
    self.init(
      .box(test), of: .box(box), bounds: test.second == nil ? test.first.steps : .world,
      core: test.first.steps, isRectangle: test.second == nil)
  }

  /// What lies in a circle.
  package convenience init(_ circle: GeoCircle) {
    guard let cap = CapTest(circle) else {
      self.init(
        .everything, of: .circle(circle), bounds: .world, core: .world, isRectangle: true)
      return
    }
    let cover = CapCover(cap)
    self.init(
      .cap(cap, cover), of: .circle(circle), bounds: cap.isComplement ? .world : cover.bounds,
      core: .empty, isRectangle: false)
  }

  /// What lies in a polygon whose rings are closed; see `GeoPolygon.region` for the one that is kept.
  package convenience init(_ polygon: GeoPolygon) {
    let test: Test
    let bounds: Envelope
    switch polygon.edges {
    case .planar:
      let cover = EdgeCover(planar: polygon)
      (test, bounds) = (.planar(cover), cover.bounds)
    case .geodesic:
      let cover = EdgeCover(geodesic: polygon)
      (test, bounds) = (.geodesic(cover), cover.bounds)
    }
    self.init(
      test, of: .words(polygon.description), bounds: bounds, core: .empty, isRectangle: false)
  }
}

extension GeoPolygon {
  /// The polygon made ready: worked out when it is first asked for, and kept.
  package var region: Region { preparation.region { Region(self) } }
}

extension Shape {
  /// The region of the shape; a polygon's is made once and kept.
  package var region: Region {
    if case .polygon(let polygon) = self { return polygon.region }
    return Region(self)
  }
}
