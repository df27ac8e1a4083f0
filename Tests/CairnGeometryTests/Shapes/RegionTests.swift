import Testing

@testable import CairnGeometry

@Suite struct RegionTests {
  /// The coordinates that a chunk stores for a null location must not stop a query.
  @Test func coordinatesOfNullAreHarmless() throws {
    let center = try #require(GeoPoint(latitude: 10, longitude: 20))
    let circle = try #require(GeoCircle(center: center, radiusInRadians: 0.1))
    let ring = PolygonTests.outer
    let shapes: [Shape] = [
      .circle(circle), .box(GeoBox(bottomLeft: center, topRight: center)),
      .polygon(try #require(GeoPolygon(outerRing: ring))),
      .polygon(try #require(GeoPolygon(outerRing: ring, edges: .planar))),
    ]
    let odd = [Double.nan, .infinity, -.infinity, 1e300]
    for shape in shapes {
      for x in odd {
        #expect(!shape.region.contains(longitude: x, latitude: x), "\(shape) \(x)")
        let many = Array(repeating: x, count: 64)
        _ = shape.region.select(longitudes: many, latitudes: many, count: 64)
      }
    }
  }

  @Test func descriptionsForExplain() throws {
    let center = try #require(GeoPoint(latitude: 10, longitude: 20))
    let circle = GeoCircle(center: center, radius: try #require(Distance.meters(500)))
    #expect(Region(circle).description == "circle of 500.0 m about longitude 20.0, latitude 10.0")
    let box = GeoBox(bottomLeft: center, topRight: center)
    #expect(
      Region(box).description == "box of longitude 20.0 to 20.0, latitude 10.0 to 10.0")
    let polygon = try #require(GeoPolygon(outerRing: PolygonTests.outer, holes: PolygonTests.hole))
    #expect(polygon.region.description == "polygon of 9 vertices, 1 hole, geodesic edges")
  }

  /// A polygon and the region that it keeps are freed together.
  @Test func polygonsAreFreed() throws {
    weak var region: Region?
    do {
      let polygon = try #require(GeoPolygon(outerRing: PolygonTests.outer))
      region = polygon.region
      #expect(region != nil)
    }
    #expect(region == nil)
  }
}
