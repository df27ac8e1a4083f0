import CairnTestSupport
import Foundation
import Testing

/// `cairn simplify`.
@Suite struct SimplifyTests {
  /// Two lands with a common border, a lake in the western one, and a row without a land.
  private static let lands = """
    id,name,wkt
    1,West,"POLYGON ((0 0, 10 0, 10.01 2, 9.99 4, 10.02 6, 10 10, 0 10, 0 0), (3 3, 3 3.1, 3.1 3, 3 3))"
    2,East,"POLYGON ((10 0, 20 0, 20 10, 10 10, 10.02 6, 9.99 4, 10.01 2, 10 0))"
    3,None,
    """

  /// A folder with the store of the lands.
  private func landsFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let file = try folder.file("lands.csv", Self.lands)
    let outcome = try Command.run("import", folder.file(), file.path, "--key", "id", "--quiet")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return folder
  }

  private static let simplified = [
    "id,name,geometry",
    #"1,West,"POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))""#,
    #"2,East,"POLYGON ((10 0, 20 0, 20 10, 10 10, 10 0))""#,
    "3,None,",
  ]

  @Test(arguments: ["visvalingam", "dp"])
  func sharedBordersStayShared(method: String) throws {
    let folder = try landsFolder()
    let store = folder.file()
    let outcome = try Command.run(
      "simplify", store, "lands", "--tolerance", "50km", "--method", method, "--format", "csv")
    #expect(outcome.lines == Self.simplified)
    #expect(outcome.errors == "10 of 20 vertices kept in 3 rows\n")
    let small = try Command.lines(
      "simplify", store, "lands", "--tolerance", "50km", "--method", method, "--keep-small",
      "--select", "name", "--format", "csv", "--quiet", "id == 1")
    #expect(small[1].hasPrefix("West,") && small[1].contains("(3 3, "))
  }

  @Test func everythingIsKept() throws {
    let folder = try landsFolder()
    let store = folder.file()
    let all = try Command.lines("query", store, "lands", "--format", "csv")
    let outcome = try Command.run(
      "simplify", store, "lands", "--keep", "100%", "--format", "csv")
    #expect(outcome.lines == all && outcome.errors == "20 of 20 vertices kept in 3 rows\n")
  }

  @Test func classesAndFiles() throws {
    let folder = try landsFolder()
    let store = folder.file()
    let outcome = try Command.run(
      "simplify", store, "lands", "--tolerance", "50km", "--into", "outlines")
    #expect(outcome.code == 0 && outcome.errors.contains("3 rows written into outlines"))
    #expect(outcome.errors.contains("10 of 20 vertices kept in 3 rows"))
    let rows = try Command.lines("query", store, "outlines", "--sort", "id", "--format", "csv")
    #expect(rows == Self.simplified)
    let file = folder["o.csv"]
    let written = try Command.run(
      "simplify", store, "lands", "--tolerance", "50km", "-o", file, "--sort", "id")
    #expect(written.errors.contains("; 10 of 20 vertices kept in 3 rows"))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.split(separator: "\n").map(String.init) == Self.simplified)
  }

  @Test func mistakes() throws {
    let folder = try landsFolder()
    let store = folder.file()
    for (options, message) in [
      ([], "give one of --keep and --tolerance"),
      (["--keep", "10%", "--tolerance", "1km"], "give one of --keep and --tolerance"),
      (["--keep", "10"], "expected a percentage"), (["--keep", "110%"], "expected a percentage"),
      (["--keep", "1%", "--into", "x", "--format", "csv"], "--format does not apply to --into"),
      (["--keep", "1%", "--method", "best"], "--method"),
    ] {
      let outcome = try Command.run(["simplify", store, "lands"] + options)
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }
    let places = try Command.run(
      "simplify", SampleStores.placesStore(), "places", "--keep", "10%")
    #expect(places.code == 64 && places.errors.contains("'location' has points"))
  }
}
