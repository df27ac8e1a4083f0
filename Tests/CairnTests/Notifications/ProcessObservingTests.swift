import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// Changes by another process, and a program whose main thread runs `dispatchMain()`.
@Suite(.tags(.threads)) struct ProcessObservingTests {
  @Test func changesOfAnotherProcessAreReported() async throws {
    let store = TemporaryStore()
    let file = store.url
    let onQueue = QueueRealm(Realm.Configuration(fileURL: file))
    let seen = Seen<String>()
    try onQueue { realm in
      try realm.write { realm.add(Otter(value: ["id": 1])) }
      seen.token = realm.objects(Otter.self).observe { seen.values.append($0.text) }
    }
    onQueue.settle()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let realm = try Realm(fileURL: URL(fileURLWithPath: path))
      try realm.write {
        realm.add(Otter(value: ["id": 2]))
        realm.objects(Otter.self).first?.name = "seen"
      }
    }
    try onQueue.wait { seen.values.count >= 2 }
    #expect(seen.values == ["initial 1", "-[] +[1] ~[0]"])
    try onQueue { realm in
      #expect(realm.objects(Otter.self).count == 2)
      seen.token = nil
    }
  }

  @Test func theMainThreadIsNotified() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let configuration = Realm.Configuration(inMemoryIdentifier: "main")
      let seen = Seen<String>()
      DispatchQueue.main.async {
        do {
          let realm = try Realm(configuration: configuration)
          let otters = realm.objects(Otter.self)
          seen.token = otters.observe { change in
            seen.values.append(change.text)
            if seen.values == ["initial 0", "-[] +[0] ~[]"], otters.count == 1 { exit(7) }
            DispatchQueue.global().async {
              guard let realm = try? Realm(configuration: configuration) else { exit(2) }
              try? realm.write { realm.add(Otter(value: ["id": 1])) }
            }
          }
        } catch { exit(3) }
      }
      try await eventually("the observer has ended the process") { false }
    }
  }
}
