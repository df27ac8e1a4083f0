/// A shape prepared for queries about rectangles and points.
package final class Region: Sendable {
  enum Test: Sendable {
    case everything
    case box(BoxTest)
    case cap(CapTest, CapBandIndex)
    case planar(BandIndex<PlanarEdge>)
    case geodesic(BandIndex<GeodesicEdge>)
    case prepared(PreparedShape)
  }

  /// The shape that the region was created from. A polygon keeps its region, so the region must not
  /// keep the polygon.
  enum Source: Sendable {
    case box(GeoBox)
    case circle(GeoCircle)
    case text(String)
  }

  let test: Test

  /// The outer bounds: a rectangle with a lane above these is disjoint.
  package let outerBounds: SIMD4<Int32>
  /// The inner bounds: a rectangle in this one is contained.
  package let innerBounds: Envelope
  /// Whether the two bounds decide everything: a rectangle that is neither disjoint nor contained
  /// intersects the region.
  package let isRectangle: Bool
  private let source: Source

  init(_ test: Test, of source: Source, bounds: Envelope, innerBounds: Envelope, isRectangle: Bool)
  {
    self.test = test
    self.source = source
    self.outerBounds = bounds.outerBounds
    self.innerBounds = innerBounds
    self.isRectangle = isRectangle
  }

  /// A description of the region for `explain`.
  package var description: String {
    switch source {
    case .box(let box): box.description
    case .circle(let circle): circle.description
    case .text(let text): text
    }
  }

  /// A rectangle that contains the whole region.
  package var bounds: Envelope {
    Envelope(lanes: SIMD4(-outerBounds.z, -outerBounds.w, -outerBounds.x, -outerBounds.y))
  }
}

extension Region {
  /// The relation of the region to a rectangle. Disjoint and contained are always right.
  package func classify(_ envelope: Envelope) -> Containment {
    if any(envelope.lanes .> outerBounds) { return .disjoint }
    switch test {
    case .everything: return .contained
    case .box(let box): return box.classify(envelope)
    case .cap(let cap, let bands):
      let answer = bands.classify(envelope)
      guard cap.isComplement else { return answer }
      return answer == .contained ? .disjoint : answer == .disjoint ? .contained : .intersecting
    case .planar(let bands): return bands.classify(envelope)
    case .geodesic(let bands): return bands.classify(envelope)
    case .prepared(let shape): return shape.classify(envelope)
    }
  }

  /// Whether a location in degrees is in the region.
  package func contains(longitude: Double, latitude: Double) -> Bool {
    switch test {
    case .everything: true
    case .box(let box): box.contains(longitude, latitude: latitude)
    case .cap(let cap, _): cap.contains(longitude, latitude: latitude)
    case .planar(let bands): bands.contains(longitude, latitude: latitude)
    case .geodesic(let bands): bands.contains(longitude, latitude: latitude)
    case .prepared(let shape):
      shape.holds(.intersects, longitude: longitude, latitude: latitude)
    }
  }
}

extension Region {
  /// A bitmap of those of up to 64 locations in degrees that are in the region; bit i is location
  /// i.
  package func select(
    longitudes: UnsafePointer<Double>, latitudes: UnsafePointer<Double>, count: Int
  ) -> UInt64 {
    switch test {
    case .everything: lowBits(count)
    case .box(let box): box.select(longitudes, ys: latitudes, count: count)
    case .cap(let cap, _): cap.select(longitudes, ys: latitudes, count: count)
    case .planar(let bands):
      gather(count) { bands.contains(longitudes[$0], latitude: latitudes[$0]) }
    case .geodesic(let bands):
      gather(count) { bands.contains(longitudes[$0], latitude: latitudes[$0]) }
    case .prepared(let shape):
      gather(count) {
        shape.holds(.intersects, longitude: longitudes[$0], latitude: latitudes[$0])
      }
    }
  }

  /// A bitmap of those of up to 64 locations in E7 fixed point that are in the region; bit i is
  /// location i.
  package func select(
    longitudesE7: UnsafePointer<Int32>, latitudesE7: UnsafePointer<Int32>, count: Int
  ) -> UInt64 {
    switch test {
    case .everything: lowBits(count)
    case .box(let box): box.select(longitudesE7, ys: latitudesE7, count: count)
    case .cap(let cap, _): cap.select(longitudesE7, ys: latitudesE7, count: count)
    case .planar(let bands): bands.select(longitudesE7, ys: latitudesE7, count: count)
    case .geodesic(let bands): bands.select(longitudesE7, ys: latitudesE7, count: count)
    case .prepared(let shape):
      gather(count) {
        shape.holds(
          .intersects, longitude: E7.degrees(longitudesE7[$0]),
          latitude: E7.degrees(latitudesE7[$0]))
      }
    }
  }
}

