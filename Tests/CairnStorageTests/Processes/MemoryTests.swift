import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite struct MemoryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Long rows must not make a load hold more of them at once than it may.
  @Test(.enabled(if: peakMemory() != nil))
  func aLoadOfLongRowsTakesBoundedMemory() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file() as String] in
      let store = try Store.open(path, .create)
      let columns = [BulkColumn(name: "text", type: .data, isOptional: false)]
      let load = try BulkLoad(
        store: store, table: "Row", columns: columns, location: nil, primaryKey: nil, indexed: [],
        onConflict: .error)
      var text = [UInt8](repeating: 0, count: 4000)
      let section = Section(columns: columns)
      for number in 0..<40 {
        section.removeAll()
        for row in 0..<2000 {
          withUnsafeBytes(of: number * 2000 + row) { text.replaceSubrange(0..<8, with: $0) }
          text.withUnsafeBytes { section.columns[0].append(bytes: $0) }
        }
        try load.add(section, number: number)
      }
      let before = try #require(peakMemory())
      #expect(try load.finish().inserted == 80_000)
      let after = try #require(peakMemory())
      #expect(after - before < 300 << 20, "\((after - before) >> 20) MB for 320 MB of rows")
      #expect(after < 400 << 20, "\(after >> 20) MB in all")
      let table = try #require(try store.snapshot().table("Row"))
      #expect(table.liveCount == 80_000)
    }
  }
}

/// The most memory that the process has had, in bytes; nil where the system does not tell.
private func peakMemory() -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
    let size = line.split(separator: " ").dropFirst().compactMap({ Int($0) }).first
  else { return nil }
  return size << 10
}
