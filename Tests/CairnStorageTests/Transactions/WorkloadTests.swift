import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct WorkloadTests {
  private static let columns: [ColumnSchema] = ValueSource.storedTypes.flatMap { type in
    [false, true].map {
      ColumnSchema(
        id: 0, name: "\(type)\($0 ? "?" : "")", type: type, isOptional: $0, position: 0)
    }
  }

  @Test(arguments: ([1, 2, 3] as [UInt64]).prefix(Soak.count(1, long: 3)))
  func randomChangesAgreeWithADictionary(seed: UInt64) throws {
    let work = try Workload(Self.columns, seed: seed)
    for turn in 0..<24 {
      let growing = turn < 12
      try work.transact(
        work.source.int(1...400), insert: growing ? 70 : 10, set: growing ? 20 : 50,
        commits: work.source.chance(75)
      ) { table, state in
        if turn % 6 == 5 {
          #expect(
            work.differences(table, state).prefix(3) == [], "seed \(seed), inside turn \(turn)")
        }
      }
      if work.source.chance(20) { try work.reopen() }
      if turn % 4 == 3 {
        let (snapshot, table) = try work.snapshot()
        withExtendedLifetime(snapshot) {
          #expect(work.differences(table).prefix(3) == [], "seed \(seed), turn \(turn)")
        }
      }
    }
  }

  /// Rows in several chunks and few columns: the last chunk grows, older ones are edited.
  @Test(arguments: ([4, 5] as [UInt64]).prefix(Soak.count(1, long: 2)))
  func severalChunks(seed: UInt64) throws {
    let columns = Self.columns.filter { [.int, .string, .double].contains($0.type) }
    let work = try Workload(columns, seed: seed)
    for turn in 0..<Soak.count(4, long: 8) {
      try work.transact(2000, insert: 90, set: 5)
      try work.transact(60, insert: 10, set: 60)
      let (snapshot, table) = try work.snapshot()
      try withExtendedLifetime(snapshot) {
        #expect(work.differences(table).prefix(3) == [], "seed \(seed), turn \(turn)")
        try #require(table.chunkCount == (work.endKey + 4095) / 4096)
      }
    }
  }

  @Test func everyRowDeletedAndMoreInserted() throws {
    let work = try Workload(Self.columns.filter { $0.type == .int }, seed: 6)
    try work.transact(300, insert: 100)
    while !work.rows.isEmpty { try work.transact(100, insert: 0, set: 0) }
    #expect(work.endKey == 300)
    try work.reopen()
    try work.transact(10, insert: 100)
    let (snapshot, table) = try work.snapshot()
    withExtendedLifetime(snapshot) {
      #expect(work.differences(table) == [])
      #expect(work.rows.keys.min() == 300)
    }
  }
}