extension Region {
  /// Creates the region of a shape.
  package convenience init(_ shape: Shape) {
    switch shape {
    case .box(let box): self.init(box)
    case .circle(let circle): self.init(circle)
    case .polygon(let polygon): self.init(polygon)
    case .geometry(let geometry, let edges):
      if let polygon = GeoPolygon(area: geometry, edges: edges) {
        self.init(polygon)
      } else {
        self.init(preparing: shape)
      }
    }
  }

  /// Creates the region of a shape with points or lines. That of an invalid shape, which validation
  /// reports, contains nothing.
  private convenience init(preparing shape: Shape) {
    let source = Source.text(shape.description)
    guard let prepared = try? PreparedShape(shape) else {
      self.init(
        .planar(BandIndex(planar: [], polygons: [])), of: source, bounds: .empty,
        innerBounds: .empty, isRectangle: false)
      return
    }
    self.init(
      .prepared(prepared), of: source, bounds: prepared.bounds, innerBounds: .empty,
      isRectangle: false)
  }

  /// Creates the region of a box.
  package convenience init(_ box: GeoBox) {
    let test = BoxTest(box)
    self.init(
      .box(test), of: .box(box), bounds: test.second == nil ? test.first.e7 : .world,
      innerBounds: test.first.e7, isRectangle: test.second == nil)
  }

  /// Creates the region of a rectangle. Of a side on the antimeridian, both longitudes are in it.
  package convenience init(around bounds: Envelope) {
    let test = BoxTest(bounds)
    self.init(
      .box(test), of: .text("\(bounds)"), bounds: test.second == nil ? bounds : .world,
      innerBounds: bounds, isRectangle: test.second == nil)
  }

  /// Creates the region of a circle.
  package convenience init(_ circle: GeoCircle) {
    guard let cap = CapTest(circle) else {
      self.init(
        .everything, of: .circle(circle), bounds: .world, innerBounds: .world, isRectangle: true)
      return
    }
    let bands = CapBandIndex(cap)
    self.init(
      .cap(cap, bands), of: .circle(circle), bounds: cap.isComplement ? .world : bands.bounds,
      innerBounds: .empty, isRectangle: false)
  }

  /// Creates the region of a polygon whose rings are closed. `GeoPolygon.region` caches it.
  package convenience init(_ polygon: GeoPolygon) {
    let test: Test
    let bounds: Envelope
    switch polygon.edges {
    case .planar:
      let bands = BandIndex(planar: polygon)
      (test, bounds) = (.planar(bands), bands.bounds)
    case .geodesic:
      let bands = BandIndex(geodesic: polygon)
      (test, bounds) = (.geodesic(bands), bands.bounds)
    }
    self.init(
      test, of: .text(polygon.description), bounds: bounds, innerBounds: .empty, isRectangle: false)
  }
}

extension GeoPolygon {
  /// The polygon of a geometry that has polygons and nothing else; nil for other geometries, and if
  /// a ring is too short, not closed or not on the earth.
  convenience init?(area geometry: Geometry, edges: Edges) {
    let polygons = geometry.withView { view -> [[[GeoPoint]]]? in
      var polygons: [[[GeoPoint]]] = []
      for part in view.parts {
        guard case .polygon(let rings) = part else { return nil }
        polygons.append(
          rings.map { ring in
            ring.compactMap {
              GeoPoint(latitude: view.latitude($0), longitude: view.longitude($0))
            }
          })
      }
      return polygons.isEmpty ? nil : polygons
    }
    guard let polygons else { return nil }
    try? self.init(polygons: polygons, edges: edges)
  }

  /// The region of the polygon, created on first use and cached.
  package var region: Region { preparation.value { Region(self) } }
}

extension Shape {
  /// The region of the shape. That of a polygon is created once and cached.
  package var region: Region {
    if case .polygon(let polygon) = self { return polygon.region }
    return Region(self)
  }
}
