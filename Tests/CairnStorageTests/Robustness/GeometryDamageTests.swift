import CairnGeometry
import CairnIndex
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Damage to geometries, their boxes, and the R-trees over them.
@Suite(.tags(.untrusted)) struct GeometryDamageTests {
  let folder: TemporaryFolder
  private let table: UInt32

  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "area", type: .polygon, isOptional: true),
    BulkColumn(name: "shape", type: .geometry, isOptional: true),
  ]

  /// The file that every test damages a copy of.
  private static let file = Result { try makeFile() }

  private static func makeFile() throws -> [UInt8] {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try Batch(columns, rows: 900, seed: 3).load(into: store, primaryKey: 0)
    #expect(try Store.verify(folder.file()).findings == [])
    return try contents(folder.file())
  }

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    try write(Self.file.get(), to: folder.file())
    let snapshot = try folder.store(.readOnly).snapshot()
    table = try #require(snapshot.schema.table(named: "Row")).id
  }

  /// Changes the first value of a kind in a column, and returns the findings of `verify`.
  private func findings(
    _ kind: StorageKey.Kind, column: UInt16, _ change: (inout [UInt8]) -> Void
  ) throws -> [IntegrityFinding] {
    let store = try folder.store(.readWrite)
    try store.environment.writer.run {
      let transaction = try LMDBTransaction(writing: store.handle)
      var found: (StorageKey, [UInt8])?
      try transaction.scan(from: StorageKey(kind: kind, table: table, column: column)) {
        key, bytes in
        if key.kind == kind, key.column == column { found = (key, Array(bytes)) }
        return false
      }
      var (key, bytes) = try #require(found)
      change(&bytes)
      try transaction.put(key, bytes: bytes)
      try transaction.commit()
    }
    return try Store.verify(folder.file()).findings
  }

  /// Changes the rows of a chunk, and encodes it correctly.
  private func edit(_ bytes: inout [UInt8], _ layout: ChunkLayout, _ change: (ChunkBuffer) -> Void)
  {
    bytes = bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress, let chunk = Chunk(encoded: base, size: raw.count) else {
        return []
      }
      let buffer = ChunkBuffer(layout: layout, copying: chunk)
      change(buffer)
      return ChunkEncoder.encode(buffer).bytes
    }
  }

  @Test func nodesAndEntriesAndTombstones() throws {
    try expectFindings([
      (.runNodes, 3, 18), (.runNodes, 4, 2), (.runEntries, 4, 0), (.runEntries, 4, 20),
      (.runEntries, 4, 19),
    ])
    try folder.store(.readWrite).write { transaction in
      let writer = try #require(transaction.table("Row"))
      for key in 0..<200 { try writer.delete(key * 3) }
    }
    try expectFindings([(.runNodes, 4, 2), (.runTombstones, 3, 1)])
  }

  /// Changes one byte after the other, and expects that each change is found.
  private func expectFindings(
    _ places: [(kind: StorageKey.Kind, column: UInt16, byte: Int)]
  ) throws {
    for (kind, column, byte) in places {
      let found = try findings(kind, column: column) { $0[byte] ^= 1 }
      let property = column == 3 ? "area" : "shape"
      #expect(
        found.first?.severity == .index && found.first?.property == property,
        "\(kind) \(column) \(byte): \(found)")
      #expect(try findings(kind, column: column) { $0[byte] ^= 1 } == [])
    }
  }

  @Test func aBoxOfAnotherGeometry() throws {
    let wrong = Box(Envelope(west: 0, south: 0, east: 1e-3, north: 1e-3))
    let found = try findings(.chunk, column: 3) { bytes in
      edit(&bytes, .fixed(16)) { $0.set(.box(wrong), at: 1) }
    }
    #expect(
      found.contains {
        $0.severity == .data && $0.message == "object 1 has another box than its geometry"
      }, "\(found)")
  }

  @Test func aBoxThatIsNotOnTheEarth() throws {
    let found = try findings(.chunk, column: 3) { bytes in
      edit(&bytes, .fixed(16)) {
        $0.set(.box(Box(lanes: SIMD4(5, 0, 0, 0))), at: 0)
      }
    }
    #expect(found.first?.message == "object 0: is not a box on the earth", "\(found)")
  }

  @Test func bytesThatAreNotAGeometry() throws {
    let found = try findings(.chunk, column: 1) { bytes in
      edit(&bytes, .bytes) { $0.set(.geometry([3, 0, 0, 0, 9]), at: 1) }
    }
    #expect(found.contains { $0.message == "object 1: is not a geometry" }, "\(found)")
  }

  @Test func aGeometryOfAnotherKind() throws {
    var source = ValueSource(seed: 1)
    let line = source.geometry(.lineString, .plain)
    let found = try findings(.chunk, column: 1) { bytes in
      edit(&bytes, .bytes) { $0.set(.geometry(line), at: 1) }
    }
    #expect(
      found.contains { $0.message == "object 1: is a LineString, which the schema does not allow" },
      "\(found)")
  }

  @Test func validityOfPackedBytes() throws {
    var source = ValueSource(seed: 2)
    for _ in 0..<200 {
      let bytes = source.geometry(.geometry, .extreme)
      #expect(bytes.withUnsafeBytes { (try? GeometryView(validating: $0)) != nil })
      var longer = bytes
      longer.append(0)
      #expect(longer.withUnsafeBytes { (try? GeometryView(validating: $0)) == nil })
      // Any damage is refused, or reads as another geometry.
      var damaged = bytes
      damaged[source.int(0...bytes.count - 1)] ^= UInt8(1 << source.int(0...7))
      damaged.withUnsafeBytes { raw in
        guard let view = try? GeometryView(validating: raw) else { return }
        _ = (view.bounds, view.parts.reduce(0) { count, _ in count + 1 })
      }
    }
  }
}
