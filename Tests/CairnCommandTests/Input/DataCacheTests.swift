import CairnStorage
import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The stores that are kept of files of data. The file lies in the repository, and has not changed for long.
@Suite struct DataCacheTests {
  private let folder: TemporaryFolder
  private static let cities = Repository.root.appendingPathComponent("data/cities.csv").path
  private static let count = 34_024

  init() throws { folder = try TemporaryFolder() }

  private var cache: StoreCache { StoreCache(folder: folder["cache"]) }

  private func run(_ words: String..., input: String? = nil) throws -> Command.Outcome {
    try Command.run(words, input: input, environment: ["CAIRN_CACHE": cache.folder])
  }

  /// Reads the file as a whole, so that it is kept.
  private func keep() throws { #expect(try run("schema", Self.cities).code == 0) }

  @Test func aFileIsKeptUntilItChanges() throws {
    #expect(try run("cache").output == "0 stores, 0 bytes, in \(cache.folder)\n")
    try keep()
    let first = cache.entries
    #expect(first.map(\.source) == ["cities.csv"])
    #expect(try run("count", Self.cities, "population > 1000000").code == 0)
    #expect(cache.entries.map(\.path) == first.map(\.path))
    #expect(cache.entries.map(\.bytes) == first.map(\.bytes))
    let list = try run("cache").output
    #expect(list.contains("cities.csv\n1 store, "), "\(list)")
    // A copy is another file, and has just changed, so it is read each time.
    try FileManager.default.copyItem(atPath: Self.cities, toPath: folder["cities.csv"])
    for _ in 0..<3 {
      #expect(try run("count", folder["cities.csv"]).output == "\(Self.count)\n")
    }
    #expect(cache.entries.count == 1)
    let cleared = try run("cache", "clear")
    #expect(cleared.errors.hasPrefix("1 store removed, "), "\(cleared.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).isEmpty)
  }

  /// The first question reads what it needs, and the second one keeps the file.
  @Test(arguments: [
    ["count"], ["count", "population > 1000000"], ["count", "--bbox", "5,45,11,48"],
    ["stats", "--of", "population"], ["query", "--select", "name", "--limit", "3"],
    ["query", "population > 10000000"],
  ])
  func theSecondQuestionKeepsAFile(words: [String]) throws {
    let question = [words[0], Self.cities] + words.dropFirst()
    func ask() throws -> String {
      try Command.run(question, environment: ["CAIRN_CACHE": cache.folder]).output
    }
    let first = try ask()
    #expect(cache.entries.isEmpty)
    #expect(try run("cache").output.hasPrefix("0 stores"))
    #expect(try ask() == first)
    #expect(cache.entries.count == 1)
    #expect(try ask() == first)
    _ = try run("cache", "clear")
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).isEmpty)
  }

  /// A command that needs the whole file keeps it at once.
  @Test(arguments: [
    ["query", "--format", "csv"], ["export", "--output", "-", "--format", "csv"],
    ["count", "popp > 3"], ["count", "--within", "cities:name == 'Bern'"],
  ])
  func allOfAFileIsKept(words: [String]) throws {
    let question = [words[0], Self.cities] + words.dropFirst()
    _ = try Command.run(question, environment: ["CAIRN_CACHE": cache.folder])
    #expect(cache.entries.count == 1)
  }

  @Test func aQuestionIsForgottenAfterADay() throws {
    for hours in [25.0, 23] {
      _ = try run("count", Self.cities)
      let notes = try FileManager.default.contentsOfDirectory(atPath: cache.folder)
      #expect(notes.count == 1)
      // Another file with such an ending is not theirs.
      _ = try folder.file("cache/mine.asked", "")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -hours * 3600)],
        ofItemAtPath: folder["cache/\(#require(notes.first))"])
      _ = try run("count", Self.cities)
      #expect(cache.entries.isEmpty == (hours > 24), "after \(hours) hours")
      _ = try run("cache", "clear")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: cache.folder) == ["mine.asked"])
      try FileManager.default.removeItem(atPath: folder["cache/mine.asked"])
    }
  }

  @Test func theListIsJSONForPrograms() throws {
    try keep()
    let json = try JSONSerialization.jsonObject(with: Data(run("cache", "--json").output.utf8))
    let object = try #require(json as? [String: Any])
    #expect(object["folder"] as? String == cache.folder)
    let stores = try #require(object["stores"] as? [[String: Any]])
    #expect(stores.map { $0["file"] as? String } == ["cities.csv"])
    #expect(try run("cache", "clear", "--json").code == 64)
  }

  @Test func statesOfFilesDiffer() throws {
    let file = try folder.file("a.csv", "a\n1\n")
    let first = try #require(FileIdentity(of: file.path))
    #expect(first == FileIdentity(of: file.path))
    #expect(!first.isSettled)
    #expect(try #require(FileIdentity(of: Self.cities)).isSettled)
    // The same size and the same times: the number of the file differs.
    let times = try FileManager.default.attributesOfItem(atPath: file.path)
    let other = try folder.file("b.csv", "a\n2\n")
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(times[.modificationDate])], ofItemAtPath: other.path)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: other, to: file)
    let second = try #require(FileIdentity(of: file.path))
    #expect(first != second)
    #expect(
      FileIdentity.digest([first], reading: "") != FileIdentity.digest([second], reading: ""))
    #expect(FileIdentity.digest([first], reading: "") != FileIdentity.digest([first], reading: "x"))
    #expect(FileIdentity(of: "/dev/null") == nil)
    #expect(FileIdentity(of: folder["none"]) == nil)
    // What GDAL reads beside a shapefile belongs to it.
    let shapes = try folder.file("s.shp", "")
    _ = try folder.file("s.dbf", "1")
    let before = FileIdentity(of: shapes.path)
    _ = try folder.file("s.dbf", "22")
    #expect(FileIdentity(of: shapes.path) != before)
  }

  @Test func withoutAFolderFilesAreRead() throws {
    for path in ["", "/dev/null/cache", "/proc/cairn"] {
      let outcome = try Command.run(
        ["count", Self.cities], environment: ["CAIRN_CACHE": path])
      #expect(outcome.output == "\(Self.count)\n", "\(path): \(outcome.errors)")
    }
    let none = try Command.run(["cache"], environment: ["CAIRN_CACHE": ""])
    #expect(none.code == 66 && none.errors.contains("CAIRN_CACHE is empty"))
  }

  @Test func smallFilesAndInputAreNotKept() throws {
    let small = Repository.root.appendingPathComponent("data/south-africa.geojson").path
    #expect(try run("count", small).code == 0)
    #expect(
      try run("count", "-", input: String(contentsOfFile: Self.cities, encoding: .utf8)).output
        == "\(Self.count)\n")
    #expect(cache.entries.isEmpty)
  }

  @Test(arguments: [0, 4096, 100_000])
  func aDamagedStoreIsMadeAgain(bytes: Int) throws {
    try keep()
    let path = try #require(cache.entries.first).path
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(bytes))
    try file.close()
    try keep()
    #expect(try run("count", Self.cities).output == "\(Self.count)\n")
    #expect(try #require(cache.entries.first).bytes > 100_000)
    #expect(try Command.run("verify", path).code == 0)
  }

  @Test func storesOfOthersAreNotTouched() throws {
    try keep()
    let own = folder["cache/my-world.cairn"]
    try FileManager.default.copyItem(atPath: #require(cache.entries.first).path, toPath: own)
    #expect(cache.entries.count == 1)
    _ = try run("cache", "clear")
    #expect(FileManager.default.fileExists(atPath: own))
  }

  @Test func aStoreInUseStays() throws {
    try keep()
    let path = try #require(cache.entries.first).path
    let store = try Store.open(path, mode: .readOnly)
    try withExtendedLifetime(store) {
      let outcome = try run("cache", "clear")
      #expect(outcome.errors.contains("0 stores removed"), "\(outcome.errors)")
      #expect(outcome.errors.contains("1 store in use"), "\(outcome.errors)")
      #expect(try run("count", Self.cities).output == "\(Self.count)\n")
    }
  }

  @Test func allThatIsUnusedIsRemoved() throws {
    try keep()
    #expect(try run("cache", "clear").errors.hasPrefix("1 store removed"))
  }

  @Test func processesAtOnceMakeOneStore() async throws {
    let environment = ["CAIRN_CACHE": cache.folder]
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await onNewThread {
            try Command.run(["count", Self.cities], environment: environment).output
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outputs == Array(repeating: "\(Self.count)\n", count: 6))
    #expect(cache.entries.count == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder)
    #expect(names.allSatisfy { !$0.hasPrefix(".unfinished") }, "\(names)")
  }

  @Test func storesWithoutUseAreRemovedFirst() throws {
    func make(_ name: String, in cache: StoreCache, lastUsed: Double) throws {
      let path = cache.path(for: name, digest: String(repeating: "0", count: 32))
      let store = try cache.make(path, if: { true }, fill: { _ in })
      #expect(store?.path == path)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: lastUsed)], ofItemAtPath: path)
    }
    try make("a", in: cache, lastUsed: 1)
    let size = try #require(cache.entries.first).bytes
    let limited = StoreCache(folder: folder["limited"], mostBytes: size * 3)
    for (name, lastUsed) in [("a", 20.0), ("b", 10), ("c", 30), ("d", 5), ("e", 50)] {
      try make(name, in: limited, lastUsed: lastUsed)
    }
    // The fourth takes the place of b, and the fifth that of the fourth.
    #expect(limited.entries.map(\.source) == ["a", "c", "e"])
    // One that is larger than all may be is used, but not kept.
    let least = StoreCache(folder: folder["least"], mostBytes: size - 1)
    let path = least.path(for: "a", digest: String(repeating: "0", count: 32))
    #expect(try least.make(path, if: { true }, fill: { _ in }) != nil)
    #expect(least.entries.isEmpty)
  }
}
