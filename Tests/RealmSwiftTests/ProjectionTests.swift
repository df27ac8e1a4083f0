import CairnModelTestSupport
import CairnTestSupport
import Foundation
import RealmSwift
import Testing

/// Results of projections, and projected collections.
@Suite struct ProjectionTests {
  let realm: Realm
  let ship: Ship

  init() throws {
    let ship = Ship("Ark")
    ship.crew.append(objectsIn: [Sailor(1, "Cy", .captain), Sailor(2, "Ann"), Sailor(3, "Bo")])
    ship.guests.insert(Sailor(4, "Dee"))
    realm = try TestRealm(ship).realm
    try realm.write { ship.crew[0].ship = ship }
    self.ship = ship
  }

  // MARK: Results

  @Test func order() {
    let views = realm.objects(SailorView.self)
    #expect(views.sorted(by: \.title).map(\.title) == ["Ann", "Bo", "Cy", "Dee"])
    #expect(views.sorted(by: \.title, ascending: false).first?.title == "Dee")
    #expect(views.sorted(by: \.grade, ascending: false).first?.title == "Cy")
    // Null links come last, as in Realm.
    #expect(views.sorted(by: \.shipName).first?.title == "Cy")
    #expect(views.distinct(by: [\SailorView.grade]).map(\.grade).sorted() == [.mate, .captain])
  }

  @Test func sections() {
    let views = realm.objects(SailorView.self)
    let byGrade = views.sectioned(by: \.grade)
    #expect(byGrade.allKeys == [.mate, .captain])
    #expect(byGrade[0].map(\.title).sorted() == ["Ann", "Bo", "Dee"])
    #expect(views.sectioned(by: \.grade, ascending: false).allKeys == [.captain, .mate])
    let ordered = views.sectioned(
      by: \.grade,
      sortDescriptors: ["grade", RealmSwift.SortDescriptor(keyPath: "title", ascending: false)])
    #expect(ordered[0].map(\.title) == ["Dee", "Bo", "Ann"])
    let byLetter = views.sectioned(
      by: { $0.title.count == 2 }, sortDescriptors: [RealmSwift.SortDescriptor(keyPath: "title")])
    #expect(byLetter.allKeys == [false, true])
    #expect(byLetter[1].map(\.title) == ["Bo", "Cy"])
  }

  @Test func sectionsOutOfOrderEndTheProgram() {
    Misuse.trap("projection: sections out of order")
  }

  // MARK: Projected collections

  private func view() throws -> ShipView { try #require(realm.objects(ShipView.self).first) }

  @Test func elements() throws {
    let names = try view().crewNames
    #expect(Array(names) == ["Cy", "Ann", "Bo"])
    #expect(names.index(of: "Bo") == 2)
    #expect(names.index(of: "Eve") == nil)
    #expect(names.realm == realm)
    #expect(!names.isFrozen)
    #expect(!names.isInvalidated)
    let guests = try view().guestNames
    #expect(Array(guests) == ["Dee"])
  }

  @Test func setting() throws {
    let names = try view().crewNames
    try realm.write { names[1] = "Eve" }
    #expect(ship.crew[1].name == "Eve")
    #expect(Array(names) == ["Cy", "Eve", "Bo"])
  }

  @Test func invalidValuesEndTheProgram() {
    Misuse.trap("projection: an invalid value")
  }

  @Test func freezing() throws {
    let names = try view().crewNames
    let frozen = names.freeze()
    try realm.write { names[0] = "Flo" }
    #expect(frozen.isFrozen)
    #expect(Array(frozen) == ["Cy", "Ann", "Bo"])
    #expect(frozen.thaw().map { Array($0) } == ["Flo", "Ann", "Bo"])
    try realm.write { realm.delete(ship) }
    #expect(frozen.thaw() == nil)
    #expect(frozen.count == 3)
  }

  @Test func outsideARealm() {
    let loose = Ship("Cog")
    loose.crew.append(Sailor(9, "Ann"))
    let names = loose.crew.projectTo.name
    names[0] = "Bo"
    #expect(loose.crew[0].name == "Bo")
    #expect(names.realm == nil)
    #expect(names.index(of: "Bo") == 0)
  }

  @Test func observing() throws {
    let store = TemporaryStore()
    defer { withExtendedLifetime(store) {} }
    let queue = DispatchQueue(label: "projected")
    try queue.sync {
      let realm = try Realm(configuration: .init(fileURL: store.url), queue: queue)
      let ship = Ship("Cog")
      ship.crew.append(objectsIn: [Sailor(1, "Ann"), Sailor(2, "Bo")])
      try realm.write { realm.add(ship) }
      let names = ShipView(projecting: ship).crewNames
      var seen: [String] = []
      func note(_ change: RealmCollectionChange<ProjectedCollection<String>>) {
        switch change {
        case .initial(let names): seen.append("\(Array(names))")
        case .update(let names, let gone, let new, let changed):
          seen.append("\(names.count) \(gone) \(new) \(changed)")
        case .error(let error): seen.append("\(error)")
        }
      }
      let token = names.observe(note)
      realm.refresh()
      try realm.write { ship.crew[1].name = "Eve" }
      realm.refresh()
      // A change of a property that is not projected has no effect.
      try realm.write { ship.crew[0].isAboard = true }
      realm.refresh()
      try realm.write { ship.crew.remove(at: 0) }
      realm.refresh()
      token.invalidate()
      #expect(seen == [#"["Ann", "Bo"]"#, "2 [] [] [1]", "1 [0] [] []"])
    }
  }

  @Test func identities() throws {
    let views = realm.objects(SailorView.self)
    #expect(views[0].id == views[0].id)
    #expect(views[0].id == views[0].rootObject.id)
    #expect(Set(views.map(\.id)).count == 4)
  }
}
