import Cairn
import CairnTestSupport
import Dispatch
import Testing

/// An actor that observes a store.
actor OtterWatch {
  private var realm: Realm?
  private var token: NotificationToken?
  private(set) var seen: [String] = []
  let configuration: Realm.Configuration

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  /// Observes with its own realm.
  func start() async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    self.realm = realm
    token = await realm.objects(Otter.self).observe(on: self) { watch, changes in
      watch.note(changes.text)
    }
  }

  /// Observes results of another isolation.
  func watch(_ otters: sending Results<Otter>) async {
    token = await otters.observe(keyPaths: ["name"], on: self) { watch, changes in
      watch.note(changes.text)
    }
  }

  func note(_ text: String) { seen.append(text) }

  /// Waits until a number of notifications has arrived.
  func wait(for count: Int) async throws {
    try await eventually("\(count) notifications have arrived") {
      seen
    } until: {
      $0.count >= count
    }
  }

  func add(_ id: Int) async throws {
    guard let realm else { return }
    try await realm.asyncWrite { realm.add(Otter(value: ["id": id])) }
  }

  func addAtOnce(_ id: Int) throws {
    guard let realm else { return }
    try realm.write { realm.add(Otter(value: ["id": id])) }
  }

  var count: Int { realm?.objects(Otter.self).count ?? -1 }

  func stop() { token = nil }

  func setAutorefresh(_ isOn: Bool) { realm?.autorefresh = isOn }

  /// Collects the changes of an asynchronous loop.
  func follow(_ count: Int) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    for await change in realm.objects(Otter.self).sorted(byKeyPath: "id").changes {
      note(change.text)
      if seen.count == count { break }
    }
  }

  func followOtter(_ id: Int) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    guard let otter = realm.object(ofType: Otter.self, forPrimaryKey: id) else { return }
    note("begin")
    for await change in otter.changes {
      switch change {
      case .change(let otter, let properties): note("\(properties.map(\.name)) \(otter.age)")
      case .deleted: note("deleted")
      case .error(let error): note("\(error)")
      }
    }
    note("end")
  }
}

