import Cairn
import Dispatch
import Testing

/// Objects and collections that go from one realm to another.
@Suite struct ThreadSafeTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "threads \(ObjectId.generate())")

  /// Runs the body on another thread with a realm of its own.
  private func elsewhere<R: Sendable>(
    _ body: @escaping @Sendable (Realm) throws -> R
  ) async throws -> R {
    let configuration = configuration
    let queue = DispatchQueue(label: "elsewhere")
    return try await withCheckedThrowingContinuation { done in
      queue.async {
        done.resume(
          with: Result { try body(try Realm(configuration: configuration, queue: queue)) })
      }
    }
  }

  private func walker() throws -> Walker {
    let realm = try Realm(configuration: configuration)
    let walker = Walker(value: ["name": "Dora", "mutts": [["name": "Bruno", "age": 13]]])
    try realm.write { realm.add(walker) }
    return walker
  }

  @Test func resolvesAnObject() async throws {
    let walker = try walker()
    let reference = ThreadSafeReference(to: walker)
    #expect(reference.isInvalidated == false)
    let name = try await elsewhere { realm in
      let walker = realm.resolve(reference)
      try realm.write { walker?.name += " Stern" }
      return walker?.name
    }
    #expect(name == "Dora Stern" && reference.isInvalidated)
    walker.realm?.refresh()
    #expect(walker.name == "Dora Stern")
  }

  @Test func resolvesCollections() async throws {
    let walker = try walker()
    let list = ThreadSafeReference(to: walker.mutts)
    let results = ThreadSafeReference(
      to: try #require(walker.realm).objects(Mutt.self).where { $0.age > 10 })
    let seen = try await elsewhere { realm in
      let (mutts, old) = (realm.resolve(list), realm.resolve(results))
      try realm.write { mutts?.append(Mutt(value: ["name": "Lotte", "age": 14])) }
      return [mutts?.count ?? -1, old?.count ?? -1, mutts?.isFrozen == false ? 1 : 0]
    }
    #expect(seen == [2, 2, 1])
  }

  @Test func whatWasDeletedResolvesToNothing() async throws {
    let walker = try walker()
    let (object, list) = (ThreadSafeReference(to: walker), ThreadSafeReference(to: walker.mutts))
    try walker.realm?.write { walker.realm?.delete(walker) }
    let isGone = try await elsewhere { realm in
      realm.resolve(object) == nil && realm.resolve(list) == nil
    }
    #expect(isGone)
  }

  @Test func anOlderRealmMovesOn() async throws {
    let old = try Realm(configuration: configuration)
    #expect(old.objects(Walker.self).isEmpty)
    let reference = try await elsewhere { realm in
      let walker = Walker(value: ["name": "Emil"])
      try realm.write { realm.add(walker) }
      return ThreadSafeReference(to: walker)
    }
    #expect(old.resolve(reference)?.name == "Emil")
  }

  @Test func aVariableForEveryThread() async throws {
    @ThreadSafe var walker = try walker()
    let held = _walker
    let name = try await elsewhere { realm in
      let mine = held.wrappedValue
      try mine?.realm?.write { mine?.name = "Ida" }
      return mine?.name
    }
    #expect(name == "Ida" && walker?.name == "Ida")
    let live = try #require(walker)
    try live.realm?.write { live.realm?.delete(live) }
    #expect(walker == nil)
  }
}
