import Cairn
import CairnTestSupport
import Testing

/// Results in every form, compared with plain arrays: the change sets, applied to the old elements,
/// yield the new ones.
@Suite(.tags(.threads)) struct RandomObservingTests {
  /// An otter as plain values.
  struct Known: Equatable {
    let id: Int
    let name: String
    let age: Int
    let place: GeoPoint?
    let friendID: Int?
    let friendName: String?
    let friendAge: Int?

    init(_ otter: Otter) {
      (id, name, age, place) = (otter.id, otter.name, otter.age, otter.place)
      let friend = otter.friend
      (friendID, friendName, friendAge) = (friend?.id, friend?.name, friend?.age)
    }
  }

  /// A mirror of a collection that reads only the elements named in change sets.
  final class CollectionMirror {
    let name: String
    private let comment: String
    private var known: [Known] = []
    private(set) var calls = 0
    private var token: NotificationToken?
    private var present: () -> [Known] = { [] }

    init<C: RealmCollection>(_ name: String, _ otters: C, _ comment: String)
    where C.Element == Otter {
      self.name = name
      self.comment = "\(name), \(comment)"
      present = { otters.map { Known($0) } }
      token = otters.observe { [unowned self] change in
        calls += 1
        follow(change)
      }
    }

    private func follow<C: RealmCollection>(_ change: RealmCollectionChange<C>)
    where C.Element == Otter {
      switch change {
      case .initial(let otters): known = otters.map { Known($0) }
      case .update(let otters, let deletions, let insertions, let modifications):
        #expect(deletions.isRising && insertions.isRising && modifications.isRising, "\(comment)")
        let changed = Set(modifications)
        let gone = Set(deletions)
        #expect(gone.isDisjoint(with: changed), "\(comment)")
        var kept = known.indices.filter { !gone.contains($0) }
          .map { (known: known[$0], isChanged: changed.contains($0)) }
        for place in insertions { kept.insert((Known(otters[place]), false), at: place) }
        known = kept.enumerated().map { $1.isChanged ? Known(otters[$0]) : $1.known }
      case .error(let error): Issue.record(error)
      }
    }

    func check() { #expect(known == present(), "\(comment)") }
  }

  private func mirrors(_ realm: Realm, _ den: Den, _ comment: String) -> [CollectionMirror] {
    let otters = realm.objects(Otter.self)
    let circle = GeoCircle(center: (50, 10), radiusInRadians: 0.05)!
    return [
      CollectionMirror("all", otters, comment),
      CollectionMirror("filtered", otters.where { $0.age > 5 }, comment),
      CollectionMirror("sorted", otters.sorted(byKeyPath: "name"), comment),
      CollectionMirror(
        "sorted twice",
        otters.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"]), comment),
      CollectionMirror(
        "filtered and sorted", otters.where { $0.age < 7 }.sorted(byKeyPath: "age"), comment),
      CollectionMirror("first few", otters.sorted(byKeyPath: "age").limit(5), comment),
      CollectionMirror("distinct", otters.sorted(byKeyPath: "name").distinct(by: ["age"]), comment),
      CollectionMirror("geofence", otters.where { $0.place.geoWithin(circle) }, comment),
      CollectionMirror(
        "nearest", otters.nearest(to: GeoPoint(latitude: 50, longitude: 10)!).limit(6), comment),
      CollectionMirror("by friend", otters.where { $0.friend.age > 4 }, comment),
      CollectionMirror("sorted by friend", otters.sorted(byKeyPath: "friend.name"), comment),
      CollectionMirror("list", den.otters, comment),
      CollectionMirror("filtered list", den.otters.where { $0.age > 3 }, comment),
      CollectionMirror("sorted list", den.otters.sorted(byKeyPath: "age"), comment),
      CollectionMirror("set", den.guests, comment),
      CollectionMirror("any", AnyRealmCollection(otters.where { $0.name.contains("a") }), comment),
    ]
  }

  @Test(arguments: 0..<Soak.count(2, long: 200))
  func changeSetsYieldTheNewState(_ number: Int) throws {
    let seed = UInt64(900 + number)
    var random = SplitMix64(seed: seed)
    let onQueue = QueueRealm()
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      let den = Den()
      try realm.write {
        realm.add(den)
        for id in 0..<30 { realm.add(Otter(value: ["id": id, "age": id % 9])) }
      }
      let mirrors = mirrors(realm, den, "seed \(seed)")
      realm.refresh()
      var nextID = 100
      for _ in 0..<60 {
        // In this realm or another, and sometimes several writes before a refresh.
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let writer = Bool.random(using: &random) ? realm : other
          try writer.write {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
              edit(writer, &nextID, &random)
            }
          }
        }
        realm.refresh()
        for mirror in mirrors { mirror.check() }
      }
      for mirror in mirrors {
        #expect(mirror.calls > 5, "\(mirror.name) received too few notifications")
      }
    }
  }

  private func edit(_ realm: Realm, _ nextID: inout Int, _ random: inout SplitMix64) {
    let otters = realm.objects(Otter.self)
    guard let den = realm.objects(Den.self).first else { return }
    let any = otters.randomElement(using: &random)
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1:
      nextID += 1
      realm.add(Otter(value: ["id": nextID, "name": name(&random), "age": nextID % 9]))
    case 2 where otters.count > 10: if let any { realm.delete(any) }
    case 3: any?.age = Int.random(in: 0..<9, using: &random)
    case 4: any?.name = name(&random)
    case 5, 6:
      any?.place = GeoPoint(
        latitude: Double.random(in: 45...55, using: &random),
        longitude: Double.random(in: 5...15, using: &random))
    case 7: any?.friend = otters.randomElement(using: &random)
    case 8: any?.friend = nil
    case 9: if let any { den.otters.append(any) }
    case 10 where !den.otters.isEmpty:
      den.otters.remove(at: Int.random(in: 0..<den.otters.count, using: &random))
    case 11: if let any { den.guests.insert(any) }
    default: if let any { den.guests.remove(any) }
    }
  }

  private func name(_ random: inout SplitMix64) -> String {
    ["Ada", "Bo", "Caro", "Dana", "Eli"].randomElement(using: &random)! + "\(random.next() % 7)"
  }
}

extension [Int] {
  fileprivate var isRising: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
