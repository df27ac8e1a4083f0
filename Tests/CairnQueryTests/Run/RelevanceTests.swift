import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnQuery
@testable import CairnStorage

/// Orders by relevance, against the scores of all texts from their words.
@Suite struct RelevanceTests {
  private static let columns = [
    ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0),
    ColumnSchema(
      id: 1, name: "text", type: .string, isOptional: true, isFullText: true, position: 1),
    ColumnSchema(id: 2, name: "note", type: .string, isOptional: true, position: 2),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private typealias Term = (words: [String], isPrefix: Bool)

  /// The number of times that a text with these words has a term.
  private func count(_ term: Term, _ words: [String]) -> Int {
    guard words.count >= term.words.count else { return 0 }
    return (0...words.count - term.words.count).count { start in
      term.words.indices.allSatisfy { index in
        let word = words[start + index]
        return term.isPrefix && index == term.words.count - 1
          ? word.utf8.starts(with: term.words[index].utf8) : word == term.words[index]
      }
    }
  }

  /// BM25 of every text, from the numbers of occurrences of the terms among its words.
  private func scores(_ terms: [Term], _ texts: [Int: ScriptedText]) -> [Int: Double] {
    let lengths = texts.values.map { Double($0.text.utf8.count) }
    let average = max(1, lengths.reduce(0, +)) / Double(max(1, lengths.count))
    var scores = texts.mapValues { _ in 0.0 }
    for term in terms {
      let counts = texts.mapValues { Double(count(term, $0.words)) }
      let having = Double(counts.values.count { $0 > 0 })
      let weight = log((Double(texts.count) - having + 0.5) / (having + 0.5) + 1)
      for (id, tf) in counts {
        let length = Double(texts[id]?.text.utf8.count ?? 0) / average
        scores[id, default: 0] += weight * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length))
      }
    }
    return scores
  }

  private func ids(_ keys: [Int], _ table: Table) -> [Int] {
    keys.compactMap { key in
      if case .int(let id) = table.value(0, at: key) { Int(id) } else { nil }
    }
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func ordersAreThoseOfTheScores(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    var texts: [Int: ScriptedText] = [:]
    var notes: [Int: ScriptedText] = [:]
    var next = 0
    for turn in 0..<5 {
      // More than one chunk, of short texts.
      let isLarge = turn == 3 && seed == 1
      try store.write { transaction in
        let writer = try #require(transaction.table("Row"))
        for _ in 0..<(isLarge ? 4200 : 60) {
          let length = isLarge ? 2 : 30
          let text = random.chance(0.9) ? ScriptedText(&random, maxWords: length) : nil
          let note = random.chance(0.3) ? ScriptedText(&random, maxWords: length) : nil
          try writer.insert([
            .int(Int64(next)), text.map { .string($0.text) } ?? .null,
            note.map { .string($0.text) } ?? .null,
          ])
          texts[next] = text
          notes[next] = note
          next += 1
        }
        for id in 0..<next where random.chance(0.05) {
          guard let key = writer.table.find(primaryKey: .int(Int64(id))) else { continue }
          try writer.delete(key)
          texts[id] = nil
          notes[id] = nil
        }
      }
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Row"))
      for (search, terms) in [
        ("ab", [(["ab"], false)]), ("ca*", [(["ca"], true)]),
        ("abc \"a b\" -zzz", [(["abc"], false), (["a", "b"], false)]),
        ("\"ccc ab\"* bc", [(["ccc", "ab"], true), (["bc"], false)]),
      ] {
        let comment = Comment(rawValue: "seed \(seed), turn \(turn): \(search)")
        let score = scores(terms, texts)
        let other = scores(terms, notes)
        for paths in [["text"], ["text", "note"]] {
          func total(_ id: Int) -> Double {
            (score[id] ?? 0) + (paths.count == 2 ? other[id] ?? 0 : 0)
          }
          var query = TableQuery(
            table: "Row",
            predicate: Predicate(.match(.property("text"), .search, .value(.string(search)), [])),
            sort: [
              .relevance(paths.map { PropertyPath($0) }, search: search, ascending: false)
            ])
          let all = ids(try Execution(query, on: table).keys(), table)
          let matching = texts.filter { _, text in
            terms.allSatisfy { count($0, text.words) > 0 }
          }
          #expect(Set(all) == Set(matching.keys), comment)
          #expect(
            zip(all, all.dropFirst()).allSatisfy { total($0) >= total($1) - 1e-9 }, comment)
          query.limit = 10
          let first = ids(try Execution(query, on: table).keys(), table)
          #expect(first == Array(all.prefix(10)), comment)
          let everything = TableQuery(table: "Row", sort: query.sort)
          let ranked = ids(try Execution(everything, on: table).keys(), table)
          #expect(
            zip(ranked, ranked.dropFirst()).allSatisfy { total($0) >= total($1) - 1e-9 }, comment)
          #expect(ranked.count == table.liveCount, comment)
        }
      }
    }
  }

  /// A change of any text moves others, because the weights of words change.
  @Test func trackedResultsAreOrderedAgain() throws {
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for (id, text) in ["ferry", "lights lights", "ferry lights ferry"].enumerated() {
        try writer.insert([.int(Int64(id)), .string(text), .null])
      }
    }
    let query = TableQuery(
      table: "Row", predicate: try Predicate(parsing: "text TEXT 'ferry*'"),
      sort: [.relevance([PropertyPath("text")], search: "ferry*", ascending: false)])
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    let tracker = try ResultsTracker(query, on: snapshot, table: table)
    #expect(tracker.keys == [0, 2], "a short text")
    try store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      try writer.set(.string("ferry ferry lights"), position: 1, at: 0)
      try writer.set(.string("ferry"), position: 1, at: 2)
    }
    let next = try store.snapshot()
    let changed = try #require(next.table("Row"))
    _ = try tracker.update(ObjectChanges(next.changes(since: snapshot)), observed: .everything)
    #expect(try tracker.keys == Execution(query, on: changed).keys())
    #expect(
      try Execution(query, on: table).explain().steps == [
        "order by relevance of text descending"
      ])
  }

  @Test(arguments: [
    ("id", "'id' of class 'Row' has no relevance; it must be a text of the class itself"),
    ("missing", "'missing' of class 'Row' has no relevance"),
  ])
  func mistakesAreExplained(name: String, message: String) throws {
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    let query = TableQuery(
      table: "Row", sort: [.relevance([PropertyPath(name)], search: "a", ascending: false)])
    let error = #expect(throws: QueryError.self) { _ = try Execution(query, on: table) }
    #expect(error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }
}
