import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Who watches is told of every commit, whoever made it; nothing here depends on how soon.
@Suite struct CommitWatchTests {
  private static let columns = [ColumnSchema(id: 0, name: "n", type: .int, position: 0)]

  /// The versions that a watch told of, to be waited for.
  private final class Told: @unchecked Sendable {
    // Sendable: the condition guards what changes.
    private let condition = NSCondition()
    private var versions: [UInt64] = []

    func add(_ version: UInt64) {
      condition.withLock {
        versions.append(version)
        condition.broadcast()
      }
    }

    /// Waits until a version was told of; gives all that were.
    func wait(for version: UInt64) -> [UInt64] {
      condition.withLock {
        while versions.last ?? 0 < version { condition.wait() }
        return versions
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

  @Test func commitsOfTheSameProcess() throws {
    let folder = try TemporaryFolder()
    let store = try prepared(folder.store())
    let told = Told()
    let watch = store.watch(told.add)
    for _ in 0..<5 {
      let version = try insert(store)
      let versions = told.wait(for: version)
      #expect(versions == versions.sorted())
      #expect(Set(versions).count == versions.count)
    }
    withExtendedLifetime(watch) {}
  }

  @Test func severalWatchesOfSeveralHandles() throws {
    let folder = try TemporaryFolder()
    let store = try prepared(folder.store())
    let other = try folder.store(.readOnly)
    let told = [Told(), Told(), Told()]
    var watches = [store.watch(told[0].add), other.watch(told[1].add), store.watch(told[2].add)]
    let first = try insert(store)
    for one in told { _ = one.wait(for: first) }
    watches.removeFirst()
    let second = try insert(store)
    for one in told.dropFirst() { _ = one.wait(for: second) }
    watches.removeAll()
    // A watch that begins after all have ended is told too.
    let again = Told()
    let watch = other.watch(again.add)
    _ = again.wait(for: try insert(store))
    withExtendedLifetime(watch) {}
  }

  @Test func commitsInMemory() throws {
    let store = try prepared(Store.openInMemory(identifier: "CommitWatchTests"))
    let told = Told()
    let watch = store.watch(told.add)
    _ = told.wait(for: try insert(store))
    withExtendedLifetime(watch) {}
  }

  /// The watch is the last that holds the store, and ends on the thread that tells it.
  @Test func aWatchThatEndsWhileItIsTold() throws {
    final class Holder: @unchecked Sendable {
      // Sendable: the lock guards what changes.
      let lock = NSLock()
      var watch: CommitWatch?
    }
    let folder = try TemporaryFolder()
    let holder = Holder()
    let told = Told()
    do {
      let store = try prepared(folder.store())
      let watch = store.watch { version in
        holder.lock.withLock { holder.watch = nil }
        told.add(version)
      }
      holder.lock.withLock { holder.watch = watch }
      try store.write { try _ = $0.table("Row")?.insert([.int(1)]) }
    }
    _ = told.wait(for: 1)
    #expect(holder.lock.withLock { holder.watch } == nil)
    #expect(try folder.store().snapshot().table("Row")?.liveCount == 1)
  }

  @Test func commitsOfAnotherProcess() async throws {
    let folder = try TemporaryFolder()
    let store = try prepared(folder.store())
    let told = Told()
    let watch = store.watch(told.add)
    await #expect(processExitsWith: .success) { [path = folder.file() as String] in
      let store = try Store.open(path, .readWrite)
      for number in 0..<20 as Range<Int64> {
        try store.write { try _ = $0.table("Row")?.insert([.int(number)]) }
      }
    }
    let version = try store.snapshot().version
    let versions = told.wait(for: version)
    #expect(versions.last == version)
    #expect(try store.snapshot().table("Row")?.liveCount == 20)
    withExtendedLifetime(watch) {}
  }

  /// Watches begin and end from many threads while another one commits.
  @Test func watchesComeAndGo() throws {
    let folder = try TemporaryFolder()
    let store = try prepared(folder.store())
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<20 {
        if number == 0 {
          _ = try? insert(store)
        } else {
          let told = Told()
          let watch = store.watch(told.add)
          if number == 1, let version = try? insert(store) { _ = told.wait(for: version) }
          withExtendedLifetime(watch) {}
        }
      }
    }
    #expect(try store.snapshot().table("Row")?.liveCount == 40)
  }
}
