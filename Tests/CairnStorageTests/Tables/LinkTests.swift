import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Links, embedded objects, inverse links and the locations of embedded objects, compared with
/// plain dictionaries.
@Suite struct LinkTests {
  @Test(arguments: ([1, 2, 3, 5] as [UInt64]).prefix(Soak.count(2, long: 4)))
  func everythingAgreesWithTheModel(seed: UInt64) throws {
    var work = try LinkWorkload(seed: seed)
    var regions = ValueSource(seed: seed + 500)
    for turn in 0..<Soak.count(8, long: 20) {
      let comment = "seed \(seed), turn \(turn)"
      try work.transact(work.source.int(1...60), commits: work.source.chance(80)) { write, model in
        guard turn % 2 == 0 else { return }
        try check(model, comment + ", inside", &regions) { write.table($0)?.table }
      }
      if work.source.chance(15) { try work.reopen() }
      let snapshot = try work.store.snapshot()
      try check(work.model, comment, &regions) { snapshot.table($0) }
    }
  }

  private func check(
    _ model: LinkModel, _ comment: String, _ regions: inout ValueSource,
    _ find: (String) -> Table?
  ) throws {
    for (name, rows) in model.rows {
      let table = try #require(find(name))
      let live = (0..<table.endKey).filter(table.isLive)
      #expect(live == rows.keys.sorted(), "\(comment): rows of \(name)")
      #expect(table.liveCount == rows.count, "\(comment): live rows of \(name)")
      for (key, row) in rows { check(row, of: key, in: table, model, comment) }
      for column in table.schema.columns where column.hasSpatialIndex {
        try SpatialAnswers(table, column.position).check(
          &regions, regions: 4, "\(comment): \(name).\(column.name)")
      }
      try checkSources(of: name, table, model, comment)
    }
  }

  private func check(
    _ row: LinkModel.Row, of key: Int, in table: Table, _ model: LinkModel, _ comment: String
  ) {
    for (column, cell) in zip(table.schema.properties, row.cells) {
      var place: String { "\(comment): \(table.schema.name).\(column.name) of \(key)" }
      #expect(table.value(column.position, at: key) == cell.stored(column), "\(place)")
      if case .one(let linked) = cell {
        let live = linked.flatMap { model.isLive(column.target ?? "", $0) ? $0 : nil }
        #expect(table.link(column.position, at: key) == live, "\(place)")
      }
      if column.type == .embedded, column.target == "Spot", column.collection == .none {
        let point = table.schema.point(for: column)
        let spot = cell.keys.first
        #expect(point.map { table.value($0.position, at: key) } == model.place(spot), "\(place)")
      }
    }
    let owner = table.owner(of: key)
    #expect(owner?.key == row.home?.key, "\(comment): owner of \(table.schema.name) \(key)")
    #expect(
      owner.flatMap { table.sibling(id: $0.table)?.schema.name } == row.home?.table, "\(comment)")
  }

  private func checkSources(
    of name: String, _ table: Table, _ model: LinkModel, _ comment: String
  ) throws {
    for column in table.schema.properties where column.isLink {
      let target = try #require(table.target(of: column.position))
      let live = (0..<target.endKey).filter(target.isLive)
      let dead = (0..<target.endKey).filter { !target.isLive($0) }.prefix(20)
      let sources = model.sources(through: column.position, of: name)
      for key in live.prefix(60) + dead + [-1, target.endKey] {
        #expect(
          table.sources(of: key, through: column.position) == sources[key] ?? [],
          "\(comment): \(name).\(column.name) to \(key)")
      }
    }
  }

  @Test func namedInversesAreIndexed() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { _ = try $0.createTables(LinkModel.drafts) }
    let people = try #require(try store.snapshot().schema.table(named: "Person"))
    #expect(people.properties.filter(\.isIndexed).map(\.name) == ["pets", "known", "named"])
    #expect(people.inverses == LinkModel.drafts[0].inverses)
  }

  @Test func hiddenColumnsAreNotProperties() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { _ = try $0.createTables(LinkModel.drafts) }
    let schema = try store.snapshot().schema
    for draft in LinkModel.drafts {
      let table = try #require(schema.table(named: draft.name))
      #expect(table.properties.map(\.name) == draft.columns.map(\.name))
      #expect(table.isLocation == (draft.name == "Spot"))
    }
    let people = try #require(schema.table(named: "Person"))
    #expect(people.columns.count == people.properties.count + 1)
    #expect(people.columns.last?.role == .point(of: 7))
    let address = try #require(schema.table(named: "Address"))
    #expect(address.columns.suffix(3).map(\.role) == [.point(of: 1), .ownerKey, .ownerColumn])
    #expect(people.point(for: people.properties[5]) == nil)
  }

  @Test func aTableOutlivesItsSnapshot() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { transaction in
      let writers = try transaction.createTables(LinkModel.drafts)
      let spot = try writers[3].insert(
        [.string("Point"), .data(StoredCollection.encode(doubles: [1, 2]))],
        owner: Owner(table: writers[1].schema.id, column: 1, key: 0))
      try writers[1].insert([.string("Rex"), .int(Int64(spot))])
    }
    let dogs = try #require(try store.snapshot().table("Dog"))
    #expect(dogs.link(1, at: 0) == 0)
    #expect(dogs.target(of: 1)?.owner(of: 0)?.key == 0)
    #expect(dogs.value(2, at: 0) == .point(Position(latitude: 2, longitude: 1)))
  }
}
