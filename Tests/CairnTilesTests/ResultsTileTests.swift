import Cairn
import CairnModelTestSupport
import CairnTiles
import Foundation
import Testing

class TileCity: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var area: Double?
  @Persisted var height: Float = 0
  @Persisted var change = 0
  @Persisted var isCapital = false
  @Persisted var founded: Date?
  @Persisted var price: Decimal128?
  @Persisted var tags: List<String>
  @Persisted var twin: TileCity?
  @Persisted var spot: GeoPoint?
  @Persisted var shape: Geometry?
}

class TileCounter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var count = ""
  @Persisted var spot: GeoPoint?
}

/// Tiles of results through the public API.
@Suite struct ResultsTileTests {
  private func realm() throws -> Realm {
    let realm = try TestRealm().realm
    try realm.write {
      for (id, latitude, longitude) in [(1, 46.9, 7.4), (2, 47.4, 8.5), (3, 46.2, 6.1)] {
        let city = TileCity()
        city.id = id
        city.name = "city \(id)"
        city.area = id == 3 ? nil : 0.5
        city.height = 2.5
        city.change = -id
        city.isCapital = id == 1
        city.founded = Date(timeIntervalSince1970: 0)
        city.price = 1.25
        city.tags.append(objectsIn: ["a", "\"b\""])
        city.spot = GeoPoint(latitude: latitude, longitude: longitude)
        if id == 2 { city.twin = realm.object(ofType: TileCity.self, forPrimaryKey: 1) }
        realm.add(city)
      }
    }
    return realm
  }

  private func features(_ data: Data) throws -> [VectorTile.Feature] {
    let tile = try VectorTile(data)
    return tile.layers.first?.features ?? []
  }

  @Test func everyTypeBecomesAnAttribute() throws {
    let realm = try realm()
    let all = realm.objects(TileCity.self)
    let features = try features(all.tile(z: 5, x: 16, y: 11))
    let tags = Dictionary(uniqueKeysWithValues: features.map { ($0.id, $0.tags) })
    #expect(tags.count == 3)
    #expect(
      tags[2] == [
        "id": .int(2), "name": .text("city 2"), "area": .double(0.5), "height": .float(2.5),
        "change": .int(-2), "isCapital": .flag(false), "founded": .text("1970-01-01T00:00:00Z"),
        "price": .double(1.25), "tags": .text(#"["a","\"b\""]"#), "twin": .int(1),
      ])
    #expect(tags[3]?["area"] == nil && tags[1]?["twin"] == nil)
    var options = TileOptions()
    options.attributes = ["twin.name", "spot"]
    options.layerName = "cities"
    options.extent = 512
    let tile = try VectorTile(all.tile(z: 5, x: 16, y: 11, options: options))
    #expect(tile.layers.map(\.name) == ["cities"] && tile.layers.map(\.extent) == [512])
    let second = try #require(tile.layers[0].features.first { $0.id == 2 })
    #expect(second.tags["twin.name"] == .text("city 1"))
    #expect(second.tags["spot"] == .text(#"{"latitude":47.4,"longitude":8.5}"#))
  }

  @Test func resultsKeepTheirConditionAndLimits() throws {
    let realm = try realm()
    let all = realm.objects(TileCity.self)
    #expect(try features(all.where { $0.isCapital }.tile(z: 0, x: 0, y: 0)).map(\.id) == [1])
    #expect(
      try features(all.sorted(by: \.id, ascending: false).tile(z: 0, x: 0, y: 0)).count == 3)
    #expect(try features(all.distinct(by: ["height"]).tile(z: 0, x: 0, y: 0)).count == 1)
    #expect(try all.where { $0.id == 9 }.tile(z: 0, x: 0, y: 0).isEmpty)
    let error = #expect(throws: TileError.self) { try all.tile(z: 30, x: 0, y: 0) }
    #expect(error?.kind == .invalidTile)
  }

  @Test func anOpenTransactionIsInTheTile() throws {
    let realm = try realm()
    try realm.write {
      let city = TileCity()
      city.id = 4
      city.spot = GeoPoint(latitude: 47, longitude: 8)
      realm.add(city)
      let tile = try realm.objects(TileCity.self).tile(z: 5, x: 16, y: 11)
      #expect(try features(tile).map(\.id).contains(4))
    }
  }

  @Test func aGeometryCanBeShownInsteadOfTheFirstLocation() throws {
    let realm = try realm()
    try realm.write {
      realm.object(ofType: TileCity.self, forPrimaryKey: 1)?.shape = try Geometry(
        wkt: "POLYGON((7 46, 8 46, 8 47, 7 46))")
    }
    var options = TileOptions()
    options.geometry = "shape"
    options.attributes = []
    let features = try features(
      realm.objects(TileCity.self).tile(z: 5, x: 16, y: 11, options: options))
    #expect(features.map(\.id) == [1] && features.map(\.type) == [3])
    #expect(features.flatMap(\.tags).isEmpty)
  }

  @Test func aPropertyNamedCountIsNotTheNumberOfObjects() throws {
    let realm = try TestRealm().realm
    try realm.write {
      for id in [-1, 3] {
        realm.create(TileCounter.self, value: ["id": id, "count": "c\(id)"]).spot = GeoPoint(
          latitude: 47, longitude: 8)
      }
    }
    let all = realm.objects(TileCounter.self)
    let objects = try features(all.tile(z: 0, x: 0, y: 0))
    #expect(objects.map { $0.tags["count"] } == [.text("c-1"), .text("c3")])
    #expect(objects.map(\.id) == [nil, 3])
    var options = TileOptions()
    options.limit = 0
    let cells = try features(all.tile(z: 0, x: 0, y: 0, options: options))
    #expect(cells.map(\.tags) == [["count_": .int(2)]])
  }
}
