import CairnTestSupport
import Foundation
import Testing

/// `cluster` on places whose clusters are known.
@Suite struct ClusterCommandTests {
  /// Makes a store with the class `places`: three places in a row at the antimeridian, 1 km apart, two at
  /// the pole, and one alone.
  private func makeStore(_ folder: borrowing TemporaryFolder) throws -> String {
    let file = try folder.file(
      "places.csv",
      """
      id,kind,lat,lon
      1,a,0,179.991
      2,a,89.999,0
      3,b,0,180
      4,b,40,40
      5,b,0,-179.991
      6,a,89.999,180

      """)
    let store = folder["clusters.cairn"]
    _ = try succeed("import", store, file.path, "--key", "id", "--index", "kind")
    return store
  }

  private func succeed(_ arguments: String...) throws -> [String] {
    let outcome = try Command.run(arguments)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.lines
  }

  /// The header, then the identifiers and clusters in the order of the identifiers. Rows, and with them
  /// the numbers of clusters, are in the order of the class, which is along a curve; here the clusters
  /// are numbered in the order of the lines.
  private func clusters(_ store: String, _ options: String...) throws -> [String] {
    let outcome = try Command.run(
      ["cluster", store, "places"] + options + ["--select", "id", "--format", "csv"])
    try #require(outcome.code == 0, "\(outcome.errors)")
    var names: [Substring: Int] = [:]
    return outcome.lines.prefix(1)
      + outcome.lines.dropFirst().sorted().map { line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard !fields[1].isEmpty else { return line }
        let name = names[fields[1]] ?? names.count
        names[fields[1]] = name
        return "\(fields[0]),\(name)"
      }
  }

  @Test func density() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    #expect(
      try clusters(store, "--distance", "1100m", "--at-least", "2") == [
        "id,cluster", "1,0", "2,1", "3,0", "4,", "5,0", "6,1",
      ])
    // The middle one is the only core.
    #expect(
      try clusters(store, "--distance", "1100m", "--at-least", "3", "--as", "c") == [
        "id,c", "1,0", "2,", "3,0", "4,", "5,0", "6,",
      ])
    #expect(
      try clusters(store, "kind == 'a'", "--distance", "1100m", "--at-least", "2") == [
        "id,cluster", "1,", "2,0", "6,0",
      ])
    #expect(try clusters(store, "--distance", "1100m").allSatisfy { !$0.hasSuffix("0") })
  }

  @Test func centres() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    #expect(
      try clusters(store, "--count", "3") == [
        "id,cluster", "1,0", "2,1", "3,0", "4,2", "5,0", "6,1",
      ])
  }

  @Test func newClassesAndFiles() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    let outcome = try Command.run(
      "cluster", store, "places", "--distance", "2km", "--at-least", "2", "--into", "groups")
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("6 rows written into groups"), "\(outcome.errors)")
    let schema = try succeed("schema", store, "groups").joined(separator: "\n")
    #expect(schema.contains("primary key") && schema.contains("spatial index"), "\(schema)")
    #expect(try succeed("count", store, "groups", "cluster == 0") == ["3"])
    #expect(try succeed("count", store, "groups", "cluster == nil") == ["1"])
    _ = try succeed(
      "cluster", store, "places", "--count", "2", "--select", "id * 2 AS twice, location",
      "-o", folder["two.geojson"], "--quiet")
    #expect(try folder.text("two.geojson").contains(#""twice":12,"cluster":"#))
    #expect(try succeed("verify", store).joined().contains("Sound"))
  }

  @Test func refusals() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    for (options, said) in [
      ([], "give one of --distance and --count"),
      (["--distance", "1km", "--count", "2"], "give one of --distance and --count"),
      (["--count", "2", "--at-least", "2"], "--at-least applies only to --distance"),
      (["--count", "0"], "--count takes 1 or more"),
      (["--within", "500m"], "the distance of neighbours is --distance 500m"),
      (["--distance", "1km", "--as", "kind"], "already have a column 'kind'"),
      (["--distance", "0.001m"], "1 cm or more"),
      (["--distance", "500"], "needs a unit"),
    ] {
      let outcome = try Command.run(["cluster", store, "places"] + options)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }
    // A column that is not written may have the name.
    #expect(
      try clusters(store, "--distance", "1km", "--as", "kind").first == "id,kind")
  }
}
