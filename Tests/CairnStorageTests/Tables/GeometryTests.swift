import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct GeometryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private func column(_ name: String, _ type: ValueType, isOptional: Bool = false) -> ColumnSchema {
    ColumnSchema(id: 0, name: name, type: type, isOptional: isOptional, position: 0)
  }

  private func made(
    _ kind: Geometry.Kind, _ vertices: [(Double, Double)] = [(1, 2), (3, 4)]
  ) -> Value {
    var builder = GeometryBuilder()
    builder.begin(kind)
    for (x, y) in vertices { builder.add(longitude: x, latitude: y) }
    builder.end()
    return .geometry(builder.geometry().bytes)
  }

  @Test func aColumnHoldsItsKindsOnly() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Parcel", columns: [column("area", .polygon), column("path", .lineString)])
      let (square, line) = (ValueSource.square(0, 0, 1, 1), made(.lineString))
      let wrong: [([Value], String)] = [
        (
          [line, line],
          "property 'Parcel.area' is of type polygon and cannot hold a LineString"
        ),
        (
          [square, square],
          "property 'Parcel.path' is of type line and cannot hold a Polygon"
        ),
        (
          [square, made(.lineString, [(0, 0), (181, 0)])],
          "property 'Parcel.path' cannot hold the geometry: "
        ),
        ([square, .null], "property 'Parcel.path' is not optional, so it cannot be null"),
      ]
      for (row, message) in wrong {
        let error = #expect(throws: StoreError.self) { try writer.insert(row) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
      }
      let key = try writer.insert([square, line])
      #expect(throws: StoreError.self) { try writer.set(line, position: 0, at: key) }
      #expect(throws: StoreError.self) { try writer.set(.data([1]), position: 0, at: key) }
      #expect(throws: StoreError.self) { try writer.set(line, position: 0, at: [key]) }
      #expect(writer.table.value(0, at: key) == square && writer.table.liveCount == 1)
    }
  }

  @Test func aRequiredGeometryHasNoDefaultValue() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Parcel", columns: [column("id", .int)])
      for key in 0..<10 { try writer.insert([.int(Int64(key))]) }
    }
    let error = #expect(throws: StoreError.self) {
      try store.write { transaction in
        try transaction.alter(
          [
            TableDraft(
              name: "Parcel", columns: [column("id", .int), column("area", .geometry)])
          ], version: 1)
        try transaction.finishAlterations()
      }
    }
    #expect(error?.message.contains("10 objects have none") == true)
    #expect(try Store.verify(folder.file()).findings == [])
  }

  /// A polygon property becomes one of any geometry, is renamed, becomes required, and goes.
  @Test func alterationsKeepTheIndex() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Parcel", columns: [column("area", .polygon, isOptional: true)])
      for key in 0..<300 {
        let x = Double(key % 100)
        try writer.insert([key % 7 == 0 ? .null : ValueSource.square(x, 0, x + 1, 1)])
      }
    }
    var windows = ValueSource(seed: 1)
    func check(_ comment: String) throws {
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Parcel"))
      #expect(try BoxAnswers(table, 0).check(&windows, windows: 8, comment) > 0)
      #expect(try Store.verify(folder.file()).findings == [], "\(comment)")
    }
    func alter(_ columns: [ColumnSchema], _ body: (WriteTransaction) throws -> Void = { _ in })
      throws
    {
      try store.write { transaction in
        try transaction.alter([TableDraft(name: "Parcel", columns: columns)], version: 1)
        try body(transaction)
        try transaction.finishAlterations()
      }
    }
    try alter([column("area", .geometry, isOptional: true)])
    try check("any geometry")
    try alter([column("region", .geometry, isOptional: true)]) {
      try $0.renameProperty(of: "Parcel", from: "area", to: "region")
    }
    try check("renamed")
    #expect(throws: StoreError.self) { try alter([column("region", .geometry)]) }
    try store.write { transaction in
      for key in stride(from: 0, to: 300, by: 7) {
        try transaction.table("Parcel")?.set(ValueSource.square(0, 0, 2, 2), position: 0, at: key)
      }
    }
    try alter([column("region", .geometry)])
    try check("required")
    try alter([column("region", .geometry, isOptional: true), column("id", .int)])
    try check("optional")
    try store.write { transaction in
      transaction.table("Parcel")?.delete(Array(0..<300))
      _ = try transaction.table("Parcel")?.insert([ValueSource.square(0, 0, 9, 9), .int(1)])
    }
    try check("cleared")
    try alter([column("id", .int)])
    let dump = try store.dump()
    #expect(dump.keys.allSatisfy { !$0.hasPrefix("runNodes") && !$0.hasPrefix("runEntries") })
    #expect(try Store.verify(folder.file()).findings == [])
  }

  @Test func boxesAreStoredAsEnvelopes() throws {
    let encoded = EncodedColumn(
      .box, [.null, .box(Box(Envelope(west: -1, south: 2, east: 3, north: 4)))])
    #expect(encoded.bytes[0] == 8 && encoded.bytes[1] == 16)
    let lanes = encoded.bytes[(32 + 512 + 16)...].prefix(16)
    let numbers = lanes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    #expect(numbers == [-10_000_000, 20_000_000, -30_000_000, -40_000_000])
    #expect(!encoded.zone.hasBounds && encoded.zone.nullCount == 1)
  }

  @Test func aBlockOfBoxesIsReadBack() throws {
    var source = ValueSource(seed: 4)
    for count in [1, 63, 64, 65, 4096] {
      let entries = (0..<count).map { BoxEntry(box: source.window(), key: $0 * 3) }
      let bytes = DeltaBlock.encoded(entries[...])
      #expect(bytes.count == max(2048, 16 + ChunkShape.padded(count) * 24))
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
      defer { memory.deallocate() }
      memory.copyBytes(from: bytes)
      let block = try #require(DeltaBlock<BoxEntry>(checking: UnsafeRawBufferPointer(memory)))
      #expect(block.count == count)
      #expect(block.entries.elementsEqual(entries))
      #expect(block.entries.allSatisfy { $0.fault == nil })
      memory[0] = 0
      memory[1] = 0xFF
      #expect(DeltaBlock<BoxEntry>(checking: UnsafeRawBufferPointer(memory)) == nil)
    }
  }
}
