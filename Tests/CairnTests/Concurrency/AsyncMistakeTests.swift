import Cairn
import Foundation
import Testing

/// What writes without waiting answer where they cannot be.
@Suite struct AsyncMistakeTests {
  @Test func aBareThreadHasNoQueue() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let thread = Thread {
          _ = try? Realm(configuration: .init(inMemoryIdentifier: "bare")).writeAsync {}
        }
        thread.start()
        try await Task.sleep(for: .seconds(60))
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Cannot schedule async transaction: "))
  }

  @Test func aStoreForReadingOnly() async throws {
    let temporary = try TemporaryRealm()
    var configuration = temporary.realm.configuration
    configuration.readOnly = true
    let actor = try await ErrandActor(configuration)
    await #expect(throws: Realm.Error.self) { try await actor.add("never") }
    _ = temporary
  }
}
