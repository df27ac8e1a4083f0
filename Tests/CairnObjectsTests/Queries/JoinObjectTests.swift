import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

private class Town: Object {
  @Persisted var name = ""
  @Persisted var people: Int?
  @Persisted var at: GeoPoint?
  @Persisted var land: Land?
  @Persisted var hall: TownHall?
}

private class TownHall: EmbeddedObject {
  @Persisted var door: GeoPoint?
  @Persisted var spot: DoorSpot?
}

/// A location in the form that Realm's documentation shows.
private class DoorSpot: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ point: GeoPoint) {
    self.init()
    coordinates.append(objectsIn: [point.longitude, point.latitude])
  }
}

private class Land: Object {
  @Persisted var name = ""
  @Persisted var group: String?
  @Persisted var area: GeoPolygon?
  @Persisted var towns: List<Town>
  @Persisted var capital: Town?
}

/// Joins of objects.
@Suite struct JoinObjectTests {
  private let realm: Realm
  private let store = TemporaryStore()
  private var towns: Results<Town> { realm.objects(Town.self) }
  private var lands: Results<Land> { realm.objects(Land.self) }

  /// Three lands: B touches A, C lies apart. Towns a1 and a2 lie in A, `edge` on the border of A and
  /// B, `sea` nowhere, and `lost` has no location.
  init() throws {
    realm = try store.realm()
    func square(_ west: Double) -> GeoPolygon? {
      GeoPolygon(
        outerRing: [(0, west), (0, west + 2), (2, west + 2), (2, west), (0, west)])
    }
    let lands = [("A", 0.0, "x"), ("B", 2, "x"), ("C", 8, nil)].map { name, west, group in
      let land = Land()
      land.name = name
      land.group = group
      land.area = square(west)
      return land
    }
    let towns: [Town] = [
      ("a1", 1, 1, 10), ("a2", 0.5, 0.5, nil), ("edge", 1, 2, 5), ("c", 1, 9, 7), ("sea", 1, 6, 3),
    ].map { name, latitude, longitude, people in
      let town = Town()
      town.name = name
      town.people = people
      town.at = GeoPoint(latitude: latitude, longitude: longitude)
      return town
    }
    let lost = Town()
    lost.name = "lost"
    try realm.write {
      realm.add(lands)
      realm.add(towns + [lost])
      lands[0].towns.append(objectsIn: [towns[0], towns[2], towns[0]])
    }
  }

  private func text<R>(
    _ join: Join<Town, R>, _ name: (R) -> String
  ) -> [String] { join.map { "\($0.left.name)-\(name($0.right))" } }

