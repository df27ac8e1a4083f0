import Cairn
import CairnTestSupport
import Dispatch
import Foundation

/// An actor that opens its realm before all of its properties have values, and so before it has an
/// isolation.
actor EarlyKeeper {
  let realm: Realm
  let started: Int

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
    started = 1
  }

  init(atOnce configuration: Realm.Configuration) throws {
    realm = try Realm(configuration: configuration)
    started = 2
  }

  func add(_ id: Int) async throws -> Int {
    try await realm.asyncWrite { realm.add(Otter(value: ["id": id])) }
    return realm.objects(Otter.self).count
  }

  func isTheActorsRealm() async throws -> Bool {
    try await realm == Realm.open(configuration: realm.configuration)
  }
}

/// An actor with an object.
actor Ranger {
  var realm: Realm!
  private var otters: Results<Otter>!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
    let realm: Realm = realm
    otters = realm.objects(Otter.self)
    guard otters.isEmpty else { return }
    try await realm.asyncWrite {
      realm.create(Otter.self, value: ["id": 1, "name": "Ole", "age": 4] as [String: Any])
    }
  }

  var smuggledRealm: UncheckedTransfer<Realm> { UncheckedTransfer(realm) }

  /// Returns whether a function outside of the actor opens the actor's realm.
  func agreesWithAHelper() throws -> Bool {
    try openInAHelper(realm.configuration) == realm
  }

  func count() -> Int { otters.count + otters.map(\.age).reduce(0, +) }
}

/// An actor with a custom executor.
actor QueueKeeper {
  final class Executor: SerialExecutor {
    let queue = DispatchQueue(label: "cairn.tests.executor")

    func enqueue(_ job: UnownedJob) {
      let executor = asUnownedSerialExecutor()
      queue.async { job.runSynchronously(on: executor) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      UnownedSerialExecutor(ordinary: self)
    }
  }

  private let executor = Executor()
  private var realm: Realm?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  func add(_ id: Int) async throws -> Int {
    guard let realm else { return -1 }
    try await realm.asyncWrite { realm.add(Otter(value: ["id": id])) }
    return realm.objects(Otter.self).count
  }

  func agreesWithAHelper() throws -> Bool {
    guard let realm else { return false }
    return try openInAHelper(realm.configuration) == realm
  }

  var smuggledRealm: UncheckedTransfer<Realm?> { UncheckedTransfer(realm) }
}

func openInAHelper(_ configuration: Realm.Configuration) throws -> Realm {
  try Realm(configuration: configuration)
}
