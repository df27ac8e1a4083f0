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

/// A `where` closure and a predicate string yield the same tree.
@Suite struct QueryTreeTests {
  private func same(
    _ text: String, _ arguments: Any?..., at place: SourceLocation = #_sourceLocation,
    where isIncluded: (Query<Asked>) -> Query<Bool>
  ) throws {
    let read = try Predicate(format: text, argumentArray: arguments)
    let made = Predicate(of: Asked.self, where: isIncluded)
    #expect(made == read, "\(made) instead of \(read)", sourceLocation: place)
  }

  @Test func numbers() throws {
    try same("int == 5") { $0.int == 5 }
    try same("int != 5") { $0.int != 5 }
    try same("int < 5") { $0.int < 5 }
    try same("int <= 5") { $0.int <= 5 }
    try same("int > 5") { $0.int > 5 }
    try same("int >= 5") { $0.int >= 5 }
    try same("int8 == %@", Int8(5)) { $0.int8 == 5 }
    try same("int16 > %@", Int16(5)) { $0.int16 > 5 }
    try same("int32 < %@", Int32(5)) { $0.int32 < 5 }
    try same("int64 >= %@", Int64(5)) { $0.int64 >= 5 }
    try same("float <= %@", Float(1.5)) { $0.float <= 1.5 }
    try same("double != 1.5") { $0.double != 1.5 }
    try same("decimal == %@", Decimal128(7)) { $0.decimal == 7 }
    try same("intOptional == nil") { $0.intOptional == nil }
    try same("intOptional > 5") { $0.intOptional > 5 }
    try same("doubleOptional <= nil") { $0.doubleOptional <= nil }
    try same("decimalOptional != nil") { $0.decimalOptional != nil }
    try same("floatOptional == %@", Float(1)) { $0.floatOptional == 1 }
  }

  @Test func flagsTextsAndIdentifiers() throws {
    try same("bool == true") { $0.bool }
    try same("bool == false") { !$0.bool }
    try same("bool != true") { $0.bool != true }
    try same("boolOptional == nil") { $0.boolOptional == nil }
    try same("string == 'a'") { $0.string == "a" }
    try same("string > 'a'") { $0.string > "a" }
    try same("stringOptional == nil") { $0.stringOptional == nil }
    let (data, date) = (Data([1, 2]), Date(timeIntervalSinceReferenceDate: 12.5))
    try same("data == %@", data) { $0.data == data }
    try same("dataOptional < %@", data) { $0.dataOptional < data }
    try same("date >= %@", date) { $0.date >= date }
    try same("dateOptional == %@", date) { $0.dateOptional == date }
    let (id, uuid) = (ObjectId.generate(), UUID())
    try same("objectId == %@", id) { $0.objectId == id }
    try same("objectIdOptional != %@", id) { $0.objectIdOptional != id }
    try same("uuid == %@", uuid) { $0.uuid == uuid }
    try same("uuidOptional == nil") { $0.uuidOptional == nil }
  }

  @Test func enumerationsAndCustomTypes() throws {
    try same("coat == 'short'") { $0.coat == .short }
    try same("coat == %@", Fur.short) { $0.coat == .short }
    try same("coatOptional == %@", Fur?.none) { $0.coatOptional == nil }
    try same("coat BEGINSWITH 's'") { $0.coat.rawValue.starts(with: "s") }
    try same("coatOptional CONTAINS 'o'") { $0.coatOptional.rawValue.contains("o") }
    try same("coat IN {'short', 'long'}") { $0.coat.in([.short, .long]) }
    try same("rank > 1") { $0.rank > .low }
    try same("rankOptional == 9") { $0.rankOptional == .high }
    try same("rank BETWEEN {1, 9}") { $0.rank.contains(.low ... .high) }
    try same("address == 'x'") { $0.address == Street("x") }
    try same("address == %@", Street("x")) { $0.address == Street("x") }
    try same("address == 'x'") { $0.address.persistableValue == "x" }
    try same("address BEGINSWITH[c] 'x'") {
      $0.address.persistableValue.starts(with: "x", options: .caseInsensitive)
    }
    try same("addressOptional == nil") { $0.addressOptional == nil }
    try same("even == %@", EvenNumber(persistedValue: 4)) {
      $0.even == EvenNumber(persistedValue: 4)
    }
    try same("even > 4") { $0.even.persistableValue > 4 }
  }