  @Test func pairsOfARelation() throws {
    let join = towns.joined(to: lands, on: .within(\.at, \.area))
    #expect(text(join, \.name) == ["a1-A", "a2-A", "edge-A", "edge-B", "c-C"])
    #expect(join.count == 5 && !join.isEmpty)
    #expect(join.allSatisfy { $0.distance == nil })
    let contains = lands.joined(to: towns, on: .contains(\.area, \.at, edges: .planar))
    #expect(
      contains.map { "\($0.left.name)-\($0.right.name)" }
        == ["A-a1", "A-a2", "A-edge", "B-edge", "C-c"])
    let neighbours = lands.joined(to: lands, on: .intersects(\.area, \.area, edges: .planar))
    #expect(neighbours.filter { $0.left.name != $0.right.name }.map { $0.left.name } == ["A", "B"])
    #expect(join.explain().hasPrefix("Town.at within (geodesic edges) Land.area"))
    let touching = lands.pairs(on: .intersects(\.area, \.area, edges: .planar))
    #expect(touching.map { "\($0.left.name)-\($0.right.name)" } == ["A-B"])
    #expect(touching.count == 1)
    #expect(lands.pairs(on: .touches(\.area, \.area)).map(\.left.name) == ["A"])
    #expect(lands.pairs(on: .overlaps(\.area, \.area)).isEmpty)
    #expect(
      towns.joined(to: lands, on: .touches(\.at, \.area)).map(\.right.name) == ["A", "B"])
    #expect(towns.joined(to: lands, on: .crosses(\.at, \.area)).isEmpty)
    #expect(lands.joined(to: lands, on: .equals(\.area, \.area)).count == lands.count)
    let near = towns.pairs(on: .distance(\.at, \.at, .kilometers(130)))
    #expect(near.map { "\($0.left.name)-\($0.right.name)" } == ["a1-a2", "a1-edge"])
    #expect(near.allSatisfy { ($0.distance?.asKilometers() ?? 0) > 70 })
  }

  @Test func flowsBetweenPartners() throws {
    let starts = towns.joined(to: lands, on: .within(\.at, \.area))
    let ends = towns.joined(
      to: lands.where { $0.name != "C" }, on: .distance(\.at, \.area, .degrees(1.2)))
    let flows = starts.flows(to: ends)
    #expect(
      flows.map { "\($0.origin.name)-\($0.destination.name) \($0.count)" }
        == ["A-A 3", "A-B 2", "B-A 1", "B-B 1"])
    #expect(flows.count == 4 && flows.first?.origin.group == "x")
    #expect(ends.flows(to: starts).map(\.count) == [3, 1, 2, 1])
    #expect(
      towns.where { $0.name == "sea" }.joined(to: lands, on: .within(\.at, \.area))
        .flows(to: ends).isEmpty)
  }

  @Test func resultsOfEitherSideAreFiltered() throws {
    let few = towns.where { $0.people > 4 }
    #expect(
      text(few.joined(to: lands, on: .within(\.at, \.area)), \.name)
        == ["a1-A", "edge-A", "edge-B", "c-C"])
    #expect(
      text(few.joined(to: lands.where { $0.name != "A" }, on: .within(\.at, \.area)), \.name)
        == ["edge-B", "c-C"])
    let first = towns.sorted(by: \.name, ascending: false).limit(3)
    #expect(
      text(first.joined(to: lands, on: .within(\.at, \.area)), \.name) == ["edge-A", "edge-B"])
    let two = towns.sorted(by: \.name).limit(3)
    #expect(
      text(two.joined(to: lands, on: .within(\.at, \.area)), \.name) == ["a1-A", "a2-A", "c-C"])
    let land = try #require(lands.first)
    #expect(
      text(land.towns.joined(to: lands, on: .within(\.at, \.area)), \.name)
        == ["a1-A", "edge-A", "edge-B"])
    #expect(towns.where { $0.name == "none" }.joined(to: lands, on: .within(\.at, \.area)).isEmpty)
  }

  @Test func distancesAndNearest() throws {
    let far = towns.joined(to: lands, on: .distance(\.at, \.area, .kilometers(250)))
    let sea = far.filter { $0.left.name == "sea" }
    #expect(sea.map(\.right.name) == ["B", "C"])
    let town = try #require(towns.first { $0.name == "sea" })
    let at = try #require(town.at)
    for pair in sea {
      let area = try #require(pair.right.area)
      let exact = try #require(Geometry(at).distance(to: Geometry(area)))
      #expect(abs((pair.distance?.radians ?? .nan) - exact.radians) < 1e-12)
    }
    let nearest = towns.joined(to: lands, on: .nearest(2, \.at, \.area))
    #expect(
      text(nearest, \.name) == [
        "a1-A", "a1-B", "a2-A", "a2-B", "edge-A", "edge-B", "c-C", "c-B", "sea-B", "sea-C",
      ])
    #expect(nearest.count == 10)
  }

  @Test func distancesInThePlane() throws {
    let sea = towns.where { $0.name == "sea" }
    let near = sea.joined(to: lands, on: .distance(\.at, \.area, .degrees(2), edges: .planar))
    #expect(text(near, \.name) == ["sea-B", "sea-C"])
    #expect(near.allSatisfy { abs(($0.distance?.asDegrees() ?? .nan) - 2) < 1e-12 })
    let less = sea.joined(to: lands, on: .distance(\.at, \.area, .degrees(1.99), edges: .planar))
    #expect(less.isEmpty)
    let nearest = towns.joined(to: lands, on: .nearest(1, \.at, \.area, edges: .planar))
    #expect(text(nearest, \.name) == ["a1-A", "a2-A", "edge-A", "c-C", "sea-B"])
    let corner = try #require(GeoPoint(latitude: 5, longitude: 12))
    #expect(lands.nearest(to: corner, edges: .planar).map(\.name) == ["C", "B", "A"])
    let box = try #require(GeoBox(bottomLeft: (0, 6.5), topRight: (1, 7)))
    #expect(
      towns.sorted(by: \.at, distanceTo: box, edges: .planar).map(\.name)
        == ["sea", "c", "edge", "a1", "a2", "lost"])
  }

  /// Gives halls to all towns but one, and lands to three of them, in turn.
  private func addLinks() throws {
    try realm.write {
      for (town, land) in zip(towns, lands) { town.land = land }
      for town in towns where town.name != "a2" {
        let hall = TownHall()
        hall.door = town.at
        hall.spot = town.at.map { DoorSpot($0) }
        town.hall = hall
      }
    }
  }

  @Test func locationsBehindLinks() throws {
    try addLinks()
    func names(_ pairs: some Sequence<JoinedPair<Town, Land>>) -> [String] {
      pairs.map { "\($0.left.name)-\($0.right.name)" }
    }
    func expected(_ holds: (Town, Land) -> Bool) -> [String] {
      towns.flatMap { town in
        (lands.filter { holds(town, $0) } as [Land]).map { "\(town.name)-\($0.name)" }
      }
    }
    func meet(_ a: Geometry?, _ b: Geometry?) -> Bool {
      guard let a, let b else { return false }
      return a.distance(to: b)?.radians == 0
    }
    let doors = towns.joined(to: lands, on: .within(\.hall?.door, \.area))
    let inHall = expected { meet($0.hall?.door.map { Geometry($0) }, $1.area.map { Geometry($0) }) }
    #expect(names(doors) == inHall && doors.count == inHall.count && !inHall.isEmpty)
    #expect(names(towns.joined(to: lands, on: .within(\.hall?.spot, \.area))) == inHall)
    let areas = towns.joined(to: lands, on: .intersects(\.land?.area, \.area))
    let inLand = expected {
      meet($0.land?.area.map { Geometry($0) }, $1.area.map { Geometry($0) })
    }
    #expect(names(areas) == inLand && !inLand.isEmpty)
    #expect(areas.aggregate(by: \.right.name).reduce(0) { $0 + $1.count } == inLand.count)
    #expect(lands.joined(to: towns, on: .contains(\.area, \.hall?.door)).count == inHall.count)
    let near = towns.joined(to: towns, on: .nearest(1, \.land?.area, \.hall?.door))
    #expect(near.map { $0.left.name } == ["a1", "a2", "edge"])
    #expect(near.allSatisfy { $0.distance != nil })
    let once = towns.pairs(on: .intersects(\.land?.area, \.land?.area))
    #expect(once.map { "\($0.left.name)-\($0.right.name)" } == ["a1-a2"])
    #expect(doors.explain().contains("through links to TownHall"))
    try realm.write { realm.delete(lands.where { $0.name == "A" }) }
    #expect(!areas.contains { $0.left.name == "a1" })
  }

  @Test func conditionsBehindSeveralLinks() throws {
    try addLinks()
    func found(_ condition: (Query<Land>) -> Query<Bool>) -> [String] {
      lands.where(condition).map(\.name).sorted()
    }
    try realm.write {
      for (land, town) in zip(lands, [1, 0, 4]) { land.capital = towns[town] }
    }
    func expected(_ holds: (Land) -> Bool?) -> [String] {
      (lands.filter { holds($0) ?? false } as [Land]).map(\.name).sorted()
    }
    let limit = try #require(Distance.kilometers(200))
    let near = expected { land in
      guard let door = land.capital?.hall?.door, let area = land.area else { return nil }
      return Geometry(area).distance(to: Geometry(door)).map { $0 < limit }
    }
    #expect(near == ["B"])
    #expect(found { $0.area.geoDistance(to: $0.capital.hall.door) < limit } == near)
    #expect(found { $0.capital.hall.spot.geoDistance(to: $0.area) < limit } == near)
    #expect(lands.filter("GEODISTANCE(area, capital.hall.door) < 200km").map(\.name) == near)
    #expect(found { $0.area.geoIntersects($0.capital.land.area) } == ["A", "B"])
    #expect(lands.filter("area GEOINTERSECTS capital.land.area").map(\.name) == ["A", "B"])
    #expect(
      lands.filter("ANY towns.hall.door GEOWITHIN area").map(\.name)
        == expected { land in
          land.towns.contains { (town: Town) in
            guard let door = town.hall?.door, let area = land.area else { return false }
            return Geometry(area).distance(to: Geometry(door))?.radians == 0
          }
        })
    #expect(lands.filter("NONE towns.hall.door GEOWITHIN area").map(\.name) == ["B", "C"])
  }

  @Test func outerJoinsKeepEveryLeftObject() throws {
    let join = towns.outerJoined(to: lands, on: .within(\.at, \.area))
    #expect(
      text(join) { $0?.name ?? "none" } == [
        "a1-A", "a2-A", "edge-A", "edge-B", "c-C", "sea-none", "lost-none",
      ])
    #expect(join.count == 7)
    #expect(
      join.count(ofEach: .left).map { "\($0.object.name) \($0.count)" } == [
        "a1 1", "a2 1", "edge 2", "c 1", "sea 0", "lost 0",
      ])
    #expect(
      join.aggregate(by: \.right?.name).map { "\($0.key ?? "") \($0.count)" } == [
        "A 3", "B 1", "C 1",
      ])
  }

  @Test func countsAndTotalsOfEitherSide() throws {
    let join = towns.joined(to: lands, on: .within(\.at, \.area))
    #expect(
      join.count(ofEach: .right).map { "\($0.object.name) \($0.count)" } == ["A 3", "B 1", "C 1"])
    #expect(
      join.count(ofEach: .left).map { "\($0.object.name) \($0.count)" }
        == ["a1 1", "a2 1", "edge 2", "c 1"])
    #expect(
      join.aggregate(by: \.right.group).map { "\($0.key ?? "-") \($0.count)" } == ["- 1", "x 4"])
    let people = join.aggregate(of: \.left.people, by: \.right.name)
    #expect(
      people.map { "\($0.key) \($0.count) \($0.sum ?? 0) \($0.max ?? 0)" } == [
        "A 3 15 10", "B 1 5 5", "C 1 7 7",
      ])
    let names = join.aggregate(of: \.right.name, by: \.left.name)
    #expect(names.map(\.count) == [1, 1, 1, 2])
  }

  @Test func joinsAreLiveAndFreeze() throws {
    let join = towns.joined(to: lands, on: .within(\.at, \.area))
    let frozen = towns.freeze().joined(to: lands.freeze(), on: .within(\.at, \.area))
    let sea = try #require(towns.first { $0.name == "sea" })
    try realm.write {
      sea.at = GeoPoint(latitude: 1, longitude: 3)
      #expect(join.count == 6)
      realm.delete(lands.where { $0.name == "C" })
      #expect(text(join, \.name) == ["a1-A", "a2-A", "edge-A", "edge-B", "sea-B"])
    }
    #expect(join.count == 5)
    #expect(text(frozen, \.name) == ["a1-A", "a2-A", "edge-A", "edge-B", "c-C"])
  }

  @Test func mistakesEndTheProgram() {
    let other = Misuse.trap("join: of two realms")
    #expect(other.contains("A join needs two collections of the same realm."))
    let linked = Misuse.trap("join: by an embedded object without a location")
    #expect(
      linked.contains(
        "'kiosk' of class 'Station' is neither a location nor a geometry to join by"))
    let both = Misuse.trap("join: grouped by a computed property")
    #expect(both.contains("A join is grouped by stored properties of one side"))
  }
}
