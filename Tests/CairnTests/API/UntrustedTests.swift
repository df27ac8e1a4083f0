import Cairn
import CairnTestSupport
import Foundation
import Testing

class Buoy: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var place: GeoPoint?
  @Persisted var next: Buoy?
  @Persisted var depths: List<Double>
}

/// Possibly damaged files, opened as untrusted: opening fails or all content is correct, but the
/// program never ends.
@Suite struct UntrustedTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("buoys.cairn")
    let realm = try Realm(fileURL: file)
    try realm.write {
      var last: Buoy?
      for number in 0..<400 {
        let buoy = Buoy(value: ["number": number, "name": "buoy \(number % 17)"])
        buoy.place = GeoPoint(latitude: Double(number % 80), longitude: Double(number % 170))
        buoy.depths.append(objectsIn: (0..<number % 5).map(Double.init))
        buoy.next = last
        realm.add(buoy)
        last = buoy
      }
    }
    try realm.write { realm.delete(realm.objects(Buoy.self).where { $0.number < 30 }) }
  }

  /// The whole content that a program can read.
  private static func content(_ realm: Realm) throws -> [String] {
    let buoys = realm.objects(Buoy.self)
    let circle = try GeoCircle(
      center: #require(GeoPoint(latitude: 20, longitude: 20)),
      radius: #require(Distance.kilometers(2000)))
    return buoys.sorted(byKeyPath: "number").map {
      "\($0.number) \($0.name) \($0.place?.latitude ?? -1) \($0.next?.number ?? -1) \(Array($0.depths))"
    } + [
      "\(buoys.where { $0.name == "buoy 3" }.count)",
      "\(buoys.where { $0.place.geoWithin(circle) }.count)",
    ]
  }

  @Test func anIntactFileIsOpened() throws {
    var configuration = Realm.Configuration(fileURL: file, untrusted: true)
    let right = try Self.content(Realm(fileURL: file))
    #expect(right.count == 372)
    #expect(try Self.content(Realm(configuration: configuration)) == right)
    configuration.readOnly = true
    #expect(try Self.content(Realm(configuration: configuration)) == right)
  }

  @Test func damageThrowsOrHasNoEffect() async throws {
    let count = Soak.count(40, long: 1000)
    await #expect(processExitsWith: .success) {
      [path = file.path as String, count = count as Int] in
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let right = try Self.content(Realm(fileURL: URL(fileURLWithPath: path)))
      var random = SplitMix64(seed: 31)
      var refused = 0
      for turn in 0..<count {
        let mutant = Mutant(of: whole, &random)
        let copy = URL(fileURLWithPath: "\(path)-\(turn)")
        try Data(mutant.bytes).write(to: copy)
        defer {
          try? FileManager.default.removeItem(at: copy)
          try? FileManager.default.removeItem(atPath: copy.path + "-lock")
        }
        var configuration = Realm.Configuration(fileURL: copy, untrusted: true)
        configuration.readOnly = turn % 2 == 0
        do {
          let found = try Self.content(Realm(configuration: configuration))
          precondition(found == right, "round \(turn): \(mutant.description)")
        } catch let error as Realm.Error {
          refused += 1
          precondition(
            [.invalidDatabase, .unsupportedFileFormatVersion].contains(error.code),
            "turn \(turn): \(mutant.description): \(error)")
        }
      }
      precondition(refused * 4 > count, "only \(refused) of \(count) were rejected")
    }
  }

  /// The file is checked before its used size is read and before it becomes the seed of another
  /// store.
  @Test func damageIsDetectedBeforeTheFileIsUsed() throws {
    var bytes = try Data(contentsOf: file)
    // Free pages may also contain the name, so every copy is damaged.
    var copies = 0
    while let name = bytes.range(of: Data("buoy 3".utf8)) {
      bytes[name.lowerBound] ^= 1
      copies += 1
    }
    #expect(copies > 0)
    let bad = folder.url.appendingPathComponent("bad.cairn")
    try bytes.write(to: bad)
    let seeded = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("new.cairn"), seedFilePath: bad, untrusted: true)
    let compacting = Realm.Configuration(
      fileURL: bad, shouldCompactOnLaunch: { _, _ in false }, untrusted: true)
    for configuration in [seeded, compacting] {
      let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
      #expect(error?.code == .invalidDatabase)
      #expect(error?.description.contains("checksum does not match") == true)
    }
    #expect(
      !FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("new.cairn").path))
    #expect(throws: Never.self) { try Realm(configuration: Realm.Configuration(fileURL: bad)) }
  }
}
