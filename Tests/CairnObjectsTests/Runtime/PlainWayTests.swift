import CairnModelTestSupport
import CairnObjects
import CairnSystem
import CairnTestSupport
import Observation
import Testing

@testable import CairnObjects

/// Reading, writing, tracking and isolation with all fallbacks of `docs/toolchain.md`. `.ci/run` runs
/// whole suites that way.
@Suite(.tags(.threads)) struct PlainWayTests {
  @Test func theFallbacksGiveTheSameAnswers() async {
    await #expect(processExitsWith: .success) {
      setenv("CAIRN_PLAIN", "1", 1)
      try #require(!Shortcuts.areAllowed && !Caller.knowsTasks)
      try #require(ThreadFacts.trackingWord == nil && !ThreadFacts.havePointers)
      let rome = TrackedCity(2, name: "Rome")
      rome.mayor = TrackedPerson()
      rome.tags.append("old")
      let file = try TemporaryRealm(TrackedCity(1, name: "Paris"), rome)
      let realm = file.realm
      let paris = try #require(realm.object(ofType: TrackedCity.self, forPrimaryKey: 1))
      try #require(ObjectLayout.of(TrackedCity.self).properties[0].representation == .typed)
      try #require(rome.name == "Rome" && rome.tags.count == 1 && rome.mayor?.cities.count == 1)

      // Only what is read within a tracking is reported.
      _ = paris.area
      let name = Reports.of { paris.name }
      let population = Reports.of { paris.population }
      try realm.write {
        paris.area = 105.4
        try #require(name.count == 0 && population.count == 0)
        paris.population = 2
        try #require(name.count == 0 && population.count == 1)
      }
      writeElsewhere(realm) {
        $0.object(ofType: TrackedCity.self, forPrimaryKey: 1)?.name = "Lutetia"
      }
      try #require(paris.name == "Paris" && name.count == 0)
      realm.refresh()
      try #require(paris.name == "Lutetia" && name.count == 1 && paris.population == 2)
    }
  }

  /// The attribute `@_effects(releasenone)` says so to the optimizer, which then does not retain what
  /// is read.
  @Test func readsReleaseNothing() throws {
    let file = try TemporaryRealm()
    let realm = file.realm
    try realm.write { for number in 0..<20 { realm.add(Mortal(number)) } }
    let objects = Array(realm.objects(Mortal.self))
    func sum() -> Int { objects.reduce(0) { $0 + $1.number + Int($1.half * 2) } }
    let before = Mortal.deathsHere
    #expect(sum() == 380 && sum() == 380)
    let reports = Reports.of(sum)
    writeElsewhere(realm) { other in
      for object in other.objects(Mortal.self) { object.number += 1 }
    }
    #expect(sum() == 380 && reports.count == 0)
    realm.refresh()
    #expect(sum() == 400 && reports.count == 1)
    realm.beginWrite()
    objects[0].number = 11
    #expect(sum() == 410)
    let again = Reports.of(sum)
    realm.cancelWrite()
    #expect(sum() == 400 && again.count == 1)
    #expect(Mortal.deathsHere == before, "see docs/toolchain.md")
    withExtendedLifetime(objects) {}
  }

  @Test(arguments: ["read", "tracked"])
  func wrongThreadsAreRefused(_ access: String) {
    let text = Misuse.trap("plain: \(access) on another thread")
    #expect(text.contains("incorrect thread"))
  }
}

/// A class whose instances report their end.
private final class Mortal: Object {
  @Persisted var number = 0
  @Persisted var half = 0.0

  /// The threads on which instances have ended.
  private static let deaths = Mutex<[UInt]>([])

  /// The number of instances that have ended on the calling thread.
  static var deathsHere: Int { deaths.withLock { $0.filter { $0 == Caller.thread }.count } }

  convenience init(_ number: Int) {
    self.init()
    self.number = number
    half = Double(number) / 2
  }

  deinit { Mortal.deaths.withLock { $0.append(Caller.thread) } }
}
