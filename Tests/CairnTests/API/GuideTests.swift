import Cairn
import CairnTestSupport
import Foundation
import Testing

/// The Swift code of the articles in Cairn.docc: they show the code that runs here, and its comments
/// show the output.
@Suite struct GuideTests {
  /// The articles whose code, in this order, is one program.
  private static let articles = [
    "Models", "Writing", "Queries", "Locations", "Geometries", "Notifications", "Migrations",
    "Operations",
  ]

  @Test @MainActor func theGuideRunsAsShown() throws {
    let code = try DocumentedCode(of: Self.articles.map { "Sources/Cairn/Cairn.docc/\($0).md" })
    #expect(code.shown == code.run)
    #expect(code.expected.count > 5)
    let printed = try runGuide()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Toy: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
}

class Park: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var area: GeoPolygon?
}

class Dog: Object {
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted var favoriteToy: Toy?
  @Persisted var cities: MutableSet<String>
  @Persisted var parks: Map<String, String>
  @Persisted var companion: AnyRealmValue
  @Persisted var home: GeoPoint?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>

  var initial: String { String(name.prefix(1)) }
}

class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String?
}

class Owner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var address: Address?
}
// The guide ends

/// Runs the guide and returns the lines that it prints.
@MainActor private func runGuide() throws -> [String] {
  var printed: [String] = []
  func print(_ item: Any) { printed.append("\(item)") }
  // The guide begins
  let realm = try Realm(configuration: .init(inMemoryIdentifier: "guide"))

  let rex = Dog()
  rex.name = "Rex"
  rex.age = 9
  rex.home = GeoPoint(latitude: 48.85, longitude: 2.35)
  rex.favoriteToy = Toy(value: ["name": "tennis ball"])

  try realm.write {
    realm.add(rex)
    realm.create(
      Owner.self,
      value: [
        "id": 1, "name": "Ada", "address": ["city": "Paris"],
        "dogs": [
          rex, ["name": "Bella", "age": 2, "home": GeoPoint(latitude: 43.3, longitude: 5.37)!],
        ],
      ])
  }

  try realm.write {
    realm.create(
      Owner.self, value: ["id": 1, "address": ["street": "Rue Lepic"]], update: .modified)
    realm.objects(Dog.self).setValue(["Paris", "Lyon"], forKey: "cities")
  }
  print(realm.object(ofType: Owner.self, forPrimaryKey: 1)?.address?.city ?? "")  // Paris

  let json = try JSONSerialization.jsonObject(with: Data(#"{"id": 2, "nmae": "Eve"}"#.utf8))
  do {
    try realm.write { try realm.create(Owner.self, validating: json) }
  } catch {
    print(error)  // Invalid property name 'nmae' for class 'Owner'. Did you mean 'name'?
  }

  let dogs = realm.objects(Dog.self)
  print(dogs.where { $0.age > 5 && $0.favoriteToy.name.contains("ball") }.count)  // 1
  print(dogs.filter("ANY owners.name == %@ AND age < 5", "Ada").first?.name ?? "")  // Bella
  print(realm.objects(Owner.self).where { $0.dogs.age.avg >= 5 }.count)  // 1
  print(dogs.sorted(by: \.age, ascending: false).map(\.name).joined(separator: " "))  // Rex Bella
  print(dogs.sectioned(by: \.initial).allKeys)  // ["B", "R"]

  print(dogs.where { $0.name.search("bel*") }.count)  // 1
  print(dogs.search("REX", in: \.name).limit(1).first?.age ?? 0)  // 9

  print(dogs.sorted(by: \.age).limit(1).first?.name ?? "")  // Bella
  print(dogs.sorted(by: \.name).limit(1, offset: 1).first?.name ?? "")  // Rex
  print(dogs.aggregate(of: "age").average ?? 0)  // 5.5
  let groups = dogs.aggregate(of: \.age, by: \.favoriteToy?.name)
  print(groups.map { "\($0.key ?? "none") \($0.max ?? 0)" })  // ["none 2", "tennis ball 9"]
  print(dogs.where { $0.age > 5 }.limit(1).explain().contains("age > 5"))  // true

  struct DogSummary: ValueModel {
    let name: String
    let toy: String?

    init(_ dog: Dog) {
      name = dog.name
      toy = dog.favoriteToy?.name
    }
  }
  print(dogs.sorted(by: \.age).values(of: DogSummary.self).map(\.name))  // ["Bella", "Rex"]

  let paris = GeoPoint(latitude: 48.8566, longitude: 2.3522)!
  let around = GeoCircle(center: paris, radius: .kilometers(50)!)
  print(dogs.where { $0.home.geoWithin(around) }.count)  // 1
  print(dogs.filter("home IN %@ AND age > 5", around).count)  // 1
  print(dogs.sorted(by: \.home, distanceTo: paris).map(\.name).joined(separator: " "))  // Rex Bella

  print(dogs.within(around).nearest(to: paris).limit(3).first?.name ?? "")  // Rex
  let south = GeoCircle(center: GeoPoint(latitude: 43.3, longitude: 5.4)!, radius: .kilometers(50)!)
  print(dogs.count(inEach: [around, south]))  // [1, 1]

  let ring = [(48.84, 2.34), (48.84, 2.36), (48.86, 2.36), (48.86, 2.34), (48.84, 2.34)]
  let garden = GeoPolygon(outerRing: ring)!
  try realm.write {
    realm.create(Park.self, value: ["name": "Jardin des Plantes", "area": garden])
  }

  let parks = realm.objects(Park.self)
  let walk = GeoLineString([paris, GeoPoint(latitude: 48.87, longitude: 2.35)!])!
  print(parks.where { $0.area.geoContains(paris) }.count)  // 1
  print(parks.where { $0.area.geoIntersects(walk) }.count)  // 1
  print(dogs.where { $0.home.geoDistance(to: garden) > .kilometers(5) }.first?.name ?? "")  // Bella
  print(dogs.sorted(by: \.home, distanceTo: garden).first?.name ?? "")  // Rex

  print(try (Geometry(garden).area / 10_000).rounded())  // 326.0
  print(try Geometry(walk).length.rounded())  // 1499.0

  for pair in dogs.joined(to: parks, on: .within(\.home, \.area)) {
    print("\(pair.left.name) lives in \(pair.right.name)")  // Rex lives in Jardin des Plantes
  }
  let nearest = dogs.joined(to: parks, on: .nearest(1, \.home, \.area))
  for (park, count) in nearest.count(ofEach: .right) {
    print("\(park.name): \(count)")  // Jardin des Plantes: 2
  }
  for group in nearest.aggregate(of: \.left.age, by: \.right.name) {
    print(group.average ?? 0)  // 5.5
  }

  let homes = dogs.joined(to: parks, on: .within(\.home, \.area))
  for flow in homes.flows(to: nearest) {
    print("\(flow.origin.name): \(flow.count)")  // Jardin des Plantes: 1
  }

  let token = dogs.where { $0.home.geoWithin(around) }.observe { changes in
    switch changes {
    case .initial(let inside): print("\(inside.count) inside")  // 1 inside
    case .update(_, let left, let came, _): print("-\(left) +\(came)")  // -[] +[1]
    case .error(let error): print(error)
    }
  }
  realm.refresh()
  try realm.write {
    dogs.first { $0.name == "Bella" }?.home = GeoPoint(latitude: 48.9, longitude: 2.3)
  }
  realm.refresh()
  token.invalidate()

  let next = Realm.Configuration(
    inMemoryIdentifier: "next guide", schemaVersion: 1,
    migrationBlock: { migration, oldVersion in
      migration.enumerateObjects(ofType: "Dog") { old, new in
        new?["age"] = (old?["age"] as? Int ?? 0) + 1
      }
    })
  print(try Realm(configuration: next).objects(Dog.self).count)  // 0

  nonisolated(unsafe) var seen: [String] = []
  var watched = Realm.Configuration(inMemoryIdentifier: "watched")
  watched.events = { event in seen.append("\(event)") }
  watched.slowQueries = .init(over: .zero) { query in seen.append("slow: \(query.className)") }
  let toys = try Realm(configuration: watched)
  try toys.write { toys.create(Toy.self, value: ["name": "ball"]) }
  print(toys.objects(Toy.self).where { $0.name == "ball" }.count)  // 1
  print(seen.joined(separator: ", "))  // opened 'watched', committed to 'watched', slow: Toy
  // The guide ends
  return printed
}
