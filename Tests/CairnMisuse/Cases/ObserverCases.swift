import Cairn
import CairnTestSupport
import Foundation

/// Observers and asynchronous writes where they are not possible.
let observerCases: [Case] = [
  Case("observer: in a transaction") {
    try QueuedRealm().callAsFunction { realm in
      realm.beginWrite()
      _ = realm.objects(Train.self).observe { _ in }
    }
  },
  Case("observer: on a thread without a run loop") {
    let thread = Thread {
      let realm = try? Realm(configuration: inMemory())
      _ = realm?.objects(Train.self).observe { _ in }
    }
    thread.start()
    try await eventually("the thread has ended") { thread.isFinished }
  },
  Case("observer: of an object outside of a realm") { _ = Train().observe { _ in } },
  Case("observer: of frozen objects") {
    try QueuedRealm().callAsFunction { realm in
      _ = realm.objects(Train.self).freeze().observe { _ in }
    }
  },
  Case("observer: of a missing property") {
    try QueuedRealm().callAsFunction { realm in
      _ = realm.objects(Train.self).observe(keyPaths: ["fur"]) { _ in }
    }
  },
  Case("observer: the token of another realm") {
    let (first, second) = (QueuedRealm(), QueuedRealm())
    let token = try first.callAsFunction { $0.objects(Train.self).observe { _ in } }
    try second.callAsFunction { realm in try realm.write(withoutNotifying: [token]) {} }
  },
  Case("observer: reading a deleted object") {
    try QueuedRealm().callAsFunction { realm in
      let train = Train()
      try realm.write { realm.add(train) }
      try realm.write { realm.delete(train) }
      _ = train.name
    }
  },
  Case("projection: observing colours") { try observeCard(["colours"]) },
  Case("projection: a property of nothing stored") {
    try QueuedRealm().callAsFunction { realm in
      try realm.write { realm.add(Train()) }
      _ = realm.objects(IdleCard.self).first?.idle
    }
  },
  Case("projection: observing nothing") { try observeCard(["nothing"]) },
  Case("asynchronous write: on a thread without a queue") {
    let thread = Thread {
      _ = try? Realm(configuration: inMemory()).writeAsync {}
    }
    thread.start()
    try await eventually("the thread has ended") { thread.isFinished }
  },
]

private func observeCard(_ keyPaths: [String]) throws {
  try QueuedRealm().callAsFunction { realm in
    let train = Train()
    try realm.write { realm.add(train) }
    _ = TrainCard(projecting: train).observe(keyPaths: keyPaths) { _ in }
  }
}

extension Train {
  fileprivate var idle: Bool { true }
}

private class IdleCard: Projection<Train> {
  @Projected(\Train.name) var title
  @Projected(\Train.idle) var idle
}

class TrainCard: Projection<Train> {
  @Projected(\Train.name) var title
  @Projected(\Train.length) var size
  @Projected(\Train.home?.name) var homeName
}
