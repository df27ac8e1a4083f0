import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// The member `crs` of GeoJSON's first edition is followed or rejected, but never ignored.
@Suite(.tags(.untrusted)) struct GeoJSONSystemTests {
  private static func crs(_ value: String) -> String { "\"crs\":\(value)," }

  private static func named(_ name: String) -> String {
    crs("{\"type\":\"name\",\"properties\":{\"name\":\"\(name)\"}}")
  }

  /// A location in the Peak District, in the British National Grid.
  private static let gridPlace = feature("{\"id\":1}", at: "431065.79,398613.58,250")

  @Test(arguments: [
    named("urn:ogc:def:crs:OGC:1.3:CRS84"), named("urn:ogc:def:crs:OGC::CRS84"), named("EPSG:4326"),
    named("urn:ogc:def:crs:EPSG::4326"), named("urn:ogc:def:crs:EPSG:6.6:4326"),
    named("http:\\/\\/www.opengis.net\\/def\\/crs\\/OGC\\/1.3\\/CRS84"), crs("null"),
    crs("{\"type\":\"EPSG\",\"properties\":{\"code\":4326}}"),
  ])
  func otherNamesOfWGS84AreAccepted(_ member: String) throws {
    let imported = try Imported(collection([feature("{}")], before: member), as: "a.geojson")
    #expect(
      imported.rows.first?.last == .point(Position(latitude: 46.5, longitude: 7.5, altitude: 0)))
    #expect(imported.summary.systems.isEmpty)
  }

  @Test(arguments: [
    named("EPSG:27700"), named("urn:ogc:def:crs:EPSG::27700"),
    named("http://www.opengis.net/def/crs/EPSG/0/27700"),
    crs("{\"properties\":{\"code\":\"27700\"},\"type\":\"EPSG\"}"),
  ])
  func aNamedSystemIsUsed(_ member: String) throws {
    for size in [1, 1 << 20] {
      let text = collection([Self.gridPlace], before: member)
      let imported = try Imported(text, as: "a.geojson") { $0.blockSize = size }
      #expect(
        imported.column("location").first?.isNear(latitude: 53.48333, longitude: -1.53333) == true)
      #expect(imported.column("altitude") == [.double(250)])
      #expect(imported.summary.systems == ["OSGB36 / British National Grid"])
    }
  }

  @Test func theMemberMayFollowTheFeaturesInASmallFile() throws {
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\(Self.gridPlace)],"
      + Self.named("EPSG:27700").dropLast() + "}"
    #expect(try Imported(text, as: "a.geojson").summary.systems.count == 1)
  }

  @Test func theMemberMayNotFollowTheFeaturesInALargeFile() throws {
    let padding = String(repeating: " ", count: JSONRecordLayout.sampleSize)
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\(feature("{}"))],\(padding)"
      + Self.named("EPSG:27700").dropLast() + "}"
    let error = try #require(try importError(text, as: "a.geojson"))
    #expect(error.kind == .data)
    #expect(
      error.message.hasSuffix(
        "a.geojson: the member `crs` names the coordinate system `EPSG:27700`, but counts only at the head of a file; name the system with `coordinateSystem: EPSG:27700`"
      ), "\(error)")
    #expect(
      try Imported(text, as: "a.geojson") { $0.coordinateSystem = "OGC:CRS84" }.rows.count == 1,
      "the option overrides the file")
  }

  @Test(arguments: [
    (
      crs("{\"type\":\"link\",\"properties\":{\"href\":\"http://x\"}}"),
      "does not name a coordinate system"
    ),
    (crs("{\"type\":\"name\"}"), "does not name a coordinate system"),
    (crs("7"), "does not name a coordinate system"),
    (crs("{}"), "does not name a coordinate system"),
    (named("EPSG:999999"), "'EPSG:999999' is not a coordinate"),
    (named("nonsense"), "'nonsense' is not a coordinate"),
  ])
  func systemsThatCannotBeLookedUpAreRejected(member: String, part: String) throws {
    let text = collection([feature("{}")], before: member)
    let error = try #require(try importError(text, as: "a.geojson"))
    #expect(error.kind == .data)
    #expect(error.message.contains("a.geojson: ") && error.message.contains(part), "\(error)")
    #expect(error.message.contains("`coordinateSystem: EPSG:n`"), "\(error)")
    let told = try Imported(text, as: "a.geojson") { $0.coordinateSystem = "EPSG:4326" }
    #expect(told.rows.count == 1)
  }

  @Test func theOptionOverridesTheMember() throws {
    let text = collection([Self.gridPlace], before: Self.named("EPSG:2056"))
    let imported = try Imported(text, as: "a.geojson") { $0.coordinateSystem = "EPSG:27700" }
    #expect(
      imported.column("location").first?.isNear(latitude: 53.48333, longitude: -1.53333) == true)
  }

  @Test func aFeatureInAnotherSystemIsRejected() throws {
    let other = feature("{\"id\":2}").dropLast() + "," + Self.named("EPSG:27700").dropLast() + "}"
    let same = feature("{\"id\":3}").dropLast() + "," + Self.named("EPSG:4326").dropLast() + "}"
    let text = [feature("{\"id\":1}"), String(other), String(same)].joined(separator: "\n")
    let error = try #require(try importError(text, as: "a.geojsonl"))
    #expect(error.message.contains("a.geojsonl:2: feature 2: the member `crs` names"), "\(error)")
    #expect(error.message.contains("coordinateSystem: EPSG:27700"), "\(error)")
    let skipped = try Imported(text, as: "a.geojsonl") { $0.onError = .skip }
    #expect(skipped.column("id") == [.int(1), .int(3)])
  }

  @Test func metresAreNotDegrees() throws {
    let error = try #require(try importError(collection([Self.gridPlace]), as: "a.geojson"))
    #expect(
      error.message.hasSuffix(
        "a.geojson:2: feature 1: the longitude 431065.79 is beyond ±180 degrees; projected coordinates need `coordinateSystem: EPSG:n`; `onError: skip` leaves such rows out"
      ), "\(error)")
  }

  @Test func locationsOutsideTheSystemAreRejected() throws {
    let text = collection([Self.gridPlace, feature("{\"id\":2}", at: "9e9,9e9")])
    let error = try #require(
      try importError(text, as: "a.geojson") { $0.coordinateSystem = "EPSG:27700" })
    for part in [
      "a.geojson:3: feature 2: (9", "EPSG:27700", "check `coordinateSystem`", "onError: skip",
    ] {
      #expect(error.message.contains(part), "\(error)")
    }
    let skipped = try Imported(text, as: "a.geojson") {
      ($0.coordinateSystem, $0.onError) = ("EPSG:27700", .skip)
    }
    #expect(skipped.column("id") == [.int(1)])
  }

  @Test func columnOptionsAreForCSVOnly() throws {
    let error = try importError(collection([]), as: "a.geojson") {
      ($0.coordinateSystem, $0.x, $0.y) = ("EPSG:27700", "a", "b")
    }
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("`x` names a CSV column") == true)
  }
}

extension Value {
  /// Whether this is a location within some metres of the coordinates.
  func isNear(latitude: Double, longitude: Double, degrees: Double = 5e-5) -> Bool {
    guard case .point(let position) = self else { return false }
    return abs(position.latitude - latitude) < degrees
      && abs(position.longitude - longitude) < degrees
  }
}
