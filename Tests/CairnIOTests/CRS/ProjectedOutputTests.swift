import CairnGeometry
import CairnValues
import Testing

@testable import CairnIO

/// Locations written in a coordinate system other than WGS 84.
struct ProjectedOutputTests {
  private static let columns: [(String, ValueType)] = [("id", .int), ("at", .point)]
  private static let rows: [[Value]] = [
    [.int(1), .point(Position(latitude: 46.95108, longitude: 7.43864))], [.int(2), .null],
  ]

  private static func text(
    _ format: OutputFormat, in system: String, _ columns: [(String, ValueType)] = columns,
    _ rows: [[Value]] = rows
  ) throws -> String {
    try written(format, columns, rows, in: OutputSystem(system))
  }

  @Test func everyFormatWritesProjectedCoordinates() throws {
    let (x, y) = ("2600000.0", "1200000.0")
    let near = try Self.text(.csv, in: "EPSG:2056")
    #expect(near.hasPrefix("id,x,y\n1,26000") && near.hasSuffix("\n2,,\n"))
    let place = near.split(separator: "\n")[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(place[1] - (Double(x) ?? 0)) < 10 && abs(place[2] - (Double(y) ?? 0)) < 10)
    let pair = near.split(separator: "\n")[1].dropFirst(2)
    let parts = pair.split(separator: ",")
    #expect(
      try Self.text(.jsonl, in: "EPSG:2056")
        == "{\"id\":1,\"at\":{\"x\":\(parts[0]),\"y\":\(parts[1])}}\n{\"id\":2,\"at\":null}\n")
    #expect(try Self.text(.table, in: "EPSG:2056").contains("\(parts[0]), \(parts[1])"))
    #expect(
      try Self.text(.geojson, in: "EPSG:2056").hasPrefix(
        "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::2056\"}},\"features\":[\n{\"type\":\"Feature\",\"id\":1,\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(pair)]}"
      ))
  }

  @Test func coordinatesAreWrittenToATenthOfAMillimetre() throws {
    let metres = try Self.text(.csv, in: "EPSG:3857").split(separator: "\n")[1]
    #expect(metres == "1,828065.617,5934092.7357")
    let degrees = try Self.text(.csv, in: "EPSG:4258").split(separator: "\n")[1]
    #expect(degrees == "1,7.43864,46.95108")
  }

  @Test func takenColumnNamesGetAPrefix() throws {
    let columns: [(String, ValueType)] = [("x", .int), ("at", .point)]
    #expect(try Self.text(.csv, in: "EPSG:2056", columns, []) == "x,at.x,at.y\n")
  }

  @Test func geoJSONNamesItsSystemOrFails() throws {
    let unnamed = "+proj=utm +zone=32 +datum=WGS84"
    for (format, system) in [(OutputFormat.geojsonl, "EPSG:2056"), (.geojson, unnamed)] {
      #expect {
        try Self.text(format, in: system)
      } throws: {
        if case .unnamedSystem(let why)? = $0 as? OutputError { why.contains("csv") } else { false }
      }
    }
    #expect(try Self.text(.csv, in: unnamed).hasPrefix("id,x,y\n"))
    #expect(try !Self.text(.geojson, in: "EPSG:4326").contains("crs"))
    #expect(try Self.text(.geojsonl, in: "OGC:CRS84").contains("[7.43864,46.95108]"))
  }

  @Test func locationsOutsideTheSystemFail() throws {
    let rows: [[Value]] = [[.int(1), .point(Position(latitude: -33, longitude: 151))]]
    #expect {
      try Self.text(.csv, in: "EPSG:2056", Self.columns, rows)
    } throws: {
      if case .outsideSystem(let why)? = $0 as? OutputError {
        why.contains("latitude -33.0, longitude 151.0") && why.contains("CH1903+ / LV95")
      } else {
        false
      }
    }
  }
}
