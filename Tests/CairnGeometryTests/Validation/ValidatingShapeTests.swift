import CairnGeometry
import Testing

/// Shapes of coordinates from outside of the program.
@Suite struct ValidatingShapeTests {
  private let square = [(0.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 0.0), (0.0, 0.0)]

  @Test func validShapes() throws {
    let point = try GeoPoint(validatingLatitude: 1, longitude: 2, altitude: 3)
    #expect(point == GeoPoint(latitude: 1, longitude: 2, altitude: 3))
    let polygon = try GeoPolygon(
      validating: square, holes: [[(1, 1), (1, 2), (2, 2), (1, 1)]], edges: .planar)
    #expect(polygon.outerRing.count == 5 && polygon.holes.count == 1 && polygon.edges == .planar)
    let points = polygon.outerRing
    #expect(try GeoPolygon(validating: points).outerRing == points)
  }

  private struct BadPoint {
    let latitude: Double
    let longitude: Double
    let altitude: Double
    let text: String
    let kind: GeometryError.Kind
  }

  private static let badPoints: [BadPoint] = [
    .init(latitude: 91, longitude: 0, altitude: 0, text: "latitude of 91.0", kind: .outOfRange),
    .init(latitude: .nan, longitude: 0, altitude: 0, text: "latitude of nan", kind: .notFinite),
    .init(
      latitude: 0, longitude: -181, altitude: 0, text: "longitude of -181.0", kind: .outOfRange),
    .init(
      latitude: 0, longitude: .infinity, altitude: 0, text: "longitude of inf", kind: .outOfRange),
    .init(latitude: 0, longitude: 0, altitude: -1, text: "altitude of -1.0", kind: .outOfRange),
    .init(latitude: 120, longitude: 50, altitude: 0, text: "may be swapped", kind: .outOfRange),
  ]

  @Test func invalidPoints() {
    for bad in Self.badPoints {
      let error = #expect(throws: GeometryError.self) {
        try GeoPoint(
          validatingLatitude: bad.latitude, longitude: bad.longitude, altitude: bad.altitude)
      }
      #expect(error?.kind == bad.kind)
      #expect(error?.message.contains(bad.text) == true, "\(error?.message ?? "")")
    }
  }

  @Test func invalidPolygons() {
    let crossed = #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: [(0.0, 0.0), (10.0, 10.0), (0.0, 10.0), (10.0, 0.0), (0.0, 0.0)])
    }
    #expect(crossed?.kind == .selfIntersection && crossed?.ring == 0 && crossed?.location != nil)
    #expect(crossed?.message.contains("crosses itself at longitude") == true)
    let open = #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: Array(square.dropLast()))
    }
    #expect(open?.kind == .closed)
    let short = #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: [(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)])
    }
    #expect(short?.kind == .tooFewPoints)
    let none = #expect(throws: GeometryError.self) { try GeoPolygon(validating: [GeoPoint]()) }
    #expect(none?.kind == .tooFewPoints)
    let outside = #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: square, holes: [[(20, 20), (20, 21), (21, 21), (20, 20)]])
    }
    #expect(outside?.kind == .holeOutsideOuterRing && outside?.ring == 1)
    let location = #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: square, holes: [[(1, 1), (95, 2), (2, 2), (1, 1)]])
    }
    #expect(location?.message.hasPrefix("point 1 of hole 1 has a latitude of 95.0") == true)
    #expect(location?.ring == 1)
  }
}
