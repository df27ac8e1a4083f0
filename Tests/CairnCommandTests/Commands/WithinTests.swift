import CairnTestSupport
import Foundation
import Testing

/// The polygons that `--within` accepts, and the errors for the others.
@Suite struct WithinTests {
  private func count(_ area: String, _ options: String...) throws -> Command.Outcome {
    try Command.run(
      ["count", SampleStores.graticuleStore(), "graticule5", "--within", area] + options)
  }

  private static let collection = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":
    [[[1,1],[9,1],[9,9],[1,9],[1,1]]]}},
    {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[
    {"type":"Polygon","coordinates":[[[1,1],[19,1],[19,9],[1,9],[1,1]]]},
    {"type":"MultiPolygon","coordinates":[[[[21,1],[29,1],[29,9],[21,9],[21,1]]],
    [[[31,1],[39,1],[39,HIGH],[31,9],[31,1]],[[34,2],[36,2],[36,6],[34,2]]]]}]}}]}
    """

  @Test func severalFeaturesAreAUnion() throws {
    let text = Self.collection.replacing("HIGH", with: "9")
    let scratch = try TemporaryFolder()
    let outcome = try count(scratch.file("areas.geojson", text).path)
    #expect(outcome.output == "5\n", "\(outcome.errors)")
  }

  @Test func errorsNameTheFeatureTheRingAndThePosition() throws {
    let text = Self.collection.replacing("HIGH", with: "1.5")
    let scratch = try TemporaryFolder()
    let outcome = try count(scratch.file("areas.geojson", text).path)
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.contains(
        "areas.geojson, feature 2, polygon 3 of 3: hole 1 crosses the outer ring at longitude 3"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("--repair"))
    let repaired = try count(scratch.file("areas.geojson", text).path, "--repair")
    #expect(repaired.code == 0)
    #expect(repaired.errors.contains("feature 2, polygon 3 of 3: hole 1 crosses the outer ring"))
  }

  @Test func invalidNumbersAreLocated() throws {
    let text = Self.collection.replacing("HIGH", with: "NaN")
    let scratch = try TemporaryFolder()
    let outcome = try count(scratch.file("areas.geojson", text).path)
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.contains("a coordinate is not finite: 'NaN' (point 3 of ring 1, feature 2)"),
      "\(outcome.errors)")
  }

  @Test func theAntimeridian() throws {
    let jumping = "POLYGON((170 -10,-170 -10,-170 10,170 10,170 -10))"
    let refused = try count(jumping)
    #expect(refused.code == 65 && refused.errors.contains("--edges geodesic"), "\(refused.errors)")
    #expect(try count(jumping, "--edges", "geodesic").output == "30\n")
    let beyond = "POLYGON((170 -10,190 -10,190 10,170 10,170 -10))"
    let beyondRefused = try count(beyond)
    #expect(
      beyondRefused.code == 65 && beyondRefused.errors.contains("--wrap-longitude"),
      "\(beyondRefused.errors)")
    let wrapped = try count(beyond, "--wrap-longitude")
    #expect(wrapped.output == "30\n")
    #expect(wrapped.errors.contains("cuts along the antimeridian"))
  }

  @Test(arguments: ["--repair", "--wrap-longitude"])
  func optionsNeedAPolygon(option: String) throws {
    let outcome = try Command.run("count", SampleStores.graticuleStore(), "graticule5", option)
    #expect(outcome.code == 64 && outcome.errors.contains("--within"), "\(outcome.errors)")
  }

  @Test(arguments: ["--edges=planar", "--edges=geodesic"])
  func repairReportsItsChanges(edges: String) throws {
    let bow = "POLYGON((0 0,10 10,10 0,0 10,0 0))"
    #expect(try count(bow, edges).code == 65)
    let repaired = try count(bow, edges, "--repair")
    #expect(repaired.code == 0)
    #expect(
      repaired.errors.split(separator: "\n").count == 1
        && repaired.errors.contains("the outer ring crosses itself at longitude 5.0, latitude 5.0")
        && repaired.errors.contains("became 2 polygons"), "\(repaired.errors)")
  }
}
