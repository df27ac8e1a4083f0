import CairnTestSupport
import Testing

@testable import CairnStorage

/// A complete store must never be mistaken for a truncated one, whatever pages a commit left unused
/// at the end of the file.
@Suite struct FileLengthTests {
  @Test(arguments: ([1, 2, 3, 4] as [UInt64]).prefix(Soak.count(2, long: 4)))
  func aCompleteFileIsNeverReportedAsTruncated(seed: UInt64) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    var random = SplitMix64(seed: seed)
    var keys = 0
    var pinned: [Snapshot] = []
    for turn in 0..<120 {
      if turn % 10 == 0 { pinned = seed % 2 == 0 ? [] : [try store.snapshot()] }
      try store.environment.writer.run { () throws(StoreError) in
        let transaction = try LMDBTransaction(writing: store.handle)
        if turn % 5 == 4 {
          // Values that are written twice, and a range that is removed: pages that are never
          // written.
          for number in 0..<5 as Range<UInt64> {
            try transaction.put(
              .changeLog(UInt64(keys) + number), bytes: [UInt8](repeating: 1, count: 90_000))
            try transaction.put(
              .changeLog(UInt64(keys) + number), bytes: [UInt8](repeating: 1, count: 30))
          }
          let first = UInt64.random(in: 0...UInt64(keys), using: &random)
          for number in first..<first + 500 { try transaction.delete(.changeLog(number)) }
        } else if turn % 3 == 0 {
          for _ in 0..<Int.random(in: 1...400, using: &random) {
            let size = [20, 200, 2048, 30_000][Int.random(in: 0...3, using: &random)]
            try transaction.put(.changeLog(UInt64(keys)), bytes: [UInt8](repeating: 7, count: size))
            keys += 1
          }
        } else {
          for _ in 0..<Int.random(in: 1...300, using: &random) {
            try transaction.delete(.changeLog(UInt64.random(in: 0...UInt64(keys), using: &random)))
          }
        }
        try transaction.commit()
      }
      withExtendedLifetime(pinned) {}
      #expect(try FileCheck.inspect(store.path) == .ready, "seed \(seed), turn \(turn)")
      #expect(throws: Never.self, "seed \(seed), turn \(turn)") { try checkForWriting(store.path) }
    }
  }

  /// Values that are read in place are aligned for their numbers; others may have any address.
  @Test func valuesReadInPlaceAreAligned() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    #expect(store.environment.alignedSize >= 2048)
    try store.environment.writer.run { () throws(StoreError) in
      let transaction = try LMDBTransaction(writing: store.handle)
      for chunk in 0..<20 {
        try transaction.put(
          .zones(1, column: 1, extent: 1, segment: chunk),
          bytes: [UInt8](repeating: 5, count: 1 + chunk * 100))
        try transaction.put(
          .changeLog(UInt64(chunk)), bytes: [UInt8](repeating: 5, count: 1 + chunk))
      }
      try transaction.commit()
    }
    let transaction = try LMDBTransaction(reading: store.handle)
    for chunk in 0..<20 {
      let bytes = try #require(transaction.get(.zones(1, column: 1, extent: 1, segment: chunk)))
      #expect(bytes.count == store.environment.alignedSize)
      #expect(Int(bitPattern: bytes.baseAddress) % 16 == 0)
      #expect(bytes.count { $0 == 5 } == 1 + chunk * 100)
      #expect(transaction.get(.changeLog(UInt64(chunk)))?.count == 1 + chunk)
    }
  }
}
