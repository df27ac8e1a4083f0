import CairnObjects
import FoundationEssentials
import Testing

@Suite struct ListTests {
  @Test func aListIsReadBackFromTheStore() throws {
    let shelf = CollectionFile()
    defer { shelf.remove() }
    let box = ToyBox()
    box.numbers.append(objectsIn: [3, 1, 2])
    box.gaps.append(objectsIn: [nil, 5, nil])
    box.words.append("äöü")
    box.moods.append(objectsIn: [.wild, .calm])
    box.toys.append(Toy("ball", 3))
    box.stickers.append(Sticker("star"))
    box.wordSet.insert(objectsIn: ["b", "a", "b"])
    box.wordMap["k"] = "v"
    box.toyMap["best"] = Toy("bear", 9)
    box.value = .fromArray([1, "two", .fromDictionary(["three": 3.0])])
    let realm = try shelf.realm()
    try realm.write {
      realm.add(box)
      box.numbers.append(4)
      box.toys.append(box.toys[0])
      box.stickers.append(Sticker("moon"))
    }
    for box in [box, try #require(try shelf.reopened().objects(ToyBox.self).first)] {
      #expect(Array(box.numbers) == [3, 1, 2, 4])
      #expect(Array(box.gaps) == [nil, 5, nil])
      #expect(Array(box.words) == ["äöü"])
      #expect(Array(box.moods) == [.wild, .calm])
      #expect(box.toys.map(\.name) == ["ball", "ball"])
      #expect(box.stickers.map(\.text) == ["star", "moon"])
      #expect(Array(box.wordSet) == ["a", "b"])
      #expect(box.wordMap["k"] == "v")
      #expect(box.toyMap["best"]??.price == 9)
      #expect(box.value.listValue?[2].dictionaryValue?["three"] == 3.0)
      #expect(box.toys[0].boxes.map(\.id) == [0, 0])
    }
  }
}
