import CairnModelTestSupport
import RealmSwift
import Testing

/// Conditions on the elements of collections.
@Suite struct QueryTests {
  let realm: Realm
  var ships: Results<Ship> { realm.objects(Ship.self) }

  init() throws {
    let (ark, bark, cog) = (Ship("Ark"), Ship("Bark"), Ship("Cog"))
    ark.knots.append(objectsIn: [4, 6])
    bark.knots.append(objectsIn: [6, 6])
    ark.ports.insert(objectsIn: ["Kiel", "Ulm"])
    bark.ports.insert("Ulm")
    ark.scores["a"] = 1
    bark.scores["b"] = 2
    ark.ranks.append(objectsIn: [.mate, .captain])
    bark.ranks.append(.admiral)
    ark.spares.append(objectsIn: [nil, .captain])
    bark.spares.append(.mate)
    ark.tongues.insert(objectsIn: [.danish, .french])
    bark.tongues.insert(.dutch)
    ark.ranksByDuty["helm"] = .captain
    bark.sparesByDuty["helm"] = .some(nil)
    bark.sparesByDuty["deck"] = .mate
    ark.watches.append(objectsIn: [Watch(30), Watch(90)])
    bark.watchesByDuty["helm"] = Watch(60)
    ark.berths.append(objectsIn: [Berth(1, "port"), Berth(2, "starboard")])
    bark.berths.append(Berth(1, "starboard"))
    ark.depths.append(objectsIn: [nil, 2.5])
    realm = try TestRealm(ark, bark, cog).realm
  }

  private func names(_ condition: (Query<Ship>) -> Query<Bool>) -> [String] {
    ships.where(condition).map(\.name).sorted()
  }

  @Test func elementsOfLists() {
    #expect(names { $0.knots == 4 } == ["Ark"])
    #expect(names { $0.knots == 6 } == ["Ark", "Bark"])
    #expect(names { $0.knots != 6 } == ["Ark"])
    #expect(names { $0.knots != 5 } == ["Ark", "Bark"])
    #expect(names { !($0.knots == 6) } == ["Cog"])
    #expect(names { $0.knots > 5 } == ["Ark", "Bark"])
    #expect(names { $0.knots >= 7 } == [])
    #expect(names { $0.knots < 6 } == ["Ark"])
    #expect(names { $0.knots <= 4 } == ["Ark"])
    #expect(names { $0.depths == nil } == ["Ark"])
    #expect(names { $0.depths != nil } == ["Ark"])
  }

  @Test func elementsOfSetsAndMaps() {
    #expect(names { $0.ports == "Kiel" } == ["Ark"])
    #expect(names { $0.ports != "Ulm" } == ["Ark"])
    #expect(names { $0.scores == 2 } == ["Bark"])
    #expect(names { $0.scores.values == 1 } == ["Ark"])
    #expect(names { $0.scores.values != 1 } == ["Bark"])
    #expect(names { $0.scores > 1 } == ["Bark"])
  }

  @Test func elementsThatAreObjects() throws {
    let sailor = Sailor(1, "Ann")
    try realm.write { ships.first { $0.name == "Cog" }?.crew.append(sailor) }
    #expect(names { $0.crew == sailor } == ["Cog"])
    #expect(names { $0.crew != sailor } == [])
    #expect(names { $0.ranks == .admiral } == ["Bark"])
    #expect(names { $0.watches == Watch(90) } == ["Ark"])
    #expect(names { $0.watches != Watch(90) } == ["Ark"])
  }

  /// A value that is stored as an object is matched as one element.
  @Test func elementsThatAreStoredAsObjects() {
    #expect(names { $0.berths == Berth(1, "port") } == ["Ark"])
    #expect(names { $0.berths == Berth(1, "starboard") } == ["Bark"])
    #expect(names { $0.berths == Berth(2, "port") } == [])
    #expect(names { $0.berths != Berth(1, "starboard") } == ["Ark"])
  }

  @Test func rawValues() {
    #expect(names { $0.ranks.rawValue == 5 } == ["Bark"])
    #expect(names { $0.ranks.rawValue > 1 } == ["Ark", "Bark"])
    #expect(names { $0.ranks.rawValue.max < 5 } == ["Ark"])
    #expect(names { $0.ranks.rawValue.sum == 3 } == ["Ark"])
    #expect(names { $0.ranks.rawValue.contains(2) } == ["Ark"])
    #expect(names { $0.spares.rawValue == 1 } == ["Bark"])
    #expect(names { $0.spares.rawValue == nil } == ["Ark"])
    #expect(names { $0.tongues.rawValue == "dutch" } == ["Bark"])
    #expect(names { $0.ranksByDuty.rawValue == 2 } == ["Ark"])
    #expect(names { $0.sparesByDuty.rawValue == 1 } == ["Bark"])
    #expect(names { $0.sparesByDuty.rawValue == nil } == ["Bark"])
  }

  @Test func persistableValues() {
    #expect(names { $0.watches.persistableValue > 60 } == ["Ark"])
    #expect(names { $0.watches.persistableValue.sum == 120 } == ["Ark"])
    #expect(names { $0.watchesByDuty.persistableValue == 60 } == ["Bark"])
    #expect(names { $0.ranks.persistableValue == 5 } == ["Bark"])
    #expect(names { $0.berths.persistableValue.deck == 2 } == ["Ark"])
    #expect(realm.objects(Sailor.self).where { $0.rank.persistableValue > 1 }.isEmpty)
    #expect(realm.objects(Sailor.self).where { $0.spare.persistableValue > 1 }.isEmpty)
  }

  /// An average is comparable with a `Double` and with the type of the elements.
  @Test func averages() {
    let (mean, whole): (Double, Int) = (5, 5)
    #expect(names { $0.knots.avg == mean } == ["Ark"])
    #expect(names { $0.knots.avg == whole } == ["Ark"])
    #expect(names { $0.knots.avg >= 5.5 } == ["Bark"])
    #expect(names { $0.depths.avg == 2.5 } == ["Ark"])
    let query: (Query<Ship>) -> Query<Double> = { $0.knots.avg }
    #expect(names { query($0) == 6 } == ["Bark"])
    #expect(names { isMean($0.knots, 6) } == ["Bark"])
  }

  /// The same comparison in generic code.
  private func isMean<Element: _Persistable & RealmCollectionValue>(
    _ list: Query<List<Element>>, _ mean: Element
  ) -> Query<Bool> where Element.PersistedType: _QueryNumeric { list.avg == mean }

  @Test func averagesThroughObjects() throws {
    try realm.write {
      let crew = ships.first { $0.name == "Cog" }?.crew
      crew?.append(objectsIn: [Sailor(1, "Ann"), Sailor(4, "Bo")])
    }
    let number = 2
    #expect(names { $0.crew.number.avg == 2.5 } == ["Cog"])
    #expect(names { $0.crew.number.avg > number } == ["Cog"])
  }
}
