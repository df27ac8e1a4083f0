import Cairn
import CairnTestSupport
import Dispatch
import Testing

/// Observers of collections: when they are called, and with which changes.
@Suite(.tags(.threads)) struct CollectionObservingTests {
  let onQueue = QueueRealm()

  private func add(_ ids: ClosedRange<Int>, to realm: Realm) throws {
    try realm.write {
      for id in ids { realm.add(Otter(value: ["id": id, "age": id])) }
    }
  }

  @Test func reportsTheInitialStateAndChanges() throws {
    try onQueue { realm in
      try add(0...4, to: realm)
      var seen: [String] = []
      let token = realm.objects(Otter.self).observe { seen.append($0.text) }
      #expect(seen == [])
      realm.refresh()
      #expect(seen == ["initial 5"])
      try realm.write {
        realm.delete(realm.object(ofType: Otter.self, forPrimaryKey: 1)!)
        realm.object(ofType: Otter.self, forPrimaryKey: 3)?.name = "Ottilie"
        realm.add(Otter(value: ["id": 9]))
      }
      #expect(seen.count == 1)
      realm.refresh()
      #expect(seen.last == "-[1] +[4] ~[3]")
      realm.refresh()
      #expect(seen.count == 2)
      token.invalidate()
      try add(20...21, to: realm)
      realm.refresh()
      #expect(seen.count == 2)
    }
  }

  @Test func changeCasesInASwitch() throws {
    try onQueue { realm in
      var seen: [String] = []
      let results = realm.objects(Otter.self).where { $0.age > 2 }
      let token = results.observe { (changes: RealmCollectionChange) in
        switch changes {
        case .initial(let otters): seen.append("\(otters.count)")
        case .update(let otters, let deletions, let insertions, let modifications):
          seen.append("\(otters.count) \(deletions) \(insertions) \(modifications)")
        case .error(let error): fatalError("\(error)")
        }
      }
      try add(1...4, to: realm)
      realm.refresh()
      #expect(seen == ["0", "2 [] [0, 1] []"])
      _ = token
    }
  }

  @Test func notificationsArriveAutomatically() throws {
    let seen = Seen<String>()
    try onQueue { realm in
      seen.token = realm.objects(Otter.self).observe { seen.values.append($0.text) }
    }
    onQueue.settle()
    #expect(seen.values == ["initial 0"])
    try onQueue { realm in
      try add(1...2, to: realm)
      try add(3...3, to: realm)
    }
    onQueue.settle()
    // The first write is reported before the second begins.
    #expect(seen.values == ["initial 0", "-[] +[0, 1] ~[]", "-[] +[2] ~[]"])
    try onQueue { _ in seen.token = nil }
  }

  @Test func severalWritesElsewhereAreReportedTogether() throws {
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      var seen: [String] = []
      let token = realm.objects(Otter.self).sorted(byKeyPath: "age").observe {
        seen.append($0.text)
      }
      realm.refresh()
      try add(4...6, to: other)
      try other.write { other.object(ofType: Otter.self, forPrimaryKey: 6)?.age = 1 }
      try other.write { other.delete(other.objects(Otter.self).where { $0.id == 5 }) }
      #expect(seen == ["initial 0"])
      #expect(realm.objects(Otter.self).count == 0)
      realm.refresh()
      #expect(seen == ["initial 0", "-[] +[0, 1] ~[]"])
      #expect(realm.objects(Otter.self).count == 2)
      _ = token
    }
  }

  @Test func beginWriteDeliversPendingNotifications() throws {
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      var seen: [String] = []
      let otters = realm.objects(Otter.self)
      let token = otters.observe { seen.append("\($0.text) \(realm.isInWriteTransaction)") }
      try add(1...2, to: other)
      realm.beginWrite()
      #expect(seen == ["initial 2 false"])
      realm.add(Otter(value: ["id": 3]))
      realm.refresh()
      #expect(seen.count == 1)
      realm.cancelWrite()
      realm.refresh()
      #expect(seen.count == 1)
      _ = token
    }
  }

  @Test func aWriteSkipsTheGivenTokens() throws {
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      var seen: [String] = []
      var others: [String] = []
      let otters = realm.objects(Otter.self)
      let token = otters.observe { seen.append($0.text) }
      let second = otters.observe { others.append($0.text) }
      realm.refresh()
      try realm.write(withoutNotifying: [token]) { realm.add(Otter(value: ["id": 1])) }
      realm.refresh()
      #expect(seen == ["initial 0"])
      #expect(others == ["initial 0", "-[] +[0] ~[]"])
      // Other commits in between are not lost, and later changes are relative to the last reported
      // state.
      try add(2...3, to: other)
      realm.beginWrite()
      realm.add(Otter(value: ["id": 4]))
      try realm.commitWrite(withoutNotifying: [token])
      try add(5...5, to: realm)
      realm.refresh()
      #expect(seen == ["initial 0", "-[] +[1, 2] ~[]", "-[] +[4] ~[]"])
      #expect(others.suffix(2) == ["-[] +[3] ~[]", "-[] +[4] ~[]"])
      _ = second
    }
  }

  @Test func anObserverMayWrite() throws {
    try onQueue { realm in
      var seen: [String] = []
      var later: [String] = []
      let otters = realm.objects(Otter.self)
      let token = otters.observe { change in
        seen.append(change.text)
        guard case .update = change, otters.count < 4 else { return }
        try? realm.write { realm.add(Otter(value: ["id": otters.count + 10])) }
      }
      let second = otters.observe { later.append($0.text) }
      realm.refresh()
      try add(1...2, to: realm)
      while realm.objects(Otter.self).count < 4 || seen.count < 4 { realm.refresh() }
      #expect(seen == ["initial 0", "-[] +[0, 1] ~[]", "-[] +[2] ~[]", "-[] +[3] ~[]"])
      realm.refresh()
      #expect(later == seen)
      withExtendedLifetime((token, second)) {}
    }
  }

  /// Also when it is called because a write is about to begin.
  @Test func anObserverMayWriteWithAnotherRealm() throws {
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      var seen: [String] = []
      let token = realm.objects(Otter.self).observe { change in
        seen.append(change.text)
        try? other.write { other.add(Den(value: ["name": change.text])) }
      }
      try add(1...1, to: realm)
      try add(2...2, to: realm)
      realm.refresh()
      #expect(seen == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]"])
      #expect(realm.objects(Den.self).count == 2)
      realm.refresh()
      #expect(realm.objects(Den.self).map(\.name) == seen)
      _ = token
    }
  }

  @Test func anObserverMayInvalidateItselfAndOthers() throws {
    try onQueue { realm in
      var seen: [String] = []
      let otters = realm.objects(Otter.self)
      var first: NotificationToken?
      var second: NotificationToken?
      first = otters.observe { _ in
        seen.append("first")
        first = nil
        second?.invalidate()
      }
      second = otters.observe { _ in seen.append("second") }
      realm.refresh()
      try add(1...1, to: realm)
      realm.refresh()
      #expect(seen == ["first"])
      #expect(first == nil)
    }
  }

  @Test func anObserverMayAddObserversAndRefresh() throws {
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      var seen: [String] = []
      var more: [NotificationToken] = []
      let otters = realm.objects(Otter.self)
      let token = otters.observe { change in
        seen.append(change.text)
        guard more.isEmpty else { return }
        try? other.write { other.add(Otter(value: ["id": 7])) }
        more.append(otters.observe { seen.append("more \($0.text)") })
        realm.refresh()
      }
      realm.refresh()
      realm.refresh()
      #expect(seen == ["initial 0", "more initial 1", "-[] +[0] ~[]"])
      _ = token
    }
  }

  @Test func aReleasedTokenReleasesTheRealm() throws {
    let seen = Seen<String>()
    try onQueue { realm in
      seen.token = realm.objects(Otter.self).observe { seen.values.append($0.text) }
    }
    onQueue.settle()
    // Only the token retains the realm.
    try DispatchQueue(label: "elsewhere").sync {
      let realm = try Realm(configuration: onQueue.configuration)
      try realm.write { realm.add(Otter(value: ["id": 1])) }
    }
    try onQueue.wait { seen.values.count >= 2 }
    #expect(seen.values == ["initial 0", "-[] +[0] ~[]"])
    seen.token = nil
    onQueue.settle()
    try onQueue { #expect($0.objects(Otter.self).isEmpty) }
  }

  @Test func keyPathsFilterModifications() throws {
    try onQueue { realm in
      try add(1...3, to: realm)
      let otters = realm.objects(Otter.self)
      let names = Seen<String>()
      let toys = Seen<String>()
      let all = Seen<String>()
      let friends = Seen<String>()
      let tokens = [
        otters.observe(keyPaths: ["name"]) { names.values.append($0.text) },
        otters.observe(keyPaths: [\.toys]) { toys.values.append($0.text) },
        otters.observe(keyPaths: []) { all.values.append($0.text) },
        otters.observe(keyPaths: ["friend.name", "collar.*"]) { friends.values.append($0.text) },
      ]
      realm.refresh()
      func change(_ body: (Otter) -> Void) throws {
        try realm.write { body(otters[1]) }
        realm.refresh()
      }
      try change { $0.age = 40 }
      #expect(names.values.count == 1 && toys.values.count == 1 && friends.values.count == 1)
      #expect(all.last == "-[] +[] ~[1]")
      try change { $0.name = "Ole" }
      #expect(names.last == "-[] +[] ~[1]")
      try change { $0.toys.append(OtterToy(value: ["name": "stone"])) }
      #expect(toys.last == "-[] +[] ~[1]" && toys.values.count == 2)
      // A change of a linked toy is not a change of the list.
      try change { $0.toys[0].name = "shell" }
      #expect(toys.values.count == 2 && all.values.count == 5)
      try change { $0.friend = otters[2] }
      #expect(friends.values.count == 2)
      try change { $0.friend?.name = "Tom" }
      #expect(friends.last == "-[] +[] ~[1]" && friends.values.count == 3)
      #expect(names.last == "-[] +[] ~[2]")
      try change { $0.friend?.age += 1 }
      #expect(friends.values.count == 3)
      try change { $0.collar = Collar(value: ["colour": "red"]) }
      try change { $0.collar?.colour = "blue" }
      #expect(friends.values.count == 5)
      _ = tokens
    }
  }

  @Test func anyCollectionIsObservedLikeItsBase() throws {
    try onQueue { realm in
      let den = Den(value: ["name": "bank"])
      try realm.write {
        realm.add(den)
        den.otters.append(objectsIn: (1...3).map { Otter(value: ["id": $0]) })
      }
      let seen = Seen<String>()
      let otter = den.otters[0]
      let tokens = [
        AnyRealmCollection(den.otters).observe { (change: RealmCollectionChange) in
          seen.values.append("any \(change.text)")
        },
        otter.dens.observe { seen.values.append("dens \($0.text)") },
        den.otters.observe { seen.values.append("list \($0.text)") },
      ]
      realm.refresh()
      #expect(seen.values == ["any initial 3", "dens initial 1", "list initial 3"])
      try realm.write { den.otters.removeFirst() }
      realm.refresh()
      #expect(
        seen.values.suffix(3)
          == ["any -[0] +[] ~[]", "dens -[0] +[] ~[]", "list -[0] +[] ~[]"])
      _ = tokens
    }
  }

  @Test func aListOfADeletedObjectIsReportedAsEmpty() throws {
    try onQueue { realm in
      let den = Den(value: ["numbers": [1, 2, 3], "weights": ["a": 1.5]])
      try realm.write {
        realm.add(den)
        den.otters.append(Otter(value: ["id": 1]))
      }
      let seen = Seen<String>()
      let tokens = [
        den.numbers.observe { seen.values.append("numbers \($0.text)") },
        den.numbers.sorted().observe { seen.values.append("sorted \($0.text)") },
        den.otters.observe { seen.values.append("otters \($0.text)") },
        den.otters.where { $0.age < 3 }.observe { seen.values.append("young \($0.text)") },
      ]
      realm.refresh()
      seen.values = []
      try realm.write { realm.delete(den) }
      realm.refresh()
      #expect(
        seen.values == [
          "numbers -[0, 1, 2] +[] ~[]", "sorted -[0, 1, 2] +[] ~[]", "otters -[0] +[] ~[]",
          "young -[0] +[] ~[]",
        ])
      try add(2...2, to: realm)
      realm.refresh()
      #expect(seen.values.count == 4)
      _ = tokens
    }
  }
}
