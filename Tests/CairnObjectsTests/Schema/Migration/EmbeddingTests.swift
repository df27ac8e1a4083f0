import CairnModelTestSupport
import CairnObjects
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Classes that become embedded or stop being embedded.
@Suite struct EmbeddingTests {
  enum Separate {
    class Shop: Object { @Persisted var name = ""; @Persisted var spot: Spot? }
    class Spot: Object {
      @Persisted var type = "Point"
      @Persisted var coordinates: List<Double>
    }
    static let types: [ObjectBase.Type] = [Shop.self, Spot.self]
  }

  enum Bound {
    class Shop: Object { @Persisted var name = ""; @Persisted var spot: Spot? }
    class Spot: EmbeddedObject {
      @Persisted var type = "Point"
      @Persisted var coordinates: List<Double>
    }
    static let types: [ObjectBase.Type] = [Shop.self, Spot.self]
  }

  enum Chained {
    class Start: Object { @Persisted var next: Node? }
    class Node: EmbeddedObject { @Persisted var next: Node? }
    static let types: [ObjectBase.Type] = [Start.self, Node.self]
  }

  let file = TemporaryStore()

  private func fill(shared: Bool = false) throws {
    let realm = try file.realm(0, Separate.types)
    try realm.write {
      var last: Separate.Spot?
      for index in 0..<3 {
        let spot = Separate.Spot()
        spot.coordinates.append(objectsIn: [Double(index), 10])
        let shop = Separate.Shop()
        (shop.name, shop.spot) = ("s\(index)", shared ? last ?? spot : spot)
        realm.add(shop)
        last = shop.spot
      }
    }
  }

  private func near(_ realm: Realm) throws -> [String] {
    let circle = try #require(GeoCircle(center: (10, 1), radiusInRadians: 0.001))
    return realm.objects(Bound.Shop.self).where { $0.spot.geoWithin(circle) }.map(\.name)
  }

  @Test func objectsWithOneOwnerBecomeEmbedded() throws {
    try fill()
    let realm = try file.realm(1, Bound.types)
    #expect(try near(realm) == ["s1"])
    try realm.write { realm.delete(try #require(realm.objects(Bound.Shop.self).last)) }
    #expect(realm.dynamicObjects("Spot").count == 2)
    try realm.write { realm.objects(Bound.Shop.self).first?.spot?.coordinates[0] = 1 }
    #expect(try near(realm) == ["s0", "s1"])
  }

  @Test func objectsWithSeveralOwnersCannotBecomeEmbedded() throws {
    try fill(shared: true)
    let before = try file.bytes()
    let error = try #require(throws: Realm.Error.self) { try file.realm(1, Bound.types) }
    #expect(error.description.hasPrefix("class 'Spot' cannot be embedded: 3 objects link to it"))
    #expect(try file.bytes() == before)
    let realm = try file.realm(1, Bound.types) { migration, _ in
      migration.enumerateObjects(ofType: "Shop") { old, new in
        if old?["name"] as? String != "s1" { new?["spot"] = nil }
      }
    }
    #expect(realm.objects(Bound.Shop.self).map { $0.spot != nil } == [false, true, false])
    #expect(try near(realm) == [])
    try realm.write { realm.objects(Bound.Shop.self)[1].spot = nil }
    #expect(realm.dynamicObjects("Spot").isEmpty)
  }

  @Test func surplusOwnersCanBeDeleted() throws {
    try fill(shared: true)
    let realm = try file.realm(1, Bound.types) { migration, _ in
      migration.enumerateObjects(ofType: "Shop") { old, new in
        if let new, old?["name"] as? String != "s1" { migration.delete(new) }
      }
    }
    let shop = try #require(realm.objects(Bound.Shop.self).first)
    #expect(shop.name == "s1" && shop.spot.map { Array($0.coordinates) } == [0, 10])
    #expect(realm.dynamicObjects("Spot").count == 1)
    try realm.write { realm.delete(shop) }
    #expect(realm.dynamicObjects("Spot").isEmpty)
  }

  @Test func aLongChainOfEmbeddedObjectsIsDeleted() throws {
    let realm = try file.realm(0, Chained.types)
    try realm.write {
      let start = Chained.Start()
      realm.add(start)
      start.next = Chained.Node()
      var node = start.next
      for _ in 0..<10_000 {
        node?.next = Chained.Node()
        node = node?.next
      }
      realm.add(Chained.Start())
    }
    #expect(realm.dynamicObjects("Node").count == 10_001)
    try realm.write { realm.delete(realm.objects(Chained.Start.self).filter { $0.next != nil }) }
    #expect(realm.dynamicObjects("Node").isEmpty)
    #expect(realm.objects(Chained.Start.self).count == 1)
  }

  @Test func embeddedObjectsBecomeFree() throws {
    do {
      let realm = try file.realm(0, Bound.types)
      try realm.write {
        realm.create(
          Bound.Shop.self, value: ["name": "a", "spot": ["coordinates": [1.0, 10.0]]])
      }
    }
    let realm = try file.realm(1, Separate.types)
    try realm.write { realm.delete(realm.objects(Separate.Shop.self)) }
    #expect(realm.objects(Separate.Spot.self).first.map { Array($0.coordinates) } == [1, 10])
  }
}
