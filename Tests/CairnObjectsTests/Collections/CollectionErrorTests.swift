import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Programming errors with collections end the program with Realm's messages.
@Suite struct CollectionErrorTests {
  private func sentence(_ result: ExitTest.Result?) -> String {
    result.text
  }

  @Test func indexesBeyondTheEnd() async {
    let read = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = List<Int>()[0]
    }
    #expect(sentence(read).contains("Index 0 is out of bounds (must be less than 0)."))
    let insert = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      List<Int>().insert(1, at: 2)
    }
    #expect(sentence(insert).contains("Index 2 is out of bounds (must be less than 1)."))
    let remove = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      List<Int>().removeLast()
    }
    #expect(sentence(remove).contains("It is not possible to remove more objects (1)"))
    await #expect(processExitsWith: .failure) {
      List<Int>().move(from: 0, to: 0)
    }
    await #expect(processExitsWith: .failure) {
      _ = MutableSet<Int>()[0]
    }
    await #expect(processExitsWith: .failure) {
      List<Int>().swapAt(0, 1)
    }
  }

  @Test func writingOutsideATransaction() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try TemporaryStore.untilExit().realm()
      let box = ToyBox()
      try realm.write { realm.add(box) }
      box.numbers.append(1)
    }
    #expect(sentence(result).contains("Attempting to modify object outside of a write transaction"))
  }

  @Test func unmanagedCollectionsCannotBeQueried() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = ToyBox().toys.filter("price > 1")
    }
    #expect(sentence(result).contains("This method may only be called on List<Toy> instances"))
  }

  @Test func valuesHaveNoProperties() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try TemporaryStore.untilExit().realm()
      _ = try realm.write { realm.create(ToyBox.self) }.numbers.filter("self > 1")
    }
    #expect(
      sentence(result).contains(
        "Querying is currently only implemented for arrays of Realm Objects"))
    let sort = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try TemporaryStore.untilExit().realm()
      _ = try realm.write { realm.create(ToyBox.self) }.numbers.sorted(byKeyPath: "x")
    }
    #expect(sentence(sort).contains("arrays of 'int' can only be sorted on 'self'"))
  }

  @Test func keyPathsThatCannotBeSortedBy() async {
    let missing = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(ToyBox.self).sorted(
        byKeyPath: "favourite.nmae")
    }
    #expect(
      sentence(missing).contains(
        "Cannot sort on key path 'favourite.nmae': property 'Toy.nmae' does not exist."))
    let link = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(ToyBox.self).sorted(byKeyPath: "favourite")
    }
    #expect(
      sentence(link).contains("of type 'object' cannot be the final property in the key path."))
    let list = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(ToyBox.self).sorted(byKeyPath: "toys.name")
    }
    #expect(
      sentence(list).contains(
        "Cannot sort on key path 'toys.name': property 'ToyBox.toys' is of unsupported type 'array'."
      ))
    let through = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(ToyBox.self).distinct(by: ["name.x"])
    }
    #expect(sentence(through).contains("of type 'string' may only be the final property"))
  }

  @Test func sectionsWithoutAnOrder() async {
    let none = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(Toy.self)
        .sectioned(by: { $0.price }, sortDescriptors: [])
    }
    #expect(sentence(none).contains("There must be at least one SortDescriptor"))
    let other = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(Toy.self)
        .sectioned(by: \.price, sortDescriptors: ["name"])
    }
    #expect(sentence(other).contains("must match the primary sort descriptor"))
    let link = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(ToyBox.self)
        .sectioned(by: { $0.favourite }, sortDescriptors: ["name"])
    }
    #expect(sentence(link).contains("Links are not supported as section keys."))
  }

  @Test func sumsOfNonNumericProperties() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try TemporaryStore.untilExit().realm().objects(Toy.self).sum(ofProperty: "name") as Int
    }
    #expect(
      sentence(result).contains("Operation 'sum' not supported for string property 'Toy.name'"))
  }
}
