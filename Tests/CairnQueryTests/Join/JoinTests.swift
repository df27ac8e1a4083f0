import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Joins of random rows, compared with nested loops over every pair. A failure prints its seed.
@Suite(.tags(.threads)) struct JoinTests {
  private struct Case {
    let world: JoinWorld
    let left: String
    let right: String

    var lefts: [(key: Int, geometry: Geometry)] {
      JoinWorld.geometries(world.left, property: left)
    }
    var rights: [(key: Int, geometry: Geometry)] {
      JoinWorld.geometries(world.right, property: right)
    }

    func join(
      _ condition: JoinQuery.Condition, leftWhere: Predicate = .true,
      where comparisons: [JoinQuery.Comparison] = [], isOuter: Bool = false
    ) throws -> JoinExecution {
      try JoinExecution(
        JoinQuery(
          left: .init(table: "Left", predicate: leftWhere, path: PropertyPath(left)),
          right: .init(table: "Right", path: PropertyPath(right)), on: condition,
          where: comparisons, isOuter: isOuter),
        left: world.left, right: world.right)
    }
  }

  private func eachCase(_ seed: UInt64, _ body: (Case, inout SplitMix64) throws -> Void) throws {
    var random = SplitMix64(seed: seed)
    let world = try JoinWorld(
      left: random.pick([3, 20, 60]), right: random.pick([3, 15, 30]),
      location: random.chance(0.5) ? 1 : nil, &random)
    for left in JoinWorld.spatial {
      for right in JoinWorld.spatial {
        try body(Case(world: world, left: left, right: right), &random)
      }
    }
  }

  private func pairs(
    _ join: Case, _ holds: (Geometry, Geometry) throws -> Bool
  ) rethrows -> [JoinPair] {
    let rights = join.rights
    return try join.lefts.flatMap { left in
      try rights.filter { try holds(left.geometry, $0.geometry) }
        .map { JoinPair(left: left.key, right: $0.key, radians: .nan) }
    }
  }

  private func keys(_ pairs: [JoinPair]) -> [[Int?]] { pairs.map { [$0.left, $0.right] } }

  @Test(arguments: 1...UInt64(Soak.count(2, long: 4)), [GeoPolygon.Edges.planar, .geodesic])
  func relations(seed: UInt64, edges: GeoPolygon.Edges) throws {
    try eachCase(seed) { test, random in
      let relation = random.pick(SpatialRelation.joined(edges))
      var prepared: [Geometry: PreparedShape] = [:]
      let expected = try pairs(test) { left, right in
        let shape = try prepared[right] ?? PreparedShape(.geometry(right, edges: edges))
        prepared[right] = shape
        return left.withView { shape.holds(relation, $0) }
      }
      let join = try test.join(.relation(relation, edges: edges))
      let note: Comment = "seed \(seed) \(test.left) \(relation) \(test.right)"
      let found = try join.pairs()
      #expect(keys(found) == keys(expected), note)
      #expect(try join.count() == expected.count, note)
      for side in [JoinQuery.Side.left, .right] {
        let counts = try join.counts(ofEach: side)
        var grouped: [Int: Int] = [:]
        for pair in expected {
          grouped[side == .left ? pair.left : pair.right ?? -1, default: 0] += 1
        }
        #expect(counts.map(\.key) == grouped.keys.sorted(), note)
        #expect(counts.allSatisfy { $0.count == grouped[$0.key] }, note)
      }
    }
  }

  /// On the sphere, 180° east and west are one meridian, and all longitudes meet at a pole.
  @Test(arguments: [
    ("POLYGON ((170 0, 180 0, 180 10, 170 10, 170 0))", "POINT (-180 5)"),
    ("POLYGON ((-180 0, -170 0, -170 10, -180 10, -180 0))", "LINESTRING (175 5, 180 5)"),
    ("LINESTRING (20 80, 20 90)", "LINESTRING (-140 80, -140 90)"),
  ])
  func neighboursBeyondTheAntimeridian(one: String, other: String) throws {
    let (one, other) = (try Geometry(wkt: one), try Geometry(wkt: other))
    for (left, right) in [(one, other), (other, one)] {
      let world = try JoinWorld(leftArea: left, rightArea: right)
      let test = Case(world: world, left: "area", right: "area")
      let geodesic = try test.join(.relation(.intersects, edges: .geodesic)).pairs()
      #expect(keys(geodesic) == [[0, 0]])
      #expect(try test.join(.relation(.intersects, edges: .planar)).pairs().isEmpty)
    }
  }

  /// A class joined to itself, each two rows once: half of the ordinary join without its diagonal.
  @Test(arguments: 7...UInt64(Soak.count(8, long: 10)))
  func eachPairOnce(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let world = try JoinWorld(
      left: random.pick([3, 60, Soak.count(120, long: 300)]), right: 1,
      location: random.chance(0.5) ? 1 : nil, &random)
    let limit = try #require(Distance.kilometers(random.pick([0, 60.3, 333.3])))
    for property in JoinWorld.spatial {
      for condition in [
        JoinQuery.Condition.relation(.intersects, edges: random.pick([.planar, .geodesic])),
        .relation(random.pick([.touches, .crosses, .overlaps, .equals]), edges: .planar),
        .distance(limit),
      ] {
        let input = JoinQuery.Input(table: "Left", path: PropertyPath(property))
        let few = JoinQuery.Input(
          table: "Left", predicate: try Predicate(parsing: "number < 3"),
          path: PropertyPath(property))
        for side in [input, few] {
          func join(once: Bool) throws -> JoinExecution {
            try JoinExecution(
              JoinQuery(left: side, right: side, on: condition, isOnce: once), left: world.left,
              right: world.left)
          }
          let expected = try join(once: false).pairs().filter { pair in
            pair.right.map { pair.left < $0 } ?? false
          }
          let once = try join(once: true)
          let note: Comment = "seed \(seed) \(property) \(condition)"
          #expect(try keys(once.pairs()) == keys(expected), note)
          #expect(try once.count() == expected.count, note)
          let counts = Dictionary(grouping: expected, by: \.right).map { [$0 ?? -1, $1.count] }
          #expect(
            try once.counts(ofEach: .right).map { [$0.key, $0.count] }
              == counts.sorted { $0[0] < $1[0] }, note)
        }
      }
    }
  }

  @Test func onlySymmetricConditionsMakePairsOnce() throws {
    var random = SplitMix64(seed: 1)
    let world = try JoinWorld(left: 3, right: 3, location: nil, &random)
    let (at, area) = (PropertyPath("at"), PropertyPath("area"))
    for (left, right, condition, isOuter) in [
      ("Left", area, JoinQuery.Condition.relation(.within, edges: .planar), false),
      ("Left", area, .nearest(1), false),
      ("Left", at, .relation(.intersects, edges: .planar), false),
      ("Right", area, .relation(.intersects, edges: .planar), false),
      ("Left", area, .relation(.intersects, edges: .planar), true),
    ] {
      #expect(throws: QueryError.self) {
        _ = try JoinExecution(
          JoinQuery(
            left: .init(table: "Left", path: area), right: .init(table: left, path: right),
            on: condition, isOuter: isOuter, isOnce: true),
          left: world.left, right: left == "Left" ? world.left : world.right)
      }
    }
  }

  @Test(arguments: 5...6 as ClosedRange<UInt64>) func flows(seed: UInt64) throws {
    try eachCase(seed) { test, random in
      let start = try test.join(.relation(.within, edges: .planar))
      let end = try test.join(
        .relation(.intersects, edges: .planar), isOuter: random.chance(0.5))
      var expected: [[Int]: Int] = [:]
      let ends = Dictionary(grouping: try end.pairs(), by: \.left)
      for pair in try start.pairs() {
        for other in ends[pair.left] ?? [] {
          guard let from = pair.right, let to = other.right else { continue }
          expected[[from, to], default: 0] += 1
        }
      }
      let found = try start.flows(to: end)
      let note: Comment = "seed \(seed) \(test.left) \(test.right)"
      #expect(
        found.map { [$0.origin, $0.destination] } == expected.keys.sorted(by: precedes), note)
      #expect(found.allSatisfy { expected[[$0.origin, $0.destination]] == $0.count }, note)
    }
  }

  private func precedes(_ one: [Int], _ other: [Int]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }

  @Test(arguments: 11...UInt64(Soak.count(12, long: 13)), [GeoPolygon.Edges.planar, .geodesic])
  func distances(seed: UInt64, edges: GeoPolygon.Edges) throws {
    try eachCase(seed) { test, random in
      let distance = distance(edges)
      let limit = try #require(Distance.kilometers(random.pick([0, 60.3, 333.3, 1500.7])))
      let expected = pairs(test) { distance($0, $1) <= limit.radians }
      let found = try test.join(.distance(limit, edges: edges)).pairs()
      let note: Comment = "seed \(seed) \(test.left) \(limit) \(test.right) \(edges)"
      #expect(keys(found) == keys(expected), note)
      let (lefts, rights) = (byKey(test.lefts), byKey(test.rights))
      for pair in found.prefix(200) {
        let exact = distance(lefts[pair.left], rights[pair.right ?? -1])
        #expect(abs(pair.radians - exact) <= 1e-12, note)
      }
    }
  }

  @Test(arguments: 21...UInt64(Soak.count(22, long: 23)), [GeoPolygon.Edges.planar, .geodesic])
  func nearest(seed: UInt64, edges: GeoPolygon.Edges) throws {
    try eachCase(seed) { test, random in
      let distance = distance(edges)
      let count = random.pick([1, 2, 5, 1000])
      let found = try test.join(.nearest(count, edges: edges)).pairs()
      let rights = test.rights
      let note: Comment = "seed \(seed) \(test.left) \(count) \(test.right) \(edges)"
      let byLeft = Dictionary(grouping: found, by: \.left)
      #expect(Set(byLeft.keys) == Set(rights.isEmpty ? [] : test.lefts.map(\.key)), note)
      #expect(found.map(\.left) == found.map(\.left).sorted(), note)
      for left in test.lefts {
        var all: [(Double, Int)] = []
        for right in rights { all.append((distance(left.geometry, right.geometry), right.key)) }
        all.sort { (one: (Double, Int), other: (Double, Int)) -> Bool in one < other }
        let chosen = byLeft[left.key] ?? []
        #expect(chosen.count == min(count, all.count), note)
        var distances: [Int: Double] = [:]
        for (distance, key) in all { distances[key] = distance }
        for (pair, expected) in zip(chosen, all) {
          #expect(abs(pair.radians - expected.0) <= 1e-12, note)
          let exact = distances[pair.right ?? -1] ?? .nan
          // The texts of large geometries are made for a failure only.
          func texts() -> Comment {
            let right = rights.first { $0.key == pair.right }?.geometry.wkt ?? ""
            return "\(left.geometry.wkt) \(right) seed \(seed)"
          }
          #expect(abs(pair.radians - exact) <= 1e-12, texts())
          // Ties are exact only where the geometries meet.
          if expected.0 == 0 { #expect(pair.right == expected.1, note) }
        }
      }
    }
  }

  @Test(arguments: 31...32 as ClosedRange<UInt64>)
  func filtersAndOuterJoins(seed: UInt64) throws {
    try eachCase(seed) { test, _ in
      let world = test.world
      let all = try test.join(.relation(.intersects, edges: .planar)).pairs()
      let note: Comment = "seed \(seed) \(test.left) \(test.right)"
      let few = try Predicate(parsing: "number < 2")
      func isFew(_ key: Int) -> Bool {
        JoinWorld.number(world.left, at: key).map { $0 < 2 } ?? false
      }
      let filtered = try test.join(.relation(.intersects, edges: .planar), leftWhere: few)
      #expect(try keys(filtered.pairs()) == keys(all.filter { isFew($0.left) }), note)
      let outer = try test.join(
        .relation(.intersects, edges: .planar), leftWhere: few, isOuter: true)
      let matched = Dictionary(grouping: all, by: \.left)
      let lefts = (0..<world.left.endKey).filter { world.left.isLive($0) && isFew($0) }
      let padded = lefts.flatMap {
        matched[$0] ?? [JoinPair(left: $0, right: nil, radians: .nan)]
      }
      #expect(try keys(outer.pairs()) == keys(padded), note)
      #expect(try outer.count() == padded.count, note)
      #expect(
        try outer.counts(ofEach: .left).map { [$0.key, $0.count] }
          == lefts.map { [$0, matched[$0]?.count ?? 0] }, note)
    }
  }

  @Test(arguments: 91...92 as ClosedRange<UInt64>) func comparisons(seed: UInt64) throws {
    try eachCase(seed) { test, random in
      let (name, holds) = random.pick([
        (ComparisonOperator.less, { (left: Int, right: Int) in left < right }),
        (.equal, { $0 == $1 }),
      ])
      let intersects = JoinQuery.Condition.relation(.intersects, edges: .planar)
      var expected: [[Int?]] = []
      for pair in try test.join(intersects).pairs() {
        guard let right = pair.right,
          let one = JoinWorld.number(test.world.left, at: pair.left),
          let other = JoinWorld.number(test.world.right, at: right), holds(one, other)
        else { continue }
        expected.append([pair.left, right])
      }
      let comparison = JoinQuery.Comparison(PropertyPath("number"), name, PropertyPath("number"))
      let compared = try test.join(intersects, where: [comparison])
      let note: Comment = "seed \(seed) \(test.left) \(name) \(test.right)"
      #expect(try keys(compared.pairs()) == expected, note)
      #expect(try compared.count() == expected.count, note)
    }
  }

  @Test(arguments: 41...42 as ClosedRange<UInt64>) func groups(seed: UInt64) throws {
    try eachCase(seed) { test, random in
      let condition = random.pick([
        JoinQuery.Condition.relation(.intersects, edges: .planar), .nearest(3),
      ])
      let join = try test.join(condition)
      let pairs = try join.pairs()
      for side in [JoinQuery.Side.left, .right] {
        let groups = try join.groups(
          by: [.init(side, name: "number")], summarising: [.init(side.other, name: "number")])
        func number(_ pair: JoinPair, _ side: JoinQuery.Side) -> Int? {
          side == .left
            ? JoinWorld.number(test.world.left, at: pair.left)
            : JoinWorld.number(test.world.right, at: pair.right ?? -1)
        }
        let expected = Dictionary(grouping: pairs) { number($0, side) }
        let note: Comment = "seed \(seed) \(test.left) \(test.right) by \(side)"
        #expect(groups.count == expected.count, note)
        for group in groups {
          var key: Int?
          if case .int(let number) = group.values[0] { key = Int(number) }
          let members = expected[key] ?? []
          let numbers = members.compactMap { number($0, side.other) }
          #expect(group.count == members.count, note)
          #expect(group.summaries[0].count == numbers.count, note)
          #expect(
            group.summaries[0].sum == .int(Int64(numbers.reduce(0, +)))
              || numbers.isEmpty, note)
        }
      }
    }
  }

  @Test func manyPointsInPolygons() throws {
    var random = SplitMix64(seed: 81)
    let world = try JoinWorld(left: 1500, right: 12, location: 1, &random)
    let test = Case(world: world, left: "at", right: "border")
    let expected = pairs(test) { left, right in
      left.withView { left in
        right.withView { PlanarRelation.holds(.within, left, to: $0) }
      }
    }
    let join = try test.join(.relation(.within, edges: .planar))
    #expect(try keys(join.pairs()) == keys(expected))
    #expect(try join.count() == expected.count)
  }

  @Test func resultsOfQueriesTakePart() throws {
    var random = SplitMix64(seed: 51)
    let world = try JoinWorld(left: 150, right: 60, location: 1, &random)
    let test = Case(world: world, left: "at", right: "area")
    let all = try test.join(.relation(.within, edges: .planar)).pairs()
    let keys = (0..<world.left.endKey).filter { $0 % 3 == 0 }
    let queries: [(TableQuery, Set<Int>)] = [
      (TableQuery(table: "Left", source: .keys(keys.reversed() + keys)), Set(keys)),
      (
        TableQuery(table: "Left", limit: 40),
        Set((0..<world.left.endKey).filter(world.left.isLive).prefix(40))
      ),
      (
        TableQuery(table: "Left", sort: [.property("number", ascending: false)]),
        Set(0..<world.left.endKey)
      ),
    ]
    for (query, part) in queries {
      let join = try JoinExecution(
        JoinQuery(
          left: .init(query, path: PropertyPath("at")),
          right: .init(table: "Right", path: PropertyPath("area")),
          on: .relation(.within, edges: .planar), isOuter: true),
        left: world.left, right: world.right)
      let expected = all.filter { part.contains($0.left) }
      #expect(self.keys(try join.pairs().filter { $0.right != nil }) == self.keys(expected))
      let live = part.filter { $0 < world.left.endKey && world.left.isLive($0) }
      #expect(try Set(join.pairs().map(\.left)) == live)
      #expect(try join.count() == join.pairs().count)
    }
  }

  @Test func mistakesAreNamed() throws {
    var random = SplitMix64(seed: 61)
    let world = try JoinWorld(left: 3, right: 3, location: 1, &random)
    func message(_ left: String, _ condition: JoinQuery.Condition) -> String {
      do {
        _ = try Case(world: world, left: left, right: "area").join(condition)
        return ""
      } catch { return "\(error)" }
    }
    let within = JoinQuery.Condition.relation(.within, edges: .planar)
    #expect(
      message("nowhere", within).hasPrefix("Property 'nowhere' not found in object of type 'Left'.")
    )
    #expect(message("number", within).contains("is neither a location nor a geometry to join by"))
    #expect(message("at", .relation(.disjoint, edges: .planar)).contains("'disjoint'"))
    #expect(message("at", .nearest(0)) == "a join pairs each object with 1 nearest or more")
  }

  @Test func theExplanationNamesBothSides() throws {
    var random = SplitMix64(seed: 71)
    let world = try JoinWorld(left: 60, right: 40, location: 1, &random)
    let text = try Case(world: world, left: "at", right: "area").join(
      .relation(.within, edges: .planar), leftWhere: Predicate(parsing: "number == 1")
    ).explain()
    #expect(text.hasPrefix("Left.at within (planar edges) Right.area\n└─ visit Left.at, "))
    #expect(text.contains("number == 1"))
    #expect(text.contains("\npairs "))
  }

  private func byKey(_ rows: [(key: Int, geometry: Geometry)]) -> [Int: Geometry] {
    Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.geometry) })
  }

  /// The distance in radians, in the plane by plain loops.
  private func distance(_ edges: GeoPolygon.Edges) -> (Geometry?, Geometry?) -> Double {
    { left, right in
      guard let left, let right else { return .nan }
      return left.withView { left in
        right.withView { right in
          edges == .geodesic
            ? SphericalDistance.between(left, right)
            : PlanarOracle(left).distance(to: PlanarOracle(right)) * .pi / 180
        }
      }
    }
  }
}

extension PlanarOracle {
  fileprivate init(_ view: GeometryView) {
    self.init()
    func points(_ range: Range<Int>) -> [Point] {
      range.map { Point(view.longitude($0), view.latitude($0)) }
    }
    for part in view.parts {
      switch part {
      case .point(let index): chains.append(points(index..<index + 1))
      case .line(let range): chains.append(points(range))
      case .polygon(let rings):
        polygons.append(rings.filter { !$0.isEmpty }.map(points))
        chains += polygons[polygons.count - 1]
      }
    }
  }
}

extension SpatialRelation {
  /// The relations that a join with a kind of edges may ask for.
  static func joined(_ edges: GeoPolygon.Edges) -> [SpatialRelation] {
    allCases.filter { $0 != .disjoint && (edges == .planar || !$0.isPlanar) }
  }
}
