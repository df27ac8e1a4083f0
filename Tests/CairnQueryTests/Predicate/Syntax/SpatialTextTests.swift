import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Relations and distances in the predicate language.
@Suite(.tags(.untrusted)) struct SpatialTextTests {
  @Test(arguments: [
    ("area GEOCONTAINS geoPoint(8, 50)", "area GEOCONTAINS geoPoint([8.0, 50.0])"),
    ("area geocontains GEOPOINT([8, 50])", "area GEOCONTAINS geoPoint([8.0, 50.0])"),
    ("geoPoint(8, 50) GEOWITHIN area", "area GEOCONTAINS geoPoint([8.0, 50.0])"),
    ("area GEOCONTAINS geoPoint[planar](8, 50)", "area GEOCONTAINS geoPoint[planar]([8.0, 50.0])"),
    (
      "area GEOINTERSECTS geoLine([8, 50], [9, 51])",
      "area GEOINTERSECTS geometry('LINESTRING (8 50, 9 51)')"
    ),
    (
      "NOT area GEODISJOINT geoMultiPoint[planar]([8, 50], [9, 51])",
      "NOT area GEODISJOINT geometry[planar]('MULTIPOINT ((8 50), (9 51))')"
    ),
    (
      "area GEOINTERSECTS geoMultiLine({[8, 50], [9, 51]}, {[0, 0], [1, 1]})",
      "area GEOINTERSECTS geometry('MULTILINESTRING ((8 50, 9 51), (0 0, 1 1))')"
    ),
    (
      "area GEOWITHIN geometry[planar]('polygon((0 0,1 0,0 1,0 0))')",
      "area GEOWITHIN geometry[planar]('POLYGON ((0 0, 1 0, 0 1, 0 0))')"
    ),
    ("a GEOWITHIN b.c", "a GEOWITHIN b.c"),
    ("a GEOWITHIN[geodesic] b", "a GEOWITHIN b"),
    ("a GEOWITHIN[planar] b", "a GEOWITHIN[planar] b"),
    ("a GEOWITHIN ANY b.c", "ANY b.c GEOCONTAINS a"),
    ("NONE b.c GEOINTERSECTS a", "NOT ANY b.c GEOINTERSECTS a"),
    ("geometry['k'] GEOINTERSECTS geometry", "geometry['k'] GEOINTERSECTS geometry"),
    ("area == geometry('POINT (8 50)')", "area == geometry('POINT (8 50)')"),
    (
      "GEODISTANCE(area, geoPoint(8, 50)) < 0.5",
      "GEODISTANCE(area, geoPoint([8.0, 50.0])) < 0.5"
    ),
    ("GeoDistance(a, b.c) >= 4 rad AND d == 1", "GEODISTANCE(a, b.c) >= 4.0 rad AND d == 1"),
    ("GEODISTANCE(a, b) < 0.5 OR d == 1", "GEODISTANCE(a, b) < 0.5 OR d == 1"),
    ("GEODISTANCE(b, ALL a.c) > 1 rad", "GEODISTANCE(ALL a.c, b) > 1.0"),
    (
      "SUBQUERY(dogs, $x, GEODISTANCE($x.a, $x.b) < 1).@count > 0",
      "SUBQUERY(dogs, $x, GEODISTANCE($x.a, $x.b) < 1.0).@count > 0"
    ),
  ])
  func canonical(text: String, expected: String) throws {
    let predicate = try Predicate(parsing: text)
    #expect(predicate.description == expected)
    #expect(try Predicate(parsing: expected) == predicate)
  }

  @Test func geometriesInWKT() throws {
    for (text, wkt) in GeometryTexts.accepted {
      let shape = Shape.geometry(try Geometry(wkt: wkt), edges: .geodesic)
      #expect(
        try Predicate(parsing: "a GEOINTERSECTS geometry('\(text)')").root
          == .relation(PropertyPath("a"), .intersects, .shape(shape)), "\(text)")
    }
    for (text, message) in GeometryTexts.malformed {
      #expect { try Predicate(parsing: "a GEOINTERSECTS geometry('\(text)')") } throws: { error in
        "\(error)".contains(message.dropFirst())
      }
    }
  }

  @Test func geometriesInHexadecimalWKB() throws {
    let digits = "0101000020E610000000000000000020400000000000004940"
    for text in [digits, digits.lowercased()] {
      #expect(
        try Predicate(parsing: "a GEOINTERSECTS geometry('\(text)')")
          == Predicate(parsing: "a GEOINTERSECTS geometry('POINT (8 50)')"))
    }
    let others = [
      (digits + "00", "end of the geometry"), (digits.replacing("E610", with: "110F"), "EPSG:3857"),
    ]
    for (text, message) in others {
      #expect { try Predicate(parsing: "a GEOINTERSECTS geometry('\(text)')") } throws: { error in
        "\(error)".contains(message)
      }
    }
  }

  @Test func lengthsHaveUnits() throws {
    let five = try #require(Distance.kilometers(5))
    for text in ["5km", "5 km", "5000m", "5000.0 m"] {
      #expect(
        try Predicate(parsing: "GEODISTANCE(a, b) < \(text)").root
          == .distance(
            PropertyPath("a"), .less, .property(PropertyPath("b"), edges: .geodesic), five))
    }
  }

  @Test func arguments() throws {
    let point = Position(latitude: 50, longitude: 8)
    let line = try Geometry(wkt: "LINESTRING (8 50, 9 51)")
    let shape = Shape.geometry(line, edges: .planar)
    let path = PropertyPath("a")
    func root(_ text: String, _ arguments: PredicateArgument...) throws -> PredicateNode {
      try Predicate(parsing: text, arguments: arguments).root
    }
    #expect(
      try root("a GEOCONTAINS %@", .value(.point(point)))
        == .relation(path, .contains, .shape(.point(point))))
    #expect(
      try root("a GEOINTERSECTS %@", .value(.geometry(line.bytes)))
        == .relation(path, .intersects, .shape(.geometry(line, edges: .geodesic))))
    #expect(
      try root("a GEODISJOINT $0", .shape(shape)) == .relation(path, .disjoint, .shape(shape)))
    #expect(
      try root("a GEODISJOINT geometry(%@)", .value(.string(line.wkt)))
        == .relation(path, .disjoint, .shape(.geometry(line, edges: .geodesic))))
    let distance = try #require(Distance.radians(0.25))
    #expect(
      try root(
        "GEODISTANCE(%K, %@) <= %@", .value(.string("a")), .shape(shape), .value(.double(0.25)))
        == .distance(path, .lessOrEqual, .shape(shape), distance))
  }
}
