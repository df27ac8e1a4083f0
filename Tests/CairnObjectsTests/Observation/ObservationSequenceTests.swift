import CairnModelTestSupport
import CairnObjects
import Observation
import Testing

#if compiler(>=6.2)
/// `Observations` of the standard library follows objects without tokens.
@Suite struct ObservationSequenceTests {
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, *)
  @Test @MainActor func sequencesFollowWritesHereAndElsewhere() async throws {
    let file = try TemporaryRealm(TrackedCity(1, name: "a"))
    let realm = file.realm
    let city = try #require(realm.object(ofType: TrackedCity.self, forPrimaryKey: 1))
    let names = Observations { city.name }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "a")
    try realm.write { city.name = "b" }
    #expect(await iterator.next() == "b")
    // Nothing refreshes the realm: it advances on its own.
    await writeInTask(realm.configuration, name: "c")
    #expect(await iterator.next() == "c")
  }

  private nonisolated func writeInTask(_ configuration: Realm.Configuration, name: String) async {
    do { try await Writer().set(name, in: configuration) } catch { Issue.record(error) }
  }

  private actor Writer {
    func set(_ name: String, in configuration: Realm.Configuration) throws {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(TrackedCity.self).first?.name = name }
    }
  }
}
#endif
