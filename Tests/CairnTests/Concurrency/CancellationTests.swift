import Cairn
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// An actor that writes and reports whether a write is waiting.
private actor Waiter {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  func add(_ id: Int) async throws {
    let realm: Realm = realm
    try await realm.asyncWrite { realm.add(Otter(value: ["id": id])) }
  }

  var isWriting: Bool { realm.isPerformingAsynchronousWriteOperations }
  var ids: [Int] { realm.objects(Otter.self).map(\.id).sorted() }

  func refresh() { realm.refresh() }
}

/// Cancelled tasks.
@Suite(.tags(.threads)) struct CancellationTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "cancelled \(ObjectId.generate())")

  /// Runs a closure while another realm is in a write transaction, which then adds otter 100.
  private func whileOthersWrite(_ body: () async throws -> Void) async throws {
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    realm.add(Otter(value: ["id": 100]))
    try await body()
    try realm.commitWrite()
  }

  @Test func aCancelledWaitingWriteLeavesTheQueue() async throws {
    let waiter = try await Waiter(configuration)
    try await whileOthersWrite {
      let task = Task { try await waiter.add(1) }
      try await eventually("the write waits") { await waiter.isWriting }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await waiter.isWriting == false)
    }
    try await waiter.add(2)
    #expect(await waiter.ids == [2, 100])
  }

  @Test func aTaskCancelledBeforeItsWriteWritesNothing() async throws {
    let waiter = try await Waiter(configuration)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await waiter.add(1)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await waiter.add(2)
    #expect(await waiter.ids == [2])
  }

  /// Some waiting writes are cancelled, also the first, and those behind them continue.
  @Test func theWritersBehindACancelledOneContinue() async throws {
    let waiters = [try await Waiter(configuration), try await Waiter(configuration)]
    var tasks: [Task<Void, any Error>] = []
    try await whileOthersWrite {
      for id in 0..<12 { tasks.append(Task { try await waiters[id % 2].add(id) }) }
      for waiter in waiters {
        try await eventually("a write of each actor waits") { await waiter.isWriting }
      }
      for id in 0..<12 where id % 3 == 0 { tasks[id].cancel() }
      for id in 0..<12 where id % 3 == 0 {
        await #expect(throws: CancellationError.self) { try await tasks[id].value }
      }
    }
    for id in 0..<12 where id % 3 != 0 { try await tasks[id].value }
    for waiter in waiters {
      await waiter.refresh()
      #expect(await waiter.ids == (0..<12).filter { $0 % 3 != 0 } + [100])
    }
  }

  /// Writers start and finish while others are cancelled at any moment: exactly the accepted writes
  /// are stored.
  @Test func writesCanBeCancelledAtAnyMoment() async throws {
    let waiters = [try await Waiter(configuration), try await Waiter(configuration)]
    let written = await withTaskGroup(of: Int?.self, returning: [Int].self) { group in
      for id in 0..<200 {
        group.addTask {
          let task = Task { try await waiters[id % 2].add(id) }
          for _ in 0..<id % 7 { await Task.yield() }
          if id % 2 == 0 { task.cancel() }
          do {
            try await task.value
            return id
          } catch {
            return error is CancellationError && id % 2 == 0 ? nil : -1
          }
        }
      }
      return await group.reduce(into: [Int]()) { if let id = $1 { $0.append(id) } }
    }
    try await waiters[0].add(1000)
    #expect(await waiters[0].ids == written.sorted() + [1000])
    #expect(written.filter { $0 % 2 == 1 }.count == 100)
  }

  @Test func aCancelledTaskObservesNothing() async throws {
    let watch = OtterWatch(configuration)
    let configuration = configuration
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      let realm = try await Realm.open(configuration: configuration)
      let otters = realm.objects(Otter.self)
      return await otters.observe(on: watch) { watch, change in watch.note(change.text) }
    }
    task.cancel()
    let token = try await task.value
    // An observer that is added later is called later.
    let realm = try Realm(configuration: configuration)
    let later = await realm.objects(Otter.self).observe(on: watch) { watch, _ in
      watch.note("later")
    }
    try await watch.wait(for: 1)
    #expect(await watch.seen == ["later"])
    withExtendedLifetime((token, later)) {}
  }
}
