import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// Pages of items, compared with loops over the same rows.
@Suite struct ItemsTests {
  typealias Place = World.Place

  private func ids(_ places: [Place]) -> [Int] { places.map(\.id) }

  /// All ids, page by page.
  private func walk(
    _ world: World, _ target: String, between: () throws -> Void = {}
  ) async throws -> [Int] {
    var answer = try await world.service.get(target)
    #expect(answer.status == 200, "\(answer.text)")
    var ids = answer.ids
    while let next = answer.link("next") {
      try between()
      answer = try await world.service.follow(next)
      #expect(answer.status == 200, "\(answer.text)")
      ids += answer.ids
    }
    return ids
  }

  @Test func pagesHoldEveryRowOnce() async throws {
    let world = try World()
    for limit in [1, 7, 100, 299, 300, 301] {
      let found = try await walk(world, "/collections/places/items?limit=\(limit)")
      #expect(found == ids(world.places))
    }
  }

  @Test func rowsInsertedAndDeletedBetweenPagesNeitherRepeatNorHideOthers() async throws {
    for target in ["limit=20", "limit=20&sortby=population,-name", "limit=9&sortby=-founded"] {
      let world = try World(rows: 5000, seed: 3)
      let before = world.places
      let found = try await walk(world, "/collections/places/items?\(target)&population=3") {
        try world.insert(3)
        try world.delete(20)
      }
      #expect(Set(found).count == found.count)
      let kept = Set(ids(world.places))
      let expected = before.filter { $0.population == 3 && kept.contains($0.id) }
      #expect(Set(found).isSuperset(of: ids(expected)))
    }
  }

  @Test func boxesSelectWhatTheyContain() async throws {
    let world = try World(rows: 500)
    var random = SplitMix64(seed: 5)
    for _ in 0..<60 {
      let west = Double(random.below(360)) - 180
      let east = Double(random.below(360)) - 180
      let south = Double(random.below(90)) - 90
      let north = Double(random.below(90))
      let expected = world.places.filter { place in
        guard let location = place.location else { return true }
        let inside =
          west <= east
          ? west <= location.longitude && location.longitude <= east
          : location.longitude >= west || location.longitude <= east
        return inside && south <= location.latitude && location.latitude <= north
      }
      let box =
        random.chance(0.5)
        ? "\(west),\(south),\(east),\(north)" : "\(west),\(south),-9,\(east),\(north),9"
      let answer = try await world.service.get(
        "/collections/places/items?limit=1000&bbox=\(box)")
      #expect(answer.ids == ids(expected), "\(box)")
      #expect(answer.json["numberMatched"] as? Int == expected.count)
      #expect(answer.json["numberReturned"] as? Int == expected.count)
    }
  }

  @Test(arguments: [
    ("2001-01-05T00:00:00Z", 4, 4), ("2001-01-05", 4, 4), ("2001-01-05/2001-01-08", 4, 7),
    ("../2001-01-03T00:00:00Z", 0, 2), ("/2001-01-03t00:00:00z", 0, 2),
    ("2001-01-10T12:00:00Z/..", 10, 19), ("2001-01-10T00:00:00%2B00:00/", 9, 19),
    ("2001-01-05T00:00:00Z/2001-01-05T00:00:00Z", 4, 4),
  ])
  func datesSelectInstantsAndIntervals(text: String, first: Int, last: Int) async throws {
    let world = try World()
    let expected = world.places.filter { place in
      place.founded.map { (first...last).contains(Int($0 / 86_400)) } ?? true
    }
    let answer = try await world.service.get(
      "/collections/places/items?limit=1000&datetime=\(text)")
    #expect(answer.ids == ids(expected))
  }

