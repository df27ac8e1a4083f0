import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Values that are read in place without a full check. Their headers never lead outside of the
/// bytes: such a value reads as a missing one.
@Suite struct HeaderBoundsTests {
  /// Calls `body` with aligned memory that holds the bytes up to `end`, with one number replaced.
  private func read<Result>(
    _ bytes: [UInt8], setting number: UInt32? = nil, at offset: Int = 0, end: Int? = nil,
    shift: Int = 0,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let size = end ?? bytes.count
    return withUnsafeTemporaryAllocation(byteCount: size + 16, alignment: 16) { memory in
      let part = UnsafeMutableRawBufferPointer(rebasing: memory[shift..<shift + size])
      part.copyBytes(from: bytes[..<size])
      if let number { part.storeBytes(of: number, toByteOffset: offset, as: UInt32.self) }
      return body(UnsafeRawBufferPointer(part))
    }
  }

  private func isChunk(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.baseAddress.map { Chunk(encoded: $0, size: bytes.count) != nil } ?? false
  }

  @Test func chunks() {
    let buffer = ChunkBuffer(layout: .bytes)
    buffer.count = 100
    for row in 0..<100 { buffer.set(row % 3 == 0 ? .null : .string("text \(row)"), at: row) }
    let bytes = ChunkEncoder.encode(buffer).bytes
    #expect(read(bytes, isChunk))
    #expect(!read(bytes, setting: 4097, at: 4, isChunk), "more rows than a chunk has")
    #expect(
      !read(bytes, setting: UInt32(bytes.count), at: 24, isChunk), "the heap begins at the end")
    #expect(!read(bytes, setting: .max, at: 24, isChunk), "the heap begins far behind the end")
    #expect(!read(bytes, end: 500, isChunk), "the null bitmap is cut")
    #expect(!read(bytes, end: 31, isChunk), "the header is cut")
    #expect(!read(bytes, shift: 8, isChunk), "not aligned")
  }

  @Test func blocksOfPoints() {
    let entries = (0..<1000).map { PointEntry(longitude: Double($0) / 10, latitude: 1, key: $0) }
    let bytes = DeltaBlock.encoded(entries[...])
    func isBlock(_ bytes: UnsafeRawBufferPointer) -> Bool { DeltaBlock<PointEntry>(bytes) != nil }
    #expect(read(bytes) { DeltaBlock<PointEntry>($0)?.key(999) } == 999)
    #expect(!read(bytes, setting: 1025, isBlock), "more entries than there are bytes")
    #expect(!read(bytes, setting: .max, isBlock))
    #expect(!read(bytes, end: bytes.count - 1, isBlock), "the last key is cut")
    #expect(!read(bytes, end: 15, isBlock), "the header is cut")
    #expect(!read(bytes, shift: 4, isBlock), "not aligned")
  }

  @Test func blocksOfBoxes() {
    let box = Envelope(west: 1, south: 2, east: 3, north: 4)
    let entries = (0..<1000).map { BoxEntry(box: box, key: $0) }
    let bytes = DeltaBlock.encoded(entries[...])
    func isBlock(_ bytes: UnsafeRawBufferPointer) -> Bool { DeltaBlock<BoxEntry>(bytes) != nil }
    #expect(read(bytes) { DeltaBlock<BoxEntry>($0)?.key(999) } == 999)
    #expect(!read(bytes, setting: 1025, isBlock), "more entries than there are bytes")
    #expect(!read(bytes, setting: .max, isBlock))
    #expect(!read(bytes, end: bytes.count - 1, isBlock), "the last key is cut")
    #expect(!read(bytes, end: 15, isBlock), "the header is cut")
    #expect(!read(bytes, shift: 8, isBlock), "not aligned")
  }

  @Test(arguments: [true, false]) func segmentsOfValues(numeric: Bool) {
    let entries = (0..<1000).map {
      ValueEntry(value: numeric ? .number(UInt64($0)) : .bytes(Array("t\($0)".utf8)), key: $0)
    }
    let bytes = ValueSegment.encoded(entries[...], numeric: numeric)
    func isSegment(_ bytes: UnsafeRawBufferPointer) -> Bool { ValueSegment(bytes) != nil }
    #expect(read(bytes) { ValueSegment($0)?.key(999) } == 999)
    #expect(read(bytes) { ValueSegment($0)?.value(999) } == entries[999].value)
    #expect(!read(bytes, setting: 2000, isSegment), "more entries than there are bytes")
    #expect(!read(bytes, setting: .max, isSegment))
    #expect(!read(bytes, end: 12_000, isSegment), "the values are cut")
    #expect(!read(bytes, end: 15, isSegment), "the header is cut")
    #expect(!read(bytes, shift: 4, isSegment), "not aligned")
  }

  @Test func tablesOfWords() {
    var writer = ByteTableWriter()
    for number in 0..<600 {
      writer.append(Array("word\(number)".utf8))
      writer.endEntry()
    }
    let bytes = writer.encoded
    #expect(read(bytes) { ByteTable($0)?.entry(599).count } == 7)
    #expect(read(bytes, shift: 2) { ByteTable($0) == nil }, "not aligned")
  }

  /// A run of an R-tree whose nodes are cut reads as missing, so that a scan answers instead.
  @Test func nodesOfATree() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Row", columns: [ColumnSchema(id: 0, name: "at", type: .point, position: 0)])
      for row in 0..<20_000 {
        try writer.insert([
          .point(Position(latitude: Double(row % 170) - 85, longitude: Double(row % 350) - 175))
        ])
      }
    }
    let run = try #require(try store.snapshot().table("Row")?.state.spatialRuns.first)
    let table = try #require(try store.snapshot().table("Row")).id
    #expect(try store.snapshot().table("Row").flatMap { PointEntry.index(of: $0, 0) } != nil)
    let key = StorageKey.runNodes(table, column: 0, run: run.id, level: 0, segment: 0)
    try store.environment.writer.run {
      let transaction = try LMDBTransaction(writing: store.handle)
      let nodes = Array(try #require(transaction.get(key)))
      #expect(nodes.count >= 313 * 16)
      try transaction.put(key, bytes: Array(nodes[..<2048]))
      try transaction.commit()
    }
    #expect(try store.snapshot().table("Row").flatMap { PointEntry.index(of: $0, 0) } == nil)
  }
}
