import CairnTestSupport
import Testing

@testable import CairnStorage

/// A store that is whole must never be taken for a truncated one, whatever pages a commit left unused
/// at the end of the file.
@Suite struct FileLengthTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func aWholeFileIsNeverTakenForATruncatedOne(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    var random = SplitMix64(seed: seed)
    var keys = 0
    var pinned: [Snapshot] = []
    for turn in 0..<120 {
      if turn % 10 == 0 { pinned = seed % 2 == 0 ? [] : [try store.snapshot()] }
      try store.environment.writer.run { () throws(StoreError) in
        let transaction = try LMDBTransaction(writing: store.handle)
        if turn % 5 == 4 {
          // Values that are written twice, and all of a stretch removed: pages that are never written.
          for number in 0..<5 as Range<UInt64> {
            try transaction.put(.journal(UInt64(keys) + number), [UInt8](repeating: 1, count: 90_000))
            try transaction.put(.journal(UInt64(keys) + number), [UInt8](repeating: 1, count: 30))
          }
          let first = UInt64.random(in: 0...UInt64(keys), using: &random)
          for number in first..<first + 500 { try transaction.delete(.journal(number)) }
        } else if turn % 3 == 0 {
          for _ in 0..<Int.random(in: 1...400, using: &random) {
            let size = [20, 200, 2048, 30_000][Int.random(in: 0...3, using: &random)]
            try transaction.put(.journal(UInt64(keys)), [UInt8](repeating: 7, count: size))
            keys += 1
          }
        } else {
          for _ in 0..<Int.random(in: 1...300, using: &random) {
            try transaction.delete(.journal(UInt64.random(in: 0...UInt64(keys), using: &random)))
          }
        }
        try transaction.commit()
      }
      withExtendedLifetime(pinned) {}
      #expect(try FileCheck.inspect(store.path) == .ready, "seed \(seed), turn \(turn)")
    }
  }
}
