import Cairn
import CairnModelTestSupport
import CairnTestSupport

/// Errors with transactions, and with objects that are added, changed and deleted.
let writingCases: [Case] = [
  // MARK: Transactions

  Case("transaction: within another") {
    let realm = try newRealm()
    try realm.write { try realm.write {} }
  },
  Case("transaction: committing none") { try newRealm().commitWrite() },
  Case("transaction: cancelling none") { try newRealm().cancelWrite() },

  // MARK: Adding

  Case("add: the same key twice") {
    let realm = try newRealm()
    try realm.write {
      realm.add(Train())
      realm.add(Train())
    }
  },
  Case("add: two null keys") {
    let realm = try newRealm()
    try realm.write {
      realm.add(Ticket())
      realm.add(Ticket())
    }
  },
  Case("add: an update without a primary key") {
    let realm = try newRealm()
    try realm.write { realm.add(Station(), update: .all) }
  },
  Case("add: outside of a transaction") { try newRealm().add(Station()) },
  Case("add: an object of another realm") {
    let (realm, other) = (try newRealm(), try newRealm())
    let station = try realm.write { realm.create(Station.self) }
    try other.write { other.add(station) }
  },
  Case("changing a primary key") {
    let realm = try newRealm()
    try realm.write {
      let train = realm.create(Train.self)
      train.id = 0
      train.id = 2
    }
  },
  Case("init(value:): a value of another type") { _ = Station(value: ["name": 5]) },

  // MARK: Embedded objects

  Case("embedded: twice in a list") {
    let realm = try newRealm()
    let train = try realm.write { realm.create(Train.self, value: ["carriages": [["seats": 1]]]) }
    let carriages = List<Carriage>()
    carriages.append(objectsIn: [train.carriages[0], train.carriages[0]])
    try realm.write { train.carriages = carriages }
  },
  Case("embedded: the list of another object") {
    let realm = try newRealm()
    try realm.write {
      let train = realm.create(Train.self, value: ["carriages": [["seats": 1]]])
      let other = realm.create(Train.self, value: ["id": 2])
      other.carriages = train.carriages
    }
  },
  Case("embedded: appended again") {
    let realm = try newRealm()
    try realm.write {
      let train = realm.create(Train.self, value: ["carriages": [["seats": 1]]])
      train.carriages.append(train.carriages[0])
    }
  },

  // MARK: Deleting

  Case("delete: an object outside of a realm") {
    let realm = try newRealm()
    try realm.write { realm.delete(Station()) }
  },
  Case("delete: twice") {
    let realm = try newRealm()
    try realm.write {
      let station = realm.create(Station.self)
      realm.delete(station)
      realm.delete(station)
    }
  },
  Case("delete: adding afterwards") {
    let realm = try newRealm()
    try realm.write {
      let station = realm.create(Station.self)
      realm.delete(station)
      realm.add(station)
    }
  },
  Case("delete: reading afterwards") {
    let realm = try newRealm()
    try realm.write {
      let station = realm.create(Station.self)
      realm.delete(station)
      _ = station.name
    }
  },
  Case("delete: all outside of a transaction") { try newRealm().deleteAll() },

  // MARK: Required locations and geometries

  Case("required location: read before it is set") { _ = Signal().position },
  Case("required location: added without a value") {
    let realm = try newRealm()
    try realm.write { realm.add(Signal()) }
  },
  Case("required location: updated without a value") {
    let realm = try newRealm()
    try realm.write { realm.add(Signal(), update: .modified) }
  },
  Case("required location: init(value:) without it") { _ = Signal(value: ["name": "nowhere"]) },
  Case("required location: created without it") {
    let realm = try newRealm()
    try realm.write { realm.create(Signal.self) }
  },
  Case("required location: read by its name") { _ = Signal()["position"] },
  Case("required location: read as a custom type") { _ = Beacon().site },
  Case("required geometry: read before it is set") { _ = Signal().view },
]
