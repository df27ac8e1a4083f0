import CairnModelTestSupport
import RealmSwift

enum Grade: Int, PersistableEnum {
  case second = 2
  case first = 1
}

class Valve: Object {
  @Persisted var level: RealmOptional<Int>
}

/// Errors with what only Realm's names offer, and with projections.
let realmSwiftCases: [Case] =
  [
    Case("list: a sum without a case") {
      let list = List<Grade>()
      list.append(objectsIn: [.second, .second])
      print(list.sum())
    },
    Case("RealmOptional: set outside of a transaction") {
      let valve = Valve()
      let kept = try TestRealm(valve)
      withExtendedLifetime(kept) { valve.level.value = 1 }
    },
    Case("projection: sections out of order") {
      let realm = try TestRealm(Train()).realm
      _ = realm.objects(TrainCard.self).sectioned(by: \.size, sortDescriptors: ["title"])
    },
    Case("projection: an invalid value") {
      let train = Train()
      train.stops.append(Station())
      train.stops.projectTo[dynamicMember: \Station.name.count][0] = 5
    },
    Case("projection: setting a property through a link that is null") {
      TrainCard(projecting: Train()).homeName = "Ulm"
    },
    Case("dynamicCreate: a misspelt class") {
      let realm = try TestRealm(Train()).realm
      realm.beginWrite()
      realm.dynamicCreate("Tarin")
    },
    Case("dynamicCreate: an update without a primary key") {
      let realm = try TestRealm(Station()).realm
      realm.beginWrite()
      realm.dynamicCreate("Station", value: ["name": "Bank"], update: .modified)
    },
    Case("dynamicCreate: the same key twice") {
      let realm = try TestRealm(Train()).realm
      realm.beginWrite()
      realm.dynamicCreate("Train", value: ["id": 0])
    },
  ]
  + ["x", "", "1,5"].map { text in
    Case("Decimal128: '\(text)'") { _ = Decimal128(value: text) }
  }
  + ["name", "stosp", "skipped", "numbers"].map { name in
    Case("dynamicList: \(name)") {
      let train = Train()
      _ = try TestRealm(train)
      _ = train.dynamicList(name)
    }
  }
