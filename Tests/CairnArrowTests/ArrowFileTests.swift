import CairnIO
import CairnTestSupport
import Foundation
import Testing

@testable import CairnArrow

/// Files and streams that pyarrow wrote (`data/foreign/arrow`), compared with the values that they were
/// made of.
@Suite(.tags(.untrusted)) struct ArrowFileTests {
  private func made() throws -> [String: [String?]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: ArrowRows.path("types.json")))
    return try JSONDecoder().decode([String: [String?]].self, from: data)
  }

  @Test(arguments: ["types.arrow", "types.arrows", "types-lz4.arrow", "types-zstd.arrows"])
  func allTypes(file: String) throws {
    let (made, read) = (try made(), try ArrowRows(ArrowRows.path(file)).values())
    #expect(made.count == 47 && Set(made.keys) == Set(read.keys))
    for (name, values) in made {
      let read = try #require(read[name])
      #expect(read == values, "\(name)")
    }
  }

  @Test(arguments: ["long.arrow", "long-zstd.arrows"])
  func rangesOfRowsOfABatch(file: String) throws {
    let rows = try ArrowRows(ArrowRows.path(file))
    let columns = Set(rows.source.columns.schema.columns.indices)
    let decoder = try rows.source.makeDecoder(columns)
    let all = try rows.values(0..<40, decoder: decoder)
    let made = try made()
    for (name, values) in zip(rows.names, all) where name != "ree" {
      let once = try #require(made[name])
      #expect(values == (0..<40).map { once[$0 % 5] }, "\(name)")
    }
    for start in 0..<40 {
      for end in start + 1...40 where (end - start) % 7 == 1 || end == 40 {
        let part = try rows.values(start..<end, decoder: decoder)
        #expect(part == all.map { Array($0[start..<end]) }, "\(start)..<\(end)")
      }
    }
  }

  @Test func streamsWithoutMarksNeedTheirName() throws {
    let path = ArrowRows.path("legacy.arrows")
    let (made, read) = (try made(), try ArrowRows(path, format: .arrow).values())
    #expect(read["i32"] == made["i32"] && read["s"] == made["s"])
  }

  @Test(arguments: ["empty.arrow", "no-batch.arrows"]) func filesWithoutRows(file: String) throws {
    let rows = try ArrowRows(ArrowRows.path(file))
    #expect(rows.names.contains("i32"))
    #expect(try rows.values()["i32"] == [])
  }

  @Test(arguments: ["delta.arrows", "replaced.arrows", "delta.arrow"])
  func dictionariesGrowAndChange(file: String) throws {
    let expected = ["a", "b", "c", "a"] + (file == "delta.arrow" ? [] : ["x", "y"])
    #expect(try ArrowRows(ArrowRows.path(file)).values()["c"] == expected)
  }

  @Test func aUnionCanBeLeftOut() throws {
    let rows = try ArrowRows(ArrowRows.path("union.arrow"))
    let error = #expect(throws: ImportError.self) { try rows.values() }
    #expect(error?.message.description.contains("`u` has the type union") == true)
    let decoder = try rows.source.makeDecoder([1, 2])
    #expect(try rows.values(0..<2, decoder: decoder)[1] == ["7", "8"])
  }

  @Test func featherOfVersion1IsNamed() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.feather", "FEA1" + String(repeating: "\0", count: 60) + "FEA1")
    let error = #expect(throws: ImportError.self) { try ArrowRows(file.path) }
    #expect(error?.message.description.contains("Feather of version 1") == true)
  }

  @Test func bigEndianIsNamed() throws {
    let sink = OutputSink.memory()
    let writer = FlatBufferWriter(sink, marker: 0xFFFF_FFFF)
    let message = writer.begin(
      FlatTable([(id: 0, size: 2), (id: 1, size: 1), (id: 2, size: 4)]), at: writer.root)
    writer.set(0, of: message, Int16(4))
    writer.set(1, of: message, UInt8(1))
    let schema = writer.begin(
      FlatTable([(id: 0, size: 2)]), at: writer.reference(2, of: message))
    writer.set(0, of: schema, Int16(1))
    writer.end()
    let scratch = try TemporaryFolder()
    try Data(sink.collected).write(to: URL(fileURLWithPath: scratch["a.arrows"]))
    let error = #expect(throws: ImportError.self) { try ArrowRows(scratch["a.arrows"]) }
    #expect(error?.message.description.contains("big-endian") == true)
  }
}
