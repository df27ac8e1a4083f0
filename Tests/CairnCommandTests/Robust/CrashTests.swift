import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// Power failures at every write and sync of a command.
@Suite struct CrashTests {
  @Test(.enabled(if: Faults.library != nil), arguments: [RobustStore.Change.load, .replace])
  func everyImageIsBeforeOrAfter(change: RobustStore.Change) throws {
    let store = try RobustStore(rows: 400)
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let before = try Self.rows(store.path)
    let record = store.scratch["record"]
    let outcome = try Command.run(
      change.arguments(store),
      environment: Faults.environment(on: store.path, record: record))
    #expect(outcome.code == 0, "\(outcome.errors)")
    let after = try Self.rows(store.path)
    #expect(before != after)
    let images = try CrashImages(
      base: whole, record: Data(contentsOf: URL(fileURLWithPath: record)))
    #expect(images.count > 10)
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
        let rows = try Self.rows(path)
        #expect(rows == before || rows == after, "\(comment): \(rows)")
        found.insert(rows)
        try FileManager.default.removeItem(atPath: path)
      }
    }
    #expect(found.contains(before))
    let last = images.image(before: images.count - 1, &random)
    try last.write(to: URL(fileURLWithPath: store.scratch["last.cairn"]))
    #expect(try Self.rows(store.scratch["last.cairn"]) == after)
  }

  /// How many rows each class has, and how many keys were given.
  private static func rows(_ path: String) throws -> String {
    let snapshot = try Store.open(path, .readOnly).snapshot()
    return snapshot.schema.tables.map { schema in
      let table = snapshot.table(schema)
      return "\(schema.name) \(table.liveCount) of \(table.endKey)"
    }.joined(separator: ", ")
  }
}
