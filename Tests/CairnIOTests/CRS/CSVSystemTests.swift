import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO

/// Projected coordinates in CSV.
@Suite(.tags(.untrusted)) struct CSVSystemTests {
  private static let grid = """
    id,easting,northing,name
    1,431065.79,398613.58,Penistone
    2,359334.70,110861.24,Yetminster
    3,530168,"180509",London

    """

  private static func inGrid(_ options: inout ImportOptions) {
    options.coordinateSystem = "EPSG:27700"
  }

  private static let options: [@Sendable (inout ImportOptions) -> Void] = [
    { $0.coordinateSystem = "EPSG:27700" },
    { ($0.coordinateSystem, $0.x, $0.y) = ("EPSG:27700", "easting", "northing") },
    { ($0.coordinateSystem, $0.threads) = ("urn:ogc:def:crs:EPSG::27700", 4) },
    {
      $0.coordinateSystem =
        "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m"
    },
  ]

  @Test(arguments: options.indices) func projectedCoordinatesBecomeLocations(_ index: Int) throws {
    let imported = try Imported(Self.grid, Self.options[index])
    let places = imported.column("location")
    #expect(places.count == 3)
    #expect(places[0].isNear(latitude: 53.48333, longitude: -1.53333))
    #expect(places[1].isNear(latitude: 50.89579, longitude: -2.57959))
    #expect(places[2].isNear(latitude: 51.50853, longitude: -0.12574))
    #expect(imported.columns.map(\.name) == ["id", "location", "name"])
  }

  @Test func wgs84NeedsNoSystem() throws {
    for system in ["EPSG:4326", "OGC:CRS84", "WGS84"] {
      let imported = try Imported("id,x,y\n1,7.5,46.5\n") { $0.coordinateSystem = system }
      #expect(imported.column("location") == [.point(Position(latitude: 46.5, longitude: 7.5))])
      #expect(imported.summary.systems.isEmpty)
    }
  }

  @Test func metresAreNotDegrees() throws {
    let header = try #require(try importError(Self.grid))
    #expect(
      header.message.contains(
        "no columns are known to hold the coordinates; name the columns with `latitude: COLUMN, longitude: COLUMN`, or since they are projected, use `coordinateSystem: EPSG:n, x: COLUMN, y: COLUMN`"
      ), "\(header)")
    let value = try #require(
      try importError(Self.grid) { ($0.latitudes, $0.longitudes) = (["northing"], ["easting"]) })
    #expect(value.kind == .data)
    #expect(
      value.message.hasSuffix(
        "things.csv:2: the longitude 431065.79 (column `easting`) is beyond ±180 degrees; projected coordinates need `coordinateSystem: EPSG:n, x: COLUMN, y: COLUMN`; `onError: skip` leaves such rows out"
      ), "\(value)")
  }

  @Test func everyRejectionNamesFileLineValueAndSystem() throws {
    let cases = [
      ("4,,2,x", "the x (column `easting`) is missing"),
      ("4,1,abc,x", "the y `abc` (column `northing`) is not a number"),
      ("4,1e300,1e300,x", "cannot be placed by EPSG:27700: "),
      ("4,9000000,200000,x", "far outside the area of OSGB36 / British National Grid"),
    ]
    for (row, part) in cases {
      let text = Self.grid + row + "\n5,431065.79,398613.58,y\n"
      let error = try #require(try importError(text, Self.inGrid), "\(row)")
      #expect(error.kind == .data)
      #expect(error.message.contains("things.csv:5: "), "\(error)")
      #expect(error.message.contains(part), "\(error)")
      #expect(error.message.contains("; `onError: skip`"), "\(error)")
      let skipped = try Imported(text) {
        Self.inGrid(&$0)
        $0.onError = .skip
      }
      #expect(skipped.column("id") == [1, 2, 3, 5].map { .int($0) })
      #expect(skipped.summary.rejected == 1)
    }
  }

  @Test func aLocationOutsideTheSystemSaysWhatToCheck() throws {
    let error = try importError(Self.grid) { $0.coordinateSystem = "EPSG:2056" }
    #expect(
      error?.message.contains("; check `coordinateSystem`, `x` and `y`; `onError: skip") == true)
  }

  @Test func unusableSystemsAreRejected() throws {
    for system in ["EPSG:999999", "nonsense", "+proj=nonsense"] {
      let error = try #require(try importError(Self.grid) { $0.coordinateSystem = system })
      #expect(error.kind == .usage)
      #expect(
        error.message.hasPrefix("`coordinateSystem`: '\(system)' is not a coordinate system"),
        "\(error)")
    }
    let wrapping = try #require(
      try importError(Self.grid) {
        Self.inGrid(&$0)
        $0.wrapsLongitudes = true
      })
    #expect(wrapping.kind == .usage)
    #expect(wrapping.message.contains("`wrapsLongitudes` applies to degrees of WGS 84"))
  }

  @Test func missingColumnsAreReported() throws {
    let error = try importError("id,lat,lon\n1,2,3\n") {
      ($0.coordinateSystem, $0.x, $0.y) = ("EPSG:27700", "easting", "northing")
    }
    #expect(error?.message.contains("no column is named `northing`") == true)
    let found = try importError("id,a,b\n1,2,3\n", Self.inGrid)
    #expect(found?.message.contains("`x: COLUMN, y: COLUMN`; the columns are `id`") == true)
    let both = try importError(Self.grid) {
      ($0.coordinateSystem, $0.x, $0.y) = ("EPSG:27700", "easting", "easting")
    }
    #expect(both?.message.contains("`easting` cannot hold both coordinates") == true)
  }
}

