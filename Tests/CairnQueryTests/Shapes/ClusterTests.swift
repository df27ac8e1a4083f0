import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Clusters by density beside all distances computed one by one, and clusters around centres beside
/// their definition. A failure prints its seed.
@Suite(.tags(.threads)) struct ClusterTests {
  // MARK: Rows

  /// A class of locations and geometries, which may be null.
  private struct World {
    let temporary: TemporaryStore
    let snapshot: Snapshot
    let table: Table

    init(_ rows: [(at: Position?, area: Geometry?)]) throws {
      temporary = try TemporaryStore()
      try temporary.store.write { transaction in
        let types: [(String, ValueType)] = [("at", .point), ("area", .geometry)]
        let table = try transaction.createTable(
          "Spot",
          columns: types.enumerated().map { position, column in
            ColumnSchema(
              id: 0, name: column.0, type: column.1, isOptional: true, position: position)
          })
        for (at, area) in rows {
          try table.insert([
            at.map { .point($0) } ?? .null, area.map { .geometry($0.bytes) } ?? .null,
          ])
        }
      }
      snapshot = try temporary.store.snapshot()
      table = try #require(snapshot.table("Spot"))
    }

    func clusters(_ rule: ClusterRule, by name: String = "at") throws -> [Int?] {
      let keys = Array(0..<table.endKey)
      let column = try #require(table.schema.column(named: name))
      let clusters = try Clusters(rule, of: keys.reversed() + keys, in: table, by: column)
      #expect(clusters.count == (keys.compactMap { clusters[$0] }.max() ?? -1) + 1)
      return keys.map { clusters[$0] }
    }
  }

  /// Locations around centres at the poles, at the antimeridian and elsewhere, some of them alone, some
  /// equal, and some null.
  private static func positions(
    _ count: Int, spread: Double, _ random: inout SplitMix64
  ) -> [Position?] {
    let centres = [(0.0, 0.0), (10, 180), (90, 0), (-90, 0), (48, 7), (-60, -180)]
    var positions: [Position?] = []
    for _ in 0..<count {
      if random.chance(0.03) {
        positions.append(nil)
      } else if random.chance(0.05), let other = random.pick(positions + [nil]) {
        positions.append(other)
      } else if random.chance(0.1) {
        positions.append(
          Position(
            latitude: Double(random.below(181)) - 90, longitude: Double(random.below(361)) - 180))
      } else {
        positions.append(position(near: random.pick(centres), spread: spread, &random))
      }
    }
    return positions
  }

  private static func position(
    near centre: (Double, Double), spread: Double, _ random: inout SplitMix64
  ) -> Position {
    let angle = spread * Double.random(in: 0..<1, using: &random)
    guard abs(centre.0) < 90 else {
      return Position(
        latitude: centre.0 > 0 ? 90 - angle : angle - 90,
        longitude: Double.random(in: -180...180, using: &random))
    }
    let longitude = centre.1 + Double.random(in: -spread...spread, using: &random)
    return Position(
      latitude: centre.0 + (random.chance(0.5) ? angle : -angle),
      longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
  }

  // MARK: Density

  /// The clusters by the definition, given all distances in radians; infinity for a row that has none.
  private static func expected(
    _ count: Int, within limit: Double, atLeast: Int, _ distance: (Int, Int) -> Double
  ) -> [Int?] {
    let near = (0..<count).map { row in (0..<count).filter { distance(row, $0) <= limit } }
    let isCore = near.map { $0.count >= atLeast }
    var component = [Int?](repeating: nil, count: count)
    for row in 0..<count where isCore[row] && component[row] == nil {
      var open = [row]
      while let next = open.popLast() {
        guard component[next] == nil else { continue }
        component[next] = row
        open += near[next].filter { isCore[$0] }
      }
    }
    var numbers: [Int: Int] = [:]
    return (0..<count).map { row in
      let own =
        isCore[row] ? component[row] : near[row].first { isCore[$0] }.flatMap { component[$0] }
      guard let own else { return nil }
      if numbers[own] == nil { numbers[own] = numbers.count }
      return numbers[own]
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func locationsByDensity(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let spread = random.pick([0.001, 0.1, 3, 20])
    let positions = Self.positions(300, spread: spread, &random)
    let world = try World(positions.map { ($0, nil) })
    for _ in 0..<8 {
      let degrees = spread * random.pick([0.003, 0.03, 0.1, 0.2, 0.5, 2])
      let atLeast = random.pick([1, 2, 3, 5, 10, 40])
      let distance = try #require(Distance.degrees(degrees))
      let expected = Self.expected(
        positions.count, within: distance.radians, atLeast: atLeast
      ) { one, other in
        guard let one = positions[one], let other = positions[other] else { return .infinity }
        return Sphere.angle(
          one.latitude, longitude: one.longitude, otherLatitude: other.latitude,
          otherLongitude: other.longitude)
      }
      let found = try world.clusters(.density(within: distance, atLeast: atLeast))
      #expect(found == expected, "seed \(seed), \(degrees) degrees, at least \(atLeast)")
    }
  }

  /// Points on a lattice. Many are exactly as far from each other as the distance.
  @Test func distancesThatAreReached() throws {
    let positions = (0..<400).map { index -> Position in
      let longitude = 179.9 + Double(index % 20) * 0.01
      return Position(
        latitude: Double(index / 20) * 0.01,
        longitude: longitude > 180 ? longitude - 360 : longitude)
    }
    let world = try World(positions.map { ($0, nil) })
    func angle(_ one: Int, _ other: Int) -> Double {
      Sphere.angle(
        positions[one].latitude, longitude: positions[one].longitude,
        otherLatitude: positions[other].latitude, otherLongitude: positions[other].longitude)
    }
    for distance in [angle(0, 1), angle(0, 20), angle(0, 21), angle(0, 1).nextDown] {
      for atLeast in [2, 4, 5, 9] {
        let rule = ClusterRule.density(
          within: try #require(Distance.radians(distance)), atLeast: atLeast)
        #expect(
          try world.clusters(rule)
            == Self.expected(400, within: distance, atLeast: atLeast, angle),
          "\(distance), at least \(atLeast)")
      }
    }
  }

  /// Rows that are all neighbours, whose pairs would fill the memory.
  @Test func denseRows() throws {
    var random = SplitMix64(seed: 5)
    let positions = (0..<20_000).map { index in
      Self.position(near: index < 12_000 ? (0, 180) : (90, 0), spread: 0.01, &random)
    }
    let world = try World(positions.map { ($0, nil) })
    let rule = ClusterRule.density(within: try #require(.kilometers(5)), atLeast: 1000)
    #expect(
      try world.clusters(rule) == (0..<20_000).map { $0 < 12_000 ? 0 : 1 })
    let same = try World(
      (0..<20_000).map { _ in (Position(latitude: 1, longitude: 2), nil) })
    #expect(Set(try same.clusters(.density(within: try #require(.meters(1)), atLeast: 5))) == [0])
  }

  @Test(arguments: [11, 12, 13] as [UInt64]) func geometriesByDensity(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geometries: [Geometry?] = (0..<150).map { _ in
      random.chance(0.05) ? nil : SpatialWorld.geometry(&random)
    }
    let world = try World(geometries.map { (nil, $0) })
    for _ in 0..<6 {
      let distance = try #require(Distance.degrees(random.pick([0.01, 0.3, 0.6, 1])))
      let atLeast = random.pick([1, 2, 4, 8])
      let expected = Self.expected(150, within: distance.radians, atLeast: atLeast) { one, other in
        guard let one = geometries[one], let other = geometries[other] else { return .infinity }
        return one.withView { one in other.withView { SphericalDistance.between(one, $0) } }
      }
      #expect(
        try world.clusters(.density(within: distance, atLeast: atLeast), by: "area") == expected,
        "seed \(seed), \(distance), at least \(atLeast)")
    }
  }

  /// Geometries that are points are clustered as locations are.
  @Test func pointGeometries() throws {
    var random = SplitMix64(seed: 21)
    let positions = Self.positions(200, spread: 1, &random).compactMap { $0 }
    let world = try World(
      positions.map { position in
        var builder = GeometryBuilder()
        builder.appendPoint(
          longitude: position.longitude, latitude: position.latitude, altitude: 0)
        return (position, try Geometry(builder))
      })
    let rule = ClusterRule.density(within: try #require(.kilometers(20)), atLeast: 3)
    #expect(try world.clusters(rule, by: "area") == world.clusters(rule))
    #expect(try world.clusters(.count(6), by: "area") == world.clusters(.count(6)))
  }

  // MARK: Centres

  @Test(arguments: [31, 32, 33] as [UInt64]) func centres(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let positions = Self.positions(500, spread: 10, &random)
    let world = try World(positions.map { ($0, nil) })
    for count in [1, 2, 7, 40] {
      let found = try world.clusters(.count(count))
      #expect(try world.clusters(.count(count)) == found)
      for (position, cluster) in zip(positions, found) {
        #expect((position == nil) == (cluster == nil))
      }
      var seen = -1
      for cluster in found.compactMap({ $0 }) where cluster > seen {
        #expect(cluster == seen + 1)
        seen = cluster
      }
      #expect(seen == count - 1)
      // No location is nearer to the centre of another cluster.
      let directions = positions.map {
        $0.map { Sphere.direction(longitude: $0.longitude, latitude: $0.latitude) }
      }
      var sums = [SIMD3<Double>](repeating: .zero, count: count)
      for (direction, cluster) in zip(directions, found) {
        if let direction, let cluster { sums[cluster] += direction }
      }
      let centres = sums.map { $0 / ($0 * $0).sum().squareRoot() }
      for (direction, cluster) in zip(directions, found) {
        guard let direction, let cluster else { continue }
        let squares = centres.map { (($0 - direction) * ($0 - direction)).sum() }
        #expect(squares[cluster] <= (squares.min() ?? 0) + 1e-12, "seed \(seed), \(count)")
      }
    }
  }

  @Test func groupsThatAreFarApart() throws {
    var random = SplitMix64(seed: 41)
    let centres = [(90.0, 0.0), (-90, 0), (0, 180), (0, 90), (0, -90), (0, 0)]
    let positions = (0..<600).map {
      Self.position(near: centres[$0 % 6], spread: 5, &random)
    }
    let world = try World(positions.map { ($0, nil) })
    #expect(try world.clusters(.count(6)) == (0..<600).map { $0 % 6 })
  }

  @Test func fewLocations() throws {
    let position = Position(latitude: 5, longitude: 6)
    let world = try World([(position, nil), (nil, nil), (position, nil)])
    #expect(try world.clusters(.count(5)) == [0, nil, 0])
    let metre = try #require(Distance.meters(1))
    #expect(try world.clusters(.density(within: metre, atLeast: 2)) == [0, nil, 0])
    #expect(try world.clusters(.density(within: metre, atLeast: 3)) == [nil, nil, nil])
    #expect(try world.clusters(.density(within: metre, atLeast: 1), by: "area") == [nil, nil, nil])
    #expect(try World([]).clusters(.count(2)) == [])
    #expect(try World([]).clusters(.density(within: metre, atLeast: 1)) == [])
    #expect(throws: QueryError.self) { try world.clusters(.count(0)) }
    #expect(throws: QueryError.self) {
      try world.clusters(.density(within: metre, atLeast: 0))
    }
    #expect(throws: QueryError.self) {
      try world.clusters(.density(within: try #require(.meters(0)), atLeast: 1))
    }
  }
}
