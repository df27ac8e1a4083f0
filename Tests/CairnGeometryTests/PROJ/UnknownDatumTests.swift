import CairnGeometry
import CairnTestSupport
import Testing

/// Coordinate systems with datums that no register has, as everyday `.prj` files have them.
@Suite struct UnknownDatumTests {
  private static let wgs84 = "SPHEROID[\"WGS84\",6378137,298.257223563]"
  private static let grs80 = "SPHEROID[\"GRS 1980\",6378137,298.257222101]"
  private static let degrees =
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.017453292519943295]"

  private static func geographic(_ name: String, _ datum: String, _ spheroid: String) -> String {
    "GEOGCS[\"\(name)\",DATUM[\"\(datum)\",\(spheroid)],\(degrees)]"
  }

  @Test(arguments: [
    // Socrata.
    """
    GEOGCS["WGS84(DD)",DATUM["WGS84",SPHEROID["WGS84",6378137.0,298.257223563]],
    PRIMEM["Greenwich",0.0],UNIT["degree",0.017453292519943295],AXIS["Geodetic longitude",EAST],
    AXIS["Geodetic latitude",NORTH],AUTHORITY["EPSG","4326"]]
    """,
    geographic("GCS_unknown", "D_unknown", wgs84),
    geographic("unknown", "unknown", grs80),
    geographic(
      "WGS 84", "World Geodetic System 1984 x",
      "SPHEROID[\"WGS 84 [EPSG ID 7030]\",6378137,298.257223563]"),
    geographic("Unknown", "Unknown datum based upon the GRS 1980 ellipsoid", grs80),
  ])
  func modernDatumsAreTakenForWGS84(definition: String) throws {
    let transform = try CoordinateTransform(definition)
    #expect(transform.assumesDatum)
    let found = try transform.toWGS84(x: 7.5, y: 47)
    #expect(abs(found.longitude - 7.5) < 1e-9 && abs(found.latitude - 47) < 1e-9)
  }

  @Test func projectionsOfThemAreUndone() throws {
    let definition = """
      PROJCS["unknown",\(Self.geographic("x", "D_unknown", Self.grs80)),
      PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],
      PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],
      PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]
      """
    let transform = try CoordinateTransform(definition)
    let known = try CoordinateTransform("EPSG:25832")
    #expect(transform.assumesDatum && !known.assumesDatum && transform.isInLengths)
    let (found, expected) = (
      try transform.toWGS84(x: 400_000, y: 5_200_000), try known.toWGS84(x: 400_000, y: 5_200_000)
    )
    #expect(abs(found.longitude - expected.longitude) < 1e-5)
    #expect(abs(found.latitude - expected.latitude) < 1e-5)
  }

  /// Datums on other ellipsoids are off by hundreds of metres.
  @Test func olderDatumsAreRefused() throws {
    let bessel = "SPHEROID[\"Bessel 1841\",6377397.155,299.1528128]"
    let error = #expect(throws: GeometryError.self) {
      try CoordinateTransform(Self.geographic("unknown", "D_unknown", bessel))
    }
    #expect(error?.message.contains("no accurate transformation") == true)
  }
}
