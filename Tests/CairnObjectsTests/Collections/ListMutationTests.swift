import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random changes of lists of many types, compared with arrays.
@Suite struct ListMutationTests {
  @Test(arguments: [false, true]) func integers(isManaged: Bool) throws {
    try check(\.numbers, isManaged) { Int.random(in: -9...9, using: &$0) }
  }

  @Test(arguments: [false, true]) func optionalIntegers(isManaged: Bool) throws {
    try check(\.gaps, isManaged) {
      Bool.random(using: &$0) ? nil : Int.random(in: -9...9, using: &$0)
    }
  }

  @Test(arguments: [false, true]) func texts(isManaged: Bool) throws {
    try check(\.words, isManaged) {
      String(repeating: "ä€🎉", count: Int.random(in: 0...3, using: &$0))
    }
  }

  @Test(arguments: [false, true]) func enumerations(isManaged: Bool) throws {
    try check(\.moods, isManaged) { Bool.random(using: &$0) ? .calm : .wild }
  }

  @Test(arguments: [false, true]) func optionalDates(isManaged: Bool) throws {
    try check(\.dates, isManaged) {
      Bool.random(using: &$0)
        ? nil : Date(timeIntervalSinceReferenceDate: .random(in: 0...9, using: &$0))
    }
  }

  @Test(arguments: [false, true]) func mixedValues(isManaged: Bool) throws {
    try check(\.anything, isManaged) { random in
      switch Int.random(in: 0...5, using: &random) {
      case 0: .none
      case 1: .int(.random(in: 0...9, using: &random))
      case 2: .string("\(Int.random(in: 0...9, using: &random))")
      case 3: .double(.random(in: 0...9, using: &random))
      case 4: .bool(.random(using: &random))
      default: .uuid(UUID())
      }
    }
  }

  private func check<Element>(
    _ property: KeyPath<ToyBox, List<Element>>, _ isManaged: Bool,
    _ make: (inout SplitMix64) -> Element
  ) throws {
    let seed = Soak.seed(129, of: "ListMutationTests")
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let box = ToyBox()
    var expected: [Element] = []
    for _ in 0..<8 {
      let realm = isManaged ? try file.realm() : nil
      let box =
        try isManaged
        ? realm.flatMap { realm in
          try realm.object(ofType: ToyBox.self, forPrimaryKey: 0)
            ?? realm.write { realm.create(ToyBox.self) }
        } ?? box : box
      let list = box[keyPath: property]
      #expect(Array(list) == expected, "seed \(seed)")
      realm?.beginWrite()
      for _ in 0..<40 {
        change(list, &expected, &random, make)
        #expect(list.count == expected.count)
        if Int.random(in: 0...9, using: &random) == 0 {
          #expect(Array(list) == expected, "seed \(seed)")
          #expect(list.last == expected.last)
          #expect(list.first == expected.first)
        }
        if isManaged, Int.random(in: 0...9, using: &random) == 0 {
          #expect(realm?.objects(ToyBox.self).filter("name == ''").count == 1)
        }
      }
      try realm?.commitWrite()
      #expect(Array(box[keyPath: property]) == expected, "seed \(seed)")
    }
  }

  private func change<Element>(
    _ list: List<Element>, _ expected: inout [Element], _ random: inout SplitMix64,
    _ make: (inout SplitMix64) -> Element
  ) {
    let some = (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&random) }
    let place = Int.random(in: 0...expected.count, using: &random)
    let end = Int.random(in: place...expected.count, using: &random)
    switch Int.random(in: 0...12, using: &random) {
    case 0, 1, 2:
      let one = make(&random)
      list.append(one)
      expected.append(one)
    case 3:
      list.append(objectsIn: some)
      expected += some
    case 4:
      let one = make(&random)
      list.insert(one, at: place)
      expected.insert(one, at: place)
    case 5:
      list.insert(contentsOf: some, at: place)
      expected.insert(contentsOf: some, at: place)
    case 6:
      list.replaceSubrange(place..<end, with: some)
      expected.replaceSubrange(place..<end, with: some)
    case 7 where end > place:
      list.removeSubrange(place..<end)
      expected.removeSubrange(place..<end)
    case 8 where place < expected.count:
      list.remove(at: place)
      expected.remove(at: place)
    case 9 where place < expected.count:
      let one = make(&random)
      list[place] = one
      expected[place] = one
    case 10 where place < expected.count:
      let to = Int.random(in: 0..<expected.count, using: &random)
      list.move(from: place, to: to)
      expected.insert(expected.remove(at: place), at: to)
    case 11 where place < expected.count:
      let other = Int.random(in: 0..<expected.count, using: &random)
      list.swapAt(place, other)
      expected.swapAt(place, other)
    case 12 where expected.count > 30:
      list.removeLast(2)
      expected.removeLast(2)
      list.removeFirst()
      expected.removeFirst()
    default: break
    }
  }
}
