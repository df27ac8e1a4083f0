import CairnTestSupport
import Foundation
import Testing

/// Odd and broken files through the command: each leads to rows, or to an error with position and
/// reason that leaves the store unchanged.
@Suite struct CorpusTests {
  private static let shared = [
    "csv/csv-spectrum", "csv/frictionless", "geojson/geojson-fixtures", "geojson/geojsonhint",
    "geojson/geojson-invalid-geometry", "geojson/antimeridian", "json/JSONTestSuite", "own",
  ].map { "\(SharedData.root ?? "")/corpora/" + $0 }

  private static func files(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return names.sorted().map { folder + "/" + $0 }.filter {
      !$0.contains("LICENSE") && URL(fileURLWithPath: $0).hasDirectoryPath == false
        && (try? FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType)
          == .typeRegular
    }
  }

  @Test func everyFileOfTheProjectIsImportedOrRejected() throws {
    try importFiles(of: Repository.data("corpora"))
  }

  @Test(
    .enabled(if: SharedData.isAvailable, "\(SharedData.reason)"),
    arguments: shared)
  func everySharedFileIsImportedOrRejected(folder: String) throws {
    try #require(FileManager.default.fileExists(atPath: folder))
    try importFiles(of: folder)
  }

  private func importFiles(of folder: String) throws {
    let scratch = try TemporaryFolder()
    let kept = try scratch.file("kept.csv", "id,lat,lon\n1,2,3\n2,3,4\n")
    let store = scratch["s.cairn"]
    #expect(try Command.run("import", store, kept.path).code == 0)
    let before = try Self.content(store)
    let untouched = scratch["untouched.cairn"]
    try FileManager.default.copyItem(atPath: store, toPath: untouched)
    for (number, file) in Self.files(folder).enumerated() {
      // A test in CairnIOTests reads every file of this suite.
      guard Soak.isOn || !folder.hasSuffix("JSONTestSuite") || number % 4 == 0 else { continue }
      let attempt = try Command.run("import", store, file, "--class", "taken", "--on-error", "skip")
      #expect([0, 65].contains(attempt.code), "\(file): \(attempt.code) \(attempt.errors)")
      if attempt.code == 0 {
        try check(rowsOf: file, store)
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.copyItem(atPath: untouched, toPath: store)
      } else {
        #expect(attempt.errors.hasPrefix("Error: \(file):"), "\(file): \(attempt.errors)")
        if let points = Self.points(in: file), points > 0 {
          Issue.record("\(file) contains \(points) points: \(attempt.errors)")
        }
      }
      guard Soak.isOn || folder.hasSuffix("data/corpora") else { continue }
      let strict = try Command.run("import", store, file, "--class", "strict", "--dry-run")
      #expect([0, 65].contains(strict.code), "\(file): \(strict.code) \(strict.errors)")
    }
    #expect(try Self.content(store) == before)
  }

  private static func content(_ store: String) throws -> [String] {
    try Command.lines("schema", store, "--json")
      + Command.lines("query", store, "kept", "--format", "csv", "--sort", "id")
  }

