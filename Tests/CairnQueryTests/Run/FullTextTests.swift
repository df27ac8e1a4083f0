import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery
@testable import CairnStorage

/// Full-text searches over random texts in many scripts, against the words of every text.
@Suite struct FullTextTests {
  private static let columns = [
    ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0),
    ColumnSchema(
      id: 1, name: "text", type: .string, isOptional: true, isFullText: true, position: 1),
    ColumnSchema(id: 2, name: "at", type: .point, isOptional: true, position: 2),
    ColumnSchema(id: 3, name: "plain", type: .string, isOptional: true, position: 3),
  ]
  private static let bulk = [
    BulkColumn(name: "id", type: .int, isOptional: false),
    BulkColumn(name: "text", type: .string, isOptional: true),
    BulkColumn(name: "at", type: .point, isOptional: true),
    BulkColumn(name: "plain", type: .string, isOptional: true),
  ]

  private struct Row {
    var text: ScriptedText?
    var at: Position?

    init(_ random: inout SplitMix64) {
      if !random.chance(0.1) { text = ScriptedText(&random) }
      at = Position(
        latitude: Double(random.below(100)) / 10, longitude: Double(random.below(100)) / 10)
    }

    func values(_ id: Int) -> [Value] {
      let text: Value = text.map { .string($0.text) } ?? .null
      return [.int(Int64(id)), text, at.map { .point($0) } ?? .null, text]
    }
  }

  /// The rows that the store should have, by primary key.
  private struct Model {
    var rows: [Int: Row] = [:]
    var nextID = 0
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  /// Compares searches with the model: with the index, without one, negated, and within a circle.
  private func check(
    _ table: Table, _ model: Model, _ random: inout SplitMix64, _ comment: String
  ) throws {
    let texts = model.rows.values.compactMap(\.text).filter { !$0.words.isEmpty }
      .sorted { $0.text < $1.text }
    for _ in 0..<3 {
      let search = ScriptedSearch(&random, of: texts)
      let matching = model.rows.filter { $0.value.text.map { search.matches($0.words) } ?? false }
      let expected = Set(matching.keys)
      let condition = PredicateNode.match(
        .property("text"), .search, .value(.string(search.text)), [])
      let plain = PredicateNode.match(
        .property("plain"), .search, .value(.string(search.text)), [])
      #expect(try ids(condition, table) == expected, "\(comment): \(search.text)")
      #expect(try ids(plain, table) == expected, "\(comment), without index: \(search.text)")
      if let index = table.textIndex(1), let parsed = TextSearch(search.text), !parsed.isEmpty {
        #expect(
          index.search(parsed).keys == index.search(parsed, maxRareRows: -1).keys,
          "\(comment), by keys and by bitmaps: \(search.text)")
      }
      let others = Set(model.rows.keys).subtracting(expected)
      #expect(try ids(.not(condition), table) == others, "\(comment): not \(search.text)")
      let box = try #require(GeoBoxes.some(&random))
      let near = PredicateNode.relation(PropertyPath("at"), .within, .shape(.box(box.box)))
      let within = Set(matching.filter { $0.value.at.map(box.contains) ?? false }.keys)
      #expect(
        try ids(.and([condition, near]), table) == within, "\(comment), in a box: \(search.text)")
      let either = Set(model.rows.filter { $0.value.at.map(box.contains) ?? false }.keys)
      #expect(
        try ids(.or([condition, near]), table) == expected.union(either),
        "\(comment), or in a box: \(search.text)")
    }
  }

  private func ids(_ node: PredicateNode, _ table: Table) throws -> Set<Int> {
    let execution = try Execution(
      TableQuery(table: "Row", predicate: Predicate(node)), on: table)
    let keys = execution.keys()
    #expect(execution.count() == keys.count)
    return Set(
      keys.compactMap { key in
        if case .int(let id) = table.value(0, at: key) { Int(id) } else { nil }
      })
  }

  private func change(
    _ store: Store, _ model: inout Model, _ random: inout SplitMix64, changes: Int,
    _ comment: String
  ) throws {
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    var next = model
    for _ in 0..<changes {
      let dice = random.below(100)
      let tries = (0..<8).map { _ in random.below(max(1, next.nextID)) }
      let known = tries.first { next.rows[$0] != nil }
      if dice < 50 || known == nil {
        let row = Row(&random)
        try writer.insert(row.values(next.nextID))
        next.rows[next.nextID] = row
        next.nextID += 1
      } else if let known, let key = writer.table.find(primaryKey: .int(Int64(known))) {
        if dice < 85 {
          var row = Row(&random)
          row.at = next.rows[known]?.at
          for position in [1, 3] {
            try writer.set(row.values(known)[position], position: position, at: key)
          }
          next.rows[known] = row
        } else {
          try writer.delete(key)
          next.rows[known] = nil
        }
      }
    }
    if random.chance(0.02) {
      writer.deleteAll()
      next.rows = [:]
    }
    if random.chance(0.15) { try check(writer.table, next, &random, comment + ", inside") }
    guard random.chance(0.9) else { return transaction.rollback() }
    try transaction.commit()
    model = next
  }

  private func load(
    _ store: Store, _ model: inout Model, _ random: inout SplitMix64, count: Int
  ) throws {
    let load = try BulkLoad(
      store: store, table: "Row", columns: Self.bulk, location: 2, primaryKey: 0, indexed: [],
      fullText: [1], onConflict: .replace)
    for number in 0..<3 {
      let batch = ColumnBatch(columns: Self.bulk)
      for _ in 0..<count / 3 {
        let row = Row(&random)
        // Some rows replace earlier ones.
        let id = random.chance(0.1) && model.nextID > 0 ? random.below(model.nextID) : model.nextID
        for (column, value) in zip(batch.columns, row.values(id)) { column.append(value) }
        model.rows[id] = row
        model.nextID = max(model.nextID, id + 1)
      }
      try load.add(batch, number: number)
    }
    _ = try load.finish()
  }

  private func check(
    _ store: Store, _ model: Model, _ random: inout SplitMix64, _ comment: String
  ) throws {
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    try check(table, model, &random, comment)
  }

  @Test(arguments: 1...UInt64(Soak.count(1, long: 4))) func everyWrite(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var model = Model()
    let path = folder.file()
    var store = try Store.open(path, mode: .create)
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    for turn in 0..<14 {
      let comment = "seed \(seed), turn \(turn)"
      switch turn {
      case 4, 9: try load(store, &model, &random, count: 1500)
      case 5: try forgetPositions(store)
      case 7, 11:
        store = try Store.open(folder.file("other"), mode: .create)
        _ = try Store.compact(path)
        store = try Store.open(path, mode: .readWrite)
      case 12:
        try store.write { try $0.setFullText(false, ["text"], of: "Row") }
        try store.write { try $0.setFullText(true, ["text"], of: "Row") }
      default:
        for _ in 0..<4 {
          try change(store, &model, &random, changes: 1 + random.below(120), comment)
        }
      }
      try check(store, model, &random, comment)
      #expect(try Store.verify(path).findings == [], "\(comment)")
    }
  }

  /// Makes the runs of the store those of format 3, which have no positions of words.
  private func forgetPositions(_ store: Store) throws {
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    var state = table.state
    for index in state.textRuns.indices { state.textRuns[index].hasPositions = false }
    try store.environment.writer.run {
      let lmdb = try LMDBTransaction(writing: store.handle)
      try lmdb.put(.state(table.id), bytes: state.encoded())
      for run in state.textRuns {
        try lmdb.deleteGroup(
          StorageKey(kind: .runPositions, table: table.id, column: run.column, group: run.id))
      }
      try lmdb.commit()
    }
  }

  @Test func aLoadMakesAnIndex() throws {
    var random = SplitMix64(seed: 9)
    var model = Model()
    let store = try Store.open(folder.file(), mode: .create)
    try load(store, &model, &random, count: 5000)
    try check(store, model, &random, "loaded")
    #expect(try store.snapshot().schema.table(named: "Row")?.columns[1].isFullText == true)
    #expect(try Store.verify(folder.file()).findings == [])
  }

  /// The runs of a damaged store name rows behind the last one, which no query may deliver or read.
  @Test(arguments: ["text TEXT 'rare'", "text TEXT '\"common rare\"'", "number = 500"])
  func rowsThatDoNotExistAreIgnored(condition: String) throws {
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Row",
        columns: [
          ColumnSchema(id: 0, name: "text", type: .string, isFullText: true, position: 0),
          ColumnSchema(id: 1, name: "number", type: .int, isIndexed: true, position: 1),
        ])
      for row in 0..<1000 {
        try writer.insert([
          .string(row == 500 ? "common rare" : "common"), .int(Int64(row)),
        ])
      }
    }
    let before = try store.snapshot()
    let table = try #require(before.table("Row"))
    let draft = TextDraft()
    let keys = Array(0..<1000) + [1000, 4000]
    var numbers: [ValueEntry] = []
    for key in keys {
      let isRare = key >= 1000 || key == 500
      let text = Array((isRare ? "common rare" : "common").utf8)
      text.withUnsafeBytes { draft.add(key, text: $0) }
      // The run keeps its number of entries.
      guard key != 498, key != 499 else { continue }
      let number = isRare ? Int64(500) : Int64(key)
      numbers.append(ValueEntry(value: .number(IndexKey.ordered(number)), key: key))
    }
    numbers.sort()
    let segment = try #require(draft.block().segments.first)
    let positions = try #require(segment.positions)
    try store.environment.writer.run {
      let lmdb = try LMDBTransaction(writing: store.handle)
      for run in table.state.textRuns {
        try lmdb.put(
          .runWords(table.id, column: 0, run: run.id, segment: 0), value: segment.words.bytes)
        try lmdb.put(
          .runPositions(table.id, column: 0, run: run.id, segment: 0), value: positions.bytes)
      }
      for run in table.state.valueRuns {
        try lmdb.put(
          .runKeys(table.id, column: 1, run: run.id, segment: 0),
          bytes: ValueSegment.encoded(numbers[...], numeric: true))
      }
      try lmdb.commit()
    }
    let after = try store.snapshot()
    let damaged = try #require(after.table("Row"))
    let execution = try Execution(
      TableQuery(table: "Row", predicate: Predicate(parsing: condition)), on: damaged)
    guard case .keys(let candidates, _) = execution.plan.scan.accessPath else {
      Issue.record("\(condition) does not use an index")
      return
    }
    #expect(candidates == [500, 1000, 4000])
    #expect(execution.keys() == [500])
    #expect(execution.count() == 1)
    #expect(execution.first() == 500)
  }

  @Test(arguments: [
    ("id TEXT 'a'", "Operator 'TEXT' not supported for property 'id' of type 'int'"),
    ("text TEXT plain", "TEXT takes a constant text, not a property."),
    (
      "text TEXT '\"\(Array(repeating: "a", count: 65).joined(separator: " "))\"'",
      "at most 64 words"
    ),
  ])
  func mistakesAreExplained(text: String, message: String) throws {
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    let error = #expect(throws: (any Error).self) {
      _ = try Execution(TableQuery(table: "Row", predicate: Predicate(parsing: text)), on: table)
    }
    #expect("\(try #require(error))".contains(message), "\(error.map { "\($0)" } ?? "")")
  }

  @Test func onlyTextsCanHaveTheIndex() throws {
    let store = try Store.open(folder.file(), mode: .create)
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.setFullText(true, ["id"], of: "Row") }
    }
    #expect(error?.message == "'Row.id' is of type int; a full-text index needs a string")
  }
}

/// Random boxes between locations of the tests, which lie on multiples of a tenth of a degree.
private struct GeoBoxes {
  let box: GeoBox
  private let corner: Position
  private let size: Double

  static func some(_ random: inout SplitMix64) -> GeoBoxes? {
    let corner = Position(
      latitude: Double(random.below(100)) / 10 + 0.05,
      longitude: Double(random.below(100)) / 10 + 0.05)
    let size = Double(1 + random.below(30)) / 10
    return GeoBox(
      bottomLeft: (corner.latitude, corner.longitude),
      topRight: (corner.latitude + size, corner.longitude + size)
    ).map { GeoBoxes(box: $0, corner: corner, size: size) }
  }

  func contains(_ place: Position) -> Bool {
    place.latitude > corner.latitude && place.latitude < corner.latitude + size
      && place.longitude > corner.longitude && place.longitude < corner.longitude + size
  }
}
