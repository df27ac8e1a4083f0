import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

/// Formats that GDAL reads and that need more than to be handed to it.
@Suite(.enabled(if: GDALTools.hasLibrary, "libgdal is not installed")) struct FurtherFormatTests {
  /// Imports one layer of a file, and returns some columns.
  private func imported(
    _ file: String, _ select: String, _ options: String...
  ) throws -> [String] {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      ["import", scratch["s"], file, "--class", "c", "--quiet"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try Command.lines(
      "query", scratch["s"], "c", "--select", select, "--sort", "name", "--format", "csv"
    ).dropFirst().map { $0 }
  }

  private static let places = ["Basel,177000,47.558,7.573", "Bern,134000,46.948,7.447"]
  private static let rounded =
    "name, people, round(location.latitude, 3) AS y, round(location.longitude, 3) AS x"

  // MARK: File geodatabases

  /// Unpacks the archive of a geodatabase, and returns the path of its folder.
  private func geodatabase(in scratch: TemporaryFolder) throws -> String {
    let path = Repository.data("foreign/ogr-geodatabase.zip")
    let file = openFile(path, flags: O_RDONLY)
    defer { close(file) }
    let size = Int64(try Data(contentsOf: URL(fileURLWithPath: path)).count)
    let archive = try #require(ZipArchive(file, size: size))
    try FileManager.default.createDirectory(
      atPath: scratch["p.gdb"], withIntermediateDirectories: true)
    for member in archive.members {
      let source = try member.source(in: file, size: size, name: member.name)
      var data = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = try source.read(into: &buffer, count: buffer.count), count > 0 {
        data += buffer.prefix(count)
      }
      try data.write(to: URL(fileURLWithPath: scratch[member.name]))
    }
    return scratch["p.gdb"]
  }

  @Test func aGeodatabaseIsAFolderOrAnArchive() throws {
    let scratch = try TemporaryFolder()
    let archive = Repository.data("foreign/ogr-geodatabase.zip")
    let folder = try geodatabase(in: scratch)
    try FileManager.default.copyItem(atPath: archive, toPath: scratch["q.gdb.zip"])
    for path in [archive, folder, folder + "/", scratch["q.gdb.zip"]] {
      #expect(try imported(path, Self.rounded, "--layer", "places") == Self.places, "\(path)")
    }
    let all = try Command.run("import", scratch["s.cairn"], folder, "--all-layers", "--quiet")
    #expect(all.code == 0, "\(all.errors)")
    #expect(try Command.lines("count", scratch["s.cairn"], "areas") == ["2"])
    let within = try Command.lines(
      "count", scratch["s.cairn"], "places", "--within", folder, "--layer", "areas")
    #expect(within == ["1"])
  }

  @Test func otherFoldersAreNoFiles() throws {
    let scratch = try TemporaryFolder()
    for name in ["plain", "plain.shp"] {
      try FileManager.default.createDirectory(
        atPath: scratch[name], withIntermediateDirectories: true)
      let outcome = try Command.run("import", scratch["s"], scratch[name])
      #expect(outcome.code == 66 && outcome.errors.contains("is a folder"), "\(outcome.errors)")
    }
  }

  // MARK: JSON of other kinds

  @Test func esriJSONOfAServer() throws {
    let text = """
      {"displayFieldName":"name","fieldAliases":{"OBJECTID":"OBJECTID","name":"Name"},
      "geometryType":"esriGeometryPolygon","spatialReference":{"wkid":102100,"latestWkid":3857},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},
      {"name":"name","type":"esriFieldTypeString"}],
      "features":[{"attributes":{"OBJECTID":7,"name":"square"},"geometry":{"rings":[[[0,0],
      [0,111319.49079327358],[111319.49079327358,111319.49079327358],[111319.49079327358,0],[0,0]]]}}]}
      """
    let scratch = try TemporaryFolder()
    let file = try scratch.file("query.json", text).path
    let lines = try imported(file, "OBJECTID, name, round(area / 1000000) AS size")
    // A degree by a degree at the equator.
    #expect(lines == ["7,square,12308.0"])
  }

  /// A file of Esri JSON with one point and other members.
  private func esriJSON(_ member: String, geometry: String = #"{"x":7,"y":47}"#) -> String {
    #"{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"fields":[{"name":"n","#
      + #""type":"esriFieldTypeString"}],"features":[{"attributes":{"n":"a"},"geometry":\#(geometry)}]\#(member)}"#
  }

  @Test func esriJSONSaysWhatIsMissing() throws {
    let part = try Intake(esriJSON(#","exceededTransferLimit": true"#), as: "f.json")
    part.expect(["n,latitude,longitude", "a,47.0,7.0"])
    #expect(part.outcome.errors.contains("resultOffset"), "\(part.outcome.errors)")
    let whole = try Intake(esriJSON(#","exceededTransferLimit":false"#), as: "f.json")
    #expect(whole.lines.count == 2 && !whole.outcome.errors.contains("resultOffset"))
    let curve = #"{"curveRings":[[[0,0],{"c":[[10,0],[5,5]]},[0,0]]]}"#
    try Intake(esriJSON("", geometry: curve), as: "f.json").expectRefusal("returnTrueCurves=false")
  }

  @Test func topoJSONByItsContent() throws {
    let text = """
      {"type":"Topology","transform":{"scale":[0.0001,0.0001],"translate":[7,46]},
      "objects":{"areas":{"type":"GeometryCollection","geometries":[
      {"type":"Polygon","properties":{"name":"west"},"arcs":[[0,1]]},
      {"type":"Polygon","properties":{"name":"east"},"arcs":[[2,-1]]}]}},
      "arcs":[[[10000,0],[0,10000]],[[10000,10000],[-10000,0],[0,-10000],[10000,0]],
      [[10000,0],[10000,0],[0,10000],[-10000,0]]]}
      """
    let scratch = try TemporaryFolder()
    let file = try scratch.file("areas.json", text).path
    let lines = try imported(file, "name, geometry")
    #expect(
      lines == [
        #"east,"POLYGON ((8 46, 9 46, 9 47, 8 47, 8 46))""#,
        #"west,"POLYGON ((8 46, 8 47, 7 47, 7 46, 8 46))""#,
      ])
  }

  // MARK: XML that GDAL reads incompletely

  @Test func openStreetMapInAnyOrder() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <osm version="0.6" generator="Overpass API">
      <note>The data &gt; here. <![CDATA[<way id="1">]]></note><!-- <node id="1"> -->
      <node id="500" lat="47.5" lon="7.5"><tag k="name" v="a > b"/></node>
      <way id="70"><nd ref="20"/><nd ref="10"/><nd ref="30"/><nd ref="20"/>
      <tag k="building" v="yes"/><tag k="name" v="hall"/></way>
      <node id="500" lat="47.5" lon="7.5"/>
      <node id="20" lat="47.55" lon="7.57"/><node id="10" lat="47.56" lon="7.58"/>
      <node id="30" lat="47.56" lon="7.57"/>
      </osm>
      """
    let scratch = try TemporaryFolder()
    let file = try scratch.file("overpass.osm", text).path
    #expect(try imported(file, "name", "--layer", "points") == ["a > b"])
    let areas = try imported(file, "name, geometry", "--layer", "multipolygons")
    #expect(
      areas == [#"hall,"MULTIPOLYGON (((7.57 47.55, 7.58 47.56, 7.57 47.56, 7.57 47.55)))""#])
  }

  @Test(arguments: [
    "<way id='1'><center lat='47' lon='7'/><nd ref='2'/></way>",
    "<relation id='1'><center lat='47' lon='7'/></relation>",
    "<way id='1'><bounds minlat='47'/><nd ref='2' lat='47.1' lon='7.1'/></way>",
  ])
  func waysWithoutNodesAreRefused(element: String) throws {
    let text = "<osm version='0.6'><node id='9' lat='1' lon='2'/>\(element)</osm>"
    try Intake(text, as: "f.osm", ["--layer", "points"]).expectRefusal("out body; >; out skel qt;")
  }

  @Test func ringsOfKMLThatBoundNothing() throws {
    let ring = "<LinearRing><coordinates>7,47 8,47 8,48 7,47</coordinates></LinearRing>"
    let text = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      <Placemark><name>a</name>\(ring)</Placemark>
      <Placemark><name>b</name><MultiGeometry>\(ring)<Point><coordinates>7,47</coordinates></Point>
      </MultiGeometry></Placemark>
      <Placemark><name>c</name><Polygon><outerBoundaryIs>\(ring)</outerBoundaryIs></Polygon></Placemark>
      </Document></kml>
      """
    let scratch = try TemporaryFolder()
    let file = try scratch.file("ring.kml", text).path
    let store = scratch["s"]
    let outcome = try Command.run("import", store, file, "--class", "c", "--quiet")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = try Command.lines(
      "query", store, "c", "--select", "geometry", "--sort", "Name", "--format", "csv")
    #expect(
      lines.dropFirst() == [
        #""LINESTRING (7 47, 8 47, 8 48, 7 47)""#,
        #""GEOMETRYCOLLECTION (LINESTRING (7 47, 8 47, 8 48, 7 47), POINT (7 47))""#,
        #""POLYGON ((7 47, 8 47, 8 48, 7 47))""#,
      ])
  }

  // MARK: Others

  @Test func sheetsOfExcel97() throws {
    let lines = try imported(Repository.data("foreign/excel97.xls"), "name, location")
    #expect(lines == ["Basel,47.5584,7.5733", "Bern,46.948,7.4474"])
  }

  @Test func aFlatGeobufWithoutGeometry() throws {
    let file = Repository.data("foreign/null-geometry.fgb")
    #expect(try imported(file, "name, location", "--location-optional") == ["Bern,,"])
    let scratch = try TemporaryFolder()
    let outcome = try Command.run("import", scratch["s"], file)
    #expect(outcome.code == 65 && outcome.errors.contains("it has no geometry"))
  }

  /// Tile 3/4/2 of the places, as GDAL 3.6 writes it.
  private static let tile: [UInt8] = [
    0x1a, 0x5a, 0x0a, 0x06, 0x70, 0x6c, 0x61, 0x63, 0x65, 0x73, 0x12, 0x0f, 0x12, 0x04, 0x00, 0x00,
    0x01, 0x01, 0x18, 0x01, 0x22, 0x05, 0x09, 0xe2, 0x0a, 0xf4, 0x32, 0x12, 0x0f, 0x12, 0x04, 0x00,
    0x02, 0x01, 0x03, 0x18, 0x01, 0x22, 0x05, 0x09, 0xcc, 0x0a, 0x98, 0x34, 0x1a, 0x04, 0x6e, 0x61,
    0x6d, 0x65, 0x1a, 0x06, 0x70, 0x65, 0x6f, 0x70, 0x6c, 0x65, 0x22, 0x07, 0x0a, 0x05, 0x42, 0x61,
    0x73, 0x65, 0x6c, 0x22, 0x04, 0x28, 0xe8, 0xe6, 0x0a, 0x22, 0x06, 0x0a, 0x04, 0x42, 0x65, 0x72,
    0x6e, 0x22, 0x04, 0x28, 0xf0, 0x96, 0x08, 0x28, 0x80, 0x20, 0x78, 0x02,
  ]

  @Test func aTileIsPlacedByItsPath() throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: scratch["3/4"], withIntermediateDirectories: true)
    for ending in ["pbf", "mvt"] {
      try Data(Self.tile).write(to: URL(fileURLWithPath: scratch["3/4/2.\(ending)"]))
      let lines = try imported(
        scratch["3/4/2.\(ending)"], "name, people, round(location.latitude, 1) AS y")
      #expect(lines == ["Basel,177000,47.6", "Bern,134000,47.0"])
    }
    try Data(Self.tile).write(to: URL(fileURLWithPath: scratch["tile.mvt"]))
    let outcome = try Command.run("import", scratch["s"], scratch["tile.mvt"])
    #expect(outcome.code == 65 && outcome.errors.contains("zoom/column/row"), "\(outcome.errors)")
  }
}
