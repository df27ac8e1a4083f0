import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Joins by equal values, compared with nested loops over every pair. A failure prints its seed.
@Suite(.tags(.threads)) struct KeyJoinTests {
  /// Two classes with a property of each type, whose values often occur in both, and a link from one
  /// to the other.
  private struct World {
    let temporary: TemporaryStore
    let snapshot: Snapshot

    private static let types: [ValueType] = [
      .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
    ]
    static let names = types.map(\.name.property)

    init(left: Int, right: Int, isIndexed: Bool, _ random: inout SplitMix64) throws {
      temporary = try TemporaryStore()
      let columns = Self.types.map {
        column($0.name.property, $0, indexed: isIndexed && [.int, .string, .uuid].contains($0))
      }
      try temporary.store.write { transaction in
        _ = try transaction.createTable("Right", columns: columns + [column("n", .int)])
        _ = try transaction.createTable(
          "Left", columns: columns + [column("n", .int), column("link", .link, to: "Right")])
      }
      let write = try temporary.store.beginWrite()
      let spread = random.pick([4, 40, 4000])
      for (name, count) in [("Right", right), ("Left", left)] {
        let writer = try #require(write.table(name))
        for _ in 0..<count {
          var row = Self.types.map { Self.value($0, below: spread, &random) }
          row.append(.int(Int64(random.below(10))))
          if name == "Left" {
            row.append(random.chance(0.1) ? .null : .int(Int64(random.below(right))))
          }
          try writer.insert(row)
        }
      }
      for (name, count) in [("Right", right), ("Left", left)] {
        for key in 0..<count where random.chance(0.05) { try write.table(name)?.delete(key) }
      }
      try write.commit()
      snapshot = try temporary.store.snapshot()
    }

    /// A value that equals others of its type, and numbers of other types.
    private static func value(
      _ type: ValueType, below spread: Int, _ random: inout SplitMix64
    ) -> Value {
      if random.chance(0.1) { return .null }
      let number = random.below(spread) - spread / 4
      let half = random.chance(0.3) ? 0.5 : 0
      switch type {
      case .bool: return .bool(random.chance(0.5))
      case .int: return .int(random.chance(0.02) ? .max : Int64(number))
      case .float: return .float(random.chance(0.05) ? .nan : Float(number) + Float(half))
      case .double:
        return .double(
          random.chance(0.1) ? random.pick([.nan, -0.0, .infinity, 0x1p63]) : Double(number) + half)
      case .string: return .string(random.chance(0.1) ? "" : "text number \(number)")
      case .data: return .data(Array(repeating: UInt8(truncatingIfNeeded: number), count: 3))
      case .date: return .date(Double(number) + half)
      case .objectId:
        let bytes = Array(repeating: UInt8(truncatingIfNeeded: number), count: 12)
        return .objectId(bytes.withUnsafeBytes { ObjectId(storedBytes: $0) })
      case .uuid:
        return .uuid(UUIDBytes(high: UInt64(bitPattern: Int64(number)), low: 7))
      default: return .decimal(Decimal128(Double(number) + half))
      }
    }

    func table(_ name: String) throws -> Table { try #require(snapshot.table(name)) }

    /// The value at the end of a path of one or two steps.
    func value(_ path: String, _ key: Int, of table: Table) throws -> Value {
      let names = path.split(separator: ".").map(String.init)
      let column = try #require(table.schema.column(named: names[0]))
      let value = table.value(column.position, at: key)
      guard names.count > 1 else { return value }
      let target = try self.table("Right")
      guard case .int(let next) = value, target.isLive(Int(next)) else { return .null }
      return try self.value(names[1], Int(next), of: target)
    }

    func live(_ table: Table) -> [Int] { (0..<table.endKey).filter(table.isLive) }

    func join(
      _ equalities: [(String, String)], from left: String = "Left", to right: String = "Right",
      leftWhere: String? = nil, rightWhere: String? = nil,
      where comparisons: [JoinQuery.Comparison] = [], isOuter: Bool = false, isOnce: Bool = false
    ) throws -> JoinExecution {
      func path(_ text: String) -> PropertyPath {
        PropertyPath(text.split(separator: ".").map { .property(String($0)) })
      }
      func input(_ table: String, _ condition: String?) throws -> JoinQuery.Input {
        JoinQuery.Input(
          table: table, predicate: try condition.map { try Predicate(parsing: $0) } ?? .true)
      }
      return try JoinExecution(
        JoinQuery(
          left: input(left, leftWhere), right: input(right, rightWhere),
          on: .equal(equalities.map { .init(path($0.0), path($0.1)) }), where: comparisons,
          isOuter: isOuter, isOnce: isOnce), left: table(left), right: table(right))
    }

    /// The pairs by nested loops.
    func pairs(
      _ equalities: [(String, String)], where holds: (_ left: Int, _ right: Int) throws -> Bool
    ) throws -> [[Int?]] {
      let (left, right) = (try table("Left"), try table("Right"))
      let values = try live(right).map { key in
        (key, try equalities.map { try value($0.1, key, of: right) })
      }
      return try live(left).flatMap { key -> [[Int?]] in
        let own = try equalities.map { try value($0.0, key, of: left) }
        return try values.filter { other in
          try zip(own, other.1).allSatisfy { Self.areEqual($0, $1) } && holds(key, other.0)
        }.map { [key, $0.0] }
      }
    }

    static func areEqual(_ one: Value, _ other: Value) -> Bool {
      !one.isNull && !other.isNull && (one.equals(other) || one.isNaN && other.isNaN)
    }
  }

  private func keys(_ pairs: [JoinPair]) -> [[Int?]] { pairs.map { [$0.left, $0.right] } }

  /// Each property with itself, and each number with those of other types.
  private static let equalities =
    World.names.map { [($0, $0)] }
    + [
      [("int", "double")], [("float", "int")], [("double", "float")], [("decimal128", "double")],
      [("int", "decimal128")], [("link.string", "string")], [("link.int", "double")],
      [("string", "string"), ("bool", "bool")], [("int", "double"), ("n", "n"), ("data", "data")],
    ]

  @Test(arguments: 1...UInt64(Soak.count(4, long: 20)))
  func pairsAreThoseOfNestedLoops(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let world = try World(
      left: random.pick([3, 60, 200]), right: random.pick([2, 70, 250]),
      isIndexed: random.chance(0.5), &random)
    for equalities in Self.equalities {
      let note: Comment = "seed \(seed) \(equalities)"
      let expected = try world.pairs(equalities) { _, _ in true }
      let join = try world.join(equalities)
      #expect(try keys(join.pairs()) == expected, note)
      #expect(try join.count() == expected.count, note)
      for (side, index) in [(JoinQuery.Side.left, 0), (.right, 1)] {
        let counts = Dictionary(grouping: expected) { $0[index] ?? -1 }.mapValues(\.count)
        let found = try join.counts(ofEach: side)
        #expect(found.map(\.key) == counts.keys.sorted(), note)
        #expect(found.allSatisfy { $0.count == counts[$0.key] }, note)
      }
      let outer = try world.join(equalities, isOuter: true)
      let left = try world.table("Left")
      let all = world.live(left).flatMap { key -> [[Int?]] in
        let own = expected.filter { $0[0] == key }
        return own.isEmpty ? [[key, nil]] : own
      }
      #expect(try keys(outer.pairs()) == all, note)
      #expect(try outer.count() == all.count, note)
      #expect(try join.explain().contains("pairs \(expected.count)"), note)
    }
  }

  @Test(arguments: 11...UInt64(Soak.count(13, long: 20)))
  func furtherConditionsAndGroups(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let world = try World(left: 120, right: random.pick([4, 90]), isIndexed: true, &random)
    let (left, right) = (try world.table("Left"), try world.table("Right"))
    func number(_ key: Int, _ table: Table) throws -> Int64 {
      guard case .int(let number) = try world.value("n", key, of: table) else { return -1 }
      return number
    }
    for equalities in Self.equalities {
      let note: Comment = "seed \(seed) \(equalities)"
      let expected = try world.pairs(equalities) { one, other in
        let (a, b) = (try number(one, left), try number(other, right))
        return a > 2 && b < 8 && a < b
      }
      let join = try world.join(
        equalities, leftWhere: "n > 2", rightWhere: "n < 8",
        where: [.init(PropertyPath("n"), .less, PropertyPath("n"))])
      #expect(try keys(join.pairs()) == expected, note)
      #expect(try join.count() == expected.count, note)
      let groups = try join.groups(
        by: [.init(.right, name: "n")], summarising: [.init(.left, name: "n")])
      let sums = try Dictionary(grouping: expected) { try number($0[1] ?? -1, right) }
        .mapValues { try $0.reduce(0) { try $0 + number($1[0] ?? -1, left) } }
      #expect(groups.map(\.values) == sums.keys.sorted().map { [.int($0)] }, note)
      #expect(
        groups.map(\.summaries[0].sum) == sums.sorted { $0.key < $1.key }.map { .int($0.value) })
    }
  }

  /// Rows with one partner each, grouped by a property of either side.
  @Test(arguments: ["Left", "Right"]) func groupsOfRowsWithOnePartner(longer: String) throws {
    let temporary = try TemporaryStore()
    try temporary.store.write { transaction in
      for name in ["Left", "Right"] {
        _ = try transaction.createTable(name, columns: [column("k", .int), column("n", .int)])
      }
    }
    let write = try temporary.store.beginWrite()
    for name in ["Left", "Right"] {
      for row in 0..<Int64(name == longer ? 9000 : 500) {
        try write.table(name)?.insert([.int(row % 700), .int(row % 7)])
      }
    }
    try write.commit()
    let snapshot = try temporary.store.snapshot()
    let join = try JoinExecution(
      JoinQuery(
        left: .init(table: "Left"), right: .init(table: "Right"),
        on: .equal([.init(PropertyPath("k"), PropertyPath("k"))])),
      left: #require(snapshot.table("Left")), right: #require(snapshot.table("Right")))
    var sums: [[Int64]: (count: Int, sum: Int64)] = [:]
    for row in 0..<Int64(9000) where row % 700 < 500 {
      let (long, short) = (row % 7, row % 700 % 7)
      let key = longer == "Left" ? [long, short] : [short, long]
      sums[key, default: (0, 0)].count += 1
      sums[key, default: (0, 0)].sum += key[1]
    }
    let groups = try join.groups(
      by: [.init(.left, name: "n"), .init(.right, name: "n")],
      summarising: [.init(.right, name: "n"), .init(.left, name: "n")])
    #expect(groups.count == sums.count)
    for group in groups {
      let key = group.values.map { Int64($0.doubleValue ?? -1) }
      #expect(group.count == sums[key]?.count)
      #expect(group.summaries[0].sum == .int(sums[key]?.sum ?? -1))
    }
  }

  @Test func eachPairOnce() throws {
    var random = SplitMix64(seed: 5)
    let world = try World(left: 150, right: 1, isIndexed: false, &random)
    for name in World.names {
      let equalities = [(name, name)]
      let all = try world.join(equalities, to: "Left")
      let once = try world.join(equalities, to: "Left", isOnce: true)
      let expected = try all.pairs().filter { $0.left < $0.right ?? -1 }
      #expect(try keys(once.pairs()) == keys(expected), "\(name)")
      #expect(try once.count() == expected.count)
    }
    #expect(throws: QueryError.self) {
      try world.join([("int", "n")], to: "Left", isOnce: true)
    }
  }

  /// Many chunks of both sides, and more pairs of a chunk than a batch holds.
  @Test func largeClasses() throws {
    var random = SplitMix64(seed: 6)
    for spread in [3, 5000] {
      let temporary = try TemporaryStore()
      var values: [String: [Int64]] = [:]
      try temporary.store.write { transaction in
        for name in ["Left", "Right"] {
          _ = try transaction.createTable(
            name, columns: [column("k", .int), column("t", .string)])
        }
      }
      let write = try temporary.store.beginWrite()
      for (name, count) in [("Left", 9000), ("Right", spread == 3 ? 30 : 10_000)] {
        let writer = try #require(write.table(name))
        values[name] = (0..<count).map { _ in Int64(random.below(spread)) }
        for value in values[name] ?? [] {
          try writer.insert([.int(value), .string("key \(value)")])
        }
      }
      try write.commit()
      let snapshot = try temporary.store.snapshot()
      let (left, right) = (
        try #require(snapshot.table("Left")), try #require(snapshot.table("Right"))
      )
      let counts = (values["Right"] ?? []).reduce(into: [:]) { $0[$1, default: 0] += 1 }
      let total = (values["Left"] ?? []).reduce(0) { $0 + (counts[$1] ?? 0) }
      for name in ["k", "t"] {
        for isTurned in [false, true] {
          let join = try JoinExecution(
            JoinQuery(
              left: .init(table: isTurned ? "Right" : "Left"),
              right: .init(table: isTurned ? "Left" : "Right"),
              on: .equal([.init(PropertyPath(name), PropertyPath(name))])),
            left: isTurned ? right : left, right: isTurned ? left : right)
          #expect(try join.count() == total)
          let pairs = try join.pairs()
          #expect(pairs.count == total)
          #expect(
            zip(pairs, pairs.dropFirst()).allSatisfy {
              ($0.left, $0.right ?? -1) < ($1.left, $1.right ?? -1)
            })
        }
      }
    }
  }

  @Test func fewRowsAreFoundInAnIndex() throws {
    var random = SplitMix64(seed: 7)
    let world = try World(left: 500, right: 500, isIndexed: true, &random)
    for name in ["int", "string", "uuid"] {
      let plan = try world.join([(name, name)], leftWhere: "n == 1 AND bool == true").explain()
      #expect(plan.contains("where \(name) IN {"), "\(plan)")
    }
    let decimals = try world.join([("int", "decimal128")], rightWhere: "n == 1").explain()
    #expect(!decimals.contains(" IN {"), "\(decimals)")
  }

  @Test(arguments: [
    (
      "string", "int",
      "'Left.string' is of type string and 'Right.int' of type int, and cannot be equal"
    ),
    (
      "date", "double",
      "'Left.date' is of type date and 'Right.double' of type double, and cannot be equal"
    ),
    ("nope", "int", "nope"),
    ("link", "int", "'Left.link'"),
  ])
  func otherValuesAreErrors(left: String, right: String, message: String) throws {
    var random = SplitMix64(seed: 8)
    let world = try World(left: 1, right: 1, isIndexed: false, &random)
    let error = try #require(throws: QueryError.self) { try world.join([(left, right)]) }
    #expect(error.message.contains(message) || left == "link", "\(error.message)")
    #expect(throws: QueryError.self) { try world.join([]) }
  }
}

extension String {
  /// The name of a type as that of a property.
  fileprivate var property: String { split(separator: " ").joined() }
}
