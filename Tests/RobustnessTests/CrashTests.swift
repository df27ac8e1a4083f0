import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// Power failures at every write and sync of a command.
@Suite struct CrashTests {
  @Test(
    .enabled(if: Faults.library != nil, "\(Faults.reason)"),
    arguments: [.load, .replace, .widen, .update, .delete] as [RobustStore.Change])
  func everyImageIsBeforeOrAfter(change: RobustStore.Change) throws {
    let store = try RobustStore(rows: 400)
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let before = try Self.digest(store.path)
    let record = store.scratch["record"]
    let outcome = try change.run(
      store, environment: Faults.environment(on: store.path, record: record))
    #expect(outcome.code == 0, "\(outcome.errors)")
    let after = try Self.digest(store.path)
    #expect(before != after)
    let images = try CrashImages(
      base: whole, record: Data(contentsOf: URL(fileURLWithPath: record)))
    #expect(images.count > 4)
    var random = SplitMix64(seed: 4)
    var found: Set<String> = []
    let step = Soak.isOn ? 1 : max(1, images.count / 20)
    for call in stride(from: 0, to: images.count, by: step) {
      for turn in 0..<Soak.count(3, long: 40) {
        let image = images.image(before: call, &random)
        let path = store.scratch["image-\(call)-\(turn).cairn"]
        try image.write(to: URL(fileURLWithPath: path))
        let comment = "\(change), image \(turn) before call \(call) of \(images.count)"
        let report = try Store.verify(path)
        #expect(report.isSound, "\(comment): \(report.findings)")
        let rows = try Self.digest(path)
        #expect(rows == before || rows == after, "\(comment): \(rows)")
        found.insert(rows)
        try FileManager.default.removeItem(atPath: path)
      }
    }
    #expect(found.contains(before))
    let last = images.image(before: images.count - 1, &random)
    try last.write(to: URL(fileURLWithPath: store.scratch["last.cairn"]))
    #expect(try Self.digest(store.scratch["last.cairn"]) == after)
  }

  /// Before the rename, the store is the old one. After it, the store is the new one and complete,
  /// whatever unsynced data the disk has lost.
  @Test(.enabled(if: Faults.library != nil, "\(Faults.reason)"))
  func everyImageOfACompactionIsWhole() throws {
    let store = try RobustStore(rows: 400)
    #expect(try RobustStore.Change.delete.run(store).code == 0)
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let content = try store.content()
    let record = store.scratch["record"]
    let temporary = store.path + ".compacting"
    let outcome = try RobustStore.Change.compact.run(
      store, environment: Faults.environment(on: temporary, record: record))
    #expect(outcome.code == 0, "\(outcome.errors)")
    let after = try Data(contentsOf: URL(fileURLWithPath: store.path))
    #expect(after != whole && after.count < whole.count)
    let images = try CrashImages(
      base: Data(), record: Data(contentsOf: URL(fileURLWithPath: record)))
    let renaming = try #require(images.renaming)
    #expect(renaming > 3)
    var random = SplitMix64(seed: 6)
    for call in 0..<images.count {
      for turn in 0..<Soak.count(call > renaming ? 3 : 1, long: 40) {
        let image = images.image(before: call, &random)
        let comment = "image \(turn) before call \(call) of \(images.count)"
        if call > renaming {
          #expect(image == after, "\(comment)")
          try store.restore(image)
        } else {
          try store.restore(whole)
          try image.write(to: URL(fileURLWithPath: temporary))
        }
        #expect(try Store.verify(store.path).isSound, "\(comment)")
        #expect(try store.content() == content, "\(comment)")
        // The remains of the crash do not block the next command.
        guard turn == 0 else { continue }
        #expect(try RobustStore.Change.compact.run(store).code == 0, "\(comment)")
        #expect(try store.content() == content, "\(comment)")
        #expect(try store.strayFiles() == [], "\(comment)")
      }
    }
  }

  /// The number of rows of each class, the number of assigned keys, and the rows themselves.
  private static func digest(_ path: String) throws -> String {
    let snapshot = try Store.open(path, mode: .readOnly).snapshot()
    return snapshot.schema.tables.map { schema in
      let table = snapshot.table(schema)
      var hash = Hasher()
      for key in 0..<table.endKey where table.isLive(key) {
        for column in schema.columns {
          hash.combine("\(table.value(column.position, at: key))")
        }
      }
      return "\(schema.name) \(table.liveCount) of \(table.endKey): \(hash.finalize())"
    }.joined(separator: ", ")
  }
}
