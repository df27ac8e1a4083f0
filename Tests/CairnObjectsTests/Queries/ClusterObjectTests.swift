import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

private class Well: Object {
  @Persisted var name = ""
  @Persisted var at: GeoPoint?
  @Persisted var field: GeoPolygon?
}

/// Clusters of objects.
@Suite struct ClusterObjectTests {
  private let realm: Realm
  private let store = TemporaryStore()
  private var wells: Results<Well> { realm.objects(Well.self) }

  /// Wells a, b and c at the antimeridian, 1 km apart, d and e elsewhere, and one without a location.
  init() throws {
    realm = try store.realm()
    let locations = [
      ("e", 60.0, 10.0), ("b", 0, 180), ("a", 0, 179.991), ("c", 0, -179.991), ("d", -60, 10),
    ]
    let wells = locations.map { name, latitude, longitude in
      let well = Well()
      well.name = name
      well.at = GeoPoint(latitude: latitude, longitude: longitude)
      return well
    }
    let lost = Well()
    lost.name = "lost"
    try realm.write { realm.add(wells + [lost]) }
  }

  @Test func density() throws {
    let distance = try #require(Distance.meters(1100))
    #expect(try wells.clusters(within: distance, atLeast: 2) == [nil, 0, 0, 0, nil, nil])
    #expect(try wells.clusters(within: distance) == Array(repeating: nil, count: 6))
    // The numbers do not depend on the order of the results, only on their objects.
    let sorted = wells.sorted(by: \.name)
    #expect(try sorted.clusters(within: distance, atLeast: 1) == [1, 1, 1, 2, 0, nil])
    let apart = wells.where { $0.name != "b" }
    #expect(try apart.clusters(within: distance, atLeast: 2) == Array(repeating: nil, count: 5))
    #expect(
      try wells.clusters(of: \.field, within: distance, atLeast: 1)
        == Array(repeating: nil, count: 6))
  }

  @Test func centres() throws {
    #expect(try wells.clusters(count: 3) == [0, 1, 1, 1, 2, nil])
    #expect(try wells.clusters(of: \.at, count: 3) == [0, 1, 1, 1, 2, nil])
  }

  @Test func mistakes() throws {
    #expect(throws: Realm.Error.self) { try wells.clusters(count: 0) }
    #expect(throws: Realm.Error.self) { try wells.clusters(of: \.name, count: 2) }
    let distance = try #require(Distance.meters(0))
    #expect(throws: Realm.Error.self) { try wells.clusters(within: distance) }
  }
}
