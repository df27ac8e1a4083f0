import CairnGeometry
import CairnIndex
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct SpatialWorkloadTests {
  private static let columns = [
    ColumnSchema(id: 0, name: "home", type: .point, isOptional: true, position: 0),
    ColumnSchema(id: 0, name: "work", type: .point, position: 1),
    ColumnSchema(id: 0, name: "age", type: .int, position: 2),
  ]

  @Test(arguments: ([1, 2, 3, 4] as [UInt64]).prefix(Soak.count(2, long: 4)))
  func theIndexAgreesWithAScan(seed: UInt64) throws {
    let work = try Workload(Self.columns, seed: seed)
    work.flavours = seed % 2 == 0 ? [.few] : ValueSource.Flavour.allCases
    var regions = ValueSource(seed: seed + 100)
    for turn in 0..<Soak.count(20, long: 30) {
      let growing = turn % 10 < 6
      try work.transact(
        work.source.int(1...150), insert: growing ? 70 : 5, set: growing ? 20 : 60,
        commits: work.source.chance(85)
      ) { table, _ in
        guard turn % 3 == 0 else { return }
        for position in 0...1 {
          try SpatialAnswers(table, position).check(
            &regions, regions: 6, "seed \(seed), inside turn \(turn)")
        }
      }
      if work.source.chance(10) { try work.reopen() }
      let (snapshot, table) = try work.snapshot()
      try withExtendedLifetime(snapshot) {
        for position in 0...1 {
          let answers = try SpatialAnswers(table, position)
          answers.check(&regions, regions: 8, "seed \(seed), turn \(turn)")
          #expect(answers.index.deltaRuns.count <= 12)
          #expect(answers.index.pending.count <= 128)
          for run in answers.index.deltaRuns { try run.tree.checkInvariants() }
        }
      }
    }
  }

  @Test func runsRemainFewAndStalenessEnds() throws {
    let work = try Workload([Self.columns[0]], seed: 9)
    work.flavours = [.plain]
    var wasStale = false
    for _ in 0..<60 {
      try work.transact(50, insert: 60, set: 20)
      wasStale = try wasStale || state(work).deltaIsStale
    }
    #expect(wasStale)
    #expect(try state(work).spatialRuns.count <= 9)
    // A run as long as all earlier ones is merged with them, including their stale entries.
    try work.transact(4000, insert: 100)
    #expect(try state(work).spatialRuns.count == 1)
    #expect(try !state(work).deltaIsStale)
  }

  @Test func aRowWithoutALocationIsInNoRun() throws {
    let work = try Workload([Self.columns[0]], seed: 1)
    try work.store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      for _ in 0..<100 { try writer.insert([.null]) }
      try writer.delete(7)
    }
    let (snapshot, table) = try work.snapshot()
    try withExtendedLifetime(snapshot) {
      let index = try #require(PointEntry.index(of: table, 0))
      #expect(index.deltaRuns.isEmpty && index.baseRuns.isEmpty && !index.deltaMayBeStale)
    }
  }

  /// Sets the same location again, a location to null and back, and only an altitude.
  @Test func movesThatEndAtTheStart() throws {
    let work = try Workload([Self.columns[0]], seed: 2)
    let places = [Position(latitude: 1, longitude: 1), Position(latitude: 50, longitude: 50)]
    try work.store.write { transaction in
      _ = try transaction.table("Row")?.insert([.point(places[0])])
    }
    let steps: [Value] = [
      .point(places[1]), .point(places[0]), .null, .point(places[0]),
      .point(Position(latitude: 1, longitude: 1, altitude: 9)), .point(places[1]),
      .point(places[1]),
      .null, .null, .point(places[0]),
    ]
    var source = ValueSource(seed: 5)
    for step in steps {
      try work.store.write { transaction in
        try transaction.table("Row")?.set(step, position: 0, at: 0)
      }
      let (snapshot, table) = try work.snapshot()
      try withExtendedLifetime(snapshot) {
        _ = try SpatialAnswers(table, 0).check(&source, regions: 10, "\(step)")
        #expect(
          try SpatialAnswers(table, 0).keys(in: SpatialAnswers.world).count
            == (step == .null ? 0 : 1))
      }
    }
  }

  private func state(_ work: Workload) throws -> TableState {
    let (snapshot, table) = try work.snapshot()
    return withExtendedLifetime(snapshot) { table.state }
  }
}
