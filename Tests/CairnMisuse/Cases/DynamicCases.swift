import Cairn
import CairnModelTestSupport
import CairnStorage
import CairnTestSupport

/// A realm of seven objects of a class that only the store knows.
private func cities() throws -> Realm {
  let file = TemporaryStore.untilExit()
  try Store.open(file.path, mode: .create).write { transaction in
    let cities = try transaction.createTable(
      "City",
      columns: [
        ColumnSchema(id: 0, name: "name", type: .string, position: 0),
        ColumnSchema(id: 1, name: "location", type: .point, isOptional: true, position: 1),
        ColumnSchema(id: 2, name: "station", type: .point, isOptional: true, position: 2),
      ])
    for number in 0..<7 { try cities.insert([.string("city \(number)"), .null, .null]) }
  }
  return try file.realm()
}

/// Errors with objects that are accessed by the names of their classes and properties.
let dynamicCases: [Case] = [
  Case("dynamic: a misspelt property in a filter") {
    _ = try cities().dynamicObjects("City").filter("nmae == 'x'")
  },
  Case("dynamic: a misspelt class") { _ = try cities().dynamicObjects("Cty") },
  Case("dynamic: an index beyond the end") { _ = try cities().dynamicObjects("City")[7] },
  Case("dynamic: a sum of strings") {
    _ = try cities().dynamicObjects("City").sum(ofProperty: "name") as Int
  },
  Case("dynamic: a filter after a limit") {
    _ = try cities().dynamicObjects("City").limit(2).filter("name == 'x'")
  },
  Case("dynamic: sorting by a missing property") {
    _ = try cities().dynamicObjects("City").sorted(byKeyPath: "nothing")
  },
  Case("dynamic: reading a missing property") {
    _ = try cities().dynamicObjects("City")[0]["nothing"]
  },
  Case("dynamic: within, with two locations") {
    guard let box = GeoBox(bottomLeft: (0, 0), topRight: (1, 1)) else { return }
    _ = try cities().dynamicObjects("City").within(box)
  },
  Case("dynamic: an object by the key of a class without keys") {
    _ = try cities().dynamicObject(ofType: "City", forPrimaryKey: 1)
  },
  Case("dynamic: a misspelt property") {
    let realm = try newRealm()
    let station = try realm.write { realm.create(Station.self) }
    _ = realm.dynamicObjects("Station")[0]["nmae"]
    _ = station
  },
  Case("dynamic: null for a required property") {
    let realm = try newRealm()
    try realm.write {
      realm.create(Station.self)
      realm.dynamicObjects("Station")[0]["name"] = nil
    }
  },
  Case("dynamic: a number for a link") {
    let realm = try newRealm()
    try realm.write {
      realm.create(Train.self)
      realm.dynamicObjects("Train")[0]["home"] = 5
    }
  },

  // MARK: Objects of a class, accessed by name

  Case("subscript: a misspelt property") { _ = Station()["nmae"] },
  Case("subscript: a value of another type") { Station()["name"] = 5 },
  Case("subscript: outside of a transaction") {
    let realm = try newRealm()
    let station = try realm.write { realm.create(Station.self) }
    station["name"] = "x"
  },
]