  @Test func propertiesSelectEqualValues() async throws {
    let world = try World()
    func found(_ query: String) async throws -> [Int] {
      try await world.service.get("/collections/places/items?limit=1000&\(query)").ids
    }
    #expect(try await found("name=B%C3%A4rn") == ids(world.places.filter { $0.name == "Bärn" }))
    #expect(try await found("name=") == ids(world.places.filter { $0.name == "" }))
    #expect(try await found("population=4") == ids(world.places.filter { $0.population == 4 }))
    #expect(try await found("area=0.5") == ids(world.places.filter { $0.area == 0.5 }))
    #expect(
      try await found("isCapital=true&population=4")
        == ids(world.places.filter { $0.isCapital == true && $0.population == 4 }))
    #expect(
      try await found("founded=2001-01-05")
        == ids(world.places.filter { $0.founded == 4 * 86_400 }))
    #expect(try await found("id=7") == [7])
  }

  @Test func pagesAreSorted() async throws {
    let world = try World()
    func rank(_ value: Double?) -> Double { value ?? -1e9 }
    let expected = world.places.sorted { a, b in
      let (x, y) = (rank(a.population.map(Double.init)), rank(b.population.map(Double.init)))
      if x != y { return x > y }
      let (v, w) = (rank(a.area), rank(b.area))
      return v == w ? a.key < b.key : v < w
    }
    for limit in [3, 50, 1000] {
      let found = try await walk(
        world, "/collections/places/items?sortby=-population,area&limit=\(limit)")
      #expect(found == ids(expected))
    }
    let byName = world.places.sorted { a, b in
      if a.name == b.name { return a.key < b.key }
      guard let x = a.name, let y = b.name else { return a.name == nil }
      return x.utf8.lexicographicallyPrecedes(y.utf8)
    }
    #expect(
      try await walk(world, "/collections/places/items?sortby=%2Bname&limit=13") == ids(byName))
  }

  @Test(arguments: [true, false])
  func pagesAreSortedByBools(isAscending: Bool) async throws {
    let world = try World(rows: 80)
    func rank(_ place: Place) -> Int { place.isCapital.map { $0 ? 2 : 1 } ?? 0 }
    #expect(Set(world.places.map(rank)) == [0, 1, 2])
    let expected = world.places.sorted { a, b in
      let (x, y) = (rank(a), rank(b))
      return x == y ? a.key < b.key : (x < y) == isAscending
    }
    let order = isAscending ? "isCapital" : "-isCapital"
    for limit in [1, 7, 30] {
      let found = try await walk(
        world, "/collections/places/items?sortby=\(order)&limit=\(limit)")
      #expect(found == ids(expected))
    }
  }

  @Test func emptyFieldsOfTheFormAreNotConditions() async throws {
    let world = try World(rows: 20)
    let query = "bbox=&datetime=&filter=&limit=100"
    let page = try await world.service.get("/collections/places/items?f=html&\(query)")
    #expect(page.status == 200 && page.text.contains("20 of 20 items"), "\(page.text)")
    let answer = try await world.service.get("/collections/places/items?\(query)")
    #expect(answer.ids == ids(world.places))
  }

  @Test func aBoxFromTheAntimeridianToItselfIsNarrow() async throws {
    let world = try World(rows: 100)
    let expected = world.places.filter { place in
      place.location.map { abs($0.longitude) == 180 } ?? true
    }
    let answer = try await world.service.get(
      "/collections/places/items?limit=1000&bbox=180,-90,-180,90")
    #expect(answer.ids == ids(expected))
    let all = try await world.service.get(
      "/collections/places/items?limit=1000&bbox=-180,-90,180,90")
    #expect(all.ids == ids(world.places))
  }

  @Test func linksOfLongKeysAreWhole() async throws {
    let key = String(repeating: "k", count: 300)
    let folder = try TemporaryFolder(inMemory: true)
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { transaction in
      let column = ColumnSchema(
        id: 0, name: "key", type: .string, isOptional: false, isPrimaryKey: true, position: 0)
      let words = try transaction.createTable("words", columns: [column])
      _ = try words.insert([.string(key)])
    }
    let service = try Service(path: folder.file())
    let page = try await service.get("/collections/words/items?f=html")
    #expect(page.text.contains("/items/\(key)?f=html\">\(key.prefix(200))…</a>"))
  }

  @Test func everyFeatureHasItsValues() async throws {
    let world = try World()
    let answer = try await world.service.get("/collections/places/items?limit=1000")
    for (feature, place) in zip(answer.features, world.places) {
      let properties = feature["properties"] as? [String: Any] ?? [:]
      #expect(properties["name"] as? String == place.name)
      #expect(properties["population"] as? Int == place.population)
      #expect(properties["location"] == nil && properties.count == 6)
      let geometry = feature["geometry"] as? [String: Any]
      let coordinates = geometry?["coordinates"] as? [Double]
      // Foundation rounds some numbers of JSON.
      for (found, expected) in zip(
        coordinates ?? [], [place.location?.longitude, place.location?.latitude])
      {
        #expect(abs(found - (expected ?? .nan)) < 1e-12)
      }
      #expect((coordinates == nil) == (place.location == nil))
      let item = try await world.service.get("/collections/places/items/\(place.id)")
      #expect(item.json["id"] as? Int == place.id)
      #expect((item.json["properties"] as? NSDictionary) == (properties as NSDictionary))
    }
  }

  @Test func classesWithoutKeyOrLocationAreCollectionsToo() async throws {
    let world = try World(rows: 0)
    let notes = try await world.service.get("/collections/notes/items")
    #expect(notes.ids == [0, 1, 2])
    #expect(notes.features.allSatisfy { $0["geometry"] is NSNull })
    let note = try await world.service.get("/collections/notes/items/1")
    #expect((note.json["properties"] as? [String: Any])?["text"] as? String == "two")
    let parcels = try await world.service.get("/collections/parcels/items?bbox=2.2,1.1,2.9,1.2")
    #expect(parcels.ids == [1])
    let shape = parcels.features[0]["geometry"] as? [String: Any]
    #expect(shape?["type"] as? String == "Polygon")
    #expect(try await world.service.get("/collections/places/items").ids.isEmpty)
  }

  @Test func csvAndChosenProperties() async throws {
    let world = try World(rows: 3)
    let answer = try await world.service.get("/collections/notes/items?f=csv&limit=2")
    #expect(answer.text == "id,text\n0,one\n1,two\n")
    #expect(answer.response.headers["Link"]?.contains("rel=\"next\"") == true)
    let chosen = try await world.service.get("/collections/places/items?properties=name,area")
    for feature in chosen.features {
      #expect(Set((feature["properties"] as? [String: Any] ?? [:]).keys) == ["name", "area"])
    }
    let columns = try await world.service.get("/collections/places/items?f=csv&properties=name")
    #expect(columns.text.hasPrefix("id,name,latitude,longitude\n"))
  }

  @Test func longPagesAreStreamed() async throws {
    let world = try World(rows: 9000)
    let request = Request(target: "/collections/places/items?limit=9000")
    let response = await world.service.respond(to: request)
    guard case .stream = response.body else {
      Issue.record("not a stream")
      return
    }
    let answer = try await world.service.get("/collections/places/items?limit=9000")
    #expect(answer.ids == ids(world.places))
    var options = ServiceOptions()
    options.maxStreamSeconds = -1
    let slow = try Service(path: world.folder.file(), options: options)
    #expect(try await slow.get("/collections/places/items?limit=9000").status == 500)
  }
}