/// Observers on actors, and asynchronous loops over changes.
@Suite(.tags(.threads)) struct ActorObservingTests {
  let configuration: Realm.Configuration
  /// A reference that keeps the in-memory store alive.
  private let keeper: ThreadSafe<Results<Otter>>

  init() throws {
    configuration = Realm.Configuration(inMemoryIdentifier: "actors \(ObjectId.generate())")
    keeper = ThreadSafe(
      wrappedValue: try Realm(configuration: configuration).objects(Otter.self))
  }

  /// Writes with a realm on a separate thread.
  private func writeElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) async throws {
    let configuration = configuration
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      DispatchQueue(label: "elsewhere").async {
        done.resume(
          with: Result {
            let realm = try Realm(configuration: configuration)
            try realm.write { try body(realm) }
          })
      }
    }
  }

  private func add(_ id: Int) async throws {
    try await writeElsewhere { $0.add(Otter(value: ["id": id])) }
  }

  @Test func theActorIsNotified() async throws {
    let watch = OtterWatch(configuration)
    try await watch.start()
    try await watch.wait(for: 1)
    try await add(1)
    try await watch.wait(for: 2)
    try await watch.add(2)
    try await watch.wait(for: 3)
    try await watch.addAtOnce(3)
    try await watch.wait(for: 4)
    #expect(
      await watch.seen == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]", "-[] +[2] ~[]"])
    await watch.stop()
    try await add(4)
    #expect(await watch.seen.count == 4)
  }

  @Test func anotherIsolationsCollectionIsObserved() async throws {
    try await writeElsewhere { $0.add(Otter(value: ["id": 1])) }
    let watch = OtterWatch(configuration)
    let realm = try await Realm.open(configuration: configuration)
    await watch.watch(realm.objects(Otter.self))
    try await watch.wait(for: 1)
    try await writeElsewhere { $0.objects(Otter.self).first?.age = 4 }
    try await writeElsewhere { $0.objects(Otter.self).first?.name = "Olga" }
    try await watch.wait(for: 2)
    #expect(await watch.seen == ["initial 1", "-[] +[] ~[0]"])
  }

  @Test func anActorsRealmAdvancesAutomatically() async throws {
    let watch = OtterWatch(configuration)
    try await watch.start()
    #expect(await watch.count == 0)
    try await add(1)
    try await eventually("the realm advances") {
      await watch.count
    } until: {
      $0 > 0
    }
    await watch.setAutorefresh(false)
    try await add(2)
    try await add(3)
    #expect(await watch.count == 1)
    await watch.setAutorefresh(true)
    try await add(4)
    try await eventually("the realm advances again") {
      await watch.count
    } until: {
      $0 == 4
    }
  }

  @Test func aLoopReceivesChangesInOrder() async throws {
    let watch = OtterWatch(configuration)
    let loop = Task { try await watch.follow(4) }
    try await watch.wait(for: 1)
    try await add(5)
    try await watch.wait(for: 2)
    try await add(3)
    try await watch.wait(for: 3)
    try await writeElsewhere { realm in
      realm.delete(realm.objects(Otter.self).where { $0.id == 5 })
    }
    try await loop.value
    #expect(
      await watch.seen == ["initial 0", "-[] +[0] ~[]", "-[] +[0] ~[]", "-[1] +[] ~[]"])
  }

  @Test func aLoopEndsWithItsObject() async throws {
    try await add(1)
    let watch = OtterWatch(configuration)
    let loop = Task { try await watch.followOtter(1) }
    try await watch.wait(for: 1)
    try await writeElsewhere { $0.objects(Otter.self).first?.age = 4 }
    try await watch.wait(for: 2)
    try await writeElsewhere { $0.delete($0.objects(Otter.self)) }
    try await loop.value
    #expect(await watch.seen == ["begin", "[\"age\"] 4", "deleted", "end"])
  }

  @Test func aLoopEndsWithItsTask() async throws {
    let watch = OtterWatch(configuration)
    let loop = Task { try await watch.follow(.max) }
    try await watch.wait(for: 1)
    loop.cancel()
    try await loop.value
    #expect(await watch.seen == ["initial 0"])
  }

  /// A task without an actor has no executor to refresh its realm on, so the loop refreshes it.
  @Test func aTaskWithoutAnActorLoops() async throws {
    let configuration = configuration
    let first = Locked(false)
    let loop = Task.detached {
      let realm = try await Realm.open(configuration: configuration)
      var seen: [String] = []
      for await change in realm.objects(Otter.self).changes(keyPaths: ["name"]) {
        seen.append(change.text)
        first.withLock { $0 = true }
        if seen.count == 2 { break }
      }
      return seen
    }
    try await eventually("the loop has begun") { first.value }
    try await add(1)
    #expect(try await loop.value == ["initial 0", "-[] +[0] ~[]"])
  }

  @Test @MainActor func theMainActorIsNotified() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    var seen: [String] = []
    let stream = AsyncStream<Void>.makeStream()
    let token = realm.objects(Otter.self).observe { change in
      seen.append(change.text)
      stream.continuation.yield()
    }
    var turns = stream.stream.makeAsyncIterator()
    await turns.next()
    try await add(1)
    await turns.next()
    #expect(seen == ["initial 0", "-[] +[0] ~[]"])
    token.invalidate()
  }

  @Test func tokensCanBeInvalidatedOnAnyThread() async throws {
    let watch = OtterWatch(configuration)
    let realm = try await Realm.open(configuration: configuration)
    let token = await realm.objects(Otter.self).observe(on: watch) { watch, changes in
      watch.note(changes.text)
    }
    try await watch.wait(for: 1)
    _ = await Task.detached { token.invalidate() }.value
    try await add(1)
    #expect(await watch.seen == ["initial 0"])
  }
}
