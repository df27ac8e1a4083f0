import CairnModelTestSupport
import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The classes in the first version of a program.
enum First {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var nickname: String?
    @Persisted var friend: Person?
    @Persisted var home: Home?
    @Persisted var scores: List<Int?>
  }

  class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var type = "Point"
    @Persisted var longitude = 0.0
    @Persisted var latitude = 0.0
  }

  class Relic: Object {
    @Persisted var name = ""
  }

  static let types: [ObjectBase.Type] = [Person.self, Home.self, Relic.self]
}

/// The classes in its second version.
enum Second {
  class Person: Object {
    @Persisted(indexed: true) var fullName = "nobody"
    @Persisted var age: String?
    @Persisted var nickname: String
    @Persisted var friend: Person?
    @Persisted var house: Home?
    @Persisted var scores: List<Int>
    @Persisted var born = 1970
    @Persisted(originProperty: "friend") var friends: LinkingObjects<Person>
  }

  class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>
  }

  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

extension TemporaryStore {
  func configuration(
    _ version: UInt64, _ types: [ObjectBase.Type]?, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url, schemaVersion: version, migrationBlock: block, objectTypes: types)
  }

  func realm(
    _ version: UInt64, _ types: [ObjectBase.Type]?, _ block: MigrationBlock? = nil
  ) throws -> Realm {
    try Realm(configuration: configuration(version, types, block))
  }

  /// Adds three people, each the friend of the next.
  func fill() throws {
    let realm = try realm(0, First.types)
    try realm.write {
      var last: First.Person?
      for (place, name) in ["Ada Lovelace", "Emmy Noether", "Mary Somerville"].enumerated() {
        let person = First.Person()
        let names = name.split(separator: " ").map(String.init)
        (person.firstName, person.lastName, person.age) = (names[0], names[1], 30 + place)
        person.nickname = place == 1 ? nil : names[0].lowercased()
        person.friend = last
        person.scores.append(objectsIn: [place, nil, 7])
        if place < 2 {
          let home = First.Home()
          (home.street, home.longitude, home.latitude) = ("street \(place)", Double(place), 50)
          person.home = home
        }
        realm.add(person)
        last = person
      }
      realm.create(First.Relic.self, value: ["name": "old"])
    }
  }

  func bytes() throws -> Data { try Data(contentsOf: url) }
}
