import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation

/// Queries that are not possible.
let queryCases: [Case] = [
  Case("query: two collections") {
    _ = Predicate(of: Train.self) { $0.stops.tracks == $0.parts.stops.tracks }
  },
  Case("query: a property below the key of a map") {
    _ = Predicate(of: Train.self) { $0.stopsByDay["k"].name == "a" }
  },
  Case("subquery: over a link") {
    _ = Predicate(of: Train.self) { ($0.home.tracks > 5).count > 1 }
  },
  Case("subquery: over the key of a map") {
    _ = Predicate(of: Train.self) { ($0.parts.loads["k"] > 5).count > 1 }
  },
  Case("subquery: over two collections") {
    _ = Predicate(of: Train.self) { ($0.stops.tracks > 5 && $0.skipped.tracks > 5).count > 1 }
  },
  Case("subquery: over values") {
    _ = Predicate(of: Train.self) { $0.numbers.contains(5).count > 1 }
  },
  Case("query: a computed property") {
    _ = Predicate(of: Train.self) { $0.initial == "a" }
  },
  Case("query: the maximum of a number") {
    _ = Predicate(of: Train.self) { $0.length.max > 3 }
  },
  Case("query: a whole collection") {
    _ = Predicate(of: Train.self) { $0.numbers == List<Int>() }
  },
  Case("query: an object of another realm") {
    let (first, second) = (try newRealm(), try newRealm())
    let station = Station()
    try first.write { first.add(station) }
    _ = second.objects(Train.self).where { $0.home == station }
  },
  Case("query: a negative distance") {
    let stations = try newRealm().objects(Station.self)
    _ = stations.where { $0.position.geoDistance(to: $0.entrance) < .kilometers(-1) }
  },
  Case("nearest: with several locations") {
    let stations = try newRealm().objects(Station.self)
    _ = try stations.nearest(to: Geometry(wkt: "POINT (1 2)"))
  },

  // MARK: Foundation's predicates

  Case("NSPredicate: half a condition") { _ = NSPredicate(format: "size <") },
  Case("NSPredicate: a block") {
    let realm = try TemporaryRealm().realm
    _ = realm.objects(Station.self).filter(NSPredicate { _, _ in true })
  },
  Case("index set: beyond the end") {
    let realm = try TemporaryRealm().realm
    _ = realm.objects(Station.self).objects(at: IndexSet(integer: 0))
  },
  Case("#Predicate: arithmetic") {
    let realm = try await Realm.open(configuration: inMemory())
    _ = realm.objects(Station.self).filter(#Predicate { $0.tracks * 2 > 1 })
  },
  Case("filter: a text for an object ID") {
    let realm = try TemporaryRealm().realm
    _ = realm.objects(Reservation.self).filter("id = '11223344556677889900aabb'")
  },
]

/// Joins that are not possible.
let joinCases: [Case] = [
  Case("join: of two realms") {
    let (a, b) = (try newRealm(), try newRealm())
    _ = a.objects(Station.self).joined(
      to: b.objects(Station.self), on: .within(\.position, \.outline))
  },
  Case("join: by an embedded object without a location") {
    let realm = try newRealm()
    _ = realm.objects(Station.self).joined(
      to: realm.objects(Station.self), on: .within(\.kiosk, \.outline))
  },
  Case("join: grouped by a computed property") {
    let realm = try newRealm()
    let join = realm.objects(Station.self).joined(
      to: realm.objects(Station.self), on: .within(\.position, \.outline))
    _ = join.aggregate(by: \.left.unstored)
  },
]
