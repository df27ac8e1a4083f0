import CairnModelTestSupport
import CairnObjects
import Testing

/// Invalid queries end the program with a message.
@Suite struct QueryErrorTests {
  private func sentence(of result: ExitTest.Result?) -> String {
    result.text
  }

  @Test func twoCollections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { $0.leaves.size == $0.parts.leaves.size }
    }
    #expect(sentence(of: result).contains("Comparing two collection columns is not permitted."))
  }

  @Test func propertiesBelowAMapKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { $0.leafMap["k"].name == "a" }
    }
    #expect(sentence(of: result).contains("Cannot apply key path to Map subscripts."))
  }

  @Test func subqueries() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { ($0.main.size > 5).count > 1 }
    }
    #expect(
      sentence(of: none).contains(
        "Subqueries must contain a keypath starting with a collection."))
    let keyed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { ($0.parts.scores["k"] > 5).count > 1 }
    }
    #expect(sentence(of: keyed).contains("Subqueries do not support map subscripts."))
    let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { ($0.leaves.size > 5 && $0.leafSet.size > 5).count > 1 }
    }
    #expect(sentence(of: two).contains("A subquery tests one collection"))
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { $0.numbers.contains(5).count > 1 }
    }
    #expect(sentence(of: values).contains("Subqueries test properties of objects"))
  }

  @Test func computedProperties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Asked.self) { $0.initial == "a" }
    }
    #expect(sentence(of: result).contains("A query can only use stored properties"))
    #expect(sentence(of: result).contains("it reads 'string'"))
  }

  @Test func aggregatesOfNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Asked.self) { $0.int.max > 3 }
    }
    #expect(
      sentence(of: result).contains("'@max' requires a collection; the path 'int' contains none."))
  }

  @Test func wholeCollections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Predicate(of: Bough.self) { $0.numbers == List<Int>() }
    }
    #expect(sentence(of: result).contains("A query cannot compare with a value of type"))
  }

  @Test func objectsOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (a, b) = (TemporaryStore(), TemporaryStore())
      let (first, second) = (try a.realm(), try b.realm())
      let leaf = Leaf()
      try first.write { first.add(leaf) }
      _ = second.objects(Bough.self).where { $0.main == leaf }
    }
    #expect(sentence(of: result).contains("Object must be from the Realm being queried"))
  }
}
