import CairnModelTestSupport
import CairnSystem
import Observation
import Testing

@testable import CairnObjects

@Suite struct UnmanagedObservationTests {
  @Test func unmanagedObjectsAreReported() {
    let city = TrackedCity(1, name: "Paris")
    let other = TrackedCity(2)
    let name = Reports.of { (city.name, city.area) }
    let population = Reports.of { city.population }
    other.name = "Rome"
    other.population = 3
    #expect((name.count, population.count) == (0, 0))
    city.population = 2
    city.area = 4
    city.name = "Lutetia"
    #expect((name.count, population.count) == (1, 1))
    let mayor = Reports.of { city.mayor }
    city.mayor = TrackedPerson()
    #expect(mayor.count == 1)
  }

  @Test func anAddedObjectIsReportedAndThenItsRow() throws {
    let city = TrackedCity(1, name: "Paris")
    let before = Reports.of { city.name }
    let file = try TemporaryRealm(city)
    #expect(before.count == 1)
    #expect(city.unmanagedSites == nil)
    let after = Reports.of { city.name }
    try file.realm.write { city.name = "Lutetia" }
    #expect(after.count == 1)
  }

  @Test func frozenObjectsAreNotTracked() throws {
    let city = TrackedCity(1, name: "Paris")
    let file = try TemporaryRealm(city)
    let frozen = city.freeze()
    let reports = Reports.of { frozen.name }
    #expect(frozen.realm?.session.trackedSites == nil)
    try file.realm.write { city.name = "Lutetia" }
    #expect(reports.count == 0)
  }

  @Test func whatIsReportedLeavesNothingBehind() throws {
    let city = TrackedCity(1)
    let file = try TemporaryRealm(city)
    let loose = TrackedCity(2)
    let cities = file.realm.objects(TrackedCity.self)
    file.realm.beginWrite()
    for number in 1...10_000 {
      let reports = Reports.of { (city.population, city.tags.count, cities.sum(of: \.population)) }
      let unmanaged = Reports.of { loose.population }
      city.population = number
      loose.population = number
      #expect((reports.count, unmanaged.count) == (1, 1))
    }
    city.tags.append("a")
    file.realm.delete(city)
    file.realm.add(TrackedCity(3))
    try file.realm.commitWrite()
    #expect(file.realm.session.trackedSites?.count == 0)
    #expect(loose.unmanagedSites == nil)
  }

  @Test func aWriteWithinATrackingKeepsItAlive() throws {
    let city = TrackedCity(1)
    let file = try TemporaryRealm(city)
    let reports = Reports.of {
      _ = city.population
      file.realm.beginWrite()
      city.population += 1
    }
    city.population += 1
    file.realm.cancelWrite()
    #expect(reports.count == 1)
  }

  @Test func aWriteFromAReportIsAProgrammingError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let city = TrackedCity(1)
      let file = try TemporaryRealm(city)
      let realm = UncheckedTransfer(file.realm)
      withObservationTracking {
        _ = city.population
      } onChange: {
        realm.value.beginWrite()
      }
      writeElsewhere(file.realm) {
        $0.object(ofType: TrackedCity.self, forPrimaryKey: 1)?.population = 7
      }
      file.realm.refresh()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("Do that in a task."))
  }

  @Test(arguments: ["set", "commit", "cancel", "invalidate"])
  func aReportWithinAWriteCannotChangeTheRealm(_ change: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [change] in
      let file = try TemporaryRealm(TrackedCity(1))
      let realm = UncheckedTransfer(file.realm)
      let city = UncheckedTransfer(file.realm.objects(TrackedCity.self)[0])
      file.realm.beginWrite()
      withObservationTracking {
        _ = city.value.population
      } onChange: {
        switch change {
        case "set": city.value.name = "x"
        case "commit": try? realm.value.commitWrite()
        case "cancel": realm.value.cancelWrite()
        default: realm.value.invalidate()
        }
      }
      city.value.population = 7
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("Do that in a task."))
  }

  @Test func anotherThreadIsAProgrammingError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try TemporaryRealm(TrackedCity(1))
      let city = UncheckedTransfer(file.realm.objects(TrackedCity.self)[0])
      _ = city.value.population
      Threads.startJoinable { Reports.of { city.value.population } }.join()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("incorrect thread"))
  }
}
