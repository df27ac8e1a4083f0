import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

private class Zone: Object {
  @Persisted(primaryKey: true) var code = ""
  @Persisted var year: Int?
  @Persisted var twin: Zone?
}

private class YearFigure: Object {
  @Persisted var code: String?
  @Persisted var year = 0.0
  @Persisted var value = 0
}

/// Joins of objects by equal values.
@Suite struct KeyJoinObjectTests {
  private let realm: Realm
  private let store = TemporaryStore()
  private var zones: Results<Zone> { realm.objects(Zone.self) }
  private var figures: Results<YearFigure> { realm.objects(YearFigure.self) }

  init() throws {
    realm = try store.realm()
    let zones = [("a", 2023), ("b", 2024), ("c", nil)].map { code, year in
      let zone = Zone()
      zone.code = code
      zone.year = year
      return zone
    }
    let figures: [YearFigure] = [
      ("a", 2023, 1), ("a", 2024, 2), ("b", 2024, 3), ("x", 1, 4), (nil, 2, 5),
    ]
    .map { code, year, value in
      let figure = YearFigure()
      figure.code = code
      figure.year = year
      figure.value = value
      return figure
    }
    zones[2].twin = zones[0]
    try realm.write {
      realm.add(zones)
      realm.add(figures)
    }
  }

  @Test func objectsWithEqualValuesArePairs() throws {
    let join = zones.joined(to: figures, on: .equalValues(\.code, \.code))
    #expect(join.map { "\($0.left.code)\($0.right.value)" } == ["a1", "a2", "b3"])
    #expect(join.count == 3)
    #expect(join.allSatisfy { $0.distance == nil })
    #expect(join.count(ofEach: .left).map { "\($0.object.code)\($0.count)" } == ["a2", "b1"])
    #expect(
      join.aggregate(of: \.right.value, by: \.left.code).map { "\($0.key)\($0.sum ?? 0)" } == [
        "a3", "b3",
      ])
    #expect(join.explain().hasPrefix("Zone.code == YearFigure.code"))
    let both = zones.joined(to: figures, on: .equalValues(\.code, \.code).and(\.year, \.year))
    #expect(both.map { "\($0.left.code)\($0.right.value)" } == ["a1", "b3"])
    let outer = zones.outerJoined(
      to: figures.where { $0.value > 1 }, on: .equalValues(\.code, \.code))
    #expect(outer.map { "\($0.left.code)\($0.right?.value ?? 0)" } == ["a2", "b3", "c0"])
    let linked = zones.joined(to: figures, on: .equalValues(\.twin?.code, \.code))
    #expect(linked.map { "\($0.left.code)\($0.right.value)" } == ["c1", "c2"])
    let pairs = figures.pairs(on: .equalValues(\.code, \.code))
    #expect(pairs.map { "\($0.left.value)\($0.right.value)" } == ["12"])
  }

  @Test func aJoinIsLive() throws {
    let join = figures.joined(to: zones, on: .equalValues(\.code, \.code))
    try realm.write { figures.where { $0.value == 4 }.first?.code = "c" }
    #expect(join.map { "\($0.left.value)\($0.right.code)" } == ["1a", "2a", "3b", "4c"])
    try realm.write {
      figures.first?.code = nil
      #expect(join.count == 3)
    }
    #expect(join.count == 3)
  }
}
