import Cairn
import CairnTestSupport
import Dispatch
import Testing

/// Objects and collections passed from one realm to another.
@Suite(.tags(.threads)) struct ThreadSafeTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "threads \(ObjectId.generate())")

  /// Runs a closure on another thread with its own realm.
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

  @Test func deletedObjectsResolveToNil() async throws {
    let walker = try walker()
    let (object, list) = (ThreadSafeReference(to: walker), ThreadSafeReference(to: walker.mutts))
    try walker.realm?.write { walker.realm?.delete(walker) }
    let isGone = try await elsewhere { realm in
      realm.resolve(object) == nil && realm.resolve(list) == nil
    }
    #expect(isGone)
  }

  @Test func resolvingAdvancesAnOlderRealm() async throws {
    let old = try Realm(configuration: configuration)
    #expect(old.objects(Walker.self).isEmpty)
    let reference = try await elsewhere { realm in
      let walker = Walker(value: ["name": "Emil"])
      try realm.write { realm.add(walker) }
      return ThreadSafeReference(to: walker)
    }
    #expect(old.resolve(reference)?.name == "Emil")
  }

  /// The write that adds the object is committed, or cancelled, before the reference is resolved.
  @Test(arguments: [true, false])
  func resolvesAnObjectThatAWriteAdds(isCommitted: Bool) async throws {
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    let walker = realm.create(Walker.self, value: ["name": "Nora"])
    let reference = ThreadSafeReference(to: walker)
    @ThreadSafe var variable = walker
    let held = _variable
    #expect(variable?.name == "Nora")
    if isCommitted { try realm.commitWrite() } else { realm.cancelWrite() }
    let expected = isCommitted ? "Nora" : nil
    let names = try await elsewhere { realm in
      [realm.resolve(reference)?.name, held.wrappedValue?.name]
    }
    #expect(names == [expected, expected])
  }

  @Test func aVariableWorksOnEveryThread() async throws {
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

  /// The variable also shows the commits of other writers after its first read.
  @Test func aVariableShowsLaterCommits() async throws {
    let queue = QueueRealm(configuration)
    @ThreadSafe var walker = try walker()
    let held = _walker
    @ThreadSafe var mutts = walker?.mutts
    @ThreadSafe var old = walker?.realm?.objects(Mutt.self).where { $0.age > 10 }
    let heldResults = _old
    for age in 14..<20 {
      try queue { realm in
        try realm.write {
          realm.objects(Walker.self).first?.name = "Dora \(age)"
          realm.objects(Walker.self).first?.mutts.append(Mutt(value: ["age": age]))
        }
      }
      #expect(walker?.name == "Dora \(age)")
      #expect(mutts?.count == age - 12)
      #expect(old?.count == age - 12)
      let (name, count) = try await elsewhere { _ in
        (held.wrappedValue?.name, heldResults.wrappedValue?.count)
      }
      #expect(name == "Dora \(age)" && count == age - 12)
    }
    try queue { realm in try realm.write { realm.delete(realm.objects(Walker.self)) } }
    #expect(walker == nil && mutts == nil && old?.count == 7)
  }

  /// The variable retains only the version that was last read.
  @Test func aVariableReleasesOldVersions() throws {
    let onQueue = QueueRealm(configuration)
    try onQueue { realm in
      let walker = Walker(value: ["name": "Dora"])
      try realm.write { realm.add(walker) }
      @ThreadSafe var held: Walker? = walker
      for number in 0..<50 {
        try realm.write { walker.name = "\(number)" }
        #expect(held?.name == "\(number)")
      }
      #expect(realm.numberOfActiveVersions <= 3)
      withExtendedLifetime(_held) {}
    }
  }

  @Test func insideAWriteTransaction() async throws {
    let walker = try walker()
    let realm = try #require(walker.realm)
    @ThreadSafe var held = walker
    realm.beginWrite()
    walker.name = "Ida"
    realm.add(Mutt(value: ["name": "Lotte", "age": 14]))
    // The variable reads and writes the uncommitted state.
    #expect(held?.name == "Ida")
    held?.name = "Ida Stern"
    held = walker
    let references = (
      ThreadSafeReference(to: walker), ThreadSafeReference(to: walker.mutts),
      ThreadSafeReference(to: realm.objects(Mutt.self))
    )
    let frozen = walker.freeze()
    let results = realm.objects(Mutt.self).freeze()
    let list = walker.mutts.freeze()
    #expect(frozen.name == "Dora" && results.count == 1 && list.count == 1)
    #expect(realm.freeze().objects(Mutt.self).count == 1)
    #expect(walker.name == "Ida Stern" && realm.objects(Mutt.self).count == 2)
    let before = try await elsewhere { realm in realm.objects(Walker.self).first?.name }
    #expect(before == "Dora")
    try realm.commitWrite()
    #expect(frozen.name == "Dora" && results.count == 1 && held?.name == "Ida Stern")
    let seen = try await elsewhere { realm in
      let (walker, mutts) = (realm.resolve(references.0), realm.resolve(references.1))
      return
        "\(walker?.name ?? "") \(mutts?.count ?? -1) \(realm.resolve(references.2)?.count ?? -1)"
    }
    #expect(seen == "Ida Stern 1 2")
  }

  /// A transaction that began while earlier commits were still pending.
  @Test func insideAWriteTransactionWithPendingCommits() throws {
    let queue = QueueRealm(configuration)
    try queue { realm in
      let walker = Walker(value: ["name": "0"])
      try realm.write { realm.add(walker) }
      for number in 1...20 {
        realm.beginWrite()
        walker.name = "\(number)"
        let frozen = walker.freeze()
        #expect(frozen.name == "\(number - 1)")
        realm.commitAsyncWrite(allowGrouping: true)
      }
      #expect(walker.name == "20")
    }
  }

  @Test(arguments: 0..<3) func objectsOfTheOpenTransactionAreRejected(_ access: Int) {
    let text = Misuse.trap("added: access \(access)")
    #expect(text.contains("that the open write transaction added: commit it first."), "\(text)")
  }
}
