import CairnTestSupport
import Foundation
import Testing

/// A pull of the rows that meet a condition. The store that has all rows of the table is the oracle: it
/// selects the same rows without a server.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct PullConditionTests {
  private struct Whole {
    let folder: TemporaryFolder
    let store: String

    init() throws {
      try Cluster.psql(
        """
        SELECT setseed(0.31);
        CREATE TABLE villages AS SELECT n AS id, (ARRAY['Zürich', 'zurich', 'Bern', 'bern', '', 'a_b'])[1 + n % 6] AS name,
          CASE WHEN n % 9 > 0 THEN (random() * 1000)::int END AS size, date '2020-01-01' + n % 40 AS day, '{}'::int[] AS tags,
          ST_Point(round((random() * 360 - 180)::numeric, 4)::float8, round((random() * 180 - 90)::numeric, 4)::float8, 4326)::geometry(Point,4326) AS spot
          FROM generate_series(1, 1500) AS n;
        ALTER TABLE villages ADD PRIMARY KEY (id)
        """)
      folder = try TemporaryFolder()
      store = folder.file("whole.cairn")
      try succeed("pull", Cluster.url(), "villages", store, "--quiet")
    }
  }

  private static let whole = Result { try Whole() }

  @discardableResult
  private static func succeed(_ arguments: String...) throws -> Command.Outcome {
    let outcome = try Command.run(arguments)
    guard outcome.code == 0 else { throw Problem(text: outcome.errors) }
    return outcome
  }

  private static let area = "POLYGON((-60 -40,70 -30,50 60,-20 30,-60 -40))"

  @Test(arguments: [
    ["size > 500 AND name == 'Bern'"], ["name ==[c] 'BERN'"],
    ["name CONTAINS[cd] 'zur' OR size == nil"],
    ["--bbox", "170,-50,-170,50"], ["--bbox", "0,0,40,40", "--bbox", "-40,-40,0,0"],
    ["--near", "47,8", "--radius", "2500km"],
    ["size < 900", "--near", "-80,179", "--radius", "3000km"],
    ["--within", area], ["--outside", area, "--edges", "geodesic"],
    ["name ==[c] 'bern'", "--within", area],
    ["--near", "villages:id == 7", "--radius", "3000km"], ["--datetime", "2020-01-12"],
    ["--datetime", "2020-01-20/..", "--bbox", "-90,-45,90,45"], ["size > 5000"],
  ])
  func theRowsAreThoseOfTheWholeStore(options: [String]) throws {
    let whole = try Self.whole.get()
    let part = whole.folder.file("part.cairn")
    defer { try? FileManager.default.removeItem(atPath: part) }
    let outcome = try Command.run(["pull", Cluster.url(), "villages", part] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let shown = ["--sort", "id", "--format", "csv"]
    let wanted = try Command.run(["query", whole.store, "villages"] + options + shown)
    let found = try Command.run(["query", part, "villages"] + shown)
    #expect(wanted.code == 0 && found.output == wanted.output, "\(wanted.errors)")
    let count = wanted.lines.count - 1
    #expect((count == 0) == (options == ["size > 5000"]) && count < 1400, "\(count)")
    #expect(outcome.errors.replacing(" ", with: "").contains("\n\(count)row"), "\(outcome.errors)")
  }

  /// A condition needs columns that the class does not get, whether the server decides it or not.
  @Test(arguments: [
    ["name ==[c] 'BERN' AND size > 500"], ["name == 'Bern'", "--bbox", "0,0,90,90"],
  ])
  func theClassHasOnlyTheChosenColumns(options: [String]) throws {
    let whole = try Self.whole.get()
    let part = whole.folder.file("narrow.cairn")
    defer { try? FileManager.default.removeItem(atPath: part) }
    let pull = ["pull", Cluster.url(), "villages", part, "--select", "day,id", "--quiet"] + options
    #expect(try Command.run(pull).code == 0)
    let shown = ["--sort", "id", "--format", "csv"]
    let wanted = try Command.run(
      ["query", whole.store, "villages", "--select", "day,id"] + options + shown)
    #expect(try Command.run(["query", part, "villages"] + shown).output == wanted.output)
    #expect(wanted.lines.count > 10 && wanted.lines[0] == "day,id")
  }

  @Test func furtherRowsAreMerged() throws {
    let whole = try Self.whole.get()
    let part = whole.folder.file("merged.cairn")
    for condition in ["id <= 10", "id BETWEEN {6, 20}"] {
      try Self.succeed("pull", Cluster.url(), "villages", part, condition, "--quiet")
    }
    #expect(try Command.run("count", part, "villages").output == "20\n")
  }

  @Test(arguments: [
    (["sice > 3"], "'sice' not found"), (["--near", "1,2"], "--near needs --radius"),
    (["ANY tags == 3"], "arrays"), (["size * 2 > 7"], "a formula"),
    (["size > 3", "id > 3"], "nexpected argument"),
    (["--within", "nowhere.geojson"], "nowhere.geojson"),
  ])
  func mistakesLeaveNoStore(options: [String], words: String) throws {
    let whole = try Self.whole.get()
    let part = whole.folder.file("none.cairn")
    let outcome = try Command.run(["pull", Cluster.url(), "villages", part] + options)
    #expect([64, 66].contains(outcome.code) && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: part))
  }
}
