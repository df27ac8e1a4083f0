import Cairn
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// Code in one isolation gets the same realm, however it opens it.
@Suite(.tags(.threads)) struct RealmIdentityTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "one realm \(ObjectId.generate())")

  /// Runs a closure on the main queue, outside of any task.
  private func onMainQueue<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { done in
      DispatchQueue.main.async { done.resume(with: Result { try body() }) }
    }
  }

  @Test @MainActor func theMainThreadHasOneRealm() async throws {
    let configuration = configuration
    let realm = try Realm(configuration: configuration)
    let otter = Otter(value: ["id": 1])
    try realm.write { realm.add(otter) }
    #expect(try openInAHelper(configuration) == realm)
    #expect(try await Realm.open(configuration: configuration) == realm)
    #expect(try await Realm(configuration: configuration, actor: MainActor.shared) == realm)
    #expect(try Realm(configuration: configuration, queue: .main) == realm)
    #expect(try Realm(configuration: configuration, queue: nil) == realm)
    let held = UncheckedTransfer((realm, otter))
    let inATask = Task { @MainActor in try Realm(configuration: configuration) == held.value.0 }
    #expect(try await inATask.value)
    let onTheQueue = try await onMainQueue {
      let (realm, otter) = held.value
      let named = try Realm(configuration: configuration, queue: .main)
      let here = try Realm(configuration: configuration)
      // An object of one realm is an object of the other.
      try here.write { here.delete(otter) }
      return named == realm && here == realm && realm.objects(Otter.self).isEmpty
    }
    #expect(onTheQueue)
  }

  @Test(.currentExecutor) @MainActor func theMainThreadInASynchronousQueueCall() throws {
    let realm = try Realm(configuration: configuration)
    let other = try DispatchQueue(label: "other").sync { try openInAHelper(configuration) }
    #expect(other == realm)
  }

  @Test @MainActor func observersOnTheMainQueueReceiveTheSameRealm() async throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Otter(value: ["id": 1])) }
    let held = UncheckedTransfer(realm)
    var tokens: [NotificationToken] = []
    let isOne = await withCheckedContinuation { done in
      tokens.append(
        realm.objects(Otter.self).observe(on: .main) { change in
          if case .initial(let otters) = change {
            done.resume(returning: otters.realm == held.value)
          }
        })
    }
    #expect(isOne)
    let stream = AsyncStream<Bool>.makeStream()
    tokens.append(
      await realm.objects(Otter.self).observe(on: MainActor.shared) { _, change in
        if case .initial(let otters) = change {
          stream.continuation.yield(otters.realm == held.value)
        }
      })
    var answers = stream.stream.makeAsyncIterator()
    #expect(await answers.next() == true)
  }

  @Test func aQueueHasOneRealm() throws {
    let onQueue = QueueRealm()
    let configuration = onQueue.configuration
    try onQueue { realm in
      let otter = Otter(value: ["id": 1])
      try realm.write { realm.add(otter) }
      let here = try openInAHelper(configuration)
      #expect(here == realm)
      #expect(try Realm(configuration: configuration, queue: onQueue.queue) == realm)
      try here.write { here.delete(otter) }
      #expect(otter.isInvalidated)
    }
    // A queue without a realm of this store.
    try DispatchQueue(label: "other").sync {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Otter.self).isEmpty)
    }
  }

  @Test(.currentExecutor) func anActorHasOneRealm() async throws {
    let keeper = try await Ranger(configuration)
    #expect(try await keeper.agreesWithAHelper())
    let other = try await Ranger(configuration)
    #expect(await keeper.smuggledRealm.value != other.smuggledRealm.value)
  }

  @Test(.currentExecutor) func anActorWithACustomExecutorHasOneRealm() async throws {
    let keeper = QueueKeeper()
    try await keeper.open(configuration)
    #expect(try await keeper.add(1) == 1)
    #expect(try await keeper.agreesWithAHelper())
    #expect(try await keeper.add(2) == 2)
  }

  /// An actor has no isolation, and `#isolation` is nil, before all of its properties have values.
  @Test(.currentExecutor) func anActorThatOpensInItsInitializerHasOneRealm() async throws {
    for number in 0..<2 {
      // A store of its own: a task group may keep an actor, and so its store, for a moment.
      let configuration = Realm.Configuration(inMemoryIdentifier: "early \(ObjectId.generate())")
      let keeper =
        number == 0
        ? try await EarlyKeeper(configuration) : try EarlyKeeper(atOnce: configuration)
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for id in 0..<4 { group.addTask { try await keeper.add(id) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts.max() == 4)
      #expect(try await keeper.isTheActorsRealm())
    }
  }

  @Test(.currentExecutor) func anActorThatOpensInItsInitializerIsGuarded() {
    let text = Misuse.trap("actor: a realm that its initializer opened")
    #expect(text.contains("it belongs to actor 'EarlyPorter', and task "), "\(text)")
  }

  /// Tasks and actors move from thread to thread.
  @Test func ownersMayChangeThreads() async throws {
    let configuration = configuration
    let keeper = try await Ranger(configuration)
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let realm = try await Realm.open(configuration: configuration)
          let otter = try #require(realm.objects(Otter.self).first)
          var sum = 0
          for _ in 0..<200 {
            sum += otter.age
            await Task.yield()
            sum += await keeper.count()
          }
          return sum
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 200 * (4 + 5), count: 8))
  }

  /// A task that runs on an actor is still the same task.
  @Test func aTaskTakesItsRealmAlong() async throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Otter(value: ["id": 1])) }
    let held = UncheckedTransfer(realm)
    #expect(await MainActor.run { held.value.objects(Otter.self).count } == 1)
    #expect(realm.objects(Otter.self).count == 1)
  }
}
