import CairnTestSupport
import Foundation
import Testing

@testable import CairnGDAL
@testable import CairnIO

@Suite struct LayerMessageTests {
  private static let schema: LayerSchema = {
    var schema = LayerSchema(name: "Straßen")
    schema.columns = [
      .init(name: "n", type: .int), .init(name: "text", type: .text),
      .init(name: "when", type: .date), .init(name: "geom", type: .geometry),
      .init(name: "ok", type: .bool),
    ]
    schema.count = 3
    schema.geometryType = 1
    schema.system = "EPSG:2056"
    schema.otherGeometries = ["further"]
    return schema
  }()

  /// Returns the content of a message, without its header.
  private func content(_ fill: (LayerMessage) -> Void) throws -> [UInt8] {
    let message = LayerMessage()
    fill(message)
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(message.send(as: .rows, to: ends[1]))
    var bytes = [UInt8](repeating: 0, count: message.count)
    #expect(read(ends[0], &bytes, bytes.count) == bytes.count)
    let header = try #require(
      bytes.withUnsafeBytes { LayerMessageHeader(.init(rebasing: $0[..<16])) })
    #expect(header.kind == .rows && header.count == bytes.count - 16)
    return Array(bytes.dropFirst(16))
  }

  private static func schema(_ bytes: [UInt8]) throws -> LayerSchema {
    try LayerMessageReader.read(bytes) { (bytes) throws(LayerMessageReader.Damage) in
      try LayerSchema(bytes)
    }
  }

  private static func appendRows(_ message: LayerMessage) {
    message.append(UInt64(40))
    message.append(UInt32(2))
    func appendMarks(_ marks: [LayerMark]) { for mark in marks { message.append(mark.rawValue) } }
    func appendTexts(_ texts: [String]) {
      message.append(UInt64(texts.reduce(0) { $0 + $1.utf8.count }))
      var end: UInt32 = 0
      for text in texts {
        end += UInt32(text.utf8.count)
        message.append(end)
      }
      for text in texts { Array(text.utf8).withUnsafeBytes { message.append(bytes: $0) } }
    }
    appendMarks([.value, .null])
    message.append(Int64(7))
    message.append(Int64(0))
    appendMarks([.value, .value])
    appendTexts(["größer", ""])
    appendMarks([.local, .value])
    message.append(1.5)
    message.append(2.5)
    appendMarks([.value, .null])
    appendTexts(["wkb", ""])
    appendMarks([.value, .value])
    message.append(UInt8(1))
    message.append(UInt8(0))
  }

  @Test func aSchemaIsReadAsItWasWritten() throws {
    let bytes = try content { Self.schema.append(to: $0) }
    #expect(try Self.schema(bytes) == Self.schema)
    for count in bytes.indices {
      let cut = Array(bytes.prefix(count))
      #expect(throws: LayerMessageReader.Damage.self, "\(count) bytes") {
        try Self.schema(cut)
      }
    }
  }

  @Test func layersAreReadAsTheyWereWritten() throws {
    let layers = [
      LayerSummary(name: "a", count: 3, hasGeometry: true),
      LayerSummary(name: "", count: nil, hasGeometry: false),
    ]
    let bytes = try content { message in for layer in layers { layer.append(to: message) } }
    #expect(try LayerMessageReader.read(bytes, LayerSummary.list) == layers)
  }

  private func block(_ bytes: [UInt8]) -> InputBlock {
    let block = InputBlock(capacity: 0)
    block.reserve(bytes.count)
    for (index, byte) in bytes.enumerated() { block.bytes[index] = byte }
    block.range = bytes.indices
    return block
  }

  @Test func rowsAreReadInPlace() throws {
    let block = block(try content(Self.appendRows))
    let batch = try LayerBatch(block, schema: Self.schema)
    #expect(batch.firstRow == 40 && batch.rowCount == 2)
    #expect(batch.columns[0].int(0) == 7 && batch.columns[0].isNull(1))
    #expect(String(decoding: batch.columns[1].bytes(0), as: UTF8.self) == "größer")
    #expect(batch.columns[1].bytes(1).isEmpty && !batch.columns[1].isNull(1))
    #expect(batch.columns[2].isLocal(0) && !batch.columns[2].isLocal(1))
    #expect(batch.columns[2].double(1) == 2.5)
    #expect(batch.columns[3].bytes(0).count == 3 && batch.columns[3].isNull(1))
    #expect(batch.columns[4].bool(0) && !batch.columns[4].bool(1))
  }

  @Test func cutRowsAreRefused() throws {
    let bytes = try content(Self.appendRows)
    for count in bytes.indices {
      let cut = block(Array(bytes.prefix(count)))
      #expect(throws: LayerMessageReader.Damage.self, "\(count) bytes") {
        try LayerBatch(cut, schema: Self.schema)
      }
    }
  }

  /// Whatever the bytes are, no value lies outside of the message.
  @Test func changedRowsAreRefusedOrStayWithinTheMessage() throws {
    let bytes = try content(Self.appendRows)
    let seed = Soak.seed(110)
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.rounds(3000) {
      var changed = bytes
      for _ in 0...random.below(3) {
        changed[random.below(changed.count)] = UInt8.random(in: 0...255, using: &random)
      }
      let block = block(changed)
      guard let batch = try? LayerBatch(block, schema: Self.schema) else { continue }
      for column in [1, 3] {
        for row in 0..<batch.rowCount {
          let range = batch.columns[column].range(row)
          #expect(range.upperBound <= batch.columns[column].heap.count, "seed \(seed)")
        }
      }
    }
  }

  @Test func aHeaderIsCheckedBeforeMemoryIsTaken() {
    func header(_ kind: UInt32, _ count: UInt64) -> LayerMessageHeader? {
      var bytes = [UInt8](repeating: 0, count: 16)
      bytes.withUnsafeMutableBytes {
        $0.storeBytes(of: kind, as: UInt32.self)
        $0.storeBytes(of: count, toByteOffset: 8, as: UInt64.self)
      }
      return bytes.withUnsafeBytes { LayerMessageHeader($0) }
    }
    #expect(header(3, 100)?.count == 100)
    #expect(header(0, 100) == nil)
    #expect(header(9, 100) == nil)
    #expect(header(3, 1 << 40) == nil)
    #expect(header(3, .max) == nil)
  }
}
