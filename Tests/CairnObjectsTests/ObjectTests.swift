import CairnObjects
import FoundationEssentials
import Testing

class FirstDog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var toy: FirstToy?
}
class FirstToy: Object {
  @Persisted(primaryKey: true) var id = 7
  @Persisted var name = "ball"
}

@Suite struct ObjectTests {
  @Test func anObjectIsAddedAndReadBack() throws {
    let file = URL(fileURLWithPath: "/tmp/first-light-\(UInt64.random(in: 0 ... .max)).cairn")
    defer { try? FileManager.default.removeItem(at: file) }
    let realm = try Realm(fileURL: file)
    #expect(realm.objects(FirstDog.self).count == 0)
    let dog = FirstDog()
    dog.name = "Rex"
    dog.toy = FirstToy()
    try realm.write {
      realm.add(dog)
      dog.age = 10
    }
    #expect(dog.age == 10)
    let found = try #require(realm.objects(FirstDog.self).first)
    #expect(found.name == "Rex")
    #expect(found.toy?.name == "ball")
    #expect(realm.objects(FirstDog.self).filter("age > 5").count == 1)
    #expect(realm.object(ofType: FirstToy.self, forPrimaryKey: 7)?.name == "ball")
  }
}
