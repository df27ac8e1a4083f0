import CairnObjects
import Testing

/// Lists as collections that can be changed in place.
@Suite struct ListInPlaceTests {
  @Test func sortedReversedAndCut() throws {
    let file = CollectionFile()
    defer { file.remove() }
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