  private func check(rowsOf file: String, _ store: String) throws {
    let count = try Command.lines("count", store, "taken").first
    // Plain JSON without coordinates: each record is rejected.
    if file.contains("JSONTestSuite") { #expect(count == "0", "\(file)") }
    guard let points = Self.points(in: file) else { return }
    guard count != "0" else {
      #expect(points == 0, "\(file)")
      return
    }
    let features = try Command.lines("query", store, "taken", "--format", "geojsonl")
    let found = features.count { $0.contains("\"geometry\":{\"type\":\"Point\",") }
    #expect(found == points, "\(file)")
  }

  /// The number of points that a GeoJSON file certainly contains, according to Foundation; nil if
  /// it is not GeoJSON or has another coordinate system.
  private static func points(in file: String) -> Int? {
    guard file.hasSuffix(".geojson") || file.hasSuffix(".json"),
      let data = try? Data(contentsOf: URL(fileURLWithPath: file)), data.first == UInt8(ascii: "{"),
      let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      root["crs"] == nil || root["crs"] is NSNull, !file.contains("duplicate_keys")
    else { return nil }
    if let features = root["features"] as? [Any], root["type"] as? String == "FeatureCollection" {
      return features.count { isPoint(feature: $0) }
    }
    if root["type"] as? String == "Feature" { return isPoint(feature: root) ? 1 : 0 }
    return isPoint(root) ? 1 : nil
  }

  private static func isPoint(feature: Any) -> Bool {
    guard let feature = feature as? [String: Any], feature["type"] as? String == "Feature" else {
      return false
    }
    let properties = feature["properties"] ?? NSNull()
    guard properties is NSNull || properties is [String: Any] else { return false }
    let id = feature["id"] ?? NSNull()
    guard id is NSNull || id is String || id is NSNumber,
      (id as? NSNumber).map({ "\($0)" }) != "true"
    else { return false }
    return isPoint(feature["geometry"] ?? NSNull())
  }

  private static func isPoint(_ geometry: Any) -> Bool {
    guard let geometry = geometry as? [String: Any], geometry["type"] as? String == "Point",
      let position = geometry["coordinates"] as? [Double], (2...3).contains(position.count)
    else { return false }
    return abs(position[0]) <= 180 && abs(position[1]) <= 90
  }

  /// An entry of the manifest of the project's own files.
  private struct Manifest: Decodable {
    struct File: Decodable {
      let file: String
      let expect: String
      let features: Int?
      let rows: Int?
      let good: Int?
      let bad_rows: [Int]?
      let lonlat: [[Double]]?
    }
    let files: [File]
  }

  @Test func ownFilesMatchTheirManifest() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: Repository.data("corpora/manifest.json")))
    for entry in try JSONDecoder().decode(Manifest.self, from: data).files {
      let scratch = try TemporaryFolder()
      let store = scratch["s.cairn"]
      let file = Repository.data("corpora/\(entry.file)")
      let isRefused = entry.expect.hasPrefix("error") && entry.good == nil && entry.lonlat == nil
      let options = isRefused ? [] : ["--on-error", "skip"]
      let outcome = try Command.run(["import", store, file, "--class", "c"] + options)
      if isRefused { #expect(outcome.code == 65, "\(entry.file): \(outcome.errors)") }
      guard outcome.code == 0 else {
        #expect(!entry.expect.hasPrefix("import"), "\(entry.file): \(outcome.errors)")
        continue
      }
      for row in entry.bad_rows ?? [] {
        // Data row r is in line r + 1: these files have no newlines in fields.
        #expect(
          outcome.errors.contains("\(entry.file):\(row + 1): "),
          "\(entry.file) row \(row): \(outcome.errors)")
      }
      let places = try Self.places(store)
      let isWhole = entry.bad_rows == nil && !entry.file.contains("lon360")
      if isWhole, let count = entry.good ?? entry.features ?? entry.rows {
        #expect(places.count == count, "\(entry.file)")
      }
      if isWhole, let truth = entry.lonlat { Self.expectNear(places, truth, entry.file) }
    }
  }

  /// The longitudes and latitudes of the rows.
  private static func places(_ store: String) throws -> [[Double]] {
    try Command.lines("query", store, "c", "--format", "csv", "--select", "location").dropFirst()
      .map {
        $0.split(separator: ",").prefix(2).compactMap { Double($0) }.reversed()
      }
  }

  private static func expectNear(_ places: [[Double]], _ truth: [[Double]], _ file: String) {
    for place in truth {
      let isThere = places.contains { abs($0[0] - place[0]) < 2e-6 && abs($0[1] - place[1]) < 2e-6 }
      #expect(isThere, "\(file): \(place) in \(places)")
    }
  }
}