  @Test func listsAndRanges() throws {
    try same("int IN {1, 2}") { $0.int.in([1, 2]) }
    try same("int IN %@", [1, 2]) { $0.int.in([1, 2]) }
    try same("int IN {}") { $0.int.in([]) }
    try same("intOptional IN {1, nil}") { $0.intOptional.in([1, nil]) }
    try same("string IN {'a', 'b'}") { $0.string.in(["a", "b"]) }
    try same("int BETWEEN {1, 5}") { $0.int.contains(1...5) }
    try same("int BETWEEN %@", 1...5) { $0.int.contains(1...5) }
    try same("int >= 1 && int < 5") { $0.int.contains(1..<5) }
    try same("intOptional BETWEEN {1, 5}") { $0.intOptional.contains(1...5) }
    try same("doubleOptional >= 1.0 AND doubleOptional < 5.5") {
      $0.doubleOptional.contains(1..<5.5)
    }
    try same("string BETWEEN {'a', 'b'}") { $0.string.contains("a"..."b") }
  }

  @Test func texts() throws {
    try same("string CONTAINS 'a'") { $0.string.contains("a") }
    try same("string BEGINSWITH 'a'") { $0.string.starts(with: "a") }
    try same("string ENDSWITH[c] 'a'") { $0.string.ends(with: "a", options: .caseInsensitive) }
    try same("string CONTAINS[cd] 'a'") {
      $0.string.contains("a", options: [.caseInsensitive, .diacriticInsensitive])
    }
    try same("string LIKE 'a*'") { $0.string.like("a*") }
    try same("string LIKE[c] 'a*'") { $0.string.like("a*", caseInsensitive: true) }
    try same("string ==[d] 'a'") { $0.string.equals("a", options: .diacriticInsensitive) }
    try same("string !=[cd] 'a'") {
      $0.string.notEquals("a", options: [.caseInsensitive, .diacriticInsensitive])
    }
    try same("stringOptional CONTAINS nil") { $0.stringOptional.contains(nil) }
    try same("data BEGINSWITH %@", Data([1])) { $0.data.starts(with: Data([1])) }
    try same("stringOptional CONTAINS[c] string") {
      $0.stringOptional.contains($0.string, options: .caseInsensitive)
    }
    try same("string LIKE stringOptional") { $0.string.like($0.stringOptional) }
    try same("string ==[c] stringOptional") {
      $0.string.equals($0.stringOptional, options: .caseInsensitive)
    }
  }

  @Test func logicAndProperties() throws {
    try same("int == 1 && string == 'a' && bool == true") {
      $0.int == 1 && $0.string == "a" && $0.bool
    }
    try same("int == 1 || string == 'a' && !(bool == true)") {
      $0.int == 1 || $0.string == "a" && !($0.bool == true)
    }
    try same("NOT (int == 1 OR int == 2)") { !($0.int == 1 || $0.int == 2) }
    try same("int == int64") { $0.int == $0.int64 }
    try same("int < intOptional") { $0.int < $0.intOptional }
    try same("string != stringOptional") { $0.string != $0.stringOptional }
    try same("bool == boolOptional") { $0.bool == $0.boolOptional }
  }

  @Test func linksAndPlaces() throws {
    try same("other == nil") { $0.other == nil }
    try same("other.other.int > 4") { $0.other.other.int > 4 }
    try same("other.bool == true") { $0.other.bool }
    try same("other.stringOptional == nil") { $0.other.stringOptional == nil }
    let box = GeoBox(
      bottomLeft: originPoint, topRight: originPoint)
    try same("point IN %@", box) { $0.point.geoWithin(box) }
    try same("pointOptional IN %@", box as GeoBox?) { $0.pointOptional.geoWithin(box) }
    try same("NOT other.point IN %@", box) { !$0.other.point.geoWithin(box) }
  }

  @Test func inheritedProperties() throws {
    let made = Predicate(of: AskedElse.self) { $0.int == 5 && $0.own > $0.other.int }
    #expect(made == (try Predicate("int == 5 AND own > other.int")))
  }

  /// The longest realistic closure; the point is that it compiles quickly.
  @Test func longClosures() throws {
    let made = Predicate(of: Asked.self) {
      ($0.int > 1 && $0.int < 9 || $0.double >= 1.5 && $0.string.starts(with: "a"))
        && ($0.intOptional == nil || $0.intOptional.contains(1...5)) && !$0.bool
        && $0.other.other.string != "b" && ($0.coat == .short || $0.coat.in([.long, .curly]))
    }
    let read = try Predicate(
      """
      (int > 1 AND int < 9 OR double >= 1.5 AND string BEGINSWITH 'a')
      AND (intOptional == nil OR intOptional BETWEEN {1, 5}) AND bool == false
      AND other.other.string != 'b' AND (coat == 'short' OR coat IN {'long', 'curly'})
      """)
    #expect(made == read)
  }
}
