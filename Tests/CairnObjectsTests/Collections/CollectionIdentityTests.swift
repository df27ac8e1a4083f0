import CairnModelTestSupport
import CairnObjects
import Testing

/// A collection instance remains the one of its object when the object is added to a realm.
@Suite struct CollectionIdentityTests {
  private let file = TemporaryStore()

  @Test func theSameInstances() throws {
    let realm = try file.realm()
    let box = ToyBox()
    let (numbers, toys, words) = (box.numbers, box.toys, box.wordSet)
    let (map, doubles, toyMap) = (box.wordMap, box.doubles, box.toyMap)
    numbers.append(1)
    try realm.write {
      realm.add(box)
      #expect(numbers === box.numbers && toys === box.toys && words === box.wordSet)
      #expect(map === box.wordMap && doubles === box.doubles && toyMap === box.toyMap)
      numbers.append(2)
      toys.append(Toy("ball", 3))
      words.insert("w")
      map["k"] = "v"
      doubles.append(1.5)
      toyMap["t"] = toys.first
    }
    let stored = try #require(try file.realm().objects(ToyBox.self).first)
    #expect(Array(stored.numbers) == [1, 2] && stored.toys.map(\.name) == ["ball"])
    #expect(Array(stored.wordSet) == ["w"] && stored.wordMap["k"] == "v")
    #expect(Array(stored.doubles) == [1.5] && stored.toyMap["t"]??.name == "ball")
    #expect(numbers.realm == realm && toys.realm == realm && map.realm == realm)
  }

  @Test func aCollectionThatIsSetAgain() throws {
    let realm = try file.realm()
    let box = ToyBox()
    let numbers = box.numbers
    try realm.write {
      realm.add(box)
      box.numbers = List()
      box.numbers.append(objectsIn: [5, 6])
      box.toys = List()
      box["wordSet"] = ["a", "b"]
      box.setValue(["k": "v"], forKey: "wordMap")
    }
    #expect(
      Array(numbers) == [5, 6] && Array(box.wordSet) == ["a", "b"] && box.wordMap["k"] == "v")
    try realm.write { realm.delete(box) }
    #expect(numbers.isInvalidated)
  }

  @Test func aListOfTwoObjects() throws {
    let realm = try file.realm()
    let (a, b) = (ToyBox(), ToyBox())
    b.id = 1
    let shared = List<Int>()
    shared.append(objectsIn: [1, 2])
    let toys = List<Toy>()
    toys.append(Toy("t", 1))
    a.numbers = shared
    b.numbers = shared
    a.toys = toys
    b.toys = toys
    try realm.write {
      realm.add(a)
      realm.add(b)
      shared.append(3)
      toys.append(Toy("u", 2))
    }
    #expect(Array(a.numbers) == [1, 2, 3] && Array(b.numbers) == [1, 2])
    #expect(a.toys.count == 2 && b.toys.count == 1)
    #expect(a.numbers === shared && b.numbers !== shared)
  }

  @Test func withAnUpdatePolicyAndAfterACancelledWrite() throws {
    let realm = try file.realm()
    try realm.write { realm.create(ToyBox.self, value: ["id": 1, "numbers": [9]]) }
    let box = ToyBox()
    box.id = 1
    let numbers = box.numbers
    numbers.append(4)
    try realm.write { realm.add(box, update: .modified) }
    #expect(box.numbers === numbers && Array(numbers) == [4])
    let dropped = ToyBox()
    dropped.id = 2
    let lost = dropped.numbers
    realm.beginWrite()
    realm.add(dropped)
    realm.cancelWrite()
    #expect(dropped.isInvalidated && lost.isInvalidated)
  }
}
