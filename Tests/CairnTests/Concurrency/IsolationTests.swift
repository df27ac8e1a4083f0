import Cairn
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// Accesses from outside a realm's isolation end the program with a message that names both sides.
@Suite struct IsolationTests {
  private static func store(_ name: String) -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: "isolation \(name) \(ObjectId.generate())")
  }

  private func expect(
    _ result: ExitTest.Result?, says sentences: String...,
    at place: SourceLocation = #_sourceLocation
  ) {
    let text = result.text
    for sentence in sentences {
      #expect(text.contains(sentence), "\(text)", sourceLocation: place)
    }
  }

  // MARK: Realms of actors

  @Test(.currentExecutor) func anActorsResultsInADetachedTask() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let keeper = try await Ranger(Self.store("results"))
      let otters = await keeper.smuggledOtters
      _ = await Task.detached { otters.value.count }.value
    }
    expect(
      result, says: "Realm accessed from incorrect thread: it belongs to actor 'Ranger', and task ",
      " accessed it. Open a realm there, or pass a frozen object")
  }

  /// A program that used to crash in two of three runs.
  @Test(.currentExecutor) func anActorsResultsWhileItWrites() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let keeper = try await Ranger(Self.store("loop"))
      let otters = await keeper.smuggledOtters
      let writing = Task { try await keeper.write() }
      await Task.detached {
        while true { for otter in otters.value where otter.age < 0 { print(otter.name) } }
      }.value
      try await writing.value
    }
    expect(result, says: "it belongs to actor 'Ranger', and task ")
  }

  @Test(.currentExecutor) func anActorsRealmOnAnotherActor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = await (try Ranger(Self.store("realm"))).smuggledRealm
      _ = try await ErrandActor(Self.store("other")).borrow(realm)
    }
    expect(result, says: "it belongs to actor 'Ranger', and actor 'ErrandActor' accessed it.")
  }

  @Test func anActorsRealmOnAQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = await (try Ranger(Self.store("realm"))).smuggledRealm
      let queue = DispatchQueue(label: "cairn.tests.intruder")
      queue.sync {
        let mine = try? Realm(configuration: Self.store("queue"), queue: queue)
        try? realm.value.write {}
        _ = mine
      }
    }
    expect(
      result,
      says: "it belongs to actor 'Ranger', and dispatch queue 'cairn.tests.intruder' accessed it.")
  }

  @Test func anActorsRealmOnTheMainThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = await (try Ranger(Self.store("realm"))).smuggledRealm
      await MainActor.run { _ = realm.value.objects(Otter.self) }
    }
    expect(result, says: "it belongs to actor 'Ranger', and the main thread accessed it.")
  }

  /// Values that the owner has read are cached, so reading them does not reach the store.
  @Test(arguments: 0..<7) func anActorsObjectOnAThread(_ access: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [access] in
      let keeper = try await Ranger(Self.store("object"))
      let (read, den) = (await keeper.readBefore, await keeper.smuggledDen)
      try await onNewThread {
        switch access {
        case 0: _ = read.value.0.age
        case 1: _ = read.value.0.name
        case 2: _ = read.value.0.friend
        case 3: _ = read.value.0.isInvalidated
        case 4: _ = read.value.0.freeze()
        case 5: _ = read.value.0["name"]
        default: _ = den.value.otters
        }
      }
    }
    expect(result, says: "it belongs to actor 'Ranger', and thread 0x")
  }

  @Test(arguments: 0..<10) func anActorsCollectionOnAThread(_ access: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [access] in
      let keeper = try await Ranger(Self.store("collection"))
      let (numbers, den) = (await keeper.readBefore.value.1, await keeper.smuggledDen.value)
      let (colours, weights, dens) = (den.colours, den.weights, den.otters[0].dens)
      let sections = await keeper.readSections
      let (read, held) = (
        UncheckedTransfer(numbers), UncheckedTransfer((den, colours, weights, dens))
      )
      try await onNewThread {
        let (den, colours, weights, dens) = held.value
        switch access {
        case 0: _ = read.value.count
        case 1: _ = read.value[2]
        case 2: _ = read.value.freeze()
        case 3: _ = colours.contains("red")
        case 4: _ = weights["Ole"]
        case 5: _ = dens.count
        case 6: _ = read.value.sum() as Int
        case 7: _ = ThreadSafeReference(to: read.value)
        case 8: _ = sections.value.count
        default: _ = den.numbers
        }
      }
    }
    expect(result, says: "it belongs to ", "and thread 0x")
  }

  // MARK: Realms of tasks

  @Test func aTasksRealmInADetachedTask() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = UncheckedTransfer(try await Realm.open(configuration: Self.store("task")))
      _ = await Task.detached { realm.value.objects(Otter.self).count }.value
    }
    expect(result, says: "it belongs to task ", "and task ", " accessed it.")
  }

  @Test func aTasksRealmInAChildTask() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = UncheckedTransfer(try Realm(configuration: Self.store("child")))
      async let count = realm.value.objects(Otter.self).count
      _ = await count
    }
    expect(result, says: "it belongs to task ", "and task ", " accessed it.")
  }

  /// The next task reuses the memory of an ended task.
  @Test func anEndedTasksRealmInTheNextTask() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = Self.store("ended")
      let otters = try await Task.detached {
        UncheckedTransfer(try await Realm.open(configuration: configuration).objects(Otter.self))
      }.value
      for _ in 0..<1000 { _ = await Task.detached { otters.value.count }.value }
    }
    expect(result, says: "it belongs to task ", "and task ", " accessed it.")
  }

  // MARK: Realms of queues and threads

  @Test func aQueuesRealmOnAnotherQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try QueueRealm().callAsFunction { UncheckedTransfer($0) }
      DispatchQueue(label: "other").sync { _ = realm.value.objects(Otter.self) }
    }
    expect(result, says: "it belongs to dispatch queue 'cairn.tests.observing', and task ")
  }

  @Test func theMainThreadsRealmOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = Self.store("main")
      let realm = try await MainActor.run {
        UncheckedTransfer(try Realm(configuration: configuration))
      }
      try await onNewThread { _ = realm.value.isEmpty }
    }
    expect(result, says: "it belongs to the main thread, and thread 0x")
  }

  @Test func aThreadsRealmInATask() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = Self.store("thread")
      let realm = try await onNewThread {
        UncheckedTransfer(try Realm(configuration: configuration))
      }
      try realm.value.write {}
    }
    expect(result, says: "it belongs to thread 0x", ", and task ")
  }
}

extension ErrandActor {
  fileprivate func borrow(_ realm: UncheckedTransfer<Realm>) -> Bool { realm.value.isEmpty }
}
