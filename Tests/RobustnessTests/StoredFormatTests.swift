import CairnTestSupport
import Foundation
import Testing

/// The stores in `data/stores`: one of each format, written by a Cairn that had it as its newest, one of
/// a machine with pages of 16 KiB, and one that a killed import left. Each opens for ever.
@Suite struct StoredFormatTests {
  static let names = [
    "format-1", "format-2", "format-3", "format-4", "format-5", "pages-16k", "killed-load",
  ]

  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder(inMemory: true) }

  /// A copy of a store.
  private func copy(_ name: String) throws -> String {
    let path = scratch["\(name).cairn"]
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("data/stores/\(name).cairn"),
      to: URL(fileURLWithPath: path))
    return path
  }

  private func places(_ path: String) throws -> [String] {
    try Command.lines(
      "query", path, "places", "id < 100", "--sort", "id", "--format", "csv", "--select",
      "id,name,size,location")
  }

  private static let before = [
    "id,name,size,latitude,longitude", "1,Bern,140.0,46.9481,7.4474",
    "2,Basel,99.0,47.5584,7.5733", "3,Genève,201.25,46.2022,6.1457", "4,,12.0,-33.9,18.4",
  ]

  @Test(arguments: names) func opensReadsWritesAndCompacts(name: String) throws {
    let path = try copy(name)
    #expect(try places(path) == Self.before)
    try expectSound(path)
    try expectOtherClasses(path)
    _ = try Command.lines(
      "update", path, "places", "id == 3", "--set", "size = 200.5", "--quiet")
    try scratch.file("more.csv", "id,name,size,latitude,longitude\n6,Thun,44,46.7512,7.6217\n")
    _ = try Command.lines(
      "import", path, scratch["more.csv"], "--class", "places", "--quiet")
    var after = Self.before
    after[3] = "3,Genève,200.5,46.2022,6.1457"
    after.append("6,Thun,44.0,46.7512,7.6217")
    #expect(try places(path) == after)
    try expectSound(path)
    #expect(try Command.lines("count", path, "places", "name == 'Thun'") == ["1"])
    _ = try Command.lines("compact", path, "--quiet")
    #expect(try places(path) == after)
    try expectSound(path)
    try expectOtherClasses(path)
    #expect(
      try Command.lines("count", path, "places", "--near", "46.95,7.45", "--radius", "50km")
        == ["2"])
  }

  private func expectSound(_ path: String) throws {
    let check = try Command.run("verify", path)
    #expect(check.code == 0, "\(check.output) \(check.errors)")
    #expect(!check.output.contains("unused"), "\(check.output)")
    let count = try Command.run("count", path, "places", "--untrusted")
    #expect(count.code == 0, "\(count.errors)")
  }

  private func expectOtherClasses(_ path: String) throws {
    let schema = try Command.run("schema", path)
    if schema.output.contains("shapes") {
      #expect(
        try Command.lines(
          "query", path, "shapes", "--bbox", "5,45,6,46", "--select", "name",
          "--format", "csv") == ["name", "a"])
    }
    if schema.output.contains("texts") {
      #expect(try Command.lines("count", path, "texts", "--search", "new bridge") == ["1"])
    }
  }
}

/// Files with pages of 4, 16 and 64 KiB on machines with others: pages of 16 KiB are those of Apple
/// silicon, of 64 KiB those of some Linux systems on arm64.
@Suite(.enabled(if: Faults.library != nil, "\(Faults.reason)"))
struct PageSizeTests {
  private let scratch: TemporaryFolder
  private static let sizes = [4096, 16384, 65536]

  init() throws {
    scratch = try TemporaryFolder(inMemory: true)
    // Values of 2 to 8 KiB, which need other padding on each of the machines.
    let rows = (0..<700).map { row in
      "\(row),\(String(repeating: "text \(row % 50) ", count: 1 + row % 9)),"
        + "\(Double(row * 37 % 1600) / 10 - 80),\(Double(row * 91 % 3400) / 10 - 170)\n"
    }
    try scratch.file("rows.csv", "id,name,lat,lon\n" + rows.joined())
    try scratch.file("more.csv", "id,name,lat,lon\n1000,new,1,2\n1001,newer,3,4\n")
  }

  private func run(_ size: Int, _ arguments: String...) throws -> [String] {
    let outcome = try Command.run(arguments, environment: Faults.pages(of: size))
    #expect(outcome.code == 0, "\(arguments), pages of \(size): \(outcome.errors)")
    return outcome.lines
  }

  private func answers(_ path: String, _ size: Int) throws -> [[String]] {
    try [
      run(size, "query", path, "rows", "--sort", "id", "--format", "csv"),
      run(size, "count", path, "rows", "--near", "10,20", "--radius", "3000km"),
      run(size, "count", path, "rows", "name == 'text 7 text 7 '"),
      run(size, "verify", path).map { $0.prefix { $0 != ":" } }.map(String.init),
    ]
  }

  @Test(arguments: sizes, sizes) func createdOnOneAndUsedOnAnother(made: Int, used: Int) throws {
    let path = scratch["\(made)-\(used).cairn"]
    _ = try run(
      made, "import", path, scratch["rows.csv"], "--class", "rows", "--key", "id", "--index",
      "name", "--full-text", "name", "--quiet")
    let expected = try answers(path, made)
    #expect(try answers(path, used) == expected)
    // Copying pads values for the machine that copies.
    let copy = scratch["\(made)-\(used)-copy.cairn"]
    try Self.copy(path, to: copy, pages: used)
    #expect(try answers(copy, used) == expected)
    #expect(try answers(copy, made) == expected)
    for file in [path, copy] {
      _ = try run(used, "import", file, scratch["more.csv"], "--class", "rows", "--quiet")
      let grown = try answers(file, made)
      #expect(grown[0].count == expected[0].count + 2)
      #expect(grown[3] == ["Sound"])
      _ = try run(used, "compact", file, "--quiet")
      #expect(try answers(file, made) == grown)
      #expect(try answers(file, used) == grown)
    }
  }

  /// Copies a store with the library, as `writeCopy` does.
  private static func copy(_ path: String, to copy: String, pages: Int) throws {
    let outcome = try Command.launch(
      Command.worker, ["copy", path, copy], input: nil, environment: Faults.pages(of: pages),
      folder: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }
}
