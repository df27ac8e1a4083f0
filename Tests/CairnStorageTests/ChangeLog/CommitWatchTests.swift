import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Observers are notified of every commit, whoever made it. No test depends on how soon.
@Suite(.tags(.threads)) struct CommitWatchTests {
  private static let columns = [ColumnSchema(id: 0, name: "n", type: .int, position: 0)]

  /// The versions that a watch reported, with a way to wait for one.
  private final class ReportedVersions: Sendable {
    private let versions = Locked<[UInt64]>([])

    func add(_ version: UInt64) { versions.withLock { $0.append(version) } }

    /// Waits until a version was reported, and returns all that were.
    @discardableResult
    func wait(for version: UInt64) throws -> [UInt64] {
      try eventually("version \(version) is reported") {
        versions.value
      } until: {
        $0.last ?? 0 >= version
      }
    }
  }

  @discardableResult
  private func insert(_ store: Store) throws -> UInt64 {
    try store.write { try _ = $0.table("Row")?.insert([.int(1)]) }
    return try store.snapshot().version
  }

  private func prepared(_ store: Store) throws -> Store {
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    return store
  }

  @Test func commitsOfTheSameProcessAreReported() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try prepared(folder.store())
    let reported = ReportedVersions()
    let watch = store.watch(reported.add)
    for _ in 0..<5 {
      let version = try insert(store)
      let versions = try reported.wait(for: version)
      #expect(versions == versions.sorted())
      #expect(Set(versions).count == versions.count)
    }
    withExtendedLifetime(watch) {}
  }

  /// The thread of a watch may begin or look while the watch ends.
  @Test func watchesEndAtOnce() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try prepared(folder.store())
    let reported = ReportedVersions()
    for _ in 0..<20 { withExtendedLifetime(store.watch(reported.add)) {} }
    let watch = store.watch(reported.add)
    try reported.wait(for: insert(store))
    withExtendedLifetime(watch) {}
  }

  @Test func severalWatchesOfSeveralHandlesAreNotified() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try prepared(folder.store())
    let other = try folder.store(.readOnly)
    let reported = [ReportedVersions(), ReportedVersions(), ReportedVersions()]
    var watches = [
      store.watch(reported[0].add), other.watch(reported[1].add), store.watch(reported[2].add),
    ]
    let first = try insert(store)
    for one in reported { try one.wait(for: first) }
    watches.removeFirst()
    let second = try insert(store)
    for one in reported.dropFirst() { try one.wait(for: second) }
    watches.removeAll()
    // A watch that begins after all others have ended is notified too.
    let again = ReportedVersions()
    let watch = other.watch(again.add)
    try again.wait(for: insert(store))
    withExtendedLifetime(watch) {}
  }

  @Test func commitsInMemoryAreReported() throws {
    let store = try prepared(Store.openInMemory(identifier: "CommitWatchTests"))
    let reported = ReportedVersions()
    let watch = store.watch(reported.add)
    try reported.wait(for: insert(store))
    withExtendedLifetime(watch) {}
  }

  /// The watch holds the last reference to the store, and ends on the thread that notifies it.
  @Test func aWatchMayEndWhileItIsNotified() throws {
    final class Holder: @unchecked Sendable {
      // Sendable: the lock guards the mutable state.
      let lock = NSLock()
      var watch: CommitWatch?
    }
    let folder = try TemporaryFolder(inMemory: true)
    let holder = Holder()
    let reported = ReportedVersions()
    do {
      let store = try prepared(folder.store())
      let watch = store.watch { version in
        holder.lock.withLock { holder.watch = nil }
        reported.add(version)
      }
      holder.lock.withLock { holder.watch = watch }
      try store.write { try _ = $0.table("Row")?.insert([.int(1)]) }
    }
    try reported.wait(for: 1)
    #expect(holder.lock.withLock { holder.watch } == nil)
    #expect(try folder.store().snapshot().table("Row")?.liveCount == 1)
  }

  @Test func commitsOfAnotherProcessAreReported() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try prepared(folder.store())
    let reported = ReportedVersions()
    let watch = store.watch(reported.add)
    let outcome = try await Command.work("insert", folder.file(), "Row", "20")
    #expect(outcome.lines == ["0", "20"], "\(outcome.errors)")
    let version = try store.snapshot().version
    let versions = try reported.wait(for: version)
    #expect(versions.last == version)
    #expect(try store.snapshot().table("Row")?.liveCount == 20)
    withExtendedLifetime(watch) {}
  }

  /// Watches begin and end on many threads while another thread commits.
  @Test func watchesComeAndGo() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try prepared(folder.store())
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<20 {
        if number == 0 {
          _ = try? insert(store)
        } else {
          let reported = ReportedVersions()
          let watch = store.watch(reported.add)
          if number == 1 {
            do { try reported.wait(for: insert(store)) } catch { Issue.record(error) }
          }
          withExtendedLifetime(watch) {}
        }
      }
    }
    #expect(try store.snapshot().table("Row")?.liveCount == 40)
  }
}
