import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// The access path of a query, as shown by `explain`, and the errors of invalid queries.
@Suite struct PlanTests {
  /// Calls a closure with 5000 bulk-loaded rows: two chunks by location, with `id` in the order of
  /// the source.
  private func withTable(_ body: (Table) throws -> Void) throws {
    let temporary = try TemporaryStore()
    var random = SplitMix64(seed: 99)
    try RandomTable.create(in: temporary.store)
    try RandomTable.load(0..<5000, into: temporary.store, &random)
    let snapshot = try temporary.store.snapshot()
    try body(try #require(snapshot.table(RandomTable.name)))
    withExtendedLifetime(snapshot) {}
  }

  private func explain(_ text: String, _ table: Table) throws -> Explanation {
    let predicate = try Predicate(parsing: text)
    return try Execution(TableQuery(table: RandomTable.name, predicate: predicate), on: table)
      .explain()
  }

  @Test func accessPaths() throws {
    try withTable { table in
      #expect(try explain("id == 77", table).access == "primary key id")
      #expect(try explain("id == 77", table).matches == 1)
      #expect(try explain("pop == 5", table).access.hasPrefix("value index of pop, "))
      #expect(try explain("pop >= 5", table).access.hasPrefix("scan of 2 chunks"))
      #expect(try explain("n > 100000", table).matches == 0)
      #expect(try explain("FALSEPREDICATE", table).access == "nothing can match")
      let near = try explain("location GEOWITHIN geoCircle([8.5, 47.4], 200km)", table)
      #expect(near.access.hasPrefix("R-tree of location, 1 base and 0 delta runs"))
      #expect(near.exactTests ?? 0 < 5000)
      let mixed = try explain(
        "m > 0 AND location GEOWITHIN geoBox([-10.0, 40.0], [20.0, 60.0]) AND flag == true", table)
      #expect(mixed.access.hasPrefix("R-tree of location"))
      #expect(mixed.residual.count == 2)
      #expect(mixed.candidates >= mixed.matches)
      #expect(mixed.description.contains("matches     \(mixed.matches)"))
    }
  }

  /// A disjunction of spatial conditions searches the R-tree once for each, unless a scan is
  /// cheaper.
  @Test func unions() throws {
    try withTable { table in
      let boxes = [
        "location GEOWITHIN geoBox([8.0, 47.0], [8.2, 47.4])",
        "location GEOWITHIN geoBox([8.1, 47.1], [8.4, 47.3])",
        "location GEOWITHIN geoCircle([-60, -20], 50km)",
      ]
      let parts = try boxes.map { try Set(keys($0, table)) }
      let union = try explain(boxes.joined(separator: " OR "), table)
      #expect(union.access.hasPrefix("R-tree of location, 3 searches, "), "\(union.access)")
      #expect(union.residual.isEmpty)
      #expect(
        try keys(boxes.joined(separator: " OR "), table)
          == parts[0].union(parts[1]).union(parts[2]).sorted())
      let more = try explain("(\(boxes[0]) OR \(boxes[1])) AND flag == true", table)
      #expect(more.access.hasPrefix("R-tree of location, 2 searches"))
      #expect(more.residual == ["flag == true"])
      let mixed = try explain("\(boxes[0]) OR flag == true", table)
      #expect(mixed.access.hasPrefix("scan of 2 chunks"))
      let large = "location GEOWITHIN geoBox([-180.0, -90.0], [180.0, 89.0])"
      #expect(try explain("\(large) OR \(boxes[0])", table).access.hasPrefix("scan of 2 chunks"))
      let negated = try explain("NOT (\(boxes[0]) OR \(boxes[1]))", table)
      #expect(negated.access.hasPrefix("scan of 2 chunks"))
    }
  }

  private func keys(_ text: String, _ table: Table) throws -> [Int] {
    let predicate = try Predicate(parsing: text)
    return try Execution(TableQuery(table: RandomTable.name, predicate: predicate), on: table)
      .keys()
  }

  @Test func boundsSkipChunks() throws {
    try withTable { table in
      let write = try explain("when > 2100-01-01", table)
      #expect(write.matches == 0)
      #expect(write.chunksSkipped == table.chunkCount)
    }
  }

  @Test func nearestIsATraversalOfTheTree() throws {
    try withTable { table in
      let query = TableQuery(
        table: RandomTable.name,
        sort: [.distance("location", longitude: 8.5, latitude: 47.4, ascending: true)], limit: 5)
      let execution = try Execution(query, on: table)
      let explanation = execution.explain()
      #expect(explanation.access == "R-tree of location, best-first traversal, nearest first")
      #expect(explanation.order == "distance of location, top 5")
      #expect(explanation.candidates < 100)
      let distances = execution.keys().compactMap { execution.distance(of: $0) }
      #expect(distances.count == 5)
      #expect(distances == distances.sorted())
    }
  }

  @Test func invalidQueriesAreRejected() throws {
    try withTable { table in
      func mistake(_ query: TableQuery) -> QueryError? {
        do {
          _ = try Execution(query, on: table)
          return nil
        } catch { return error as? QueryError }
      }
      var query = TableQuery(table: RandomTable.name, sort: [.property("nme", ascending: true)])
      #expect(mistake(query)?.kind == .unknownProperty)
      let message = mistake(query)?.message ?? ""
      #expect(message.hasPrefix("Property 'nme' not found in object of type 'Thing'."))
      query.sort = [.property("location", ascending: true)]
      #expect(mistake(query)?.kind == .typeMismatch)
      query.sort = [.distance("text", longitude: 0, latitude: 0, ascending: true)]
      #expect(mistake(query)?.kind == .typeMismatch)
      query.sort = [.distance("location", longitude: 0, latitude: 91, ascending: true)]
      #expect(mistake(query)?.kind == .invalidArgument)
      query.sort = [.distance("location", longitude: .nan, latitude: 0, ascending: true)]
      #expect(mistake(query)?.kind == .invalidArgument)
      query.sort = []
      query.limit = -1
      #expect(mistake(query)?.kind == .invalidArgument)
      query.limit = nil
      query.offset = -1
      #expect(mistake(query)?.kind == .invalidArgument)
      query.offset = 0
      query.distinct = [PropertyPath("nothing")]
      #expect(mistake(query)?.kind == .unknownProperty)
      query.distinct = []
      let execution = try Execution(query, on: table)
      #expect(throws: QueryError.self) { try execution.summary(of: "nothing") }
      #expect(throws: QueryError.self) { try execution.groups(by: []) }
      #expect(throws: QueryError.self) { try execution.groups(by: ["nothing"]) }
      #expect(throws: QueryError.self) { try execution.counts(in: [], of: "text") }
      #expect(throws: PredicateError.self) {
        try Execution(
          TableQuery(table: RandomTable.name, predicate: Predicate(parsing: "nothing == 1")),
          on: table)
      }
    }
  }
}
