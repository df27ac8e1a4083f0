import Cairn
import CairnTestSupport

/// An actor with objects and collections of every kind.
actor Signalman {
  // An actor without missing values has an isolation when its initializer opens the realm.
  private var opened: Realm?
  private var realm: Realm {
    guard let opened else { preconditionFailure("the initializer has not ended") }
    return opened
  }

  init(_ configuration: Realm.Configuration) async throws {
    opened = try await Realm.open(configuration: configuration)
    let realm = realm
    try await realm.asyncWrite {
      realm.create(
        Train.self,
        value: [
          "id": 1, "name": "Ole", "length": 4, "numbers": [1, 2, 3], "colours": ["red"],
          "loads": ["coal": 7], "stops": [["name": "Bank"]],
        ] as [String: Any])
    }
  }

  var smuggledRealm: UncheckedTransfer<Realm> { UncheckedTransfer(realm) }
  var smuggledTrain: UncheckedTransfer<Train> { UncheckedTransfer(realm.objects(Train.self)[0]) }
  var smuggledTrains: UncheckedTransfer<Results<Train>> {
    UncheckedTransfer(realm.objects(Train.self))
  }

  /// An object and a list whose values are already cached.
  var readBefore: UncheckedTransfer<(Train, List<Int>)> {
    let train = realm.objects(Train.self)[0]
    guard train.length == 4, train.name == "Ole", train.numbers[2] == 3 else {
      preconditionFailure("the train has other values")
    }
    return UncheckedTransfer((train, train.numbers))
  }

  /// Sections that are already computed.
  var readSections: UncheckedTransfer<SectionedResults<String, Train>> {
    let sections = realm.objects(Train.self).sectioned(by: \.name)
    precondition(sections.count == 1)
    return UncheckedTransfer(sections)
  }

  /// Writes in an endless loop.
  func write() async throws {
    let realm = realm
    while true {
      try await realm.asyncWrite { realm.create(Train.self, value: ["id": 1], update: .modified) }
    }
  }
}

/// An actor that opens its realm before all of its properties have values, and so before it has an
/// isolation.
actor EarlyPorter {
  private let realm: Realm
  private let started: Int

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
    started = 1
  }

  func add(_ id: Int) async throws -> Int {
    try await realm.asyncWrite { realm.add(Train(value: ["id": id])) }
    return realm.objects(Train.self).count
  }

  func smuggledRealm() -> UncheckedTransfer<Realm> { UncheckedTransfer(realm) }
}

/// An actor that uses the realm of another.
actor Borrower {
  func borrow(_ realm: UncheckedTransfer<Realm>) -> Bool { realm.value.isEmpty }
}
