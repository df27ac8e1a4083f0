import Cairn
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// Observers on queues, realms that advance automatically there, and background writes.
@Suite(.tags(.threads)) struct QueueObservingTests {
  let onQueue = QueueRealm()
  private var here: Realm { get throws { try Realm(configuration: onQueue.configuration) } }

  @Test func anyThreadMayObserveOnAQueue() throws {
    let realm = try here
    let otter = Otter(value: ["id": 1, "name": "Ole"])
    try realm.write { realm.add(otter) }
    let seen = Seen<String>()
    let gate = DispatchSemaphore(value: 0)
    onQueue.queue.async { gate.wait() }
    let isOnQueue = DispatchSpecificKey<Bool>()
    onQueue.queue.setSpecific(key: isOnQueue, value: true)
    let tokens = [
      realm.objects(Otter.self).observe(on: onQueue.queue) { change in
        #expect(DispatchQueue.getSpecific(key: isOnQueue) == true)
        seen.values.append(change.text)
      },
      otter.observe(keyPaths: ["name"], on: onQueue.queue) { (change: ObjectChange<Otter>) in
        if case .change(let there, let properties) = change {
          #expect(there !== otter && there.isSameObject(as: otter))
          seen.values.append("\(properties.map(\.name)) \(there.name)")
        }
      },
    ]
    // A write before the queue has seen the objects is also reported.
    try realm.write { otter.name = "Olaf" }
    gate.signal()
    try onQueue.wait { seen.values.count >= 2 }
    #expect(Set(seen.values) == ["initial 1", "[\"name\"] Olaf"])
    try realm.write { realm.add(Otter(value: ["id": 2])) }
    try onQueue.wait { seen.values.count >= 3 }
    #expect(seen.values.last == "-[] +[1] ~[]")
    for token in tokens { token.invalidate() }
    try realm.write { otter.name = "Oskar" }
    onQueue.settle()
    #expect(seen.values.count == 3)
  }

  @Test func objectsDeletedBeforeTheFirstCallAreReportedAsDeleted() throws {
    let realm = try here
    let otter = Otter(value: ["id": 1])
    try realm.write { realm.add(otter) }
    let seen = Seen<String>()
    let gate = DispatchSemaphore(value: 0)
    onQueue.queue.async { gate.wait() }
    let token = otter.observe(on: onQueue.queue) { (change: ObjectChange<Otter>) in
      if case .deleted = change { seen.values.append("deleted") }
    }
    var ended: NotificationToken? = realm.objects(Otter.self).observe(on: onQueue.queue) {
      seen.values.append($0.text)
    }
    try realm.write { realm.delete(otter) }
    #expect(ended != nil)
    ended = nil
    gate.signal()
    onQueue.settle()
    #expect(seen.values == ["deleted"])
    _ = token
  }

  @Test func theRealmAdvancesAutomatically() throws {
    let kept = Seen<Results<Otter>>()
    try onQueue { kept.values = [$0.objects(Otter.self)] }
    onQueue.settle()
    let realm = try here
    try realm.write { realm.add(Otter(value: ["id": 1])) }
    try onQueue.wait { kept.values[0].count == 1 }
    try onQueue { $0.autorefresh = false }
    try realm.write { realm.add(Otter(value: ["id": 2])) }
    onQueue.settle()
    try onQueue { realm in
      #expect(!realm.autorefresh)
      #expect(kept.values[0].count == 1)
      #expect(realm.refresh())
      #expect(kept.values[0].count == 2)
      kept.values = []
    }
  }

  @Test func wholeRealmsAreObserved() throws {
    let seen = Seen<Realm.Notification>()
    let other = try here
    try onQueue { realm in
      seen.token = realm.observe { notification, source in
        #expect(source == realm)
        seen.values.append(notification)
      }
      try realm.write {}
      #expect(seen.values == [.didChange])
      try other.write { other.add(Otter(value: ["id": 1])) }
      realm.refresh()
      #expect(seen.values == [.didChange, .didChange])
      realm.autorefresh = false
    }
    onQueue.settle()
    try other.write { other.add(Otter(value: ["id": 2])) }
    try onQueue.wait { seen.values.count >= 3 }
    #expect(seen.values.last == .refreshRequired)
    try onQueue { _ in seen.token = nil }
  }

  @Test func backgroundWritesAreReported() throws {
    let seen = Seen<String>()
    let done = DispatchSemaphore(value: 0)
    try onQueue { realm in
      seen.token = realm.objects(Otter.self).observe { change in
        #expect(!realm.isInWriteTransaction)
        seen.values.append(change.text)
        if seen.values.count == 3 { done.signal() }
      }
      realm.refresh()
      realm.writeAsync {
        realm.add(Otter(value: ["id": 1]))
      }
      realm.beginAsyncWrite {
        realm.add(Otter(value: ["id": 2]))
        realm.commitAsyncWrite()
      }
    }
    done.wait()
    #expect(seen.values == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]"])
    try onQueue { _ in seen.token = nil }
  }

  @Test func anInvalidatedRealmIsUsableAgain() throws {
    try onQueue { realm in
      let otter = Otter(value: ["id": 1, "toys": [["name": "ball"]]])
      try realm.write { realm.add(otter) }
      let otters = realm.objects(Otter.self)
      let toys = otter.toys
      var seen = 0
      let token = otters.observe { _ in seen += 1 }
      realm.refresh()
      #expect(otters.count == 1 && !otter.isInvalidated && seen == 1)
      realm.invalidate()
      realm.invalidate()
      #expect(otter.isInvalidated && toys.isInvalidated)
      #expect(otters.isEmpty && otters.first == nil)
      // The realm itself is still usable.
      #expect(realm.objects(Otter.self).count == 1)
      #expect(realm.objects(Otter.self).first?.toys.first?.name == "ball")
      try realm.write { realm.add(Otter(value: ["id": 2])) }
      realm.refresh()
      #expect(realm.objects(Otter.self).count == 2 && otters.isEmpty && seen == 1)
      realm.beginWrite()
      realm.add(Otter(value: ["id": 3]))
      realm.invalidate()
      #expect(!realm.isInWriteTransaction && realm.objects(Otter.self).count == 2)
      _ = token
    }
  }

  @Test func frozenRealmsDoNotAdvance() throws {
    try onQueue { realm in
      let frozen = realm.freeze()
      #expect(!frozen.autorefresh)
      try realm.write { realm.add(Otter(value: ["id": 1])) }
      #expect(frozen.objects(Otter.self).isEmpty)
      frozen.invalidate()
      #expect(frozen.objects(Otter.self).isEmpty && realm.objects(Otter.self).count == 1)
    }
  }
}
