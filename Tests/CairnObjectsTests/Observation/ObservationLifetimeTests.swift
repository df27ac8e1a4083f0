import CairnModelTestSupport
import CairnSystem
import CairnTestSupport
import Observation
import Testing

@testable import CairnObjects

/// The lifetime of trackings, and the calls that they may not make.
@Suite struct ObservationLifetimeTests {
  @Test func onlyObjectsInARealmAreTracked() throws {
    let city = TrackedCity(1, name: "Paris")
    let before = Reports.of { city.name }
    city.name = "Lutetia"
    let file = try TemporaryRealm(city)
    #expect(before.count == 0)
    let after = Reports.of { city.name }
    try file.realm.write { city.name = "Paris" }
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
    let cities = file.realm.objects(TrackedCity.self)
    file.realm.beginWrite()
    for number in 1...Soak.count(2500, long: 10_000) {
      let reports = Reports.of { (city.population, city.tags.count, cities.sum(of: \.population)) }
      city.population = number
      #expect(reports.count == 1)
    }
    city.tags.append("a")
    file.realm.delete(city)
    file.realm.add(TrackedCity(3))
    try file.realm.commitWrite()
    #expect(file.realm.session.trackedSites?.count == 0)
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

  @Test func aWriteFromAReportIsAProgrammingError() {
    let text = Misuse.trap("tracking: a write from a report")
    #expect(text.contains("Do that in a task."))
  }

  @Test(arguments: ["set", "commit", "cancel", "invalidate"])
  func aReportWithinAWriteCannotChangeTheRealm(_ change: String) {
    let text = Misuse.trap("tracking: \(change) from a report within a write")
    #expect(text.contains("Do that in a task."))
  }

  @Test func anotherThreadIsAProgrammingError() {
    let text = Misuse.trap("tracking: on another thread")
    #expect(text.contains("incorrect thread"))
  }
}
