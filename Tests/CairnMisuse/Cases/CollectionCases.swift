import Cairn
import CairnTestSupport

/// Errors with collections and their values.
let collectionCases: [Case] = [
  Case("list: reading beyond the end") { _ = List<Int>()[0] },
  Case("list: inserting beyond the end") { List<Int>().insert(1, at: 2) },
  Case("list: removing the last value of none") { List<Int>().removeLast() },
  Case("list: moving a value that is not there") { List<Int>().move(from: 0, to: 0) },
  Case("set: reading beyond the end") { _ = MutableSet<Int>()[0] },
  Case("list: swapping values that are not there") { List<Int>().swapAt(0, 1) },
  Case("mixed: nesting beyond the limit") {
    let realm = try newRealm()
    try realm.write { realm.create(Train.self).freight = nestedLists(100) }
  },
  Case("mixed: nesting beyond the limit in a new object") {
    let realm = try newRealm()
    let train = Train()
    train.freight = .fromDictionary(["a": nestedLists(99)])
    try realm.write { realm.add(train) }
  },
  Case("mixed: nesting beyond the limit by creating") {
    var value: Any = 7
    for level in 0..<100 { value = level % 2 == 0 ? [value] as Any : ["a": value] as Any }
    let realm = try newRealm()
    try realm.write { realm.create(Train.self, value: ["freight": value]) }
  },
  Case("mixed: nesting beyond the limit by appending") {
    let realm = try newRealm()
    try realm.write {
      let train = realm.create(Train.self)
      train.freight = nestedLists(60)
      var innermost = train.freight
      while let inner = innermost.listValue?.first, inner.listValue != nil { innermost = inner }
      innermost.listValue?.append(nestedLists(39))
      innermost.listValue?.append(nestedLists(40))
    }
  },
  Case("list: appending outside of a transaction") {
    let realm = try newRealm()
    let train = Train()
    try realm.write { realm.add(train) }
    train.numbers.append(1)
  },
  Case("list: filtering objects outside of a realm") {
    _ = Train().stops.filter("tracks > 1")
  },
  Case("list: filtering values") {
    let realm = try newRealm()
    _ = try realm.write { realm.create(Train.self) }.numbers.filter("self > 1")
  },
  Case("list: sorting values by a property") {
    let realm = try newRealm()
    _ = try realm.write { realm.create(Train.self) }.numbers.sorted(byKeyPath: "x")
  },
  Case("sorting: by a missing property") {
    _ = try newRealm().objects(Train.self).sorted(byKeyPath: "home.nmae")
  },
  Case("sorting: by a link") {
    _ = try newRealm().objects(Train.self).sorted(byKeyPath: "home")
  },
  Case("sorting: by a property of a list") {
    _ = try newRealm().objects(Train.self).sorted(byKeyPath: "stops.name")
  },
  Case("distinct: by a property of a string") {
    _ = try newRealm().objects(Train.self).distinct(by: ["name.x"])
  },
  Case("sections: without an order") {
    _ = try newRealm().objects(Station.self).sectioned(by: { $0.tracks }, sortDescriptors: [])
  },
  Case("sections: in another order") {
    _ = try newRealm().objects(Station.self).sectioned(by: \.tracks, sortDescriptors: ["name"])
  },
  Case("sections: by a link") {
    _ = try newRealm().objects(Train.self).sectioned(by: { $0.home }, sortDescriptors: ["name"])
  },
  Case("sum: of strings") {
    _ = try newRealm().objects(Station.self).sum(ofProperty: "name") as Int
  },

  // MARK: Values of all objects at once

  Case("setValue: for a misspelt property") {
    let realm = try newRealm()
    try realm.write { realm.objects(Station.self).setValue(1, forKey: "trakcs") }
  },
  Case("setValue: for the primary key") {
    let realm = try newRealm()
    try realm.write {
      for id in 0..<2 { realm.create(Train.self, value: ["id": id]) }
      realm.objects(Train.self).setValue(0, forKey: "id")
    }
  },
  Case("setValue: outside of a transaction") {
    let realm = try newRealm()
    try realm.write { realm.create(Station.self) }
    realm.objects(Station.self).setValue(1, forKey: "tracks")
  },
  Case("setValue: of another type") {
    let realm = try newRealm()
    try realm.write {
      realm.create(Station.self)
      realm.objects(Station.self).setValue("x", forKey: "tracks")
    }
  },
  Case("setValue: for a property of numbers") {
    Train(value: ["numbers": [1]]).numbers.setValue(1, forKey: "x")
  },
]

/// A number in lists, one within the other.
private func nestedLists(_ depth: Int) -> AnyRealmValue {
  (0..<depth).reduce(.int(7)) { inner, _ in .fromArray([inner]) }
}
