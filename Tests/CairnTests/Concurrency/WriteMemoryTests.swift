import Cairn
import CairnTestSupport
import Testing

/// An actor that moves otters with every form of write.
private actor Mover {
  private var realm: Realm!
  private var tokens: [NotificationToken] = []
  private(set) var turns = 0
  static let forms = 10

  init(_ configuration: Realm.Configuration, isObserved: Bool) async throws {
    realm = try await Realm.open(configuration: configuration)
    let realm: Realm = realm
    try await realm.asyncWrite {
      let den = realm.create(Den.self, value: ["name": "Bank"])
      for id in 0..<2000 {
        let otter = realm.create(Otter.self, value: ["id": id])
        otter.place = GeoPoint(latitude: Double(id % 90), longitude: Double(id % 180))
        if id % 20 == 0 { den.otters.append(otter) }
      }
    }
    if isObserved { observe(realm) }
  }

  private func observe(_ realm: Realm) {
    let note: () -> Void = { [weak self] in self?.assumeIsolated { $0.turns += 1 } }
    let otters = realm.objects(Otter.self)
    tokens = [
      otters.where { $0.age > 5 }.observe { _ in note() },
      otters.sorted(byKeyPath: "age").observe(keyPaths: ["age"]) { _ in note() },
      otters[0].observe { (_: ObjectChange<Otter>) in note() },
      realm.objects(Den.self)[0].otters.observe { _ in note() },
      realm.observe { _, _ in note() },
    ]
  }

  /// Writes once, in one of the forms.
  func write(_ form: Int, _ number: Int) async throws {
    struct Refusal: Error {}
    let realm: Realm = realm
    switch form {
    case 0: try realm.write { move(number) }
    case 1: try await realm.asyncWrite { move(number) }
    case 2: await done { done in realm.writeAsync({ self.move(number) }, onComplete: done) }
    case 3: await commit(number, allowGrouping: false)
    case 4: await commit(number, allowGrouping: true)
    case 5:
      realm.beginWrite()
      move(number)
      await done { done in realm.commitAsyncWrite(done) }
    case 6:
      realm.beginWrite()
      move(number)
      realm.cancelWrite()
    case 7:
      try? await realm.asyncWrite { [self] in
        move(number)
        throw Refusal()
      }
    case 8:
      let id = realm.writeAsync { self.move(number) }
      try realm.cancelAsyncWrite(id)
      await done { done in
        realm.writeAsync(
          {
            self.move(number)
            throw Refusal()
          }, onComplete: done)
      }
    default:
      let task = Task { try await realm.asyncWrite { move(number) } }
      task.cancel()
      _ = try? await task.value
    }
  }

  private func commit(_ number: Int, allowGrouping: Bool) async {
    let realm: Realm = realm
    await done { done in
      realm.beginAsyncWrite {
        self.move(number)
        realm.commitAsyncWrite(allowGrouping: allowGrouping, done)
      }
    }
  }

  private func done(_ start: (@escaping ((any Error)?) -> Void) -> Void) async {
    await withCheckedContinuation { done in start { _ in done.resume() } }
  }

  private func move(_ number: Int) {
    let realm: Realm = realm
    for step in 0..<20 {
      let otter = realm.object(ofType: Otter.self, forPrimaryKey: (number * 7 + step * 31) % 2000)
      otter?.age = (number + step) % 11
      otter?.place = GeoPoint(latitude: Double(number % 90), longitude: Double(step))
    }
  }
}

/// Writes release their memory.
@Suite struct WriteMemoryTests {
  /// In a separate process, so that other tests do not affect the measurement.
  @Test(
    .enabled(if: Memory.anonymousBytes != nil, "the system does not report memory use"),
    arguments: [false, true])
  func commitsReleaseTheirMemory(isObserved: Bool) async {
    await #expect(processExitsWith: .success) { [isObserved] in
      let mover = try await Mover(
        Realm.Configuration(inMemoryIdentifier: "memory"), isObserved: isObserved)
      func write(_ count: Int) async throws {
        for number in 0..<count { try await mover.write(number % Mover.forms, number) }
      }
      try await write(500)
      let before = try #require(Memory.anonymousBytes)
      let count = Soak.count(2000, long: 2000 * Mover.forms)
      try await write(count)
      let growth = (Memory.anonymousBytes ?? 0) - before
      #expect(growth < 5_000_000, "\(growth) bytes more after \(count) writes")
      if isObserved { #expect(await mover.turns > count / 10) }
    }
  }
}
