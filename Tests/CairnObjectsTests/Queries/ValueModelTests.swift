import CairnModelTestSupport
import CairnTestSupport
import Testing

@testable import CairnObjects

private struct CitySummary: ValueModel, Equatable {
  let name: String
  let population: Int
  let area: Double?
  let mayor: String?
  let motto: String?
  let tags: [String]

  init(_ city: TrackedCity) {
    name = city.name
    population = city.population
    area = city.area
    mayor = city.mayor?.name
    motto = city.seal?.motto
    tags = Array(city.tags)
  }
}

/// A class whose instances hold more than their rows.
final class RememberingCity: Object {
  @Persisted var name = ""
  lazy var greeting = "Welcome to \(name)"
  var visits = 0
}

private struct Greeting: ValueModel {
  let text: String
  let visits: Int

  init(_ city: RememberingCity) {
    city.visits += 1
    text = city.greeting
    visits = city.visits
  }
}

/// A value that keeps its object, as it should not.
private struct KeptCity: ValueModel {
  nonisolated(unsafe) let city: TrackedCity
  init(_ city: TrackedCity) { self.city = city }
}

@Suite struct ValueModelTests {
  private let file: TemporaryRealm
  private var realm: Realm { file.realm }

  init() throws { file = try TemporaryRealm() }

  /// Adds cities in more than one chunk.
  private func fill() throws {
    var random = SplitMix64(seed: 7)
    let realm = file.realm
    try realm.write {
      for id in 0..<Soak.count(4300, long: 5000) {
        let city = TrackedCity(id, name: "city \(Int.random(in: 0..<1000, using: &random))")
        city.population = Int.random(in: 0..<1_000_000, using: &random)
        if Bool.random(using: &random) { city.area = Double(id) / 3 }
        if id % 5 == 0 { city.mayor = TrackedPerson(value: ["name": "mayor \(id)"]) }
        if id % 7 == 0 { city.seal = TrackedSeal(value: ["motto": "motto \(id)"]) }
        city.tags.append(objectsIn: (0..<id % 4).map { "tag \($0)" })
        realm.add(city)
      }
      realm.delete(realm.objects(TrackedCity.self).where { $0.id.in([3, 4095, 4096]) })
    }
  }

  private var sorted: Results<TrackedCity> {
    realm.objects(TrackedCity.self).where { $0.population > 200_000 }
      .sorted(by: [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "id")])
  }

  @Test func valuesAreThoseOfTheObjects() throws {
    try fill()
    let all = realm.objects(TrackedCity.self)
    #expect(all.values(of: CitySummary.self) == Array(all).map { CitySummary($0) })
    #expect(sorted.values(of: CitySummary.self) == Array(sorted).map { CitySummary($0) })
    #expect(all.where { $0.id < 0 }.values(of: CitySummary.self).isEmpty)
    try realm.write {
      all[5].name = "changed"
      #expect(all.values(of: CitySummary.self) == Array(all).map { CitySummary($0) })
    }
  }

  @Test func keptObjectsRemainWhatTheyAre() throws {
    try fill()
    let kept = sorted.values(of: KeptCity.self)
    #expect(kept.map(\.city.id) == Array(sorted).map(\.id))
  }

  @Test func variablesThatAreNotStoredBelongToOneObject() throws {
    let names = (0..<20).map { "city \($0)" }
    try realm.write { for name in names { realm.create(RememberingCity.self, value: [name]) } }
    let greetings = realm.objects(RememberingCity.self).values(of: Greeting.self)
    #expect(greetings.map(\.text) == names.map { "Welcome to \($0)" })
    #expect(greetings.allSatisfy { $0.visits == 1 })
  }

  @Test func onlyClassesOfPersistedPropertiesShareAnInstance() {
    #expect(ObjectLayout.of(TrackedCity.self).holdsOnlyProperties)
    #expect(ObjectLayout.of(TrackedSeal.self).holdsOnlyProperties)
    #expect(!ObjectLayout.of(RememberingCity.self).holdsOnlyProperties)
  }

  @Test func unmanagedCollectionsHaveValuesToo() {
    let list = List<TrackedCity>()
    list.append(TrackedCity(1, name: "a"))
    list.append(TrackedCity(2, name: "b"))
    #expect(list.values(of: CitySummary.self).map(\.name) == ["a", "b"])
  }

  @Test func anotherThreadReadsValues() async throws {
    try fill()
    let expected = Array(sorted).map { CitySummary($0) }
    #expect(await sorted.valuesInBackground(of: CitySummary.self) == expected)
  }

  @Test func frozenResultsHaveValues() throws {
    try fill()
    #expect(sorted.freeze().values(of: CitySummary.self) == sorted.values(of: CitySummary.self))
  }
}
