import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Conditions on what is known of many rows, compared with those on each row.
@Suite struct BoundsTestTests {
  /// The bounds of a column's values.
  private func bounds(_ values: [Value]) -> ValueBounds {
    var bounds = ValueBounds()
    let present = values.filter { !$0.isNull && !$0.isNaN }
    bounds.mayBeNull = values.contains(where: \.isNull)
    bounds.isAllNull = values.allSatisfy(\.isNull)
    bounds.mayBeNaN = values.contains(where: \.isNaN)
    bounds.least = present.min { Value.sortOrder($0, to: $1) == .less }
    bounds.greatest = present.max { Value.sortOrder($0, to: $1) == .less }
    var box: Envelope?
    for case .point(let place) in values {
      // Both sides of the antimeridian are one meridian, and a pole has all longitudes.
      let isWhole = abs(place.longitude) == 180 || abs(place.latitude) == 90
      let own = Envelope(
        west: isWhole ? -180 : place.longitude, south: place.latitude,
        east: isWhole ? 180 : place.longitude, north: place.latitude)
      box = box?.union(own) ?? own
    }
    bounds.box = box
    return bounds
  }

  /// Sorts rows by a column, so that groups of them have narrow bounds.
  private func groups(
    _ naive: NaiveTable, size: Int, _ random: inout SplitMix64
  ) -> [[[Value]]] {
    let column = random.below(naive.schema.columns.count)
    let rows = naive.rows.map(\.values).sorted {
      Value.sortOrder($0[column], to: $1[column]) == .less
    }
    return stride(from: 0, to: rows.count, by: size).map {
      Array(rows[$0..<min(rows.count, $0 + size)])
    }
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4]) func noMatchingRowIsRuledOut(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    try RandomTable.create(in: temporary.store)
    try RandomTable.load(0..<400, into: temporary.store, &random)
    let snapshot = try temporary.store.snapshot()
    let table = try #require(snapshot.table(RandomTable.name))
    let naive = NaiveTable(table)
    var (empty, ruledOut) = (0, 0)
    for _ in 0..<Soak.rounds(150) {
      let groups = groups(naive, size: 1 + random.below(40), &random)
      let known = groups.map { rows in
        naive.schema.columns.indices.map { column in bounds(rows.map { $0[column] }) }
      }
      var predicates = RandomPredicate(table: naive, random: random)
      for _ in 0..<10 {
        let node = predicates.node()
        let test = try Predicate(node).bound(to: naive.schema).boundsTest
        let matcher = NaiveMatcher(table: naive, node: node)
        for (rows, bounds) in zip(groups, known) {
          let mayHold = test.mayHold { bounds[$0] }
          let holds = rows.contains(where: matcher.matches)
          if !holds { empty += 1 }
          if !mayHold { ruledOut += 1 }
          if holds, !mayHold {
            Issue.record("\(Predicate(node)), seed \(seed)")
            return
          }
        }
      }
      random = predicates.random
    }
    #expect(ruledOut * 4 > empty, "\(ruledOut) of \(empty) groups without a match were ruled out")
    withExtendedLifetime(snapshot) {}
  }

  @Test(arguments: [
    ("n == 5", false), ("n == 10", true), ("n != 10", true), ("n < 10", false), ("n <= 10", true),
    ("n > 20", false), ("n >= 20", true), ("n BETWEEN {1, 9}", false), ("n BETWEEN {5, 10}", true),
    ("n IN {1, 2, 30}", false), ("n IN {1, 15}", true), ("NOT n < 30", false), ("n < 9.5", false),
    ("NOT (n >= 10 AND n <= 20)", false), ("n == nil", false), ("n != nil", true),
    ("n == 15 AND n > 20", false), ("n == 15 OR n > 20", true), ("n > 20 OR n < 10", false),
    ("kind BEGINSWITH 'b'", true), ("kind BEGINSWITH 'ba'", true), ("kind BEGINSWITH 'a'", false),
    ("kind BEGINSWITH 'cc'", false), ("kind CONTAINS 'z'", true), ("kind ==[c] 'A'", true),
    ("kind < 'b'", false), ("pop == nil", true), ("pop > 5", false), ("pop != 5", true),
    ("f > 7", true), ("f < 1", false), ("NOT f > 0", true), ("id > 1", true),
  ]) func statements(text: String, mayHold: Bool) throws {
    let schema = NaiveTable(schema: TableSchema(id: 0, name: "t", columns: RandomTable.schemas))
    var known = Array(repeating: ValueBounds(), count: schema.schema.columns.count)
    func know(_ least: Value, _ greatest: Value) -> ValueBounds {
      var bounds = ValueBounds()
      (bounds.least, bounds.greatest, bounds.mayBeNull) = (least, greatest, false)
      bounds.mayBeNaN = false
      return bounds
    }
    known[schema.position("n")] = know(.int(10), .int(20))
    known[schema.position("kind")] = know(.string("b"), .string("ca"))
    known[schema.position("pop")].isAllNull = true
    known[schema.position("f")] = know(.double(5), .double(8))
    known[schema.position("f")].mayBeNaN = true
    let test = try Predicate(parsing: text).bound(to: schema.schema).boundsTest
    #expect(test.mayHold { known[$0] } == mayHold, "\(text)")
  }
}
