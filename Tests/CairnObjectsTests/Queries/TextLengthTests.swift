import CairnModelTestSupport
import CairnObjects
import CairnQuery
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private class Word: Object {
  @Persisted var text = ""
  @Persisted var note: String?
  @Persisted var bytes = Data()
  @Persisted var extra: Data?
  @Persisted var next: Word?
  @Persisted var others: List<Word>
  @Persisted var names: Map<String, String>
  @Persisted var code = Code("")
}

/// A code, stored as a string.
private struct Code: CustomPersistable, Hashable {
  var text: String
  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

/// `count` and `isEmpty` of strings and data in queries, with Swift's own as the oracle.
@Suite struct TextLengthTests {
  private let world = TemporaryStore()

  private static let texts = [
    "", "a", "ab", "abc", "Straße", "e\u{301}", "日本", "👨‍👩‍👧", "\r\n", "a\r\nb", "🇩🇪🇫🇷", "  ",
    String(repeating: "x", count: 300),
  ]

  private func realm() throws -> Realm {
    let realm = try world.realm()
    try realm.write {
      var last: Word?
      for (number, text) in Self.texts.enumerated() {
        let word = Word()
        word.text = text
        word.note = number % 3 == 0 ? nil : text
        word.bytes = Data(text.utf8)
        word.extra = number % 2 == 0 ? nil : Data(text.utf8)
        word.next = last
        if let last { word.others.append(last) }
        word.names["k"] = number % 4 == 0 ? nil : text
        word.code = Code(text)
        realm.add(word)
        last = word
      }
    }
    return realm
  }

  private func check(
    _ realm: Realm, _ isIncluded: (Query<Word>) -> Query<Bool>, _ oracle: @escaping (Word) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let all = realm.objects(Word.self)
    let expected = all.filter { oracle($0) }.map(\.text)
    let predicate = Predicate(of: Word.self, where: isIncluded)
    #expect(Array(all.where(isIncluded).map(\.text)) == Array(expected), sourceLocation: location)
    let read = try Predicate(parsing: predicate.description)
    #expect(read == predicate, sourceLocation: location)
    let again = try Array(all.filter(read).map(\.text))
    #expect(again == Array(expected), sourceLocation: location)
    // Unmanaged objects are matched by separate code.
    let loose = List<Word>()
    loose.append(objectsIn: all.map(copy))
    #expect(
      loose.index(matching: isIncluded) == all.firstIndex(where: oracle), sourceLocation: location)
  }

  private func copy(_ word: Word) -> Word {
    let copy = Word()
    copy.text = word.text
    copy.note = word.note
    copy.bytes = word.bytes
    copy.extra = word.extra
    if let next = word.next { copy.next = self.copy(next) }
    copy.others.append(objectsIn: copy.next.map { [$0] } ?? [])
    for entry in word.names { copy.names[entry.key] = entry.value }
    copy.code = word.code
    return copy
  }

  @Test func counts() throws {
    let realm = try realm()
    for number in [0, 1, 2, 3, 300] {
      try check(realm, { $0.text.count == number }, { $0.text.count == number })
      try check(realm, { $0.text.count != number }, { $0.text.count != number })
      try check(realm, { $0.text.count > number }, { $0.text.count > number })
      try check(realm, { $0.text.count <= number }, { $0.text.count <= number })
      try check(realm, { $0.bytes.count >= number }, { $0.bytes.count >= number })
      try check(realm, { $0.note.count == number }, { $0.note?.count == number })
      try check(realm, { $0.note.count != number }, { $0.note?.count != number })
      try check(realm, { $0.note.count < number }, { $0.note.map { $0.count < number } ?? false })
      try check(realm, { $0.extra.count == number }, { $0.extra?.count == number })
      try check(realm, { $0.next.text.count == number }, { $0.next?.text.count == number })
      try check(realm, { $0.next.text.count != number }, { $0.next?.text.count != number })
      try check(realm, { $0.names["k"].count == number }, { $0.names["k"]?.count == number })
      try check(
        realm, { $0.others.text.count == number },
        { $0.others.contains { $0.text.count == number } })
      try check(
        realm, { $0.code.persistableValue.count == number }, { $0.code.text.count == number })
    }
    try check(realm, { $0.text.count == $0.bytes.count }, { $0.text.count == $0.bytes.count })
    try check(realm, { $0.text.count.in([1, 3]) }, { [1, 3].contains($0.text.count) })
    try check(realm, { $0.text.count.contains(1...2) }, { (1...2).contains($0.text.count) })
  }

  @Test func emptiness() throws {
    let realm = try realm()
    try check(realm, { $0.text.isEmpty }, { $0.text.isEmpty })
    try check(realm, { !$0.text.isEmpty }, { !$0.text.isEmpty })
    try check(realm, { $0.note.isEmpty }, { $0.note?.isEmpty ?? false })
    try check(realm, { $0.bytes.isEmpty }, { $0.bytes.isEmpty })
    try check(realm, { $0.extra.isEmpty }, { $0.extra?.isEmpty ?? false })
    try check(realm, { $0.others.isEmpty }, { $0.others.isEmpty })
    try check(realm, { $0.code.isEmpty }, { $0.code.text.isEmpty })
    #expect(Predicate(of: Word.self) { $0.text.isEmpty }.description == "text == ''")
    #expect(Predicate(of: Word.self) { $0.text.count > 2 }.description == "text.@count > 2")
  }

  @Test func inThePredicateLanguage() throws {
    let realm = try realm()
    let all = realm.objects(Word.self)
    #expect(
      all.filter("note.@count == nil").map(\.text) == all.filter { $0.note == nil }.map(\.text))
    #expect(
      all.filter("text.@count BETWEEN {1, 2}").map(\.text)
        == all.filter { (1...2).contains($0.text.count) }.map(\.text))
    #expect(
      all.filter("ALL others.text.@count > 1").map(\.text)
        == all.filter { $0.others.allSatisfy { $0.text.count > 1 } }.map(\.text))
    #expect(
      all.filter("SUBQUERY(others, $x, $x.text.@count == 2).@count > 0").map(\.text)
        == all.filter { $0.others.contains { $0.text.count == 2 } }.map(\.text))
    let error = #expect(throws: Predicate.Error.self) {
      try all.filter(Predicate("others.text.@count > 1"))
    }
    #expect(error?.message.contains("write ANY") == true)
    #expect(throws: Predicate.Error.self) { try all.filter(Predicate("next.@count > 1")) }
  }
}
