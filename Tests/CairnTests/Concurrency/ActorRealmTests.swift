import Cairn
import CairnTestSupport
import Testing

class Errand: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var steps: List<Int>
}

class Tally: Object {
  @Persisted var count = 0
}

/// An actor with its own realm, as in Realm's documentation.
actor ErrandActor {
  private(set) var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ name: String) async throws -> ObjectId {
    try await realm.asyncWrite {
      let errand = Errand(value: ["name": name])
      realm.add(errand)
      return errand._id
    }
  }

  func rename(_ id: ObjectId, _ name: String) async throws {
    try await realm.asyncWrite {
      realm.object(ofType: Errand.self, forPrimaryKey: id)?.name = name
    }
  }

  func name(of id: ObjectId) -> String? {
    realm.object(ofType: Errand.self, forPrimaryKey: id)?.name
  }

  /// Increments the tally and returns its old value.
  func count() async throws -> Int {
    try await realm.asyncWrite { next() }
  }

  func countAtOnce() throws -> Int { try realm.write { next() } }

  private func next() -> Int {
    let tally = realm.objects(Tally.self).first ?? Tally()
    if tally.realm == nil { realm.add(tally) }
    tally.count += 1
    return tally.count - 1
  }

  var total: Int { realm.objects(Tally.self).first?.count ?? 0 }
  func refresh() async -> Bool { await realm.asyncRefresh() }

  /// Turns off automatic refreshes.
  func stay() { realm.autorefresh = false }

  /// Returns what the actor reads while a write is pending.
  func seenMeanwhile() async throws -> [Int] {
    let errands = realm.objects(Errand.self)
    async let added = add("Post a letter")
    var seen: [Int] = []
    // A closure that does not use the actor would not run on it.
    try await eventually("the pending write shows") { !realm.objects(Errand.self).isEmpty }
    seen.append(errands.count)
    try realm.write { realm.add(Errand(value: ["name": "at once"])) }
    seen.append(errands.count)
    _ = try await added
    return seen + [errands.count]
  }

  func failing() async -> [String] {
    struct Refusal: Error {}
    var log: [String] = []
    do {
      try await realm.asyncWrite {
        realm.add(Errand(value: ["name": "never"]))
        log.append("\(realm.objects(Errand.self).count)")
        throw Refusal()
      }
    } catch { log.append("\(type(of: error))") }
    return log + ["\(realm.isInWriteTransaction)", "\(realm.objects(Errand.self).count)"]
  }

  /// Queues writes in each form and returns their order.
  func queued() async throws -> [Int] {
    let realm: Realm = self.realm
    let errand = try await realm.asyncWrite {
      let errand = Errand()
      realm.add(errand)
      return errand
    }
    await withCheckedContinuation { done in
      for step in 0..<20 {
        switch step % 3 {
        case 0: realm.writeAsync { errand.steps.append(step) }
        case 1:
          realm.beginAsyncWrite {
            errand.steps.append(step)
            realm.commitAsyncWrite(allowGrouping: true)
          }
        default:
          realm.writeAsync {
            errand.steps.append(step)
          } onComplete: { _ in
          }
        }
      }
      realm.writeAsync {
      } onComplete: { _ in
        done.resume()
      }
    }
    return Array(errand.steps)
  }
}

/// Realms of actors.
@Suite(.tags(.threads)) struct ActorRealmTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "actors \(ObjectId.generate())")

  @Test func findsAnObjectByName() async throws {
    let actor = try await ErrandActor(configuration)
    let added = try await actor.add("Buy nails")
    func id(in actor: isolated ErrandActor, forErrandNamed name: String) async -> ObjectId {
      let errand = actor.realm.objects(Errand.self).where { $0.name == name }.first!
      return errand._id
    }
    let found = await id(in: actor, forErrandNamed: "Buy nails")
    #expect(found == added)
    try await actor.rename(found, "Buy screws")
    #expect(await actor.name(of: found) == "Buy screws")
  }

  @Test func opensForTheCallingActor() async throws {
    @MainActor func count() async throws -> Int {
      let realm = try await Realm.open(configuration: configuration)
      let same = try await Realm(configuration: configuration, actor: MainActor.shared)
      #expect(realm == same)
      try await realm.asyncWrite { realm.add(Errand()) }
      return same.objects(Errand.self).count
    }
    #expect(try await count() == 1)
  }

  @Test func showsAPendingWrite() async throws {
    let actor = try await ErrandActor(configuration)
    #expect(try await actor.seenMeanwhile() == [1, 2, 2])
  }

  @Test func anErrorRollsBackTheWrite() async throws {
    let actor = try await ErrandActor(configuration)
    #expect(await actor.failing() == ["1", "Refusal", "false", "0"])
    _ = try await actor.add("Afterwards")
  }

  @Test func writesRunInOrder() async throws {
    let actor = try await ErrandActor(configuration)
    #expect(try await actor.queued() == Array(0..<20))
  }

  @Test func refreshesToTheLatestVersion() async throws {
    let (one, two) = (try await ErrandActor(configuration), try await ErrandActor(configuration))
    await one.stay()
    #expect(await one.total == 0)
    _ = try await two.count()
    #expect(await one.total == 0)
    #expect(await one.refresh())
    #expect(await one.total == 1)
    #expect(await one.refresh() == false)
  }

  /// Several actors and tasks increment one number: no increment is lost, and no two see the same
  /// value.
  @Test func actorsAndTasksTakeTurns() async throws {
    let actors = [
      try await ErrandActor(configuration), try await ErrandActor(configuration),
      try await ErrandActor(configuration),
    ]
    let configuration = configuration
    let seen = try await withThrowingTaskGroup(of: [Int].self) { group in
      for (index, actor) in actors.enumerated() {
        for task in 0..<3 {
          group.addTask {
            var seen: [Int] = []
            for turn in 0..<20 {
              // One write in three does not suspend but blocks the actor.
              let isAtOnce = (turn + task + index) % 3 == 0
              seen.append(isAtOnce ? try await actor.countAtOnce() : try await actor.count())
            }
            return seen
          }
        }
      }
      // A task outside of any actor.
      group.addTask {
        let realm = try await Realm.open(configuration: configuration)
        var seen: [Int] = []
        for _ in 0..<20 {
          seen.append(
            try await realm.asyncWrite {
              let tally = realm.objects(Tally.self).first ?? Tally()
              if tally.realm == nil { realm.add(tally) }
              tally.count += 1
              return tally.count - 1
            })
        }
        return seen
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(seen.sorted() == Array(0..<200))
  }
}

/// Background writes of the main actor's realm.
@Suite(.tags(.threads)) @MainActor struct MainActorTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "main \(ObjectId.generate())")

  @Test func addsInTheBackground() async throws {
    let realm = try Realm(configuration: configuration)
    let mutts = realm.objects(Mutt.self)
    var counts: [Int] = []
    await withCheckedContinuation { done in
      realm.writeAsync {
        realm.add(Mutt(value: ["name": "Bruno"]))
      } onComplete: { _ in
        counts.append(mutts.count)
        done.resume()
      }
      counts.append(mutts.count)
    }
    #expect(counts == [0, 1])
  }

  @Test func writesRunInOrder() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let name = try await realm.asyncWrite {
      let mutt = Mutt(value: ["name": "Lotte"])
      realm.add(mutt)
      return mutt
    }.name
    #expect(name == "Lotte")
  }
}
