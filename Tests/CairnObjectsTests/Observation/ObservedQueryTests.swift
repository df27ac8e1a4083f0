import CairnModelTestSupport
import CairnSystem
import Observation
import Testing

@testable import CairnObjects

/// Trackings of queries and their caches, and reads within `onChange`.
@Suite struct ObservedQueryTests {
  private let file = TemporaryStore()
  private let realm: Realm
  private let paris: TrackedCity
  private let mayor: TrackedPerson

  init() throws {
    let realm = try file.realm()
    let paris = TrackedCity(1, name: "Paris")
    let mayor = TrackedPerson(value: ["age": 40])
    paris.mayor = mayor
    try realm.write { realm.add([paris, TrackedCity(2, name: "Rome")]) }
    self.realm = realm
    self.paris = paris
    self.mayor = mayor
  }

  private var cities: Results<TrackedCity> { realm.objects(TrackedCity.self) }

  @Test func aQueryWithinAReportKeepsTheEditOfACollection() throws {
    let transferred = UncheckedTransfer(realm)
    let seen = Mutex<[Int]>([])
    try realm.write {
      paris.tags.append("a")
      withObservationTracking {
        _ = paris.tags.count
      } onChange: {
        let tagged = transferred.value.objects(TrackedCity.self).where { $0.tags.contains("a") }
        seen.withLock { $0.append(tagged.count) }
      }
      paris.tags.append("b")
    }
    #expect(seen.withLock { $0 } == [1])
    #expect(Array(paris.tags) == ["a", "b"])
  }

  @Test func aReportOfAFailedCommitReadsTheOldValues() throws {
    let other = TemporaryStore()
    var configuration = Realm.Configuration(fileURL: other.url)
    configuration.maximumNumberOfActiveVersions = 1
    let limited = try Realm(configuration: configuration)
    let city = TrackedCity(1, name: "Paris")
    try limited.write { limited.add(city) }
    let frozen = limited.freeze()
    let seen = Mutex<[String]>([])
    let transferred = UncheckedTransfer(city)
    #expect(throws: Realm.Error.self) {
      try limited.write {
        city.name = "Lutetia"
        withObservationTracking {
          _ = city.name
        } onChange: {
          seen.withLock { $0.append(transferred.value.name) }
        }
      }
    }
    #expect(seen.withLock { $0 } == ["Paris"])
    #expect(frozen.objects(TrackedCity.self).count == 1)
  }

  @Test func cachedResultsOfCollectionsAreReported() throws {
    let adults = paris.council.where { $0.age >= 18 }
    let tags = paris.tags.sorted()
    let led = mayor.cities.where { $0.population >= 0 }
    _ = (adults.count, tags.count, led.count)
    let council = Reports.of { adults.count }
    let sorted = Reports.of { tags.count }
    let inverse = Reports.of { led.count }
    try realm.write { paris.area = 3 }
    #expect((council.count, sorted.count, inverse.count) == (0, 0, 0))
    try realm.write {
      paris.council.append(mayor)
      paris.tags.append("a")
      paris.mayor = nil
    }
    #expect((council.count, sorted.count, inverse.count) == (1, 1, 1))
  }

  @Test func aggregatesReportWhatTheyRead() throws {
    let total = Reports.of { cities.aggregate(of: "population").count }
    let checked = Reports.of { try? cities.aggregate(validating: "population").count }
    let groups = Reports.of { cities.aggregate(by: \.population).count }
    let behind = Reports.of { cities.aggregate(of: "mayor.age").count }
    let index = Reports.of { cities.index(matching: "population > 5") }
    func all() -> [Int] { [total, checked, groups, behind, index].map(\.count) }
    try realm.write { paris.area = 3 }
    #expect(all() == [0, 0, 0, 0, 0])
    try realm.write { paris.population = 10 }
    #expect(all() == [1, 1, 1, 0, 1])
    try realm.write { mayor.age = 41 }
    #expect(all() == [1, 1, 1, 1, 1])
  }

  @Test func aLoopOverManyObjectsHasAFewSites() throws {
    try realm.write { for id in 10..<1600 { realm.add(TrackedCity(id)) } }
    let names = Reports.of { for city in cities { _ = city.name } }
    let again = Reports.of { for city in cities { _ = city.name } }
    #expect((realm.session.trackedSites?.count ?? 0) < 1100)
    let areas = Reports.of { cities.last?.area }
    let last = try #require(cities.last)
    try realm.write { last.name = "x" }
    #expect((names.count, again.count, areas.count) == (1, 1, 0))
    let deletion = Reports.of { for city in cities { _ = city.name } }
    try realm.write { realm.delete(last) }
    #expect((deletion.count, areas.count) == (1, 1))
  }

  @Test func objectsByPrimaryKeyAreReported() throws {
    let missing = Reports.of { realm.object(ofType: TrackedCity.self, forPrimaryKey: 3) == nil }
    let found = Reports.of { realm.object(ofType: TrackedCity.self, forPrimaryKey: 2) == nil }
    try realm.write { realm.add(TrackedCity(3)) }
    #expect((missing.count, found.count) == (1, 0))
    try realm.write { realm.delete(cities.where { $0.id == 2 }) }
    #expect(found.count == 1)
  }

  @Test func theObjectOfAMixedValueIsReported() throws {
    try realm.write { paris.extra = .object(mayor) }
    let extra = Reports.of { paris.extra }
    try realm.write { realm.delete(mayor) }
    #expect(extra.count == 1)
  }
}
