import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnQuery

/// Relations and distances between two properties, through links and collections, and observed
/// results over moving areas. A failure prints its seed.
@Suite(.tags(.threads)) struct SpatialPairTests {
  private func withHolders(
    seed: UInt64, _ body: (Store, inout SplitMix64) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    try SpatialWorld.create(in: temporary.store)
    try temporary.store.write { transaction in
      let parcels = try #require(transaction.table(SpatialWorld.name))
      for id in 0..<150 { try parcels.insert(SpatialWorld.row(id, &random)) }
      let holders = try #require(transaction.table(SpatialWorld.holder.name))
      for _ in 0..<200 { try holders.insert(SpatialWorld.holderRow(links: 150, &random)) }
      for key in [3, 40, 41, 99] { try parcels.delete(key) }
    }
    try body(temporary.store, &random)
  }

  /// The values at the end of a path of `Holder`, with null for a null link.
  private static func values(_ path: String, _ key: Int, _ table: Table) throws -> [Value] {
    let names = path.split(separator: ".").map(String.init)
    let column = try #require(table.schema.column(named: names[0]))
    let value = table.value(column.position, at: key)
    guard column.collection == .none else {
      let chunk = table.column(column.position).chunk(key >> ChunkShape.shift)
      let elements = chunk.collection(at: key & (ChunkShape.rows - 1), of: column)
      let all = (0..<elements.count).map { elements.value(at: $0) }
      guard column.isLink else { return all }
      return try all.flatMap { try linked($0, names[1], table, isMany: true) }
    }
    return column.isLink ? try linked(value, names[1], table, isMany: false) : [value]
  }

  private static func linked(
    _ link: Value, _ name: String, _ table: Table, isMany: Bool
  ) throws -> [Value] {
    let parcels = try #require(table.sibling(named: SpatialWorld.name))
    guard case .int(let key) = link, parcels.isLive(Int(key)) else { return isMany ? [] : [.null] }
    let position = try #require(parcels.schema.column(named: name)).position
    return [parcels.value(position, at: Int(key))]
  }

  private static let singles = ["at", "area", "parcel.area", "parcel.border", "parcel.at"]
  private static let collections = ["parcels.area", "parcels.path", "places"]

  @Test(arguments: [31, 32] as [UInt64]) func pathsAgainstShapes(seed: UInt64) throws {
    try withHolders(seed: seed) { store, random in
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table(SpatialWorld.holder.name))
      for _ in 0..<40 {
        let isMany = random.chance(0.6)
        let text = random.pick(isMany ? Self.collections : Self.singles)
        let quantifier: PropertyPath.Quantifier = isMany ? random.pick([.any, .all]) : .one
        let path = PropertyPath(
          quantifier, components: text.split(separator: ".").map { .property(String($0)) })
        let node = SpatialWorld.condition(path, &random)
        let test = try NaiveSpatialTest(node)
        let expected = try (0..<table.endKey).filter { key in
          let values = try Self.values(text, key, table)
          return quantifier == .all
            ? !values.isEmpty && values.allSatisfy(test.holds) : values.contains(where: test.holds)
        }
        let query = TableQuery(table: SpatialWorld.holder.name, predicate: Predicate(node))
        #expect(
          try execution(query, table, &random).keys() == expected,
          "seed \(seed), \(Predicate(node))")
      }
      withExtendedLifetime(snapshot) {}
    }
  }

  @Test(arguments: [41, 42] as [UInt64]) func twoProperties(seed: UInt64) throws {
    try withHolders(seed: seed) { store, random in
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table(SpatialWorld.holder.name))
      for _ in 0..<Soak.count(10, long: 25) {
        let isMany = random.chance(0.5)
        let text = random.pick(isMany ? Self.collections : Self.singles)
        let other = random.pick(Self.singles)
        let quantifier: PropertyPath.Quantifier = isMany ? random.pick([.any, .all]) : .one
        let path = PropertyPath(
          quantifier, components: text.split(separator: ".").map { .property(String($0)) })
        let right = PropertyPath(other.split(separator: ".").map { .property(String($0)) })
        let edges: GeoPolygon.Edges = random.chance(0.5) ? .planar : .geodesic
        let (relation, distance) = (
          random.pick(SpatialRelation.allCases), SpatialWorld.distance(&random)
        )
        let comparison = SpatialWorld.comparison(&random)
        let isRelation = random.chance(0.6)
        let node: PredicateNode =
          isRelation
          ? .relation(path, relation, .property(right, edges: edges))
          : .distance(path, comparison, .property(right, edges: .geodesic), distance)
        let expected = try (0..<table.endKey).filter { key in
          let end = try Self.values(other, key, table)[0]
          guard let geometry = NaiveSpatialTest.geometry(end), !geometry.isEmpty else {
            return false
          }
          let shape = SpatialOperand.shape(.geometry(geometry, edges: edges))
          let test = try NaiveSpatialTest(
            isRelation
              ? .relation(path, relation, shape) : .distance(path, comparison, shape, distance))
          let values = try Self.values(text, key, table)
          return quantifier == .all
            ? !values.isEmpty && values.allSatisfy(test.holds) : values.contains(where: test.holds)
        }
        let query = TableQuery(table: SpatialWorld.holder.name, predicate: Predicate(node))
        #expect(
          try execution(query, table, &random).keys() == expected,
          "seed \(seed), \(Predicate(node))")
      }
      withExtendedLifetime(snapshot) {}
    }
  }

  /// Areas with so many vertices that they are prepared once for all rows that lead to them.
  @Test(arguments: [71, 72] as [UInt64]) func areasWithManyVertices(seed: UInt64) throws {
    try withHolders(seed: seed) { store, random in
      try store.write { transaction in
        let parcels = try #require(transaction.table(SpatialWorld.name))
        let border = try #require(parcels.table.schema.column(named: "border")).position
        for key in 0..<150 where parcels.table.isLive(key) && random.chance(0.7) {
          let center = SpatialWorld.position(&random)
          let ring = (0...64).map { index in
            let angle = Double(index % 64) * .pi / 32
            return (center.latitude + 3 * sin(angle), center.longitude + 5 * cos(angle))
          }
          let polygon = try #require(GeoPolygon(outerRing: ring))
          try parcels.set(.geometry(Geometry(polygon).bytes), position: border, at: key)
        }
      }
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table(SpatialWorld.holder.name))
      let right = PropertyPath([.property("parcel"), .property("border")])
      let limit = SpatialWorld.distance(&random)
      func check(_ node: PredicateNode, _ expected: [Int]) throws {
        let query = TableQuery(table: SpatialWorld.holder.name, predicate: Predicate(node))
        #expect(
          try execution(query, table, &random).keys() == expected,
          "seed \(seed), \(Predicate(node))")
      }
      let ends = try (0..<table.endKey).compactMap { key -> (key: Int, geometry: Geometry)? in
        let end = try Self.values("parcel.border", key, table)[0]
        guard let geometry = NaiveSpatialTest.geometry(end), !geometry.isEmpty else { return nil }
        return (key, geometry)
      }
      for edges in [GeoPolygon.Edges.planar, .geodesic] {
        // Each shape is prepared once for all relations.
        let shapes = try ends.map { try PreparedShape(.geometry($0.geometry, edges: edges)) }
        for left in ["at", "area"] {
          let values = try ends.map { try Self.values(left, $0.key, table)[0] }
          for relation in SpatialRelation.allCases where edges == .planar || !relation.isPlanar {
            let expected = ends.indices.filter {
              NaiveSpatialTest(relation, shapes[$0]).holds(values[$0])
            }.map { ends[$0].key }
            try check(
              .relation(PropertyPath(left), relation, .property(right, edges: edges)), expected)
          }
        }
      }
      for left in ["at", "area"] {
        func near(_ other: SpatialOperand) -> PredicateNode {
          .distance(PropertyPath(left), .less, other, limit)
        }
        let expected = try ends.filter { key, geometry in
          let test = try NaiveSpatialTest(near(.shape(.geometry(geometry, edges: .geodesic))))
          return test.holds(try Self.values(left, key, table)[0])
        }.map(\.key)
        try check(near(.property(right, edges: .geodesic)), expected)
      }
      withExtendedLifetime(snapshot) {}
    }
  }

  /// Trackers of queries over parcels and their holders follow random changes of the parcels.
  @Test(arguments: [51, 52] as [UInt64]) func observedResultsFollowMovingAreas(seed: UInt64) throws
  {
    try withHolders(seed: seed) { store, random in
      var base = try store.snapshot()
      let queries =
        try [
          ("Parcel", "area GEOINTERSECTS geoBox([-5, -4], [5, 4])"),
          ("Parcel", "GEODISTANCE(path, geoPoint(0, 0)) < 500km"),
          ("Parcel", "border GEOCONTAINS at"), ("Holder", "parcel.border GEOINTERSECTS area"),
          ("Holder", "ANY parcels.area GEODISJOINT geoPoint(1, 1)"),
        ].map { TableQuery(table: $0.0, predicate: try Predicate(parsing: $0.1)) }
        + [
          TableQuery(
            table: "Parcel", sort: [.distance("area", longitude: 1, latitude: 2, ascending: true)])
        ]
      let trackers = try queries.map { query in
        try ResultsTracker(query, on: base, table: #require(base.table(query.table)))
      }
      for step in 0..<6 {
        try store.write { transaction in
          let writer = try #require(transaction.table(SpatialWorld.name))
          let first = 1000 + step * 10
          try SpatialWorld.edit(writer, inserting: first..<first + 4, changes: 20, &random)
        }
        let now = try store.snapshot()
        let changes = ObjectChanges(now.changes(since: base))
        for tracker in trackers {
          _ = try tracker.update(changes, observed: .everything)
          let table = try #require(now.table(tracker.query.table))
          let expected = try Execution(tracker.query, on: table).keys()
          #expect(tracker.keys == expected, "seed \(seed), step \(step), \(tracker.query)")
        }
        base = now
      }
    }
  }

  @Test func rowsHaveDistances() throws {
    try withHolders(seed: 61) { store, _ in
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table(SpatialWorld.name))
      let shape = Shape.point(Position(latitude: 1, longitude: 2))
      let origin = try PreparedOrigin(shape)
      let reader = try DistanceReader(from: shape, to: PropertyPath("area"), of: table)
      let position = try #require(table.schema.column(named: "area")).position
      for key in 0..<table.endKey where table.isLive(key) {
        let geometry = NaiveSpatialTest.geometry(table.value(position, at: key))
        let expected = geometry.flatMap { geometry in
          geometry.isEmpty ? nil : geometry.withView { origin.distance(to: $0) * Sphere.radius }
        }
        #expect(reader.distance(of: key) == expected)
      }
      #expect(throws: QueryError.self) {
        try DistanceReader(from: shape, to: PropertyPath("number"), of: table)
      }
      withExtendedLifetime(snapshot) {}
    }
  }
}
