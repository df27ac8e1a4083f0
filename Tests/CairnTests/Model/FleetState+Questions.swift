import Foundation

/// Questions to plain Swift values.
extension FleetState {
  /// The keys of the ships that the answer has, rising.
  func answer(to question: FleetQuestion) -> [Int] {
    ships.keys.sorted().filter { ships[$0].map { answers($0, question) } == true }
  }

  private func answers(_ ship: Ship, _ question: FleetQuestion) -> Bool {
    switch question {
    case .inCircle(let place, let kilometers):
      ship.position.map { $0.distance(to: place) <= kilometers * 1000 } ?? false
    case .inBox(let a, let b): ship.position.map { $0.isBetween(a, b) } ?? false
    case .berthInCircle(let place, let kilometers):
      ship.berth?.place.map { $0.distance(to: place) <= kilometers * 1000 } ?? false
    case .named(let name): ship.name == name
    case .heavier(let tons): ship.tons.map { $0 > tons } ?? false
    case .withCrewNamed(let name): ship.crew.contains { sailors[$0]?.name == name }
    case .withCrewOf(let count): ship.crew.count == count
    case .withCaptainNamed(let name): ship.captain.map { sailors[$0]?.name == name } ?? false
    case .withCargo(let key): ship.cargo[key] != nil
    case .withExtra(let number): ship.extra.equals(number)
    case .watchedBy(let number): chosen(number).map(ship.watch.contains) ?? false
    }
  }
}

extension FleetState.Place {
  /// Meters on the sphere.
  fileprivate func distance(to other: Self) -> Double {
    let (a, b) = (latitude * .pi / 180, other.latitude * .pi / 180)
    let d = (longitude - other.longitude) * .pi / 180
    let h = pow(sin((a - b) / 2), 2) + cos(a) * cos(b) * pow(sin(d / 2), 2)
    return 2 * 6_378_100 * asin(sqrt(h))
  }

  fileprivate func isBetween(_ a: Self, _ b: Self) -> Bool {
    min(a.latitude, b.latitude)...max(a.latitude, b.latitude) ~= latitude
      && min(a.longitude, b.longitude)...max(a.longitude, b.longitude) ~= longitude
  }
}

extension FleetState.Berth {
  /// The place that it describes in GeoJSON's shape.
  fileprivate var place: FleetState.Place? {
    guard type == "Point", coordinates.count >= 2 else { return nil }
    return FleetState.Place(latitude: coordinates[1], longitude: coordinates[0])
  }
}

extension FleetState.Extra {
  /// A number equals a flag, as 1 or 0.
  fileprivate func equals(_ number: Int) -> Bool {
    switch self {
    case .int(let own): own == number
    case .flag(let flag): (flag ? 1 : 0) == number
    default: false
    }
  }
}
