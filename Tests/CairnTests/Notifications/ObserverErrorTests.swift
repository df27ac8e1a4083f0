import Cairn
import CairnTestSupport
import Foundation
import Testing

/// Realm's error messages for observers where they are not possible.
@Suite(.tags(.threads)) struct ObserverErrorTests {
  private func expect(_ result: ExitTest.Result?, says sentence: String) {
    let text = result.text
    #expect(text.contains(sentence), "\(text)")
  }

  @Test func inAWriteTransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try QueueRealm().callAsFunction { realm in
        realm.beginWrite()
        _ = realm.objects(Otter.self).observe { _ in }
      }
    }
    expect(result, says: "Cannot register notification blocks from within write transactions.")
  }

  @Test func onAThreadWithoutARunLoop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let thread = Thread {
        let realm = try? Realm(configuration: .init(inMemoryIdentifier: "bare"))
        _ = realm?.objects(Otter.self).observe { _ in }
      }
      thread.start()
      try await eventually("the thread has ended") { thread.isFinished }
    }
    expect(result, says: "Can only observe where changes can be delivered")
  }

  @Test func unmanagedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Otter().observe { _ in }
    }
    expect(result, says: "Only objects which are managed by a Realm support change notifications")
  }

  @Test func frozenObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try QueueRealm().callAsFunction { realm in
        _ = realm.objects(Otter.self).freeze().observe { _ in }
      }
    }
    expect(result, says: "Frozen Realms do not change and do not have change notifications.")
  }

  @Test func invalidKeyPaths() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try QueueRealm().callAsFunction { realm in
        _ = realm.objects(Otter.self).observe(keyPaths: ["fur"]) { _ in }
      }
    }
    expect(result, says: "has no property 'fur'")
  }

  @Test func tokensOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let first = QueueRealm()
      let second = QueueRealm()
      let token = try first.callAsFunction { $0.objects(Otter.self).observe { _ in } }
      try second.callAsFunction { realm in try realm.write(withoutNotifying: [token]) {} }
    }
    expect(
      result,
      says: "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
  }

  @Test func deletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try QueueRealm().callAsFunction { realm in
        let otter = Otter()
        try realm.write { realm.add(otter) }
        try realm.write { realm.delete(otter) }
        _ = otter.name
      }
    }
    expect(result, says: "Object has been deleted or invalidated.")
  }
}
