import CairnTestSupport
import Foundation
import Testing

/// `--type` and `--dry-run`.
@Suite struct TypeAndPreviewTests {
  private static let text = "zip,lat,lon,n\n1,2,3,5\n2,3,4,x\n"

  @Test func aTypeCanBeGiven() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", Self.text)
    let store = scratch["s.cairn"]
    #expect(
      try Command.run("import", store, file.path, "--type", "zip=text", "--type", "n=string").code
        == 0)
    let schema = try Command.run("schema", store, "--json").output
    #expect(schema.contains("string") && !schema.contains("\"int\""), "\(schema)")
    try Intake(Self.text, ["--type", "zip=double"]).expect([
      "zip,latitude,longitude,n", "1.0,2.0,3.0,5", "2.0,3.0,4.0,x",
    ])
  }

  @Test func aValueOfAnotherTypeIsRefused() throws {
    try Intake(Self.text, ["--type", "n=int"]).expectRefusal(
      "f.csv:3: `n` is `x`, which is not a valid int")
    try Intake(Self.text, ["--type", "n=int", "--on-error", "skip"]).expect([
      "zip,latitude,longitude,n", "1,2.0,3.0,5",
    ])
    let feature = { (value: String) in
      #"{"type":"Feature","properties":{"n":\#(value)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    }
    let lines = [feature("1"), feature("\"x\""), feature("null")].joined(separator: "\n")
    try Intake(lines, as: "f.ndjson", ["--type", "n=int"]).expectRefusal(
      "f.ndjson:2: feature 2: `n` is `x`, which is not a valid int")
    let skipped = try Intake(lines, as: "f.ndjson", ["--type", "n=int", "--on-error", "skip"])
    #expect(skipped.lines.sorted() == [",2.0,1.0", "1,2.0,1.0", "n,latitude,longitude"])
  }

  @Test(arguments: ["nope=int", "n=integer", "n", "=int", "location=text"])
  func invalidTypesAreUsageErrors(type: String) throws {
    let intake = try Intake(Self.text, ["--type", type])
    #expect(intake.outcome.code == 64, "\(intake.outcome.errors)")
  }

  @Test func aDryRunShowsAndWritesNothing() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "f.csv", "id,name,lat,lon,score,when\n1,Zoë,2,3,,2024-05-01\n2,Al,-3.5,4,1.5,\n")
    let store = scratch["s.cairn"]
    let arguments = ["import", store, file.path, "--key", "id", "--index", "name", "--dry-run"]
    let outcome = try Command.run(arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(!scratch.exists("s.cairn") && !scratch.exists("s.cairn-lock"))
    #expect(outcome.errors.contains("nothing was written"))
    let words = outcome.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(outcome.lines.first == "2 rows would be imported into a new class f")
    for line in [
      ["id", "int", "0", "1", "2", "primary", "key"],
      ["name", "string", "0", "Al", "Zoë", "index"],
      ["location", "point", "0", "-3.5,", "3.0", "2.0,", "4.0", "spatial", "index"],
      ["score", "double", "1", "1.5", "1.5"],
      ["when", "date", "1", "2024-05-01", "2024-05-01"],
      ["2", "Al", "-3.5,", "4.0", "1.5"],
    ] { #expect(words.contains(line), "\(line) in \(outcome.output)") }

    #expect(try Command.run("import", store, file.path, "--key", "id", "--index", "name").code == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: store))
    let again = try Command.run(arguments)
    #expect(again.lines.first == "2 rows would be imported into the class f", "\(again.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    let bad = try scratch.file("bad.csv", "id,lat,lon\n1,x,3\n")
    #expect(try Command.run("import", store, bad.path, "--dry-run").code == 65)
    let skipped = try Command.run("import", store, bad.path, "--dry-run", "--on-error", "skip")
    #expect(skipped.code == 0 && skipped.errors.contains("left out: "))
  }
}
