import CairnGeometry
import CairnObjects
import CairnQuery
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A `where` closure and a predicate string yield the same tree: collections, maps, mixed values,
/// subqueries.
@Suite struct QueryTreeCollectionTests {
  private func same(
    _ text: String, _ arguments: Any?..., at place: SourceLocation = #_sourceLocation,
    where isIncluded: (Query<Bough>) -> Query<Bool>
  ) throws {
    let read = try Predicate(format: text, argumentArray: arguments)
    let made = Predicate(of: Bough.self, where: isIncluded)
    #expect(made == read, "\(made) instead of \(read)", sourceLocation: place)
  }

  @Test func elements() throws {
    try same("5 IN numbers") { $0.numbers.contains(5) }
    try same("ANY numbers == 5") { $0.numbers.contains(5) }
    try same("nil IN halves") { $0.halves.contains(nil) }
    try same("ANY words IN {'a', 'b'}") { $0.words.containsAny(in: ["a", "b"]) }
    try same("NOT 'a' IN words") { !$0.words.contains("a") }
    try same("numbers.@count > 2") { $0.numbers.count > 2 }
    try same("numbers.@min >= 1 AND numbers.@max < 5") { $0.numbers.contains(1..<5) }
    try same("numbers.@min >= 1 AND numbers.@max <= 5") { $0.numbers.contains(1...5) }
    try same("halves.@min >= 1.0 AND halves.@max <= 5.0") { $0.halves.contains(1...5) }
    try same("numbers.@avg == 2.5") { $0.numbers.avg == 2.5 }
    try same("numbers.@sum == 4") { $0.numbers.sum == 4 }
    try same("halves.@max == nil") { $0.halves.max == nil }
    let date = Date(timeIntervalSinceReferenceDate: 5)
    try same("dates.@min < %@", date) { $0.dates.min < date }
  }

  @Test func objects() throws {
    try same("ANY leaves.size > 5") { $0.leaves.size > 5 }
    try same("ANY leaves.flag == true") { $0.leaves.flag }
    try same("NOT ANY leaves.name == 'a'") { !($0.leaves.name == "a") }
    try same("NONE leafSet.name BEGINSWITH[c] 'a'") {
      !$0.leafSet.name.starts(with: "a", options: .caseInsensitive)
    }
    try same("ANY leaves.size BETWEEN {1, 5}") { $0.leaves.size.contains(1...5) }
    try same("leaves.@avg.size == 5.0") { $0.leaves.size.avg == 5 }
    try same("leaves.@min.size > main.size") { $0.leaves.size.min > $0.main.size }
    try same("main.tags.@count == 0") { $0.main.tags.count == 0 }
    try same("ANY leaves.tags.@count == 1") { $0.leaves.tags.count == 1 }
    try same("ANY leaves.tags == 'x'") { $0.leaves.tags.contains("x") }
    try same("ANY parts.leaves.@sum.size > 3") { $0.parts.leaves.size.sum > 3 }
    try same("ANY leaves.boughs.numbers == 3") { $0.leaves.boughs.numbers.contains(3) }
    try same("%@ IN leaves", Leaf()) { $0.leaves.contains(Leaf()) }
    try same("ANY leaves IN %@", [Leaf(), Leaf()]) { $0.leaves.containsAny(in: [Leaf(), Leaf()]) }
    try same("main IN %@", [Leaf(), nil]) { $0.main.in([Leaf(), nil]) }
  }

  @Test func maps() throws {
    try same("scores['k'] == 5") { $0.scores["k"] == 5 }
    try same(#"scores['it\'s'] > 5"#) { $0.scores["it's"] > 5 }
    try same("notes['k'] CONTAINS 'a'") { $0.notes["k"].contains("a") }
    try same("notes['k'] == nil") { $0.notes["k"] == nil }
    try same("leafMap['k'] == nil") { $0.leafMap["k"] == nil }
    try same("ANY scores.@allKeys == 'k'") { $0.scores.keys == "k" }
    try same("ANY scores.@allKeys BEGINSWITH 'k'") { $0.scores.keys.starts(with: "k") }
    try same("ANY scores.@allValues > 5") { $0.scores.values > 5 }
    try same("ANY leafMap.@allValues.size > 5") { $0.leafMap.values.size > 5 }
    try same("5 IN scores") { $0.scores.contains(5) }
    try same("ANY scores IN {5, 6}") { $0.scores.containsAny(in: [5, 6]) }
    try same("scores.@count == 1") { $0.scores.count == 1 }
    try same("scores.@max > 1") { $0.scores.max > 1 }
    try same("scores.@avg > 1.5") { $0.scores.avg > 1.5 }
  }

  @Test func mixedValues() throws {
    try same("any == 5") { $0.any == .int(5) }
    try same("any == 5") { $0.any == 5 }
    try same("any != 'a'") { $0.any != .string("a") }
    try same("any == nil") { $0.any == .none }
    try same("any > 1.5") { $0.any > .double(1.5) }
    try same("any['k'] == 5") { $0.any["k"] == .int(5) }
    try same("any[0]['k'] == 5") { $0.any[0]["k"] == .int(5) }
    try same("any[*] == 5") { $0.any.any == .int(5) }
    try same("any IN {5, 'a', nil}") { $0.any.in([.int(5), .string("a"), .none]) }
    try same("any BEGINSWITH 'a'") { $0.any.starts(with: .string("a")) }
    try same("any == %@", AnyRealmValue.bool(true)) { $0.any == .bool(true) }
    try same("5 IN anys") { $0.anys.contains(.int(5)) }
    try same("anys.@sum > 5") { $0.anys.sum > .int(5) }
  }

  @Test func subqueries() throws {
    try same("SUBQUERY(leaves, $x, $x.size > 5 AND $x.name == 'a').@count > 1") {
      ($0.leaves.size > 5 && $0.leaves.name == "a").count > 1
    }
    try same("SUBQUERY(leaves, $x, NOT $x.flag == true OR $x.flag == false).@count == 0") {
      (!($0.leaves.flag == true) || !$0.leaves.flag).count == 0
    }
    try same("SUBQUERY(leaves, $x, 'x' IN $x.tags AND $x.tags.@count > 2).@count >= 1") {
      ($0.leaves.tags.contains("x") && $0.leaves.tags.count > 2).count >= 1
    }
    try same("SUBQUERY(leaves, $x, $x.size > 5).@count > 1 AND numbers.@count == 0") {
      ($0.leaves.size > 5).count > 1 && $0.numbers.count == 0
    }
  }

  @Test func places() throws {
    let origin = originPoint
    let box = GeoBox(bottomLeft: origin, topRight: origin)
    try same("nest IN %@", box) { $0.nest.geoWithin(box) }
    try same("ANY nests IN %@", box) { $0.nests.geoWithin(box) }
    try same("nest.label == nil") { $0.nest.label == nil }
    try same("5.0 IN nest.coordinates OR nest == nil") {
      $0.nest.coordinates.contains(5) || $0.nest == nil
    }
  }
}