/// Longitudes of 0 to 360.
struct WrappedLongitudeTests {
  @Test func longitudesBeyond180NeedTheOption() throws {
    let text = "id,lat,lon\n1,10,186.028\n2,10,-186.5\n3,10,360\n4,10,180.0000000000001\n5,10,-7\n"
    let error = try #require(try importError(text))
    #expect(
      error.message.hasSuffix(
        "things.csv:2: the longitude 186.028 (column `lon`) is beyond ±180 degrees; longitudes of 0 to 360 need `wrapsLongitudes`, projected coordinates need `coordinateSystem: EPSG:n, x: COLUMN, y: COLUMN`; `onError: skip` leaves such rows out"
      ), "\(error)")
    let imported = try Imported(text) { $0.wrapsLongitudes = true }
    let longitudes = imported.column("location").map { value -> Double in
      if case .point(let position) = value { position.longitude } else { .nan }
    }
    // The fourth differs from 180 by no more than the noise of rounding.
    #expect(longitudes == [-173.972, 173.5, 0, 180, -7])
  }

  /// Lines and polygons are cut at the antimeridian, where wrapping each vertex would send their
  /// edges around the world.
  @Test func linesAndPolygonsAreCut() throws {
    let text = """
      id,shape
      1,"POLYGON((176 -20,183 -20,183 -15,176 -15,176 -20))"
      2,"LINESTRING(170 0,190 10)"
      3,"POLYGON((190 0,195 0,195 5,190 0))"
      4,"POLYGON((175 0,185 10,185 0,175 10,175 0))"

      """
    let error = try importError(text) { $0.wrapsLongitudes = true }
    #expect(error?.message.contains("things.csv:5:") == true, "\(error as Any)")
    let imported = try Imported(text) {
      $0.wrapsLongitudes = true
      $0.geometries.repairs = true
    }
    let shapes = imported.column("geometry").map { value -> Geometry? in
      if case .geometry(let bytes) = value { Geometry(packed: bytes) } else { nil }
    }
    try #require(
      shapes.map(\.?.kind) == [.multiPolygon, .multiLineString, .polygon, .multiPolygon])
    #expect(shapes.allSatisfy { $0?.withView(\.isBeyondAntimeridian) == false })
    let areas = try shapes.map { try ($0?.area ?? 0) / 1e9 }
    #expect(abs(areas[0] - 411.3) < 1, "\(areas)")
    #expect(abs(areas[3] - 613) < 5, "\(areas)")
  }

  /// Noise of rounding at ±180 and ±90, as files of Natural Earth and geopandas have it.
  @Test func noiseAtTheLimits() throws {
    let imported = try Imported(
      """
      id,shape
      1,"POLYGON((170 80,180.00000000000006 80,180.00000000000006 90.0000000001,170 90,170 80))"

      """)
    guard case .geometry(let bytes)? = imported.column("geometry").first else {
      Issue.record("the shape is missing: \(imported.column("geometry"))")
      return
    }
    #expect(Geometry(packed: bytes).wkt == "POLYGON ((170 80, 180 80, 180 90, 170 90, 170 80))")
    let points = try Imported("id,lat,lon\n1,-90.0000000001,-180.0000000001\n")
    #expect(points.column("location") == [.point(Position(latitude: -90, longitude: -180))])
  }

  @Test func longitudesBeyond360AreNotWrapped() throws {
    let error = try importError("id,lat,lon\n1,10,360.5\n") { $0.wrapsLongitudes = true }
    #expect(error?.message.contains("the longitude 360.5") == true)
    #expect(error?.message.contains("wrapsLongitudes") == false)
    #expect(error?.message.contains("coordinateSystem") == true)
    let latitude = try importError("id,lat,lon\n1,95,10\n") { $0.wrapsLongitudes = true }
    #expect(latitude?.message.contains("the latitude 95.0 (column `lat`) is beyond ±90") == true)
  }

  @Test func longitudesAreWrappedInGeoJSON() throws {
    let text = collection([feature("{\"id\":1}", at: "200.25,1")])
    let error = try importError(text, as: "a.geojson")
    #expect(error?.message.contains("longitudes of 0 to 360 need `wrapsLongitudes`") == true)
    let imported = try Imported(text, as: "a.geojson") { $0.wrapsLongitudes = true }
    #expect(imported.column("location") == [.point(Position(latitude: 1, longitude: -159.75))])
  }
}
