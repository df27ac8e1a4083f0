import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO

@Suite(.tags(.threads)) struct ImportDriverTests {
  @Test func theClassIsNamedAfterTheFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("id,lat,lon\n1,2,3\n".utf8), as: "my.places.csv")
    let summary = try Importer.run(files: [path], into: folder.store(), options: ImportOptions())
    #expect(summary.className == "my.places")
    #expect(summary.bytes == 17)
    #expect(summary.inserted == 1)
  }

  @Test func pipesAreReadTwiceFromACopy() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe.csv"
    #expect(mkfifo(pipe, 0o600) == 0)
    let rows = (1...20_000).map { "\($0),1,2,\($0 == 20_000 ? "x" : "5")" }
    let text = "id,lat,lon,n\n" + rows.joined(separator: "\n")
    let writer = Thread { try? text.write(toFile: pipe, atomically: false, encoding: .utf8) }
    writer.start()
    let imported = try Imported([pipe], into: folder.store()) {
      $0.spoolDirectory = folder.path
      $0.blockSize = 10_000
    }
    #expect(imported.rows.count == 20_000)
    #expect(imported.types["n"] == .string)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.allSatisfy { !$0.contains("cairn-input") })
  }

  @Test func progressIsReportedInPhases() throws {
    let folder = try TemporaryFolder()
    let rows = (1...5000).map { "\($0),1,2,\($0 == 5000 ? "x" : "5")" }
    let path = try folder.write(
      Array(("id,lat,lon,n\n" + rows.joined(separator: "\n")).utf8), as: "a.csv")
    var options = ImportOptions()
    options.blockSize = 2000
    var told: [ImportProgress] = []
    _ = try Importer.run(files: [path], into: folder.store(), options: options) { told.append($0) }
    let phases = told.map { "\($0.phase)" }
    #expect(Set(phases) == ["inspecting", "importing", "indexing"])
    #expect(phases.last == "indexing")
    #expect(told.last?.rows == 5000)
    #expect(told.allSatisfy { $0.bytesRead <= $0.bytesTotal })
  }

  @Test func anImportWithoutAFileIsRejected() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    for files in [[], ["-"], ["-", "-"]] {
      #expect { try Importer.run(files: files, into: store, options: ImportOptions()) } throws: {
        ($0 as? ImportError)?.kind == .usage
      }
    }
  }

  @Test func latitudeOptionsAreForCSVOnly() throws {
    let error = try importError(collection([feature("{}")]), as: "a.geojson") {
      ($0.latitudes, $0.longitudes) = (["lat"], ["lon"])
    }
    #expect(error?.kind == .usage)
  }

  @Test func aFormatCanBeForced() throws {
    #expect(try Imported("id,lat,lon\n1,2,3\n", as: "data.txt").rows.count == 1)
    #expect(try Imported(feature("{}"), as: "data.txt").rows.count == 1)
    #expect(try Imported("id,lat,lon\n1,2,3\n", as: "a.json") { $0.format = .csv }.rows.count == 1)
  }
}
