import Cairn
import CairnTestSupport
import Foundation
import Testing

class ShellStop: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var location: GeoPoint?
  @Persisted var tags: List<String>
  @Persisted var area: ShellArea?
  @Persisted var next: ShellStop?
}

/// The shell fills collections, embedded objects and links of classes that a program has made.
@Suite struct NestedImportCommandTests {
  private func store(_ scratch: TemporaryFolder) throws -> String {
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    try realm.write {
      var last: ShellStop?
      for id in 1...3 {
        let stop = ShellStop()
        stop.id = id
        stop.location = GeoPoint(latitude: 47, longitude: Double(id))
        stop.tags.append(objectsIn: ["ä\(id)", "\"", ""])
        stop.area = ShellArea()
        stop.area?.size = Double(id) / 4
        stop.next = last
        realm.add(stop)
        last = stop
      }
    }
    return scratch["s"]
  }

  @Test(arguments: ["csv", "json", "jsonl", "geojson"])
  func exportsAreImportedAgain(format: String) throws {
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let (path, file) = (try store(scratch), scratch["stops.\(format)"])
    let all = ["query", path, "ShellStop", "--sort", "id", "--format", "jsonl"]
    let before = try Command.run(all).output
    try #require(
      Command.run("export", path, "ShellStop", "--output", file, "--quiet").code == 0)
    try #require(Command.run("delete", path, "ShellStop", "--all").code == 0)
    let dry = try Command.run("import", path, file, "--class", "ShellStop", "--dry-run")
    #expect(dry.code == 0 && dry.output.contains("tags"), "\(dry.errors)")
    let outcome = try Command.run("import", path, file, "--class", "ShellStop", "--quiet")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Command.run(all).output == before)
    #expect(try Command.run("verify", path).code == 0)
  }

  @Test func valuesThatDoNotFitAreNamed() throws {
    let scratch = try TemporaryFolder()
    defer { withExtendedLifetime(scratch) {} }
    let path = try store(scratch)
    for (value, message) in [
      ("[[1]],,", "in.csv:3: `tags[0]` is `[1]`, which is not a valid string"),
      (",{},", "in.csv:3: `area.size` is missing; every object must have a value"),
      (",,9", "in.csv:3: `next` links to the object `9` of the class ShellStop"),
      (",,x", "in.csv:3: `next` is `x`, which is not a valid int"),
    ] {
      let text = "id,lat,lon,tags,area,next\n7,1,2,,,\n8,1,2,\(value)\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch["in.csv"]))
      let outcome = try Command.run("import", path, scratch["in.csv"], "--class", "ShellStop")
      #expect(outcome.code == 65, "\(value)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(try Command.lines("count", path, "ShellStop") == ["3"])
    }
  }
}
