import CairnGeometry
import CairnStorage
import CairnSystem
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Queries whose threads read the same caches.
@Suite(.tags(.threads)) struct SharedWorkTests {
  @Test(arguments: [1, 2, 100]) func everyPartIsSharedWork(count: Int) {
    let outside = Locked(0)
    #expect(!SharedWork.isRunning)
    WorkerPool.shared.run(count) { _ in
      WorkerPool.shared.run(2) { _ in }
      // Still, after parts within a part.
      if !SharedWork.isRunning { outside.withLock { $0 += 1 } }
    }
    #expect(!SharedWork.isRunning)
    #expect(outside.withLock { $0 } == 0)
  }

  /// A line through one degree of longitude.
  private static func line(_ vertices: Int, _ number: Int) -> Value {
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for index in 0..<vertices {
      builder.add(
        longitude: Double(number % 300) - 150 + Double(index) / Double(vertices),
        latitude: Double(index % 70) / 32 + Double(number % 7), altitude: nil)
    }
    builder.end()
    return .geometry(builder.geometry().bytes)
  }

  /// Large values of edited chunks are looked up before threads read the chunks.
  @Test func threadsReadTheLargeValuesOfATransaction() throws {
    let temporary = try TemporaryStore()
    let columns = [
      ColumnSchema(id: 0, name: "path", type: .lineString, isOptional: true, position: 0),
      ColumnSchema(id: 0, name: "id", type: .int, position: 1),
    ]
    let count = 3 * ChunkShape.rows + 100
    try temporary.store.write { transaction in
      let writer = try transaction.createTable("Row", columns: columns)
      for key in 0..<count {
        try writer.insert([Self.line(key % 512 == 5 ? 2500 : 3, key), .int(Int64(key))])
      }
    }
    let transaction = try temporary.store.beginWrite()
    defer { transaction.rollback() }
    let writer = try #require(transaction.table("Row"))
    for key in stride(from: 7, to: count, by: 1000) {
      try writer.set(Self.line(2500, key + 1), position: 0, at: key)
    }
    for text in [
      "path GEOINTERSECTS geoBox([-100.0, 0.0], [60.0, 2.0])",
      "id >= 0 AND path != nil AND NOT path GEOINTERSECTS geoBox([-100.0, 0.0], [60.0, 2.0])",
    ] {
      let query = TableQuery(table: "Row", predicate: try Predicate(parsing: text))
      let expected = try Execution(query, on: writer.table).keys()
      #expect(expected.count > 1000 && expected.count < count - 1000, "\(text): \(expected.count)")
      for _ in 0..<5 {
        let shared = try Execution(
          query, on: writer.table,
          thresholds: ParallelismThresholds(chunks: 0, rows: 0, bestChunks: 0))
        #expect(shared.keys() == expected, "\(text)")
      }
    }
  }
}
