import Testing

@testable import CairnGeometry

/// Real locations in four systems, converted to WGS 84 by another build of PROJ.
@Suite struct CoordinateTransformTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let system: String
    let x, y, longitude, latitude, tolerance: Double

    var testDescription: String { "\(system) \(x) \(y)" }
  }

  static let locations = [
    Place(
      system: "EPSG:27700", x: 431065.79, y: 398613.58, longitude: -1.53333, latitude: 53.48333,
      tolerance: 5),
    Place(
      system: "EPSG:2056", x: 2539096.56, y: 1181126.81, longitude: 6.64115, latitude: 46.77852,
      tolerance: 5),
    Place(
      system: "EPSG:3857", x: 5535343.869, y: 4336860.708, longitude: 49.72484, latitude: 36.26293,
      tolerance: 0.01),
    Place(
      system: "EPSG:32633", x: 602057.885, y: 5239386.596, longitude: 16.35, latitude: 47.3,
      tolerance: 0.01),
    Place(
      system: "EPSG:4326", x: 16.35, y: 47.3, longitude: 16.35, latitude: 47.3, tolerance: 1e-6),
  ]

  @Test(arguments: locations) func convertsWithinTheTolerance(_ location: Place) throws {
    let transform = try CoordinateTransform(location.system)
    let found = try transform.toWGS84(x: location.x, y: location.y)
    let east = (found.longitude - location.longitude) * cosine(location.latitude) * 111_320
    let north = (found.latitude - location.latitude) * 111_320
    #expect((east * east + north * north).squareRoot() <= location.tolerance)
  }

  @Test(arguments: locations) func convertsBack(_ location: Place) throws {
    let transform = try CoordinateTransform(location.system)
    let found = try transform.toWGS84(x: location.x, y: location.y)
    let back = try transform.fromWGS84(longitude: found.longitude, latitude: found.latitude)
    #expect(abs(back.x - location.x) < 0.01)
    #expect(abs(back.y - location.y) < 0.01)
  }

  @Test(arguments: ["EPSG:999999", "nonsense", ""]) func unknownSystemsAreReported(_ text: String) {
    let error = #expect(throws: GeometryError.self) { try CoordinateTransform(text) }
    #expect(error?.kind == .coordinateSystem)
    #expect(error?.message.contains("'\(text)'") == true)
  }

  @Test func pointsThatAreNotOnTheEarthAreRejected() throws {
    let transform = try CoordinateTransform("EPSG:32633")
    for (x, y) in [(Double.nan, 0), (0, .infinity), (1e30, 1e30), (-20_000_000, 5_000_000)] {
      let error = #expect(throws: GeometryError.self) { try transform.toWGS84(x: x, y: y) }
      #expect(error?.kind == .coordinateSystem)
      #expect(error?.message.contains("EPSG:32633") == true)
    }
  }

  @Test func locationsFarOutsideTheAreaAreRejected() throws {
    let transform = try CoordinateTransform("EPSG:32633")
    let error = #expect(throws: GeometryError.self) {
      try transform.fromWGS84(longitude: -170, latitude: 20)
    }
    #expect(error?.message.contains("outside the area") == true)
  }

  @Test func northingFirstSystemsStillTakeEastingAsX() throws {
    // EPSG:3035 is defined with the northing first; its false origin is at 10 east, 52 north.
    let found = try CoordinateTransform("EPSG:3035").toWGS84(x: 4_321_000, y: 3_210_000)
    #expect(abs(found.longitude - 10) < 1e-6)
    #expect(abs(found.latitude - 52) < 1e-6)
  }

  @Test func distancesOnTheEllipsoid() throws {
    let pairs = [
      (179.9, 10.0, -179.9, 10.0, 21927.872478), (0, 90, 0, -90, 20003931.458625),
      (166.6, -77.8, -68.1, -67.6, 3461617.091573), (0, 0, 90, 0, 10018754.171395),
    ]
    for (x1, y1, x2, y2, metres) in pairs {
      let from = try #require(GeoPoint(latitude: y1, longitude: x1))
      let to = try #require(GeoPoint(latitude: y2, longitude: x2))
      #expect(abs(try from.ellipsoidalDistance(to: to) - metres) < 0.001)
    }
  }

  /// The cosine of an angle in degrees, precise enough for a tolerance.
  private func cosine(_ degrees: Double) -> Double {
    let angle = degrees * .pi / 180
    let square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
  }
}
