import Cairn
import CairnModelTestSupport
import CairnTestSupport

/// Errors with frozen realms, objects and collections, and with realms on other threads.
let frozenCases: [Case] = [
  Case("frozen: changing an object") {
    let realm = try newRealm()
    let station = try realm.write { realm.create(Station.self) }.freeze()
    station.name = "changed"
  },
  Case("frozen: a transaction") { try newRealm().freeze().write {} },
  Case("frozen: adding an object") { try newRealm().freeze().add(Station()) },
  Case("frozen: an object outside of a realm") { _ = Station().freeze() },
  Case("frozen: an object of the open transaction") {
    let realm = try newRealm()
    try realm.write { _ = realm.create(Station.self).freeze() }
  },
  Case("frozen: a list outside of a realm") { _ = List<Int>().freeze() },
  Case("frozen: changing a list") {
    let realm = try newRealm()
    let train = try realm.write { realm.create(Train.self) }
    train.numbers.freeze().append(1)
  },
  Case("thread: results of another") {
    let file = TemporaryStore()
    let stations = try await onNewThread { try file.realm().objects(Station.self) }
    _ = stations.count
  },
  Case("thread: a realm of another") {
    let file = TemporaryStore()
    let realm = UncheckedTransfer(
      try await onNewThread { UncheckedTransfer(try file.realm()) }.value)
    _ = realm.value.objects(Station.self)
  },
]
