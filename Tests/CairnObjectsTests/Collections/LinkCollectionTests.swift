import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Collections of objects: links, inverse properties and embedded objects.
@Suite struct LinkCollectionTests {
  /// Random edits and deletions; lists and inverse properties are compared with arrays of names.
  @Test func deletedObjectsVanish() throws {
    let seed = Soak.seed(128)
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    var toys: [Toy] = []
    var lists: [[String]] = Array(repeating: [], count: 5)
    try realm.write {
      for id in 0..<5 { realm.create(ToyBox.self, value: ["id": id]) }
    }
    for round in 0..<12 {
      try realm.write {
        let boxes = Array(realm.objects(ToyBox.self))
        for number in 0..<6 { toys.append(Toy("\(round).\(number)", number)) }
        for _ in 0..<30 {
          let id = Int.random(in: 0..<5, using: &random)
          guard let toy = toys.randomElement(using: &random) else { continue }
          boxes[id].toys.append(toy)
          boxes[id].toySet.insert(toy)
          boxes[id].toyMap[toy.name] = toy
          lists[id].append(toy.name)
        }
        for _ in 0..<3 {
          let doomed = toys.remove(at: .random(in: 0..<toys.count, using: &random))
          guard doomed.realm != nil else { continue }
          for id in 0..<5 { lists[id].removeAll { $0 == doomed.name } }
          realm.delete(doomed)
          check(boxes, lists, toys, "seed \(seed), round \(round), open")
        }
      }
      check(Array(realm.objects(ToyBox.self)), lists, toys, "seed \(seed), round \(round)")
    }
  }

  private func check(
    _ boxes: [ToyBox], _ lists: [[String]], _ toys: [Toy], _ comment: Comment
  ) {
    for (box, list) in zip(boxes, lists) {
      #expect(box.toys.map(\.name) == list, comment)
      #expect(Set(box.toySet.map(\.name)) == Set(list), comment)
      let present = box.toyMap.filter { $0.value != nil }.map(\.key)
      #expect(Set(present) == Set(list), comment)
      #expect(box.toys.last?.name == list.last, comment)
      let cheap: [String] = Array(box.toys).filter { $0.price < 3 }.map(\.name)
      let found: [String] = box.toys.filter("price < 3").map(\.name)
      #expect(found == cheap, comment)
    }
    for toy in toys where toy.realm != nil {
      let expected = zip(boxes, lists).flatMap { box, list in
        list.filter { $0 == toy.name }.map { _ in box.id }
      }
      #expect(toy.boxes.map(\.id) == expected, comment)
    }
  }

