import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct BoundaryTests {
  @Test func linesEndWhereAnOddNumberOfThemDoes() throws {
    for (text, expected) in [
      ("LINESTRING (0 0, 1 1)", "MULTIPOINT ((0 0), (1 1))"),
      ("LINESTRING (0 0, 1 1, 1 0, 0 0)", "MULTIPOINT EMPTY"),
      ("MULTILINESTRING ((0 0, 1 1), (1 1, 2 0))", "MULTIPOINT ((0 0), (2 0))"),
      // One line that was cut at the antimeridian, and one that ends there.
      (
        "MULTILINESTRING ((179 1, 180 1), (-180 1, -179 1), (170 5, 180 5))",
        "MULTIPOINT ((179 1), (-179 1), (170 5), (180 5))"
      ),
      ("POINT (1 1)", "GEOMETRYCOLLECTION EMPTY"), ("POLYGON EMPTY", "MULTILINESTRING EMPTY"),
      (
        "GEOMETRYCOLLECTION (POINT (5 5), LINESTRING (0 0, 1 1))", "MULTIPOINT ((0 0), (1 1))"
      ),
      (
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 0)), LINESTRING (0 0, 1 1))",
        """
        GEOMETRYCOLLECTION (LINESTRING (0 0, 1 0, 1 1, 0 0), MULTIPOINT ((0 0), (1 1)))
        """
      ),
    ] {
      #expect(try Geometry(wkt: text).boundary() == Geometry(wkt: expected), "\(text)")
    }
  }

  @Test func polygonsThatAreCutHaveTheOutlineOfTheWhole() throws {
    let text = """
      MULTIPOLYGON (((178 0, 180 0, 180 2, 178 2, 178 0)),
      ((-180 0.5, -178 0.5, -178 2, -180 2, -180 0.5)))
      """
    let boundary = try Geometry(wkt: text).boundary()
    #expect(
      boundary
        == (try Geometry(
          wkt: """
            MULTILINESTRING ((180 2, 178 2, 178 0, 180 0, 180 0.5),
            (-180 0.5, -178 0.5, -178 2, -180 2))
            """)))
    let cap = try Geometry(wkt: "POLYGON ((-180 80, 180 80, 180 90, -180 90, -180 80))")
    #expect(try cap.boundary() == Geometry(wkt: "LINESTRING (-180 80, 180 80)"))
    // A wedge at the pole has an outline along its meridians.
    let wedge = try Geometry(wkt: "POLYGON Z ((0 80 1, 90 80 2, 90 90 3, 0 90 4, 0 80 1))")
    #expect(
      try wedge.boundary() == Geometry(wkt: "LINESTRING Z (0 90 4, 0 80 1, 90 80 2, 90 90 3)"))
  }

  @Test func perimeters() throws {
    let box = Geometry(rings: [[(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]])
    let sides = try box.boundary().length
    #expect(try box.perimeter == sides && sides > 440_000 && sides < 445_000)
    let halves = Geometry(polygons: [
      [[(179, 0), (180, 0), (180, 1), (179, 1), (179, 0)]],
      [[(-180, 0), (-179, 0), (-179, 1), (-180, 1), (-180, 0)]],
    ])
    let whole = Geometry(rings: [[(1, 0), (2, 0), (3, 0), (3, 1), (2, 1), (1, 1), (1, 0)]])
    #expect(abs(try halves.perimeter - whole.perimeter) < 1e-6)
    #expect(try Geometry(wkt: "LINESTRING (0 0, 1 1)").perimeter == 0)
  }

  @Test func rearrangements() throws {
    let text = """
      GEOMETRYCOLLECTION Z (POINT Z (1 2 3), LINESTRING Z (0 0 1, 1 1 2, 2 0 3), POLYGON EMPTY,
      POLYGON Z ((0 0 1, 4 0 2, 4 4 3, 0 0 1), (2 1 5, 3 1 6, 3 2 7, 2 1 5)))
      """
    let reversed = """
      GEOMETRYCOLLECTION Z (POINT Z (1 2 3), LINESTRING Z (2 0 3, 1 1 2, 0 0 1), POLYGON EMPTY,
      POLYGON Z ((0 0 1, 4 4 3, 4 0 2, 0 0 1), (2 1 5, 3 2 7, 3 1 6, 2 1 5)))
      """
    let all = try Geometry(wkt: text)
    #expect(try all.reversed() == Geometry(wkt: reversed))
    #expect(all.reversed().reversed() == all)
    #expect(!all.withoutAltitudes().hasAltitudes && all.withoutAltitudes().vertexCount == 12)
    let flat = try Geometry(wkt: "POINT (1 2)")
    #expect(flat.withoutAltitudes() == flat)
    var random = SplitMix64(seed: 5631)
    for _ in 0..<200 {
      let geometry = Geometry.random(&random)
      #expect(geometry.reversed().reversed() == geometry)
      #expect(
        geometry.withoutAltitudes().points.map(\.longitude) == geometry.points.map(\.longitude))
    }
    #expect(
      try all.members[3].exteriorRing == Geometry(wkt: "LINESTRING Z (0 0 1, 4 0 2, 4 4 3, 0 0 1)"))
    #expect(all.exteriorRing == nil && all.members[2].exteriorRing == nil)
  }
}
