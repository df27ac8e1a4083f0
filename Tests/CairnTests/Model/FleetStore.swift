import Cairn
import Foundation

/// The ships of a store, to which the same operations are done as to a `FleetState`.
final class FleetStore {
  private var opened: Realm?
  /// Results that live through all of it, and what they answer.
  private(set) var living: [(results: Results<Ship>, FleetQuestion)] = []

  /// Sailors that were there before the operation began.
  private var choice: [Sailor] = []

  init(_ realm: Realm) { open(realm) }

  var realm: Realm { opened! }

  func close() {
    living = []
    choice = []
    opened = nil
  }

  func open(_ realm: Realm) {
    opened = realm
    live()
  }

  private func live() {
    let middle = FleetState.Place(latitude: 0, longitude: 0.5)
    let questions: [FleetQuestion] = [
      .inCircle(middle, kilometers: 300), .berthInCircle(middle, kilometers: 300), .heavier(2),
      .withCrewNamed("Asta"), .named("dora"),
    ]
    living = questions.compactMap { question in
      results(of: question).map { ($0, question) }
    }
  }

  var ships: Results<Ship> { realm.objects(Ship.self).sorted(byKeyPath: "id") }
  var sailors: Results<Sailor> { realm.objects(Sailor.self).sorted(byKeyPath: "tag") }

  /// The ship that a number chooses.
  func chosenShip(_ number: Int) -> Ship? {
    let ships = ships
    return ships.isEmpty ? nil : ships[number % ships.count]
  }

  /// The sailor that a number chooses, in the order of tags.
  func chosen(_ number: Int) -> Sailor? {
    choice.isEmpty ? nil : choice[number % choice.count]
  }

  /// Whom numbers choose from now on.
  func muster() { choice = Array(sailors) }

  /// What is asked, as results in the order of the keys.
  func results(of question: FleetQuestion) -> Results<Ship>? {
    muster()
    let ships = ships
    switch question {
    case .inCircle(let place, let kilometers):
      let circle = GeoCircle(center: place.point, radius: .kilometers(kilometers)!)
      return ships.where { $0.position.geoWithin(circle) }
    case .inBox(let a, let b):
      let box = GeoBox(
        bottomLeft: (min(a.latitude, b.latitude), min(a.longitude, b.longitude)),
        topRight: (max(a.latitude, b.latitude), max(a.longitude, b.longitude)))!
      return ships.where { $0.position.geoWithin(box) }
    case .berthInCircle(let place, let kilometers):
      let circle = GeoCircle(center: place.point, radius: .kilometers(kilometers)!)
      return ships.filter("berth IN %@", circle)
    case .named(let name): return ships.where { $0.name == name }
    case .heavier(let tons): return ships.where { $0.tons > tons }
    case .withCrewNamed(let name): return ships.filter("ANY crew.name == %@", name)
    case .withCrewOf(let count): return ships.where { $0.crew.count == count }
    case .withCaptainNamed(let name): return ships.where { $0.captain.name == name }
    case .withCargo(let key): return ships.where { $0.cargo.keys == key }
    case .withExtra(let number): return ships.where { $0.extra == .int(number) }
    case .watchedBy(let number): return chosen(number).map { ships.filter("ANY watch == %@", $0) }
    }
  }
}

extension FleetState.Place {
  var point: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude)! }
}
