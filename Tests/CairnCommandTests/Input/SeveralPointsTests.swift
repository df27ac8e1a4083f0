import CairnTestSupport
import Foundation
import Testing

/// `--each-point` with geometries in CSV.
@Suite struct SeveralPointsTests {
  private static let header = "id,latitude,longitude"

  @Test(arguments: [
    "MULTIPOINT ((1 2), (3 4))", "MULTIPOINT(1 2,3 4)", "multipoint ((1 2) , (3 4))",
    "SRID=4326;MULTIPOINT((1 2),(3 4))",
    // WKB as PostGIS writes it, with and without SRID.
    "01040000000200000001010000000000000000"
      + "00F03F0000000000000040010100000000000000000008400000000000001040",
    "0104000020E61000000200000001010000000000000000"
      + "00F03F0000000000000040010100000000000000000008400000000000001040",
  ])
  func multiPointsBecomeRows(geometry: String) throws {
    let text = "id,geom\n7,\"\(geometry)\"\n8,POINT (5 6)\n"
    try Intake(text).expect(["id,geometry", "7,\"MULTIPOINT ((1 2), (3 4))\"", "8,POINT (5 6)"])
    let intake = try Intake(text, ["--each-point"])
    #expect(
      intake.lines.sorted() == ["7,2.0,1.0", "7,4.0,3.0", "8,6.0,5.0", Self.header],
      "\(intake.outcome.errors)")
    #expect(intake.outcome.errors.hasPrefix("3 rows imported"), "\(intake.outcome.errors)")
  }

  @Test func altitudesAreKept() throws {
    let intake = try Intake(
      "id,wkt\n1,\"MULTIPOINT Z ((1 2 3), (4 5 6))\"\n2,POINT (7 8)\n3,\"MULTIPOINT M ((1 1 9))\"\n",
      ["--each-point"])
    #expect(
      intake.lines.sorted() == [
        "1,2.0,1.0,3.0", "1,5.0,4.0,6.0", "2,8.0,7.0,", "3,1.0,1.0,",
        "id,latitude,longitude,altitude",
      ], "\(intake.outcome.errors)")
  }

  @Test(arguments: [
    "MULTIPOINT ((1 2), (3 95))", "MULTIPOINT ((1 2), EMPTY)", "MULTIPOINT ((1 2), (3))",
    "MULTIPOINT ((1 2), (3 4)) x", "MULTIPOINT ((1 2) (3 4))",
    "010400000002000000010100000000000000000000F03F0000000000000040",
  ])
  func anInvalidPointRejectsTheRow(geometry: String) throws {
    let text = "id,geom\n7,\"\(geometry)\"\n8,POINT (5 6)\n"
    let options = ["--wkt", "geom", "--each-point"]
    try Intake(text, options).expectRefusal("f.csv:2: ")
    try Intake(text, options + ["--on-error", "skip"]).expect([Self.header, "8,6.0,5.0"])
  }

  @Test func aRepeatedKeyIsRefused() throws {
    let text = "id,geom\n7,\"MULTIPOINT ((1 2), (3 4))\"\n"
    let intake = try Intake(text, ["--each-point", "--key", "id"])
    #expect(intake.outcome.code == 65, "\(intake.outcome.errors)")
  }

  /// Many geometries of different lengths, some rejected, compared with rows counted here.
  @Test func manyGeometriesMatchACount() throws {
    let seed: UInt64 = 61
    var random = SplitMix64(seed: seed)
    var text = "id,geom\n"
    var expected: [String] = []
    for id in 0..<3000 {
      let isBad = Int.random(in: 0..<10, using: &random) == 0
      let points = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (x: Int.random(in: -179...179, using: &random), y: Int.random(in: -89...89, using: &random))
      }
      let list = points.map { "(\($0.x) \(isBad ? 99 : $0.y))" }.joined(separator: ",")
      text += "\(id),\"MULTIPOINT(\(list))\"\n"
      if !isBad { expected += points.map { "\(id),\($0.y).0,\($0.x).0" } }
    }
    let intake = try Intake(text, ["--each-point", "--on-error", "skip"])
    #expect(intake.lines.dropFirst().sorted() == expected.sorted(), "seed \(seed)")
  }
}
