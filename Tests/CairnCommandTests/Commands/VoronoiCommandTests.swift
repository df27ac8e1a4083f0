import CairnTestSupport
import Foundation
import Testing

/// `voronoi` on places whose cells are known.
@Suite struct VoronoiCommandTests {
  /// Makes a store with the class `places`: six that are the corners of an octahedron, and `areas`.
  private func makeStore(_ folder: borrowing TemporaryFolder) throws -> String {
    let places = try folder.file(
      "places.csv",
      """
      id,kind,lat,lon
      1,a,0,0
      2,a,0,90
      3,a,0,180
      4,a,0,-90
      5,pole,90,0
      6,pole,-90,0

      """)
    let areas = try folder.file(
      "areas.csv",
      """
      id,shape
      1,"POINT (10 10)"
      2,"POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0))"
      3,"POINT (-10 10)"

      """)
    let store = folder["voronoi.cairn"]
    _ = try succeed("import", store, places.path, "--key", "id")
    _ = try succeed("import", store, areas.path, "--key", "id")
    return store
  }

  private func succeed(_ arguments: String...) throws -> [String] {
    let outcome = try Command.run(arguments)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.lines
  }

  @Test func cellsOfPlaces() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    let outcome = try Command.run("voronoi", store, "places", "--into", "cells")
    #expect(outcome.code == 0 && outcome.errors.contains("6 rows written into cells"))
    // Each cell is a sixth of the earth.
    let areas = try succeed(
      "query", store, "cells", "--select",
      "id, kind, area(location) AS area, isValid(location) AS valid", "--format", "csv", "--sort",
      "id")
    #expect(areas[0] == "id,kind,area,valid" && areas.count == 7)
    for (index, line) in areas.dropFirst().enumerated() {
      let fields = line.split(separator: ",")
      #expect(fields[0] == "\(index + 1)" && fields[3] == "true", "\(line)")
      let share = (Double(fields[2]) ?? 0) / 5.1006562e14
      #expect(abs(share * 6 - 1) < 0.01, "\(line)")
    }
    // The cell beside the antimeridian is cut, and that of a pole leads along it.
    let kinds = try succeed(
      "query", store, "cells", "id IN {2, 3, 5}", "--select", "geometryType(location) AS type",
      "--format", "csv", "--sort", "id")
    #expect(kinds == ["type", "Polygon", "MultiPolygon", "Polygon"])
    #expect(
      try succeed(
        "query", store, "cells", "--contains", "POINT (-179 1)", "--select", "id",
        "--format", "csv") == ["id", "3"])
    #expect(
      try succeed(
        "query", store, "cells", "--contains", "POINT (77 89)", "--select", "id",
        "--format", "csv") == ["id", "5"])
    let schema = try succeed("schema", store, "cells").joined(separator: "\n")
    #expect(schema.contains("primary key") && schema.contains("spatial index"), "\(schema)")
    #expect(try succeed("verify", store).joined().contains("Sound"))
  }

  @Test func clippedCells() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    _ = try succeed(
      "voronoi", store, "places", "--clip", "areas:id == 2", "--select", "id", "--into", "cut")
    // The area is in one cell, but for a corner beyond the bisector with another one.
    #expect(try succeed("count", store, "cut") == ["1"])
    #expect(
      try succeed(
        "query", store, "cut", "--select", "id, asText(envelope(location)) AS box",
        "--format", "csv")[1].hasPrefix("1,\"POLYGON ((0 0, 20 0, 20 20"))
    _ = try succeed(
      "voronoi", store, "places", "kind == 'a'", "--clip",
      "POLYGON ((40 -10, 50 -10, 50 10, 40 10, 40 -10))", "-o", folder["cut.geojson"], "--quiet")
    let text = try folder.text("cut.geojson")
    #expect(text.matches(of: /"Feature"/).count == 2 && text.contains("[45.0,10.0]"), "\(text)")
  }

  @Test func cellsOfPoints() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    let halves = try succeed("voronoi", store, "areas", "id != 2", "--format", "jsonl")
    #expect(halves.count == 2)
    let polygon = try Command.run("voronoi", store, "areas")
    #expect(
      polygon.code == 65 && polygon.errors.contains("a cell is that of a point"),
      "\(polygon.errors)")
    let whole = try succeed("voronoi", store, "areas", "id == 1", "--format", "wkt")
    #expect(whole == ["POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))"])
    #expect(try succeed("voronoi", store, "areas", "id > 9", "--format", "wkt").isEmpty)
  }

  @Test func refusals() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder)
    for (options, said) in [
      (["--clip", "POINT (1 1)"], "--clip takes polygons"),
      (["--clip", "areas:id == 9"], "areas"),
      (["--select", "nothing"], "'nothing'"),
      (["--into", "x", "--format", "csv"], "does not apply to --into"),
    ] {
      let outcome = try Command.run(["voronoi", store, "places"] + options)
      #expect(outcome.code != 0 && outcome.errors.contains(said), "\(outcome.errors)")
    }
  }
}
