import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO

/// Rows that several threads encode against the same rows, one by one.
@Suite(.tags(.threads)) struct RowDivisionTests {
  private static let rowCount = 20_000

  /// A class with values of many types, some of them null, and a few large texts.
  private static func store(_ folder: TemporaryFolder, seed: UInt64) throws -> Store {
    var random = SplitMix64(seed: seed)
    let dates = ["", "1965-01-02", "2024-05-01T12:34:56.789Z", "1900-02-28T00:00:01Z"]
    let days = ["", "1965-01-02", "2024-05-01"]
    let texts = [
      "", "\"\"", "\"a,b\"", "\"q\"\"q\"", "é", "x y", String(repeating: "long ", count: 99),
    ]
    let lines = (1...rowCount).map { id in
      let longitude = Double.random(in: -180...180, using: &random)
      let double = random.chance(0.2) ? "" : "\(Double.random(in: -1e6...1e6, using: &random))"
      return "\(id),\(texts[random.below(texts.count)]),\(Double(id % 170) - 85),\(longitude),"
        + "\(double),\(random.chance(0.5)),\(dates[random.below(4)]),\(days[random.below(3)])"
    }
    let store = try folder.store()
    let path = try folder.write(
      Array(("id,text,lat,lon,number,flag,time,day\n" + lines.joined(separator: "\n")).utf8),
      as: "rows.csv")
    _ = try Imported([path], into: store) { $0.className = "Row" }
    return store
  }

  private static func columns(_ table: Table) -> [OutputColumn] {
    table.schema.properties.map {
      OutputColumn(name: $0.name, type: $0.type, source: .stored($0.position))
    }
  }

  /// Calls `body` with a writer to a file, and returns the bytes.
  private func bytes(
    _ format: OutputFormat, _ columns: [OutputColumn], threads: Int, isCompressed: Bool = false,
    _ body: (RowWriter) throws -> Void
  ) throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder["out"]
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let sink = OutputSink(descriptor: descriptor, isCompressed: isCompressed)
    let writer = try RowWriter(format, columns: columns, to: sink)
    writer.threads = threads
    try body(writer)
    try writer.finish()
    try sink.finish()
    #expect(sink.bytesWritten == (try Data(contentsOf: URL(fileURLWithPath: path))).count)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return isCompressed ? try folder.gunzipped(data) : data
  }

  @Test func theBytesAreThoseOfOneThread() throws {
    let seed = Soak.seed(148)
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let snapshot = try Self.store(folder, seed: seed).snapshot()
    let table = try #require(snapshot.table("Row"))
    let columns = Self.columns(table)
    // In any order, some of them twice.
    let keys = (0..<table.endKey).map { random.chance(0.1) ? random.below(table.endKey) : $0 }
    for format: OutputFormat in [.csv, .tsv, .json, .jsonl, .geojson, .geojsonl, .wkt, .markdown] {
      let expected = try bytes(format, columns, threads: 1) { writer in
        for key in keys { try writer.write(key: key, of: table) }
      }
      for (threads, isCompressed) in [(1, false), (2, false), (5, true)] {
        let found = try bytes(
          format, columns, threads: threads, isCompressed: isCompressed
        ) { writer in
          var start = 0
          while start < keys.count {
            let end = min(keys.count, start + 1 + random.below(7000))
            try writer.write(Array(keys[start..<end]), of: table)
            start = end
            // A single row waits for those before it.
            if start < keys.count, random.chance(0.2) {
              try writer.write(key: keys[start], of: table)
              start += 1
            }
          }
          #expect(writer.rowCount == keys.count)
        }
        #expect(found == expected, "\(format), \(threads) threads, seed \(seed)")
      }
    }
  }

  /// Computed columns are read by one thread, after stored ones by several.
  @Test func computedColumnsAreWrittenToo() throws {
    let folder = try TemporaryFolder()
    let snapshot = try Self.store(folder, seed: 3).snapshot()
    let stored = try #require(snapshot.table("Row"))
    let table = stored.computing([
      ColumnComputation("twice", type: .int) { chunk, rows in
        for row in 0..<rows.count {
          rows.set(.int(Int64(2 * (RowAddress.firstKey(ofChunk: chunk) + row))), at: row)
        }
      }
    ])
    let position = table.schema.columns.count - 1
    let columns = [OutputColumn(name: "twice", type: .int, source: .stored(position))]
    let text = try bytes(.csv, columns, threads: 3) { writer in
      for start in stride(from: 0, to: Self.rowCount, by: 5000) {
        try writer.write(Array(start..<start + 5000), of: table)
      }
    }
    let expected = "twice\n" + (0..<Self.rowCount).map { "\(2 * $0)\n" }.joined()
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  /// The threads end when a reader goes away, and when a writer is dropped.
  @Test func aClosedPipeEndsTheThreads() throws {
    signal(SIGPIPE, SIG_IGN)
    let folder = try TemporaryFolder()
    let snapshot = try Self.store(folder, seed: 4).snapshot()
    let table = try #require(snapshot.table("Row"))
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let writer = try RowWriter(
      .csv, columns: Self.columns(table), to: OutputSink(descriptor: ends[1]))
    writer.threads = 3
    let error = #expect(throws: OutputError.self) {
      for start in stride(from: 0, to: Self.rowCount, by: 4000) {
        try writer.write(Array(start..<start + 4000), of: table)
      }
      try writer.finish()
    }
    #expect(error == .closed)
    let unread = try RowWriter(.csv, columns: Self.columns(table), to: .memory())
    unread.threads = 3
    for _ in 0..<3 { try unread.write(Array(0..<5000), of: table) }
  }
}
