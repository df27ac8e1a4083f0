import CairnTestSupport
import Foundation
import Testing

/// A disk that fails at any write, or is full: the command exits with 74, and the store is
/// unchanged.
@Suite struct FaultTests {
  private static let faults = [
    Faults.Fault(code: EIO, isLasting: false), Faults.Fault(code: ENOSPC, isLasting: true),
    Faults.Fault(code: 0, isLasting: false),
  ]

  @Test(
    .enabled(if: Faults.library != nil, "\(Faults.reason)"),
    arguments: RobustStore.Change.allCases)
  func everyWriteMayFail(change: RobustStore.Change) throws {
    let store = try RobustStore()
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let before = try store.content()
    let count = store.scratch["count"]
    let good = try change.run(
      store, environment: Faults.environment(on: store.scratch.url.lastPathComponent, count: count))
    #expect(good.code == 0, "\(good.errors)")
    let after = try store.content()
    let calls = try #require(Int(try store.scratch.text("count")))
    #expect(calls >= 4)
    let step = Soak.isOn ? 1 : max(1, calls / 4)
    for (index, fault) in Self.faults.enumerated() {
      for call in stride(from: 1 + (Soak.isOn ? 0 : index), through: calls, by: step) {
        try store.restore(whole)
        let outcome = try change.run(
          store,
          environment: Faults.environment(on: store.scratch.url.lastPathComponent, at: call, fault))
        let comment =
          "\(change), call \(call) of \(calls), \(fault.description): \(outcome.errors)"
        #expect(outcome.code == 74 || outcome.code == 0, "\(comment)")
        if fault.code == ENOSPC { #expect(outcome.code == 74, "\(comment)") }
        if outcome.code == 74, fault.code == ENOSPC {
          Self.expectDiskFull(outcome, store.path, "\(comment)")
        }
        #expect(try store.content() == (outcome.code == 0 ? after : before), "\(comment)")
        #expect(try Command.run("verify", store.path).code == 0, "\(comment)")
        #expect(try store.strayFiles() == [], "\(comment)")
        // The next command succeeds in spite of the remains of the failed one.
        guard outcome.code != 0, Soak.isOn || call % 3 == 0 else { continue }
        #expect(try change.run(store).code == 0, "\(comment)")
        #expect(try store.content() == after, "\(comment)")
      }
    }
  }

  /// A small file system in memory; needs the right to mount.
  @Test(
    .enabled(if: Machine.canMount, "mount is not permitted"),
    arguments: [.load, .replace, .compact, .update] as [RobustStore.Change])
  func aFullDisk(change: RobustStore.Change) throws {
    let store = try RobustStore()
    let disk = store.scratch["disk"]
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int)
    let mount = try Command.shell("mount -t tmpfs -o size=\(size + 200_000) tmpfs \(disk)")
    try #require(mount.code == 0, "\(mount.errors)")
    defer { _ = try? Command.shell("umount \(disk)") }
    try FileManager.default.copyItem(atPath: store.path, toPath: disk + "/store.cairn")
    let small = disk + "/store.cairn"
    let before = try Command.run("query", small, "rows", "--sort", "id", "--format", "csv").output
    if change == .update { try Self.fill(disk) }
    let outcome = try change.run(
      store, at: small, environment: ["TMPDIR": store.scratch.url.path])
    #expect(outcome.code == 74, "\(outcome.errors)")
    Self.expectDiskFull(outcome, small, "\(change)")
    #expect(
      try Command.run("query", small, "rows", "--sort", "id", "--format", "csv").output == before)
    #expect(try Command.run("verify", small).code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: disk)
    #expect(Set(names).isSubset(of: ["store.cairn", "store.cairn-lock", "rest"]), "\(names)")
    // With enough space, the command succeeds.
    _ = try Command.shell("rm -f \(disk)/rest; mount -o remount,size=100m \(disk)")
    #expect(try change.run(store, at: small).code == 0)
    #expect(try Command.run("verify", small).code == 0)
  }

  /// Fills the file system up to a few pages.
  private static func fill(_ disk: String) throws {
    _ = try Command.shell(
      "dd if=/dev/zero of=\(disk)/rest bs=4096; truncate -s -12288 \(disk)/rest")
  }

  /// The message names the store, and none of the files that Cairn creates next to it.
  private static func expectDiskFull(
    _ outcome: Command.Outcome, _ store: String, _ comment: String
  ) {
    let words = outcome.errors
    #expect(words.contains("disk full"), "\(comment): \(words)")
    #expect(words.contains(store) && words.contains("nothing was changed"), "\(words)")
    #expect(
      !words.contains(".temporary-") && !words.contains(".compacting"), "\(comment): \(words)")
  }
}
