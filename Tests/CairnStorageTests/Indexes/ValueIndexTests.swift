import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct ValueIndexTests {
  private static let indexed: [ValueType] = [
    .bool, .int, .float, .double, .date, .string, .data, .objectId, .uuid,
  ]
  private static let columns = indexed.map {
    ColumnSchema(id: 0, name: "\($0)", type: $0, isOptional: true, isIndexed: true, position: 0)
  }

  @Test(arguments: ([1, 2, 3] as [UInt64]).prefix(Soak.count(2, long: 3)))
  func everyRowIsAmongTheCandidatesOfItsRange(seed: UInt64) throws {
    let work = try Workload(Self.columns, seed: seed)
    var bounds = ValueSource(seed: seed + 50)
    for turn in 0..<25 {
      let growing = turn < 12
      try work.transact(
        work.source.int(1...120), insert: growing ? 70 : 5, set: growing ? 20 : 60,
        commits: work.source.chance(85)
      ) { table, state in
        if turn % 4 == 0 { check(table, state.rows, &bounds, "seed \(seed), inside turn \(turn)") }
      }
      let (snapshot, table) = try work.snapshot()
      withExtendedLifetime(snapshot) {
        check(table, work.rows, &bounds, "seed \(seed), turn \(turn)")
        for column in table.schema.columns {
          #expect(table.state.valueRuns.count { $0.column == column.id } <= 10)
        }
      }
    }
  }

  private func check(
    _ table: Table, _ rows: [Int: [Value]], _ source: inout ValueSource, _ comment: String
  ) {
    for (position, type) in Self.indexed.enumerated() {
      guard let index = table.valueIndex(position) else {
        Issue.record("no index of \(type)")
        continue
      }
      for _ in 0..<5 {
        let range = source.range(of: type)
        var candidates: Set<Int> = []
        var visits = 0
        index.candidates(range) { key in
          candidates.insert(key)
          visits += 1
          return true
        }
        let expected = rows.filter { range.holds($0.value[position]) }.keys
        #expect(candidates.isSuperset(of: expected), "\(comment), \(type): \(range)")
        #expect(index.estimate(range) == visits)
      }
    }
  }

  /// Within one run the candidates are sorted by value, then by key, and all are in the range.
  @Test func oneRunIsSortedAndExact() throws {
    let work = try Workload([Self.columns[1]], seed: 8)
    work.flavours = [.plain, .few]
    try work.transact(3000, insert: 100)
    let (snapshot, table) = try work.snapshot()
    try withExtendedLifetime(snapshot) {
      let index = try #require(table.valueIndex(0))
      var bounds = ValueSource(seed: 1)
      for _ in 0..<50 {
        let range = bounds.range(of: .int)
        var found: [Int] = []
        index.candidates(range) {
          found.append($0)
          return true
        }
        let expected = work.rows.filter { range.holds($0.value[0]) }
          .sorted { a, b in
            guard case .int(let x) = a.value[0], case .int(let y) = b.value[0] else { return false }
            return x == y ? a.key < b.key : x < y
          }
        #expect(found == expected.map(\.key))
      }
      var visits = 0
      index.candidates(ValueRange(lower: .none, upper: .none)) { _ in
        visits += 1
        return visits < 7
      }
      #expect(visits == 7)
    }
  }

  @Test func theOrderOfKeysIsTheOrderOfValues() throws {
    let doubles: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude,
      1,
      .infinity,
    ]
    for (a, b) in zip(doubles, doubles.dropFirst()) {
      let (x, y) = (try #require(IndexKey(.double(a))), try #require(IndexKey(.double(b))))
      #expect(x < y)
    }
    #expect(IndexKey(.double(-0.0)) == IndexKey(.double(0)))
    let integers: [Int64] = [.min, -1, 0, 1, .max]
    for (a, b) in zip(integers, integers.dropFirst()) {
      let (x, y) = (try #require(IndexKey(.int(a))), try #require(IndexKey(.int(b))))
      #expect(x < y)
    }
  }
}

extension ValueRange {
  /// Whether a value is between the bounds; false for null.
  func holds(_ value: Value) -> Bool {
    guard let key = IndexKey(value) else { return false }
    let isAbove =
      switch lower {
      case .none: true
      case .including(let bound): IndexKey(bound).map { $0 <= key } ?? false
      case .excluding(let bound): IndexKey(bound).map { $0 < key } ?? false
      }
    let isBelow =
      switch upper {
      case .none: true
      case .including(let bound): IndexKey(bound).map { key <= $0 } ?? false
      case .excluding(let bound): IndexKey(bound).map { key < $0 } ?? false
      }
    return isAbove && isBelow
  }
}

extension ValueSource {
  mutating func range(of type: ValueType) -> ValueRange {
    ValueRange(lower: bound(of: type), upper: bound(of: type))
  }

  private mutating func bound(of type: ValueType) -> ValueRange.Bound {
    let value = value(of: type, Flavour.allCases[int(0...2)])
    return [.none, .including(value), .excluding(value)][int(0...2)]
  }
}
