import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Queries that end before they are complete.
@Suite(.tags(.threads)) struct QueryDeadlineTests {
  private static let conditions = [
    "TRUEPREDICATE", "id == 77", "pop == 5", "pop >= 5", "m > 0 AND flag == true",
    "location GEOWITHIN geoCircle([8.5, 47.4], 9000km)",
    "location GEOWITHIN geoCircle([8.5, 47.4], 9000km) AND m > 0",
    "location GEOWITHIN geoBox([-170.0, -80.0], [170.0, 80.0]) AND flag == true",
  ]

  /// Many chunks, so that the parallel paths run with thresholds of 1.
  private func withTable(_ body: (Table) throws -> Void) throws {
    let temporary = try TemporaryStore()
    var random = SplitMix64(seed: 17)
    try RandomTable.create(in: temporary.store)
    try RandomTable.load(0..<20_000, into: temporary.store, &random)
    let snapshot = try temporary.store.snapshot()
    try body(try #require(snapshot.table(RandomTable.name)))
    withExtendedLifetime(snapshot) {}
  }

  private static let thresholds = [
    ParallelismThresholds.worthwhile, ParallelismThresholds(chunks: 1, rows: 64, bestChunks: 1),
  ]

  @Test func aPassedDeadlineReadsNothing() throws {
    try withTable { table in
      for text in Self.conditions {
        let predicate = try Predicate(parsing: text)
        for thresholds in Self.thresholds {
          func execution(_ deadline: QueryDeadline) throws -> Execution {
            try Execution(
              TableQuery(table: RandomTable.name, predicate: predicate), on: table,
              thresholds: thresholds, deadline: deadline)
          }
          let deadline = QueryDeadline(after: 0)
          let late = try execution(deadline)
          #expect(late.keys().isEmpty, "\(text)")
          #expect(late.scratch.chunksVisited == 0, "\(text)")
          #expect(throws: QueryDeadline.Missed(seconds: 0)) { try deadline.check() }
          #expect(try late.summaries(of: ["pop"])[0].count == 0)
          #expect(Array(late.makeCursor(after: 5)).isEmpty)

          let patient = QueryDeadline(after: .infinity)
          let complete = try execution(patient)
          let expected = try Execution(
            TableQuery(table: RandomTable.name, predicate: predicate), on: table)
          #expect(complete.keys() == expected.keys())
          #expect(complete.count() == expected.count())
          try patient.check()
          try patient.checkNow()
        }
      }
    }
  }

  @Test func sortedQueriesEndToo() throws {
    try withTable { table in
      for limit in [5, 5000, nil] {
        let deadline = QueryDeadline(after: 0)
        let query = TableQuery(
          table: RandomTable.name, predicate: try Predicate(parsing: "m > 0"),
          sort: [.property("m", ascending: false)], limit: limit)
        let late = try Execution(
          query, on: table, thresholds: Self.thresholds[1], deadline: deadline)
        #expect(late.keys().isEmpty && late.scratch.chunksVisited == 0)
        #expect(throws: QueryDeadline.Missed.self) { try deadline.check() }
      }
    }
  }

  /// A deadline that no query has noticed was not missed: the answer is complete.
  @Test func onlyAQueryThatEndedEarlyHasMissedItsDeadline() throws {
    let deadline = QueryDeadline(after: 0)
    try deadline.check()
    #expect(throws: QueryDeadline.Missed.self) { try deadline.checkNow() }
    #expect(throws: QueryDeadline.Missed.self) { try deadline.check() }
    try QueryDeadline(after: 1e300).checkNow()
    #expect(throws: QueryDeadline.Missed.self) { try QueryDeadline(after: -1).checkNow() }
  }
}
