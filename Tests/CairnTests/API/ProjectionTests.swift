import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

class Resident: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var given = ""
  @Persisted var family = ""
  @Persisted var home: Dwelling?
  @Persisted var partner: Resident?
}

class Dwelling: Object {
  @Persisted var town = ""
  @Persisted var floor: Int?
}

class ResidentView: Projection<Resident> {
  @Projected(\Resident.given) var firstName
  @Projected(\Resident.home?.town) var homeTown
  @Projected(\Resident.home!.floor) var floor
  @Projected(\Resident.partner?.given) var partnerName
}

class KeeperView: Projection<Keeper> {
  @Projected(\Keeper.hounds.projectTo.name) var names: ProjectedCollection<String>
}

@Suite struct ProjectionTests {
  let temporary = try? TemporaryRealm()

  private func realm() throws -> Realm {
    let realm = try #require(temporary).realm
    try realm.write {
      let towns = ["Ulm", "Bern", "Graz"]
      for number in 0..<6 {
        let resident = Resident()
        resident.number = number
        resident.given = "r\(number)"
        resident.family = "f\(number % 2)"
        if number < 5 {
          let home = Dwelling()
          home.town = towns[number % 3]
          home.floor = number % 2 == 0 ? number : nil
          resident.home = home
        }
        realm.add(resident)
      }
      let first = try #require(realm.object(ofType: Resident.self, forPrimaryKey: 0))
      first.partner = realm.object(ofType: Resident.self, forPrimaryKey: 1)
    }
    return realm
  }

  @Test func readsThroughTheObject() throws {
    let views = try realm().objects(ResidentView.self)
    let first = try #require(views.first)
    #expect(first.firstName == "r0")
    #expect(first.homeTown == "Ulm")
    #expect(first.partnerName == "r1")
    #expect(views.map(\.firstName) == ["r0", "r1", "r2", "r3", "r4", "r5"])
    #expect(views.last?.homeTown == nil)
    #expect(first == views[0])
    #expect(first != views[1])
    #expect(Set([first, views[0], views[1]]).count == 2)
  }

  @Test func conditionsByTheNamesOfTheProjection() throws {
    let views = try realm().objects(ResidentView.self)
    #expect(views.where { $0.firstName > "r3" }.count == 2)
    #expect(views.filter("firstName != 'r0' AND number < 3").count == 2)
    #expect(views.filter("family == 'f1'").map(\.firstName) == ["r1", "r3", "r5"])
  }

  @Test func ordersByTheNamesOfTheProjection() throws {
    let views = try realm().objects(ResidentView.self)
    #expect(views.sorted(byKeyPath: "firstName", ascending: false).first?.firstName == "r5")
    #expect(views.sorted(byKeyPath: "number", ascending: false).last?.firstName == "r0")
    #expect(views.distinct(by: ["family"]).map(\.firstName) == ["r0", "r1"])
  }

  @Test func collections() throws {
    let keeper = Keeper()
    keeper.hounds.append(objectsIn: [Hound("Asta"), Hound("Bruno")])
    let view = KeeperView(projecting: keeper)
    #expect(Array(view.names) == ["Asta", "Bruno"])
    let temporary = try TemporaryRealm(keeper)
    let stored = try #require(temporary.realm.objects(KeeperView.self).first)
    #expect(Array(stored.names) == ["Asta", "Bruno"])
    #expect(stored.names[1] == "Bruno")
    #expect("\(stored.names)" == "ProjectedCollection<String> (\n\tAsta,\n\tBruno\n)")
  }

  @Test func writesThroughTheProjection() throws {
    let realm = try realm()
    let view = try #require(realm.objects(ResidentView.self).first)
    try realm.write {
      view.firstName = "new"
      view.floor = 7
    }
    let resident = try #require(realm.object(ofType: Resident.self, forPrimaryKey: 0))
    #expect(resident.given == "new")
    #expect(resident.home?.floor == 7)
  }

  @Test func outsideARealm() {
    let resident = Resident()
    resident.given = "solo"
    let view = ResidentView(projecting: resident)
    #expect(view.firstName == "solo")
    #expect(view.homeTown == nil)
    view.firstName = "other"
    #expect(resident.given == "other")
  }

  @Test func description() throws {
    let resident = Resident()
    resident.given = "solo"
    resident.home = Dwelling()
    resident.home?.town = "Ulm"
    resident.home?.floor = 3
    #expect(
      ResidentView(projecting: resident).description == """
        ResidentView<Resident> {
        \tfirstName(given) = solo;
        \thomeTown(home.town) = Ulm;
        \tfloor(home.floor) = 3;
        \tpartnerName(partner.given) = nil;
        }
        """)
  }

  @Test func readOnlyProperties() {
    Misuse.trap("projection: setting a property through a link that is null")
  }
}
