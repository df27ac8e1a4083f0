import CairnGeometry
import CairnIndex
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct GeometryWorkloadTests {
  private static let columns = [
    ColumnSchema(id: 0, name: "area", type: .polygon, isOptional: true, position: 0),
    ColumnSchema(id: 0, name: "path", type: .lineString, position: 1),
    ColumnSchema(id: 0, name: "at", type: .point, isOptional: true, position: 2),
    ColumnSchema(id: 0, name: "shape", type: .geometry, isOptional: true, position: 3),
  ]

  @Test(arguments: ([1, 2, 3, 4] as [UInt64]).prefix(Soak.count(2, long: 4)))
  func theIndexAgreesWithAScan(seed: UInt64) throws {
    let work = try Workload(Self.columns, seed: seed)
    work.flavours = seed % 2 == 0 ? [.few] : ValueSource.Flavour.allCases
    var windows = ValueSource(seed: seed + 100)
    for turn in 0..<Soak.count(12, long: 20) {
      let growing = turn % 10 < 6
      try work.transact(
        work.source.int(1...150), insert: growing ? 70 : 5, set: growing ? 20 : 60,
        commits: work.source.chance(85)
      ) { table, state in
        #expect(work.differences(table, state) == [], "seed \(seed), inside turn \(turn)")
        guard turn % 3 == 0 else { return }
        for position in [0, 1, 3] {
          try BoxAnswers(table, position).check(
            &windows, windows: 4, "seed \(seed), inside turn \(turn)")
        }
      }
      if work.source.chance(10) { try work.reopen() }
      try check(work, &windows, "seed \(seed), turn \(turn)")
    }
    #expect(try Store.verify(work.store.path).findings == [])
  }

  private func check(
    _ work: Workload, _ windows: inout ValueSource, _ comment: String
  ) throws {
    let (snapshot, table) = try work.snapshot()
    try withExtendedLifetime(snapshot) {
      #expect(work.differences(table) == [], "\(comment)")
      for position in [0, 1, 3] {
        let answers = try BoxAnswers(table, position)
        answers.check(&windows, windows: 5, comment)
        #expect(answers.index.deltaRuns.count <= 12 && answers.index.pending.count <= 128)
        for run in answers.index.deltaRuns { try run.tree.checkInvariants() }
      }
      #expect(
        try SpatialAnswers(table, 2).keys(in: SpatialAnswers.world).count
          == (0..<table.endKey).count { table.isLive($0) && table.value(2, at: $0) != .null })
    }
  }

  /// Changes that keep the box leave the R-tree alone.
  @Test func changesThatEndAtTheStart() throws {
    let work = try Workload([Self.columns[0]], seed: 2)
    let squares = [ValueSource.square(1, 1, 2, 2), ValueSource.square(50, 50, 51, 52)]
    try work.store.write { _ = try $0.table("Row")?.insert([squares[0]]) }
    var windows = ValueSource(seed: 5)
    for step in [squares[1], squares[0], .null, squares[0], squares[0], .null, .null, squares[1]] {
      try work.store.write { try $0.table("Row")?.set(step, position: 0, at: 0) }
      let (snapshot, table) = try work.snapshot()
      try withExtendedLifetime(snapshot) {
        let answers = try BoxAnswers(table, 0)
        #expect(
          answers.check(&windows, windows: 1, "\(step)") == (step == .null ? 0 : 1))
      }
    }
  }

  @Test func manyRowsAreSetAtOnce() throws {
    let work = try Workload(Self.columns, seed: 6)
    try work.transact(300, insert: 100)
    var windows = ValueSource(seed: 7)
    for (position, value) in [
      (0, ValueSource.square(3, 3, 4, 4)), (3, .null), (0, .null),
      (3, ValueSource.square(5, 5, 6, 6)),
    ] {
      try work.store.write { transaction in
        try transaction.table("Row")?.set(value, position: position, at: Array(0..<200))
      }
      let (snapshot, table) = try work.snapshot()
      try withExtendedLifetime(snapshot) {
        try BoxAnswers(table, position).check(&windows, windows: 4, "\(position)")
        #expect(table.value(position, at: 7) == value)
      }
    }
  }

  @Test(arguments: ([1, 2] as [UInt64]).prefix(Soak.count(1, long: 2)))
  func compactionOrdersAndKeepsEverything(seed: UInt64) throws {
    let work = try Workload([Self.columns[3], Self.columns[0]], seed: seed)
    for _ in 0..<12 { try work.transact(200, insert: 60, set: 20) }
    let path = work.store.path
    let before = Dictionary(work.rows.values.map { ($0, 1) }, uniquingKeysWith: +)
    let kept = work.folder
    try compact(work, path)
    try withExtendedLifetime(kept) {
      let store = try Store.open(path, mode: .readWrite)
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Row"))
      let rows = Dictionary(
        table.liveRows.map { (Array($0.prefix(2)), 1) }, uniquingKeysWith: +)
      #expect(rows == before)
      var windows = ValueSource(seed: seed)
      for position in 0...1 {
        try BoxAnswers(table, position).check(&windows, windows: 10, "compacted, seed \(seed)")
      }
      let runs = table.state.spatialRuns
      #expect(runs.map(\.column) == [2, 3] && runs.map(\.isBaseRun) == [true, false])
      let answers = try BoxAnswers(table, 0)
      for run in answers.index.baseRuns { try run.tree.checkInvariants() }
    }
  }

  private func compact(_ work: Workload, _ path: String) throws {
    try work.close()
    _ = try Store.compact(path)
    #expect(try Store.verify(path).findings == [])
  }
}
