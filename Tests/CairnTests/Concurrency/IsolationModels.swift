import Cairn
import Dispatch
import Foundation

/// Takes something to another isolation against the compiler's advice, as programs in Swift 5 mode do.
struct Smuggled<Value>: @unchecked Sendable {
  // Sendable: the tests look at what the library says of it.
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// An actor whose realm is opened before the actor has all of its properties, and so before it has an isolation.
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

  func smuggledRealm() -> Smuggled<Realm> { Smuggled(realm) }
}

/// An actor with objects and collections of every kind.
actor Ranger {
  var realm: Realm!
  private var otters: Results<Otter>!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
    let realm: Realm = realm
    otters = realm.objects(Otter.self)
    guard otters.isEmpty else { return }
    try await realm.asyncWrite {
      realm.create(
        Den.self,
        value: [
          "name": "Bank", "numbers": [1, 2, 3], "colours": ["red"], "weights": ["Ole": 7.5],
          "otters": [["id": 1, "name": "Ole", "age": 4]],
        ] as [String: Any])
    }
  }

  var smuggledRealm: Smuggled<Realm> { Smuggled(realm) }
  var smuggledOtters: Smuggled<Results<Otter>> { Smuggled(otters) }
  var smuggledDen: Smuggled<Den> { Smuggled(realm.objects(Den.self)[0]) }

  /// An object and a list that were read before, so that their values are at hand.
  var readBefore: Smuggled<(Otter, List<Int>)> {
    let otter = otters[0]
    let den = realm.objects(Den.self)[0]
    guard otter.age == 4, otter.name == "Ole", den.numbers[2] == 3 else { preconditionFailure() }
    return Smuggled((otter, den.numbers))
  }

  /// Sections that were divided before.
  var readSections: Smuggled<SectionedResults<String, Otter>> {
    let sections = otters.sectioned(by: \.name)
    precondition(sections.count == 1)
    return Smuggled(sections)
  }

  /// Writes for ever.
  func write() async throws {
    let realm: Realm = realm
    while true {
      try await realm.asyncWrite { realm.create(Otter.self, value: ["id": 1], update: .modified) }
    }
  }

  /// A function that knows nothing of actors opens the actor's realm.
  func agreesWithAHelper() throws -> Bool {
    try openInAHelper(realm.configuration) == realm
  }

  func count() -> Int { otters.count + otters.map(\.age).reduce(0, +) }
}

/// An actor whose jobs run on an executor of its own.
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

  var smuggledRealm: Smuggled<Realm?> { Smuggled(realm) }
}

func openInAHelper(_ configuration: Realm.Configuration) throws -> Realm {
  try Realm(configuration: configuration)
}

/// Runs the body on a thread of its own.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { done in
    Thread { done.resume(with: Result { try body() }) }.start()
  }
}
