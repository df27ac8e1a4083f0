import CairnIO
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnArrow

/// Files and streams that Cairn writes, read again.
@Suite struct ArrowEncoderTests {
  private let columns = [
    OutputColumn(name: "flag", type: .bool, source: .given(0)),
    OutputColumn(name: "whole", type: .int, source: .given(1)),
    OutputColumn(name: "single", type: .float, source: .given(2)),
    OutputColumn(name: "real", type: .double, source: .given(3)),
    OutputColumn(name: "at", type: .date, source: .given(4)),
    OutputColumn(name: "text", type: .string, source: .given(5)),
    OutputColumn(name: "bytes", type: .data, source: .given(6)),
    OutputColumn(name: "money", type: .decimal128, source: .given(7)),
    OutputColumn(name: "place", type: .point, source: .given(8)),
    OutputColumn(name: "altitude", type: .double, source: .given(9)),
  ]

  private func row(_ number: Int) -> [Value] {
    guard number % 3 != 1 else {
      return Array(repeating: .null, count: 8)
        + [.point(Position(latitude: 47, longitude: Double(number % 180))), .null]
    }
    return [
      .bool(number % 2 == 0), .int(Int64(number)), .float(Float(number) / 4),
      .double(Double(number) / 3), .date(Double(number) + 0.25), .string("ü\(number)"),
      .data([UInt8(truncatingIfNeeded: number), 0]), .null,
      .point(Position(latitude: 47, longitude: Double(number % 180))), .double(500),
    ]
  }

  private func written(
    _ format: OutputFormat, _ rows: [[Value]], system: OutputSystem? = nil
  ) throws -> ArrowRows {
    let scratch = try TemporaryFolder()
    let sink = OutputSink.memory()
    let writer = try RowWriter(
      format, columns: columns, in: system, with: [ArrowWriter()], to: sink)
    try writer.write(rows)
    try writer.finish()
    try Data(sink.collected).write(to: URL(fileURLWithPath: scratch["a"]))
    return try ArrowRows(scratch["a"])
  }

  @Test(arguments: [OutputFormat.arrow, .feather], [0, 1, 8, 100, 65536, 70001])
  func valuesAreReadBack(format: OutputFormat, count: Int) throws {
    let rows = try written(format, (0..<count).map(row))
    #expect(
      rows.names == ["flag", "whole", "single", "real", "at", "text", "bytes", "money", "place"])
    let values = try rows.values()
    func expect(_ name: String, _ text: (Int) -> String?) throws {
      let read = try #require(values[name])
      #expect(read == (0..<count).map { $0 % 3 == 1 ? nil : text($0) }, "\(name)")
    }
    try expect("flag") { "\($0 % 2 == 0)" }
    try expect("whole") { "\($0)" }
    try expect("single") { "\(Double(Float($0) / 4))" }
    try expect("real") { "\(Double($0) / 3)" }
    try expect("at") { "\(Double($0) + 0.25)" }
    try expect("text") { "ü\($0)" }
    try expect("bytes") { Base64.encode([UInt8(truncatingIfNeeded: $0), 0]) }
    try expect("money") { _ in nil }
    #expect(rows.source.columns.schema.system == "EPSG:4326")
  }

  @Test func altitudesAreThirdCoordinates() throws {
    let places = try #require(try written(.arrow, (0..<2).map(row)).values()["place"])
    let sizes = places.map { $0.flatMap { Data(base64Encoded: $0) }?.count }
    #expect(sizes == [29, 21])
  }

  @Test func theCoordinateSystemIsNamed() throws {
    let system = try OutputSystem("EPSG:2056")
    let point = Value.point(Position(latitude: 46.95108, longitude: 7.43864))
    let row = Array(repeating: Value.null, count: 8) + [point, .null]
    let rows = try written(.feather, [row], system: system)
    #expect(rows.source.columns.schema.system == "EPSG:2056")
  }

  @Test func aSystemWithoutACodeIsItsDefinition() throws {
    let definition = "+proj=laea +lat_0=46 +lon_0=7"
    let row =
      Array(repeating: Value.null, count: 8)
      + [.point(Position(latitude: 46, longitude: 7)), .null]
    let rows = try written(.arrow, [row], system: try OutputSystem(definition))
    #expect(
      rows.source.columns.schema.system?.contains("Lambert Azimuthal Equal Area") == true)
  }
}
