import Cairn
import CairnTestSupport
import Testing

/// Observers of objects and projections.
@Suite(.tags(.threads)) struct ObjectObservingTests {
  let onQueue = QueueRealm()

  class Card: Projection<Otter> {
    @Projected(\Otter.name) var title
    @Projected(\Otter.friend?.age) var friendsAge
    @Projected(\Otter.toys.projectTo.name) var toyNames: ProjectedCollection<String>
  }

  private func texts(_ changes: [PropertyChange]) -> [String] {
    changes.map { "\($0.name): \($0.oldValue ?? "nil") -> \($0.newValue ?? "nil")" }
  }

  /// A managed otter and its friend.
  private func pair(_ realm: Realm) throws -> (Otter, Otter) {
    let otter = Otter(value: ["id": 1, "name": "Ole", "age": 3])
    let friend = Otter(value: ["id": 2, "name": "Fee", "age": 5])
    try realm.write {
      realm.add([otter, friend])
      otter.friend = friend
    }
    return (otter, friend)
  }

  /// Mixed values are shown as the program sets them; collections in them are not.
  @Test func reportsMixedValues() throws {
    try onQueue { realm in
      let (otter, friend) = try pair(realm)
      var seen: [String] = []
      let token = otter.observe(keyPaths: ["note"]) { (change: ObjectChange<Otter>) in
        if case .change(_, let properties) = change { seen += texts(properties) }
      }
      realm.refresh()
      for note: AnyRealmValue in [
        .string("hello"), .int(7), .object(friend), .fromArray([.int(1)]), .none,
      ] {
        try realm.write { otter.note = note }
        realm.refresh()
      }
      #expect(seen.count == 5)
      #expect(seen.first == "note: nil -> hello" && seen[1] == "note: hello -> 7")
      #expect(seen[2].hasPrefix("note: 7 -> Otter {"), "\(seen[2])")
      #expect(seen[3].hasPrefix("note: Otter {") && seen[3].hasSuffix("-> nil"), "\(seen[3])")
      #expect(seen[4] == "note: nil -> nil")
      token.invalidate()
    }
  }

  @Test func reportsPropertiesAndTheirValues() throws {
    try onQueue { realm in
      let (otter, friend) = try pair(realm)
      var seen: [[String]] = []
      var objects: [Otter] = []
      var isDeleted = false
      let token = otter.observe { (change: ObjectChange<Otter>) in
        switch change {
        case .change(let otter, let properties):
          objects.append(otter)
          seen.append(texts(properties))
        case .deleted: isDeleted = true
        case .error(let error): Issue.record(error)
        }
      }
      realm.refresh()
      #expect(seen.isEmpty)
      try realm.write {
        otter.name = "Olaf"
        otter.age += 1
        otter.place = GeoPoint(latitude: 50.7, longitude: 7.1)
      }
      realm.refresh()
      #expect(seen.count == 1)
      #expect(seen[0][0] == "name: Ole -> Olaf")
      #expect(seen[0][1] == "age: 3 -> 4")
      #expect(seen[0][2].hasPrefix("place: nil -> "))
      #expect(objects[0] === otter)
      try realm.write { otter.toys.append(OtterToy()) }
      realm.refresh()
      #expect(seen.last == ["toys: nil -> nil"])
      // Changes of linked objects are not reported; the deletion of a link's target is.
      try realm.write { friend.name = "Feline" }
      realm.refresh()
      #expect(seen.count == 2)
      try realm.write { realm.delete(friend) }
      realm.refresh()
      #expect(seen.count == 3 && seen[2].count == 1)
      #expect(seen[2][0].hasPrefix("friend: ") && seen[2][0].hasSuffix("-> nil"))
      #expect(!isDeleted)
      try realm.write { realm.delete(otter) }
      realm.refresh()
      #expect(isDeleted && otter.isInvalidated)
      _ = token
    }
  }

  @Test func theTypeOfTheClosureIsInferred() throws {
    try onQueue { realm in
      let (otter, _) = try pair(realm)
      var seen: [String] = []
      let token = otter.observe { change in
        switch change {
        case .change(let object, let properties):
          seen.append("\(type(of: object)) \(properties.map(\.name))")
        case .error(let error): seen.append("\(error)")
        case .deleted: seen.append("deleted")
        }
      }
      let named = otter.observe(keyPaths: [\Otter.name]) { change in
        if case .change(let otter, _) = change { seen.append("named \(otter.name)") }
      }
      try realm.write { otter.name = "Olli" }
      realm.refresh()
      try realm.write { otter.age = 9 }
      realm.refresh()
      #expect(seen == ["Otter [\"name\"]", "named Olli", "Otter [\"age\"]"])
      _ = (token, named)
    }
  }

  @Test func keyPathsFollowLinks() throws {
    try onQueue { realm in
      let (otter, friend) = try pair(realm)
      try realm.write { otter.collar = Collar(value: ["colour": "red"]) }
      var seen: [[String]] = []
      let token = otter.observe(keyPaths: ["friend.name", "collar.colour", "age"]) {
        (change: ObjectChange<Otter>) in
        if case .change(_, let properties) = change { seen.append(properties.map(\.name)) }
      }
      func write(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      try write { otter.name = "unseen" }
      #expect(seen.isEmpty)
      try write { friend.name = "Fritz" }
      try write { friend.age = 50 }
      try write { otter.collar?.colour = "green" }
      try write {
        otter.age = 77
        otter.friend = nil
      }
      #expect(seen.map { $0.sorted() } == [["friend"], ["collar"], ["age", "friend"]])
      _ = token
    }
  }

  @Test func embeddedAndDynamicObjects() throws {
    try onQueue { realm in
      let (otter, _) = try pair(realm)
      try realm.write { otter.collar = Collar(value: ["colour": "red"]) }
      var seen: [String] = []
      let dynamic = try #require(realm.dynamicObjects("Otter").filter("id == 1").first)
      let collar = try #require(otter.collar)
      let tokens = [
        collar.observe { (change: ObjectChange<Collar>) in
          switch change {
          case .change(let collar, let properties):
            seen.append("\(collar.colour) \(properties.count)")
          case .deleted: seen.append("gone")
          case .error: break
          }
        },
        dynamic.observe { (change: ObjectChange<DynamicObject>) in
          if case .change(_, let properties) = change { seen += texts(properties) }
        },
      ]
      try realm.write { collar.colour = "blue" }
      realm.refresh()
      try realm.write { otter.age = 4 }
      realm.refresh()
      // Replacing an embedded object deletes the old one.
      try realm.write { otter.collar = Collar() }
      realm.refresh()
      #expect(seen.prefix(3) == ["blue 1", "age: 3 -> 4", "gone"])
      _ = tokens
    }
  }

  @Test func projectionsReportTheirOwnNames() throws {
    try onQueue { realm in
      let (otter, friend) = try pair(realm)
      let card = try #require(realm.objects(Card.self).first { $0.title == "Ole" })
      var seen: [[String]] = []
      var named: [String] = []
      let tokens = [
        card.observe { change in
          switch change {
          case .change(let card, let properties):
            #expect(card.rootObject.isSameObject(as: otter))
            seen.append(texts(properties))
          case .deleted: seen.append(["deleted"])
          case .error: break
          }
        },
        card.observe(keyPaths: [\Card.title]) { change in
          if case .change(let card, _) = change { named.append(card.title) }
        },
      ]
      func write(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      try write { otter.name = "Olga" }
      try write { otter.age = 5 }
      try write { friend.age = 6 }
      try write { otter.toys.append(OtterToy(value: ["name": "ball"])) }
      try write { otter.toys[0].price = 3 }
      try write { otter.toys[0].name = "bell" }
      try write { realm.delete(otter) }
      #expect(
        seen == [
          ["title: Ole -> Olga"], ["friendsAge: 5 -> 6"],
          ["toyNames: nil -> ProjectedCollection<String> (\n\tball\n)"],
          ["toyNames: nil -> ProjectedCollection<String> (\n\tbell\n)"], ["deleted"],
        ])
      #expect(named == ["Olga"])
      _ = tokens
    }
  }

  @Test func resultsOfProjections() throws {
    try onQueue { realm in
      let (otter, friend) = try pair(realm)
      var seen: [String] = []
      let token = realm.objects(Card.self).observe(keyPaths: [\.title, \.friendsAge]) {
        seen.append($0.text)
      }
      realm.refresh()
      try realm.write { otter.age = 8 }
      realm.refresh()
      try realm.write { friend.age = 8 }
      realm.refresh()
      #expect(seen == ["initial 2", "-[] +[] ~[0]"])
      _ = token
    }
  }
}
