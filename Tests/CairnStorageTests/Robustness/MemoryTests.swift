import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite struct MemoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  /// A load must not hold more long rows in memory at once than its limit.
  @Test(.enabled(if: Memory.peakBytes != nil, "the system does not report peak memory"))
  func aLoadOfLongRowsTakesBoundedMemory() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file() as String] in
      let store = try Store.open(path, mode: .create)
      let columns = [BulkColumn(name: "text", type: .data, isOptional: false)]
      let load = try BulkLoad(
        store: store, table: "Row", columns: columns, location: nil, primaryKey: nil, indexed: [],
        onConflict: .error)
      var text = [UInt8](repeating: 0, count: 4000)
      let section = ColumnBatch(columns: columns)
      for number in 0..<40 {
        section.removeAll()
        for row in 0..<2000 {
          withUnsafeBytes(of: number * 2000 + row) { text.replaceSubrange(0..<8, with: $0) }
          text.withUnsafeBytes { section.columns[0].append(bytes: $0) }
        }
        try load.add(section, number: number)
      }
      let before = try #require(Memory.peakBytes)
      #expect(try load.finish().inserted == 80_000)
      let after = try #require(Memory.peakBytes)
      #expect(after - before < 300 << 20, "\((after - before) >> 20) MB for 320 MB of rows")
      #expect(after < 400 << 20, "\(after >> 20) MB in all")
      let table = try #require(try store.snapshot().table("Row"))
      #expect(table.liveCount == 80_000)
    }
  }
}
