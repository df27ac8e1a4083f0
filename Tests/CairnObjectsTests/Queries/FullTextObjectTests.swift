import CairnModelTestSupport
import CairnObjects
import CairnQuery
import Testing

private class Article: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: .fullText) var text = ""
  @Persisted(indexed: .fullText) var note: String?
  @Persisted(indexed: .general) var kind = 0
  @Persisted var plain = ""
  @Persisted var tags: List<String>
}

private class ArticleLink: Object {
  @Persisted var article: Article?
}

private class NumberWithWords: Object {
  @Persisted(indexed: .fullText) var number = 0
}

/// Full-text searches of objects: the closure beside the text, and every way to write.
@Suite struct FullTextObjectTests {
  private let world = TemporaryStore()

  private func realm() throws -> Realm {
    let realm = try world.realm()
    try realm.write {
      for (id, text) in ["Swift for iOS", "swift, on Linux!", "Café au lait", ""].enumerated() {
        let article = Article(value: ["id": id, "text": text, "plain": text])
        article.tags.append(text)
        if id == 1 { article.note = "e-mail me" }
        realm.add(article)
        realm.add(ArticleLink(value: ["article": article]))
      }
    }
    return realm
  }

  private func ids(_ results: Results<Article>) -> [Int] { results.map(\.id).sorted() }

  @Test func closuresAndTexts() throws {
    let realm = try realm()
    let all = realm.objects(Article.self)
    #expect(ids(all.where { $0.text.search("swift -ios") }) == [1])
    #expect(ids(all.filter("text TEXT 'swift -ios'")) == [1])
    #expect(ids(all.filter("text text %@", "swi*")) == [0, 1])
    #expect(ids(all.where { $0.plain.search("\"on linux\"") }) == [1])
    #expect(ids(all.where { $0.note.search("e-mail") }) == [1])
    #expect(ids(all.where { $0.note.search("-mail") }) == [], "null matches nothing")
    #expect(ids(all.where { !$0.note.search("mail") }) == [0, 2, 3])
    #expect(ids(all.where { $0.text.search("-swift") }) == [2, 3])
    #expect(ids(all.where { $0.text.search("cafe") || $0.kind == 5 }) == [2])
    #expect(ids(all.where { $0.text.search("") }) == [])
    #expect(ids(all.filter("ANY tags TEXT 'linux'")) == [1])
    let behind = realm.objects(ArticleLink.self).filter("article.text TEXT 'lait'")
    #expect(behind.count == 1 && behind.first?.article?.id == 2)
    #expect(all.where { $0.text.search("swift -ios") }.count == 1)
  }

  @Test func theMostRelevantComesFirst() throws {
    let realm = try realm()
    let all = realm.objects(Article.self)
    try realm.write {
      realm.add(Article(value: ["id": 7, "text": "swift, swift and again swift", "note": "linux"]))
    }
    #expect(all.search("swift", in: \.text).map(\.id) == [7, 0, 1])
    #expect(all.search("swift", in: \.text).limit(1).map(\.id) == [7])
    #expect(all.where { $0.id < 5 }.search("swift -ios", in: \.text).map(\.id) == [1])
    #expect(all.search("e-mail", in: \.note).map(\.id) == [1])
    #expect(Set(all.search("linux", inKeyPaths: ["text", "note"]).map(\.id)) == [1, 7])
    #expect(all.search("", in: \.text).isEmpty)
    let best = all.search("harbour", in: \.text)
    try realm.write { all.first?.text = "the harbour" }
    #expect(best.map(\.id) == [0])
  }

  @Test func writesAreFound() throws {
    let realm = try realm()
    let all = realm.objects(Article.self)
    let found = all.where { $0.text.search("harbour") }
    try realm.write {
      all.first?.text = "the harbour"
      #expect(found.count == 1, "inside the transaction")
      realm.create(Article.self, value: ["id": 2, "text": "Harbour lights"], update: .modified)
    }
    #expect(ids(found) == [0, 2])
    try realm.write {
      for id in 100..<400 { realm.add(Article(value: ["id": id, "text": "harbour \(id)"])) }
    }
    #expect(found.count == 302)
    try realm.write { realm.delete(all.where { $0.id >= 100 && $0.id < 399 }) }
    #expect(ids(found) == [0, 2, 399])
    #expect(ids(all.where { $0.text.search("399") }) == [399])
  }

  @Test func theSchemaShowsTheIndex() throws {
    let realm = try realm()
    let schema = try #require(realm.schema["Article"])
    #expect(schema["text"]?.isFullTextIndexed == true && schema["text"]?.isIndexed == false)
    #expect(schema["kind"]?.isIndexed == true && schema["kind"]?.isFullTextIndexed == false)
    #expect(schema["text"]?.description == "text: string, full-text index")
  }

  @Test func mistakesAreExplained() throws {
    for (text, message) in [
      ("text TEXT[c] 'a'", "TEXT ignores case and diacritics without options."),
      ("text TEXT {'a'}", "TEXT takes one text."),
    ] {
      let error = #expect(throws: (any Error).self) { _ = try Predicate(text) }
      #expect("\(try #require(error))".contains(message), "\(text)")
    }
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "FullTextObjectTests", objectTypes: [NumberWithWords.self])
    let error = #expect(throws: (any Error).self) { _ = try Realm(configuration: configuration) }
    #expect("\(try #require(error))".contains("only a string can have one"))
  }
}
