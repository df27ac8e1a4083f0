import CairnTestSupport
import Foundation
import Testing

@testable import CairnGDAL
@testable import CairnIO

/// Processes that end in other ways than with the rows of a file.
@Suite struct GDALProcessTests {
  /// Returns the error of a list of layers that a script gives.
  private func error(of script: String) throws -> ImportError {
    let folder = try TemporaryFolder()
    let program = try folder.script(script, as: "reader")
    let file = try folder.write([1, 2, 3], as: "a.gpkg")
    var options = ImportOptions()
    options.gdalReader = program
    options.readers = [GDALReader()]
    let error = #expect(throws: ImportError.self) {
      try ImportSource(ImportFile(path: file), options: options) { _, _ in }
    }
    return try #require(error)
  }

  @Test(arguments: [
    ("exit 3", "GDAL crashed while it read the file (exit code 3)"),
    ("kill -SEGV $$", "(signal 11)"), ("kill -KILL $$", "(signal 9)"),
    ("exit 0", "(exit code 0)"), ("printf 'not a message at all'", "GDAL read nonsense"),
    ("printf '\\001\\0\\0\\0\\0\\0\\0\\0\\377\\377\\377\\377\\0\\0\\0\\0'", "GDAL read nonsense"),
    ("printf '\\001\\0\\0\\0\\0\\0\\0\\0\\020\\0\\0\\0\\0\\0\\0\\0abc'", "GDAL crashed"),
    ("printf '\\003\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'", "GDAL read nonsense"),
    ("printf '\\001\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'", "the file has no layers"),
  ])
  func aBrokenProcessIsAnError(script: String, part: String) throws {
    let error = try error(of: script)
    #expect(error.kind == .data)
    #expect(error.message.contains("a.gpkg: ") && error.message.contains(part), "\(error.message)")
  }

  @Test func theReasonOfTheProcessIsTheMessage() throws {
    let text = "printf '\\005\\0\\0\\0\\0\\0\\0\\0\\010\\0\\0\\0\\0\\0\\0\\0"
    let data = try error(of: text + "\\0\\003\\0\\0\\0bad'")
    #expect(data.kind == .data && data.message.hasSuffix("a.gpkg: bad"))
    let library = try error(of: text + "\\001\\003\\0\\0\\0old'")
    #expect(library.kind == .library && library.message.hasSuffix("a.gpkg: old"))
  }

  @Test func aMissingProgramIsAnError() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], as: "a.fgb")
    var options = ImportOptions()
    var error = #expect(throws: ImportError.self) { try LayerFile(file, options: options) }
    #expect(error?.kind == .library)
    options.gdalReader = folder["nothing"]
    error = #expect(throws: ImportError.self) { try LayerFile(file, options: options) }
    #expect(error?.kind == .io)
    #expect(error?.message.contains("cannot start a process that reads the file") == true)
    error = #expect(throws: ImportError.self) { try LayerFile("-", options: options) }
    #expect(error?.kind == .usage)
    error = #expect(throws: ImportError.self) { try LayerFile(folder["no.fgb"], options: options) }
    #expect(error?.kind == .noInput)
  }

  @Test func formatsAreRecognizedByExtensionOrContent() throws {
    let folder = try TemporaryFolder()
    let known: [(String, String)] = [
      ("a.gpkg", ""), ("a.SHP", ""), ("a.shp.zip", ""), ("a.b.topojson", ""), ("a", "<?xml v"),
      ("b", "\u{FEFF}<kml "), ("c.tab", "!table\n"), ("d.dat", "SQLite format 3\0"),
      ("f", "fgb\u{3}fgb"), ("g.json", " {\"type\": \"Topology\", "),
      ("h.json", "{\"a\":{},\"geometryType\":\"esriGeometryPoint\",\"features\":["),
    ]
    for (name, text) in known {
      let path = try folder.write(Array(text.utf8), as: name)
      #expect(LayerFormats.recognizes(path), "\(name)")
    }
    let other: [(String, String)] = [
      ("a.csv", "a,b"), ("g.tab", "a\tb\n"), ("a.geojson", "{}"), ("h", ""), ("gpkg", "a"),
      ("e.bin", "PAR1"), ("i.csv.gz", "PK"), ("j.json", "{\"type\":\"Feature\"}"), ("k.gdb", ""),
      ("l.json", "{\"a\":{\"type\":\"Topology\"}}"), ("m.json", "{\"type\":\"Topology"),
    ]
    for (name, text) in other {
      let path = try folder.write(Array(text.utf8), as: name)
      #expect(!LayerFormats.recognizes(path), "\(name)")
    }
    #expect(!LayerFormats.recognizes("-") && !LayerFormats.recognizes(folder["missing"]))
  }

  @Test func doubleExtensionsAreNotInTheNameOfTheClass() {
    #expect(ImportSource.className(of: "/a/parcels.shp.zip") == "parcels")
    #expect(ImportSource.className(of: "city.osm.pbf") == "city")
    #expect(ImportSource.className(of: "a.b.gpkg") == "a.b")
  }
}
