import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO

/// Unusual and damaged files give rows or an error with a reason, never a crash, and leave the
/// store intact.
@Suite(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"), .tags(.untrusted))
struct CorporaTests {
  @Test(arguments: ["corpora/csv", "corpora/geojson", "corpora/json", "corpora/own"])
  func everyFileGivesRowsOrAReason(_ folder: String) throws {
    for path in SharedData.files(folder) {
      for policy in RejectPolicy.allCases { try check(path, policy) }
    }
  }

  private func check(_ path: String, _ policy: RejectPolicy) throws {
    let folder = try TemporaryFolder(inMemory: true)
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    do {
      let imported = try Imported([path], into: store) { $0.onError = policy }
      #expect(imported.rows.count == imported.summary.inserted, "\(path)")
    } catch let error as ImportError {
      #expect(error.kind == .data, "\(path): \(error)")
      #expect(error.message.contains(path) || error.message.contains("`"), "\(path): \(error)")
      #expect(try store.snapshot().schema.tables.isEmpty, "\(path)")
    }
  }

  @Test(arguments: SharedData.files("corpora/json/JSONTestSuite"))
  func noneOfTheJSONSuiteIsGeoJSON(_ path: String) throws {
    #expect(throws: ImportError.self) {
      try Imported(filesAt: [path]) { $0.format = .geojson }
    }
  }

  /// The manifest of the project's own files.
  private struct Manifest: Decodable {
    struct File: Decodable {
      let file: String
      let expect: String
      let features: Int?
      let rows: Int?
      let good: Int?
      let bad_rows: [Int]?
    }
    let files: [File]
  }

  @Test func ownFilesMatchTheirManifest() throws {
    let root = try #require(SharedData.root)
    let folder = "\(root)/corpora/own/"
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "manifest.json"))
    for entry in try JSONDecoder().decode(Manifest.self, from: data).files {
      let result = Result {
        try Imported(filesAt: [folder + entry.file]) { $0.onError = .skip }
      }
      let imported = try? result.get()
      if entry.expect == "import" {
        #expect(imported?.rows.count == entry.features ?? entry.rows, "\(entry.file): \(result)")
      }
      if entry.expect == "error" { #expect(imported == nil, "\(entry.file)") }
      if let good = entry.good, let imported {
        #expect(imported.rows.count == good, "\(entry.file)")
      }
      if let bad = entry.bad_rows, let imported {
        // Data row r is on line r + 1, because these files have no newlines in fields.
        for row in bad {
          let place = "\(entry.file):\(row + 1): "
          #expect(
            imported.rejects.contains { $0.contains(place) }, "\(entry.file) row \(row)")
        }
      }
    }
  }

  @Test(arguments: [
    ("airports.csv", 28_298), ("quakes.csv", 23_412),
    ("graticule5.csv", 2_701),
    ("earthquakes_week.geojson", 1_707), ("ne_50m_populated_places_simple.geojson", 1_249),
  ])
  func realFilesAreImportedCompletely(_ name: String, _ rows: Int) throws {
    let root = try #require(SharedData.root)
    let imported = try Imported(filesAt: ["\(root)/data/\(name)"])
    #expect(imported.summary.inserted == rows)
  }

  /// The largest file, which is imported once for all that is known of it.
  @Test func citiesKeepLeadingZerosAndTheCodeOfNamibia() throws {
    let root = try #require(SharedData.root)
    let imported = try Imported(filesAt: ["\(root)/data/cities1000.csv"])
    #expect(imported.summary.inserted == 170_391)
    #expect(imported.types["admin1"] == .string)
    #expect(imported.values("country").count { $0 == .string("NA") } == 80)
    #expect(imported.values("admin1").count { $0.isNull } == 99)
  }
}
