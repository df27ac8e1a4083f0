import CairnModelTestSupport
import CairnObjects
import CairnSystem
import Observation
import Testing

@testable import CairnObjects

@Suite struct ObservationTests {
  private let file = TemporaryStore()
  private let realm: Realm
  private let paris: TrackedCity
  private let rome: TrackedCity

  init() throws {
    let realm = try file.realm()
    let paris = TrackedCity(1, name: "Paris")
    let rome = TrackedCity(2, name: "Rome")
    let mayor = TrackedPerson()
    paris.mayor = mayor
    paris.seal = TrackedSeal()
    try realm.write { realm.add([paris, rome]) }
    self.realm = realm
    self.paris = paris
    self.rome = rome
  }

  private var cities: Results<TrackedCity> { realm.objects(TrackedCity.self) }

  @Test func onlyTheSamePropertyOfTheSameObjectIsReported() throws {
    let name = Reports.of { paris.name }
    let population = Reports.of { paris.population }
    let area = Reports.of { paris.area }
    try realm.write {
      rome.name = "Roma"
      rome.population = 3
      paris.population = 2
      #expect((name.count, population.count, area.count) == (0, 1, 0))
      paris.area = 105.4
      #expect((name.count, population.count, area.count) == (0, 1, 1))
      paris.name = "Lutetia"
      paris.name = "Paris"
    }
    #expect((name.count, population.count, area.count) == (1, 1, 1))
  }

  @Test func anotherInstanceOfTheRowIsReported() throws {
    let reports = Reports.of { cities.first { $0.id == 1 }?.name }
    try realm.write { paris.name = "Lutetia" }
    #expect(reports.count == 1)
  }

  @Test func reportsComeBeforeTheValueChanges() throws {
    let seen = Mutex<[String]>([])
    let city = UncheckedTransfer(paris)
    withObservationTracking {
      _ = paris.name
    } onChange: {
      seen.withLock { $0.append(city.value.name) }
    }
    try realm.write { paris.name = "Lutetia" }
    #expect(seen.withLock { $0 } == ["Paris"])
  }

  @Test func commitsOfOthersAreReportedWhenTheRealmAdvances() throws {
    let name = Reports.of { paris.name }
    let population = Reports.of { paris.population }
    let count = Reports.of { cities.count }
    writeElsewhere(realm) { other in
      other.object(ofType: TrackedCity.self, forPrimaryKey: 1)?.name = "Lutetia"
      other.object(ofType: TrackedCity.self, forPrimaryKey: 2)?.population = 3
    }
    #expect(name.count == 0)
    realm.refresh()
    #expect((name.count, population.count, count.count) == (1, 0, 0))
    writeElsewhere(realm) { $0.add(TrackedCity(3)) }
    realm.refresh()
    #expect((name.count, population.count, count.count) == (1, 0, 1))
  }

  @Test func aWriteThatFollowsACommitOfOthersReportsIt() throws {
    let name = Reports.of { paris.name }
    let population = Reports.of { rome.population }
    writeElsewhere(realm) {
      $0.object(ofType: TrackedCity.self, forPrimaryKey: 1)?.name = "Lutetia"
    }
    try realm.write {
      #expect(name.count == 1)
      rome.population = 3
    }
    let again = Reports.of { rome.population }
    #expect((name.count, population.count, again.count) == (1, 1, 0))
  }

  @Test func aCommitReportsNothingAgain() throws {
    realm.beginWrite()
    paris.name = "Lutetia"
    let reports = Reports.of { paris.name }
    try realm.commitWrite()
    #expect(reports.count == 0)
    try realm.write { paris.name = "Paris" }
    #expect(reports.count == 1)
  }

  @Test func aCancelledWriteIsReportedOnTheWayBack() throws {
    let before = Reports.of { paris.name }
    realm.beginWrite()
    paris.name = "Lutetia"
    paris.tags.append("old")
    realm.add(TrackedCity(3))
    let within = Reports.of { paris.name }
    let tags = Reports.of { paris.tags.count }
    let count = Reports.of { cities.count }
    let other = Reports.of { paris.population }
    realm.cancelWrite()
    #expect((before.count, within.count, tags.count, count.count) == (1, 1, 1, 1))
    #expect(other.count == 0)
  }

  @Test func deletedObjectsAreReported() throws {
    let name = Reports.of { paris.name }
    let life = Reports.of { paris.isInvalidated }
    let motto = Reports.of { paris.seal?.motto }
    let other = Reports.of { rome.name }
    let mayor = Reports.of { paris.mayor }
    try realm.write { realm.delete(paris) }
    #expect((name.count, life.count, motto.count, mayor.count) == (1, 1, 1, 1))
    #expect(other.count == 0)
  }

