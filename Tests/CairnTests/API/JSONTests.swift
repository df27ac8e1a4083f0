import Cairn
import CairnModelTestSupport
import Foundation
import Testing

class JSONPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var height: Double?
  @Persisted var shoe: Float
  @Persisted var isMember: Bool
  @Persisted var extra: AnyRealmValue
  @Persisted var dogs: List<JSONDog>
  @Persisted var home: JSONHome?
  @Persisted var nicknames: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var place: GeoPoint?
}

class JSONDog: Object {
  @Persisted var name: String
  @Persisted var age: Int
}

class JSONHome: EmbeddedObject {
  @Persisted var street: String?
}

/// Objects are created directly from the output of `JSONSerialization`.
@Suite struct JSONTests {
  private static let json = """
    {"id": 7, "name": "Ann", "height": 1.7, "shoe": 38.5, "isMember": true, "extra": [1, true, 2.5, null, {"a": "b"}],
     "dogs": [{"name": "Rex", "age": 3}, {"name": "Fido", "age": 5.0}], "home": {"street": "Main"},
     "nicknames": ["A", "N"], "scores": {"x": 1}, "place": {"type": "Point", "coordinates": [7, 50]}, "unknown": 1}
    """

  private func object(_ json: String = json) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(json.utf8))
  }

  @Test func aJSONObjectIsAddedToARealm() throws {
    let temporary = try TemporaryRealm()
    let realm = temporary.realm
    try realm.write { realm.create(JSONPerson.self, value: try object()) }
    let person = try #require(realm.object(ofType: JSONPerson.self, forPrimaryKey: 7))
    #expect(person.name == "Ann")
    #expect(person.height == 1.7)
    #expect(person.shoe == 38.5)
    #expect(person.isMember)
    let extra = try #require(person.extra.listValue)
    #expect(extra[0] == .int(1))
    #expect(extra[2] == .double(2.5))
    #expect(extra[3] == .none)
    #expect(extra[4].dictionaryValue?["a"] == .string("b"))
    #expect(person.dogs.map(\.name) == ["Rex", "Fido"])
    #expect(person.dogs.map(\.age) == [3, 5])
    #expect(person.home?.street == "Main")
    #expect(person.nicknames.contains("N"))
    #expect(person.scores["x"] == 1)
    #expect(person.place == GeoPoint(latitude: 50, longitude: 7))
    try realm.write {
      realm.create(
        JSONPerson.self, value: try object(#"{"id": 7, "height": null, "isMember": false}"#),
        update: .modified)
    }
    #expect(person.height == nil)
    #expect(!person.isMember)
    #expect(person.name == "Ann")
  }

  @Test func foundationsDictionariesAndNumbers() {
    let dog = JSONDog(
      value: NSDictionary(dictionary: ["name": NSString("Rex"), "age": NSNumber(value: 3)]))
    #expect(dog.name == "Rex")
    #expect(dog.age == 3)
    let person = JSONPerson(value: [
      "dogs": NSArray(array: [dog]), "isMember": NSNumber(value: true),
    ])
    #expect(person.dogs.first === dog)
    #expect(person.isMember)
  }

  @Test(arguments: [
    (
      #"{"name": null}"#,
      "Invalid value '<null>' of type 'NSNull' for 'string' property 'JSONPerson.name'."
    ),
    (#"{"id": 1.5}"#, "for 'int' property 'JSONPerson.id'."),
    (#"{"isMember": 2}"#, "for 'bool' property 'JSONPerson.isMember'."),
    (#"{"dogs": [{"age": "x"}]}"#, "for 'int' property 'JSONDog.age'."),
    (
      #"{"place": {"type": "Point", "coordinates": [7, 95]}}"#,
      "for 'geoPoint?' property 'JSONPerson.place'."
    ),
  ])
  func errorsNameTheProblem(_ json: String, _ sentence: String) throws {
    let value = try object(json)
    let error = try #require(throws: Realm.Error.self) { try JSONPerson(validating: value) }
    #expect(error.description.contains(sentence), "\(error.description)")
  }

  @Test func nullIsAnEmptyCollection() throws {
    let person = JSONPerson(
      value: try object(#"{"dogs": null, "nicknames": null, "scores": null}"#))
    #expect(person.dogs.isEmpty && person.nicknames.isEmpty && person.scores.isEmpty)
  }

  /// The message names class, property, value and remedy.
  @Test(arguments: [
    (
      #"{"id": 1, "name": "Ann", "shoe": 1, "isMember": true, "nmae": 1}"#,
      "Invalid property name 'nmae' for class 'JSONPerson'. Did you mean 'name'?"
    ),
    (
      #"{"id": 1, "name": "Ann", "shoe": 1}"#,
      "Missing value for property 'JSONPerson.isMember'. Set it, declare a default value, or make it optional."
    ),
    (
      #"{"id": 1, "name": "Ann", "shoe": 1, "isMember": true, "dogs": [{"name": "Rex", "age": 1}, {"name": "Tim"}]}"#,
      "Missing value for property 'JSONDog.age'. Set it, declare a default value, or make it optional."
    ),
    (
      #"{"id": 1, "name": null}"#,
      "Invalid value '<null>' of type 'NSNull' for 'string' property 'JSONPerson.name'. It is required: give it a value, or make the property optional."
    ),
    (
      #"{"id": 1, "home": {"street": "Main", "city": "Ulm"}}"#,
      "Invalid property name 'city' for class 'JSONHome'."
    ),
    (
      #"{"scores": {"x": "y"}}"#,
      "for 'int' dictionary property 'JSONPerson.scores'. The value for key 'x' is 'y' of type"
    ),
    (
      #"{"nicknames": ["A", 5]}"#,
      "for 'string' set property 'JSONPerson.nicknames'. The element at 1 is '5' of type"
    ),
  ])
  func invalidValuesCreateNothing(_ json: String, _ sentence: String) throws {
    let temporary = try TemporaryRealm()
    let realm = temporary.realm
    let value = try object(json)
    let error = try #require(throws: Realm.Error.self) {
      try realm.write { try realm.create(JSONPerson.self, validating: value, update: .modified) }
    }
    #expect(error.description.contains(sentence), "\(error.description)")
    realm.beginWrite()
    #expect(throws: Realm.Error.self) { try realm.create(JSONPerson.self, validating: value) }
    #expect(realm.objects(JSONPerson.self).isEmpty && realm.objects(JSONDog.self).isEmpty)
    try realm.commitWrite()
    #expect(realm.isEmpty)
  }

  @Test func toleratedDeviations() throws {
    let value = try object(#"{"id": 1, "name": "Ann", "unknown": 1}"#)
    #expect(throws: Realm.Error.self) { try JSONPerson(validating: value) }
    #expect(throws: Realm.Error.self) {
      try JSONPerson(validating: value, tolerating: .unknownNames)
    }
    #expect(throws: Realm.Error.self) {
      try JSONPerson(validating: value, tolerating: .missingValues)
    }
    #expect(try JSONPerson(validating: value, tolerating: .all).name == "Ann")
    #expect(JSONPerson(value: value).shoe == 0)
  }

  /// Values that already exist do not have to be repeated.
  @Test func partialUpdatesOfAnExistingObject() throws {
    let temporary = try TemporaryRealm()
    let realm = temporary.realm
    try realm.write {
      realm.create(JSONPerson.self, value: try object())
      try realm.create(
        JSONPerson.self, validating: try object(#"{"id": 7, "home": {"street": "Wall"}}"#),
        update: .modified)
    }
    let person = try #require(realm.object(ofType: JSONPerson.self, forPrimaryKey: 7))
    #expect(person.home?.street == "Wall" && person.name == "Ann" && person.dogs.count == 2)
  }
}
