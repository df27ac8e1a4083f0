import CairnTestSupport
import Foundation
import Testing

/// `grid` on places and areas whose cells are known.
@Suite struct GridCommandTests {
  /// Makes a store with the class `places`, on both sides of the antimeridian, and `areas`.
  private func makeStore(_ folder: borrowing TemporaryFolder) throws -> String {
    let places = try folder.file(
      "places.csv",
      """
      id,kind,lat,lon
      1,a,0.5,178.5
      2,a,0.5,178.6
      3,b,1,-179
      4,b,1.5,-178.5

      """)
    let areas = try folder.file(
      "areas.csv",
      """
      id,shape
      1,"POLYGON ((0.2 0.2, 1.5 0.2, 1.5 0.8, 0.2 0.8, 0.2 0.2))"
      2,"LINESTRING (0.5 0.5, 0.5 1.5)"
      3,"POINT (1 1)"

      """)
    let store = folder["grid.cairn"]
    _ = try succeed("import", store, places.path, "--key", "id")
    _ = try succeed("import", store, areas.path, "--key", "id")
    return store
  }

  private func succeed(_ arguments: String...) throws -> [String] {
    let outcome = try Command.run(arguments)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.lines
  }

  /// The cells and counts.
  private func cells(_ store: String, _ name: String, _ options: String...) throws -> [String] {
    let outcome = try Command.run(["grid", store, name, "--format", "jsonl"] + options)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return try outcome.lines.map { line in
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let count = try #require(json["count"] as? Int)
      #expect((json["geometry"] as? [String: Any])?["type"] as? String == "Polygon", "\(line)")
      return "\(json["cell"] ?? "") \(count)"
    }
  }

  @Test func locations() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    // The edge between two cells belongs to the one in the north or east.
    #expect(
      try cells(store, "places", "--cell", "1deg") == [
        "178,0,179,1 2", "-179,1,-178,2 2",
      ])
    #expect(
      try cells(store, "places", "kind == 'b'", "--cell", "0.5deg") == [
        "-179,1,-178.5,1.5 1", "-178.5,1.5,-178,2 1",
      ])
    // The bounds lead across the antimeridian, in two parts.
    #expect(
      try cells(store, "places", "--cell", "1deg", "--all").sorted() == [
        "-179,0,-178,1 0", "-179,1,-178,2 2", "-180,0,-179,1 0", "-180,1,-179,2 0",
        "178,0,179,1 2", "178,1,179,2 0", "179,0,180,1 0", "179,1,180,2 0",
      ])
    #expect(try cells(store, "places", "id > 9", "--cell", "1deg", "--all").isEmpty)
  }

  @Test(arguments: [["100km"], ["100km", "--shape", "hexagon"], ["0.7deg"]])
  func everyLocationIsInOneCell(cell: [String]) throws {
    let folder = try TemporaryFolder()
    let store = folder["cities.cairn"]
    _ = try succeed("import", store, Repository.data("cities.csv"), "--class", "cities")
    for more in [[], ["--all"]] {
      let into = ["--into", "cells\(more.count)"]
      let outcome = try Command.run(
        ["grid", store, "cities", "country == 'FJ'", "--cell"] + cell + more + into)
      #expect(outcome.code == 0 && outcome.errors.contains("written into cells"))
      let sum = try succeed(
        "stats", store, into[1], "--of", "count", "--figures", "sum", "--format", "csv")
      #expect(try sum[1] == "count," + succeed("count", store, "cities", "country == 'FJ'")[0])
    }
    let (few, all) = (try succeed("count", store, "cells0"), try succeed("count", store, "cells1"))
    #expect(try succeed("count", store, "cells1", "count > 0") == few)
    #expect((Int(all[0]) ?? 0) > (Int(few[0]) ?? 0) && (Int(all[0]) ?? .max) < 500, "\(all)")
    #expect(try succeed("verify", store).joined().contains("Sound"))
  }

  @Test func areas() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    #expect(
      try cells(store, "areas", "--cell", "1deg") == [
        "0,0,1,1 2", "1,0,2,1 1", "0,1,1,2 1", "1,1,2,2 1",
      ])
    // Cells that an area only touches count, too, with and without the empty ones.
    let (few, all) = (
      try cells(store, "areas", "id == 1", "--cell", "0.2deg"),
      try cells(store, "areas", "id == 1", "--cell", "0.2deg", "--all")
    )
    #expect(few.count == 40 && few.sorted() == all.filter { !$0.hasSuffix(" 0") }.sorted())
    // Each cell has the rows that intersect it.
    _ = try succeed("grid", store, "areas", "id < 3", "--cell", "30km", "--into", "squares")
    let rows = try succeed(
      "query", store, "squares", "--format", "jsonl", "--select",
      "count, asText(geometry) AS text")
    #expect(rows.count > 10)
    for row in rows {
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
      let (count, text) = (json["count"] as? Int, json["text"] as? String ?? "")
      #expect(
        try succeed("count", store, "areas", "id < 3", "--intersects", text)
          == ["\(count ?? -1)"], "\(text)")
    }
  }

  @Test func refusals() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    for (options, said) in [
      ([], "--cell"), (["--cell", "10"], "needs a unit"),
      (["--cell", "1m"], "--cell takes a width from 10 m to 5000 km"),
      (["--cell", "91deg"], "or for squares up to 90deg"),
      (["--cell", "1km", "--shape", "triangle"], "square"),
      (["--cell", "1km", "--into", "x", "--format", "csv"], "does not apply to --into"),
    ] {
      let outcome = try Command.run(["grid", store, "places"] + options)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    }
  }
}