  /// A collection that was read from an unmanaged object becomes managed when the object is added.
  @Test func collectionsReadBeforeAddingBecomeManaged() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    let (toys, numbers, words, map) = (box.toys, box.numbers, box.wordSet, box.toyMap)
    toys.append(Toy("a", 1))
    numbers.append(objectsIn: [1, 2])
    words.insert("one")
    map["k"] = Toy("b", 2)
    try realm.write {
      realm.add(box)
      #expect(toys.map(\.name) == ["a"])
      #expect(Array(numbers) == [1, 2])
      toys.append(Toy("c", 3))
      numbers.append(3)
      words.insert("two")
      map["l"] = Toy("d", 4)
    }
    #expect(box.toys.map(\.name) == ["a", "c"])
    #expect(Array(box.numbers) == [1, 2, 3])
    #expect(Array(box.wordSet).sorted() == ["one", "two"])
    #expect(Array(box.toyMap.keys) == ["k", "l"])
    try realm.write {
      box.numbers.removeAll()
      box.wordSet.removeAll()
    }
    #expect(numbers.isEmpty)
    #expect(words.isEmpty)
    #expect(toys.realm == realm)
  }

  /// A map whose packed value includes an object that is deleted later can still be edited.
  @Test func aMapKeepsItsKeysToDeletedObjects() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    try realm.write {
      realm.add(box)
      box.toyMap["a"] = Toy("a", 1)
      box.toyMap["b"] = Toy("b", 2)
    }
    try realm.write {
      let toys = realm.objects(Toy.self)
      if let doomed = toys.filter("name == 'a'").first { realm.delete(doomed) }
    }
    try realm.write { box.toyMap["c"] = Toy("c", 3) }
    #expect(Array(box.toyMap.keys) == ["a", "b", "c"])
    #expect(box.toyMap.filter { $0.value != nil }.map(\.key) == ["b", "c"])
  }

  @Test func embeddedObjectsBelongToTheirList() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    box.stickers.append(objectsIn: ["a", "b", "c"].map { Sticker($0) })
    box.stickerMap["k"] = Sticker("mapped")
    try realm.write {
      realm.add(box)
      box.stickers.append(Sticker("d"))
      box.stickers.remove(at: 1)
      box.stickers[0] = Sticker("e")
      box.stickers.append(Sticker("gone"))
      box.stickers.removeLast()
      box.stickers.move(from: 0, to: 2)
      box.stickers[0].notes.append("kept")
      box.stickerMap["k"] = Sticker("other")
    }
    #expect(box.stickers.map(\.text) == ["c", "d", "e"])
    #expect(Array(box.stickers[0].notes) == ["kept"])
    #expect(box.stickerMap["k"]??.text == "other")
    #expect(realm.dynamicObjects("Sticker").count == 4)
    try realm.write { box.stickers.removeAll() }
    #expect(box.stickers.isEmpty)
    #expect(realm.dynamicObjects("Sticker").count == 1)
    try realm.write { realm.delete(box) }
    #expect(realm.dynamicObjects("Sticker").count == 0)
  }

  @Test func listsAreAssignedAsAWhole() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let (a, b) = (ToyBox(), ToyBox())
    b.id = 1
    try realm.write {
      realm.add(a)
      realm.add(b)
      a.toys.append(objectsIn: [Toy("x", 1), Toy("y", 2)])
      b.toys = a.toys
      a.toys = a.toys
      a.toys.removeLast()
      let numbers = List<Int>()
      numbers.append(objectsIn: 1...3)
      a.numbers = numbers
    }
    #expect(a.toys.map(\.name) == ["x"])
    #expect(b.toys.map(\.name) == ["x", "y"])
    #expect(Array(a.numbers) == [1, 2, 3])
    #expect(a.toys == a.toys)
    #expect(a.toys != b.toys)
    #expect(a.toys.contains(b.toys[0]))
    #expect(b.toys.index(of: b.toys[1]) == 1)
    #expect(a.toys.index(of: Toy("x", 1)) == nil)
  }

  @Test func resultsOfListsAreLive() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    try realm.write { realm.add(box) }
    let cheap = box.toys.filter("price < 3").sorted(byKeyPath: "price", ascending: false)
    let fans = Toy("fan", 0)
    try realm.write {
      for price in [1, 5, 2] { box.toys.append(Toy("t\(price)", price)) }
      #expect(cheap.map(\.price) == [2, 1])
      box.favourite = fans
      #expect(fans.fans.count == 1)
      // A loop iterates over the objects that matched when it began.
      for toy in cheap { toy.price += 10 }
      #expect(cheap.isEmpty)
      for toy in box.toys { box.toys.append(toy) }
    }
    #expect(box.toys.count == 6)
    #expect(box.toys.distinct().count == 3)
    #expect(fans.fans.filter("id == 0").first?.id == 0)
  }

  /// Packing the list at every append would take hours.
  @Test func manyAppendsAreNotQuadratic() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    let count = Soak.count(30_000, long: 100_000)
    try realm.write {
      realm.add(box)
      for number in 0..<count {
        box.numbers.append(number)
        box.numberSet.insert(number ^ 5)
        box.wordMap["\(number % 1000)"] = "x"
      }
    }
    #expect(box.numbers.count == count)
    #expect(box.numbers[count - 1] == count - 1)
    #expect(box.numberSet.contains(77))
    #expect(box.wordMap.count == 1000)
  }
}
