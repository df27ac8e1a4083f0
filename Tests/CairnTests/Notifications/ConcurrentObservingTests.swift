import Cairn
import CairnTestSupport
import Dispatch
import Testing

/// Several queues that write to and observe one store.
@Suite(.tags(.threads)) struct ConcurrentObservingTests {
  /// A mirror of the otters on its own queue, maintained from notifications.
  private final class OtterMirror: @unchecked Sendable {
    // Sendable: only the queue accesses the mutable state.
    let onQueue: QueueRealm
    private var ids: [Int] = []
    private var token: NotificationToken?

    init(_ configuration: Realm.Configuration) throws {
      onQueue = QueueRealm(configuration)
      try onQueue { realm in
        token = realm.objects(Otter.self).sorted(byKeyPath: "id").observe { [unowned self] in
          follow($0)
        }
      }
    }

    private func follow(_ change: RealmCollectionChange<Results<Otter>>) {
      switch change {
      case .initial(let otters): ids = otters.map(\.id)
      case .update(let otters, let deletions, let insertions, _):
        for index in deletions.reversed() { ids.remove(at: index) }
        for index in insertions { ids.insert(otters[index].id, at: index) }
      case .error(let error): Issue.record(error)
      }
    }

    /// Adds and removes otters, one per write.
    func work(_ number: Int, _ rounds: Int) {
      for round in 0..<rounds {
        onQueue.queue.async { [self] in
          do {
            try onQueue.here { realm in
              try realm.write {
                realm.add(Otter(value: ["id": round * 10 + number]))
                if round % 3 == 2, let first = realm.objects(Otter.self).first {
                  realm.delete(first)
                }
              }
            }
          } catch { Issue.record(error) }
        }
      }
    }

    func check() throws {
      try onQueue { realm in
        realm.refresh()
        #expect(ids == realm.objects(Otter.self).sorted(byKeyPath: "id").map(\.id))
        #expect(ids.count > 10)
        token = nil
      }
    }
  }

  @Test func allQueuesSeeTheSameState() throws {
    let rounds = Soak.count(20, long: 2000)
    let configuration = Realm.Configuration(inMemoryIdentifier: "keepers \(ObjectId.generate())")
    let keepers = try (0..<4).map { _ in try OtterMirror(configuration) }
    for (number, keeper) in keepers.enumerated() { keeper.work(number, rounds) }
    for keeper in keepers { keeper.onQueue.settle() }
    for keeper in keepers { try keeper.check() }
  }
}
