import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ListTests {
  @Test func aListIsReadBackFromTheStore() throws {
    let shelf = TemporaryStore()
    defer { withExtendedLifetime(shelf) {} }
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

/// Lists as mutable collections.
@Suite struct ListInPlaceTests {
  @Test func sortsReversesAndTruncatesInPlace() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    box.numbers.append(objectsIn: [3, 1, 2])
    var numbers = box.numbers
    numbers.sort()
    #expect(Array(box.numbers) == [1, 2, 3])
    try realm.write {
      realm.add(box)
      box.toys.append(objectsIn: [Toy("a", 2), Toy("b", 1), Toy("c", 3)])
    }
    var (stored, toys) = (box.numbers, box.toys)
    try realm.write {
      stored.reverse()
      stored[1...2] = stored[0...1]
      toys.sort { $0.price < $1.price }
    }
    #expect(Array(box.numbers) == [3, 3, 2])
    #expect(box.toys.map(\.name) == ["b", "a", "c"])
    try realm.write {
      let middle = toys.partition { $0.price > 1 }
      #expect(middle == 1)
    }
    #expect(Set(box.toys.map(\.name)) == ["a", "b", "c"])
    #expect(realm.objects(Toy.self).count == 3)
  }
}
