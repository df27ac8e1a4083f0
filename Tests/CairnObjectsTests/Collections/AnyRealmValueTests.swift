import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct AnyRealmValueTests {
  let values: [AnyRealmValue] = [
    .none, 7, true, .float(1.5), 2.25, "text", .data(Data([1, 2])),
    .date(Date(timeIntervalSinceReferenceDate: 9)), .objectId(.generate()), .decimal128("1.50"),
    .uuid(UUID()),
  ]

  @Test func everyCaseIsReadBack() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    try realm.write {
      for (id, value) in values.enumerated() {
        let box = ToyBox()
        box.id = id
        box.value = value
        box.anything.append(value)
        realm.add(box)
      }
    }
    for (box, value) in zip(realm.objects(ToyBox.self), values) {
      #expect(box.value == value)
      #expect(box.anything[0] == value)
    }
    #expect(values[1].intValue == 7)
    #expect(values[1].stringValue == nil)
    #expect(values[5].stringValue == "text")
  }

  @Test func descriptionsAreThoseOfTheCases() {
    #expect("\(AnyRealmValue.string("Fluffy the Cat"))" == "string(\"Fluffy the Cat\")")
    #expect("\(AnyRealmValue.none)" == "none")
    #expect("\(AnyRealmValue.int(1))" == "int(1)")
    let toy = Toy("bear", 3)
    #expect("\(AnyRealmValue.object(toy))".hasPrefix("object(Toy {"))
  }

  @Test func deletedObjectsBecomeNull() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    let toy = Toy("bear", 3)
    box.value = .object(toy)
    try realm.write {
      realm.add(box)
      box.anything.append(.object(toy))
    }
    #expect(box.value.object(Toy.self)?.name == "bear")
    #expect(box.value.object(ToyBox.self) == nil)
    #expect(realm.objects(Toy.self).count == 1)
    try realm.write { realm.delete(toy) }
    #expect(box.value == .none)
    #expect(box.anything[0] == .none)
  }

  @Test func nestedCollectionsAreEditedInPlace() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    try realm.write {
      realm.add(box)
      box.value = .fromArray([1, .fromDictionary(["k": .fromArray(["deep"])])])
      box.anyMap["m"] = .fromDictionary(["x": 1])
      let deep = box.value.listValue?[1].dictionaryValue?["k"]?.listValue
      deep?.append("deeper")
      box.value.listValue?.insert(0, at: 0)
      box.anyMap["m"]?.dictionaryValue?["y"] = 2
    }
    let list = try #require(box.value.listValue)
    #expect(list.count == 3)
    #expect(list[0] == 0)
    #expect(list[2].dictionaryValue?["k"]?.listValue.map { Array($0) } == ["deep", "deeper"])
    #expect(box.anyMap["m"]?.dictionaryValue?.keys == ["x", "y"])
    try realm.write {
      for number in 0..<20_000 { list.append(.int(number)) }
      #expect(box.value.listValue?.count == 20_003)
    }
    #expect(list.last == 19_999)
    try realm.write {
      list.append(0)
      box.value = "gone"
    }
    #expect(list.isInvalidated)
    #expect(list.isEmpty)
  }
}
