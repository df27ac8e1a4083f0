import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// Objects by primary key, and their relationships.
@Suite struct RelationshipTests {
  @Test func primaryKey() throws {
    let keeper = Keeper()
    keeper.number = 12345
    keeper.name = "Ida"
    let temporary = try TemporaryRealm(keeper)
    let found = temporary.realm.object(ofType: Keeper.self, forPrimaryKey: 12345)
    #expect(found?.name == "Ida")
    #expect(temporary.realm.object(ofType: Keeper.self, forPrimaryKey: 54321) == nil)
  }

  @Test func toMany() throws {
    let hound = Hound()
    hound.name = "Bruno"
    hound.age = 10
    let keeper = Keeper()
    keeper.number = 12345
    keeper.hounds.append(hound)
    let temporary = try TemporaryRealm()
    let realm = temporary.realm
    try realm.write {
      realm.add(keeper)
    }
    let found = realm.object(ofType: Keeper.self, forPrimaryKey: 12345)
    let hounds = try #require(found).hounds
    let first = hounds[0]
    #expect("# \(hounds.count), first \(first.name)" == "# 1, first Bruno")
    #expect(realm.objects(Hound.self).count == 1)
  }

  @Test func inverse() throws {
    let keeper = Keeper()
    keeper.number = 12345
    let pack = Pack()
    pack.name = "Strays"
    pack.members.append(keeper)
    let temporary = try TemporaryRealm()
    let realm = temporary.realm
    try realm.write {
      realm.add(pack)
    }
    let found = realm.object(ofType: Keeper.self, forPrimaryKey: 12345)
    let packs = try #require(found).packs
    let first = packs[0]
    #expect("# \(packs.count), first \(first.name)" == "# 1, first Strays")
    #expect(realm.objects(Keeper.self).where { $0.packs.name == "Strays" }.count == 1)
    #expect(realm.objects(Keeper.self).filter("ANY packs.name == 'Strays'").count == 1)
    #expect(realm.objects(Keeper.self).where { $0.packs.count == 0 }.isEmpty)
  }

  @Test func embeddedObjects() throws {
    let temporary = try TemporaryRealm()
    let realm = temporary.realm
    try realm.write {
      for (number, index) in [("Wall", "Ulm"), ("Moat", "Bern"), ("Arch", "Ulm")].enumerated() {
        let keeper = Keeper(
          name: "k\(number)", home: Home(street: index.0, town: index.1))
        keeper.number = number
        realm.add(keeper)
      }
      let homeless = Keeper()
      homeless.number = 9
      realm.add(homeless)
    }
    let inUlm = realm.objects(Keeper.self)
      .where {
        $0.home.town == "Ulm"
      }
      .sorted(byKeyPath: "home.street")
    #expect(inUlm.map(\.name) == ["k2", "k0"])
    let byText = realm.objects(Keeper.self)
      .filter("home.town = %@", "Ulm")
      .sorted(byKeyPath: "home.street")
    #expect(byText.map(\.name) == ["k2", "k0"])
    #expect("\(byText)".contains("street = Arch"))
    #expect(realm.objects(Keeper.self).where { $0.home == nil }.map(\.number) == [9])
  }

  @Test func listsOfEmbeddedObjects() throws {
    let pack = Pack(
      name: "Far", offices: [Home(street: "Quay", town: "Kiel"), Home(street: "Wall", town: "Ulm")])
    let temporary = try TemporaryRealm(pack, Pack(name: "Near", offices: []))
    let packs = temporary.realm.objects(Pack.self)
    #expect(packs.first?.offices.map(\.town) == ["Kiel", "Ulm"])
    #expect(packs.where { $0.offices.town == "Ulm" }.map(\.name) == ["Far"])
    #expect(packs.filter("offices.@count == 0").map(\.name) == ["Near"])
  }
}