  @Test func linksReportTheDeletionOfTheirObject() throws {
    try realm.write { paris.council.append(TrackedPerson()) }
    let link = Reports.of { paris.mayor == nil }
    let list = Reports.of { paris.council.count }
    try realm.write { realm.add(TrackedPerson()) }
    #expect((link.count, list.count) == (0, 0))
    let mayor = try #require(paris.mayor)
    try realm.write { realm.delete(mayor) }
    #expect(link.count == 1)
    try realm.write { realm.delete(paris.council) }
    #expect(list.count == 1)
  }

  @Test func embeddedObjectsAreReported() throws {
    let motto = Reports.of { paris.seal?.motto }
    try realm.write { paris.seal?.motto = "Fluctuat nec mergitur" }
    #expect(motto.count == 1)
    let replaced = Reports.of { paris.seal?.motto }
    try realm.write { paris.seal = TrackedSeal() }
    #expect(replaced.count == 1)
  }

  @Test func collectionsAreReported() throws {
    let tags = Reports.of { Array(paris.tags) }
    let marks = Reports.of { paris.marks.contains(3) }
    let notes = Reports.of { paris.notes["a"] }
    let others = Reports.of { (rome.tags.count, rome.marks.count, rome.notes.count) }
    try realm.write {
      paris.tags.append("capital")
      #expect((tags.count, marks.count, notes.count) == (1, 0, 0))
      paris.marks.insert(3)
      #expect((tags.count, marks.count, notes.count) == (1, 1, 0))
      paris.notes["a"] = 1
    }
    #expect((tags.count, marks.count, notes.count, others.count) == (1, 1, 1, 0))
  }

  @Test func inversePropertiesAreReported() throws {
    let mayor = try #require(paris.mayor)
    let cities = Reports.of { mayor.cities.count }
    try realm.write { rome.population = 4 }
    #expect(cities.count == 0)
    try realm.write { rome.mayor = mayor }
    #expect(cities.count == 1)
  }

  @Test func mixedValuesAreReported() throws {
    let extra = Reports.of { paris.extra }
    try realm.write { paris.extra = .int(3) }
    #expect(extra.count == 1)
  }

  @Test func resultsReportWhatTheirQueryReads() throws {
    let large = cities.where { $0.population > 10 }.sorted(by: \.name)
    let count = Reports.of { large.count }
    let names = Reports.of { Array(large.map(\.id)) }
    let sum: Reports = .of { cities.sum(of: \.population) as Int }
    let first = Reports.of { cities.first }
    let led = Reports.of { cities.where { $0.mayor.age > 50 }.count }
    func all() -> [Int] { [count, names, sum, first, led].map(\.count) }
    try realm.write { rome.area = 5 }
    #expect(all() == [0, 0, 0, 0, 0])
    try realm.write { rome.population = 50 }
    #expect(all() == [1, 1, 1, 0, 0])
    try realm.write { paris.mayor?.age = 60 }
    #expect(all() == [1, 1, 1, 0, 1])
    try realm.write { realm.add(TrackedCity(3)) }
    #expect(all() == [1, 1, 1, 1, 1])
  }

  @Test func sectionsAreReported() throws {
    let sections = cities.sectioned(by: \.population)
    _ = sections.allKeys
    let keys = Reports.of { sections.allKeys }
    try realm.write { rome.area = 5 }
    #expect(keys.count == 0)
    try realm.write { rome.population = 5 }
    #expect(keys.count == 1)
  }

  @Test func laterTrackingsOfTheSameSectionsAreReported() throws {
    let sections = cities.sectioned(by: \.population)
    _ = sections.allKeys
    let counts = Reports.of { sections.map(\.count) }
    let again = Reports.of { sections.map(\.count) }
    let other = Reports.of { paris.area }
    try realm.write { rome.population = 5 }
    #expect((counts.count, again.count, other.count) == (1, 1, 0))
    let deleted = Reports.of { sections.count }
    try realm.write { realm.delete(rome) }
    #expect((deleted.count, other.count) == (1, 0))
  }

  @Test func bulkWritesAreReported() throws {
    let name = Reports.of { paris.name }
    let other = Reports.of { rome.area }
    try realm.write { cities.setValue("X", forKey: "name") }
    #expect((name.count, other.count) == (1, 0))
    try realm.write { realm.deleteAll() }
    #expect(other.count == 1)
  }

  @Test func updatesAreReported() throws {
    let name = Reports.of { paris.name }
    let population = Reports.of { paris.population }
    try realm.write {
      _ = realm.create(TrackedCity.self, value: ["id": 1, "name": "P"], update: .modified)
    }
    #expect((name.count, population.count) == (1, 0))
  }

  @Test func invalidationIsReported() throws {
    let name = Reports.of { paris.name }
    let count = Reports.of { cities.count }
    realm.invalidate()
    #expect((name.count, count.count) == (1, 1))
  }
}
