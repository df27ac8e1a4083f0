import Cairn
import CairnTestSupport
import Dispatch

/// Accesses from outside a realm's isolation.
let isolationCases: [Case] =
  actorCases + (0..<7).map(readingAnActorsObject) + (0..<10).map(readingAnActorsCollection)
  + taskCases + queueCases + (0..<3).map(passingAnAddedObject)

// MARK: Realms of actors

private let actorCases: [Case] = [
  Case("actor: results in a detached task") {
    let signalman = try await Signalman(inMemory())
    let trains = await signalman.smuggledTrains
    _ = await Task.detached { trains.value.count }.value
  },
  Case("actor: results while it writes") {
    let signalman = try await Signalman(inMemory())
    let trains = await signalman.smuggledTrains
    _ = Task { try await signalman.write() }
    // The first read should end the process.
    await Task.detached {
      for _ in 0..<10_000 {
        for train in trains.value where train.length < 0 { print(train.name) }
      }
    }.value
  },
  Case("actor: a realm on another actor") {
    let realm = await (try Signalman(inMemory())).smuggledRealm
    _ = await Borrower().borrow(realm)
  },
  Case("actor: a realm on a queue") {
    let realm = await (try Signalman(inMemory())).smuggledRealm
    let queue = DispatchQueue(label: "cairn.misuse.intruder")
    queue.sync {
      let mine = try? Realm(configuration: inMemory(), queue: queue)
      try? realm.value.write {}
      _ = mine
    }
  },
  Case("actor: a realm on the main thread") {
    let realm = await (try Signalman(inMemory())).smuggledRealm
    await MainActor.run { _ = realm.value.objects(Train.self) }
  },
  Case("actor: a realm that its initializer opened") {
    let porter = try await EarlyPorter(inMemory())
    _ = try await porter.add(1)
    _ = await porter.smuggledRealm().value.objects(Train.self)
  },
]

/// Values that the owner has read are cached, so reading them does not reach the store.
private func readingAnActorsObject(_ access: Int) -> Case {
  Case("actor: an object on a thread, access \(access)") {
    let signalman = try await Signalman(inMemory())
    let (read, train) = (await signalman.readBefore, await signalman.smuggledTrain)
    try await onNewThread {
      switch access {
      case 0: _ = read.value.0.length
      case 1: _ = read.value.0.name
      case 2: _ = read.value.0.home
      case 3: _ = read.value.0.isInvalidated
      case 4: _ = read.value.0.freeze()
      case 5: _ = read.value.0["name"]
      default: _ = train.value.stops
      }
    }
  }
}

private func readingAnActorsCollection(_ access: Int) -> Case {
  Case("actor: a collection on a thread, access \(access)") {
    let signalman = try await Signalman(inMemory())
    let (numbers, train) = (
      await signalman.readBefore.value.1, await signalman.smuggledTrain.value
    )
    let (colours, loads, trains) = (train.colours, train.loads, train.stops[0].trains)
    let sections = await signalman.readSections
    let (read, held) = (
      UncheckedTransfer(numbers), UncheckedTransfer((train, colours, loads, trains))
    )
    try await onNewThread {
      let (train, colours, loads, trains) = held.value
      switch access {
      case 0: _ = read.value.count
      case 1: _ = read.value[2]
      case 2: _ = read.value.freeze()
      case 3: _ = colours.contains("red")
      case 4: _ = loads["coal"]
      case 5: _ = trains.count
      case 6: _ = read.value.sum() as Int
      case 7: _ = ThreadSafeReference(to: read.value)
      case 8: _ = sections.value.count
      default: _ = train.numbers
      }
    }
  }
}

// MARK: Realms of tasks

private let taskCases: [Case] = [
  Case("task: a realm in a detached task") {
    let realm = UncheckedTransfer(try await Realm.open(configuration: inMemory()))
    _ = await Task.detached { realm.value.objects(Train.self).count }.value
  },
  Case("task: a realm in a child task") {
    let realm = UncheckedTransfer(try Realm(configuration: inMemory()))
    async let count = realm.value.objects(Train.self).count
    _ = await count
  },
  // The next task reuses the memory of an ended task.
  Case("task: an ended task's realm in the next one") {
    let configuration = inMemory()
    let trains = try await Task.detached {
      UncheckedTransfer(try await Realm.open(configuration: configuration).objects(Train.self))
    }.value
    for _ in 0..<1000 { _ = await Task.detached { trains.value.count }.value }
  },
]

// MARK: Realms of queues and threads

private let queueCases: [Case] = [
  Case("queue: a realm on another queue") {
    let realm = try QueuedRealm().callAsFunction { UncheckedTransfer($0) }
    DispatchQueue(label: "other").sync { _ = realm.value.objects(Train.self) }
  },
  Case("main thread: a realm on another thread") {
    let configuration = inMemory()
    let realm = try await MainActor.run {
      UncheckedTransfer(try Realm(configuration: configuration))
    }
    try await onNewThread { _ = realm.value.isEmpty }
  },
  Case("thread: a realm in a task") {
    let configuration = inMemory()
    let realm = try await onNewThread {
      UncheckedTransfer(try Realm(configuration: configuration))
    }
    try realm.value.write {}
  },
]

/// Objects that only the open transaction knows cannot be passed on.
private func passingAnAddedObject(_ access: Int) -> Case {
  Case("added: access \(access)") {
    let realm = try Realm(configuration: inMemory())
    realm.beginWrite()
    let train = realm.create(Train.self, value: ["stops": [["name": "Bank"]]])
    switch access {
    case 0: _ = train.freeze()
    case 1: _ = train.stops.freeze()
    default: _ = train.stops.filter("tracks > 3").freeze()
    }
  }
}
