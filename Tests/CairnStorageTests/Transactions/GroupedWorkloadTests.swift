import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Random transactions that are prepared, committed and dropped in any order, compared with a
/// dictionary.
@Suite(.tags(.threads)) struct GroupedWorkloadTests {
  private struct Row: Equatable {
    var name: String
    var place: Position?
  }

  @Test(arguments: ([11, 12, 13] as [UInt64]).prefix(Soak.count(2, long: 3)))
  func randomGroupsAgreeWithADictionary(seed: UInt64) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    var source = ValueSource(seed: seed)
    try store.write {
      _ = try $0.createTable(
        "Row",
        columns: [
          ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0),
          ColumnSchema(id: 1, name: "name", type: .string, isIndexed: true, position: 1),
          ColumnSchema(id: 2, name: "at", type: .point, isOptional: true, position: 2),
        ])
    }
    var model: [Int: Row] = [:]
    var pending: [PendingCommit] = []
    for turn in 0..<Soak.count(80, long: 3000) {
      let transaction = try store.beginWrite()
      let table = try #require(transaction.table("Row"))
      var next = model
      try change(table, &next, &source)
      try check(table.table, next, &source, "seed \(seed), inside turn \(turn)")
      switch source.int(0...9) {
      case 0: transaction.rollback()
      case 1...3:
        try transaction.commit()
        model = next
      default:
        if let changes = try transaction.seal() {
          changes.commit(allowGrouping: source.chance(70))
          pending.append(changes)
          // The prepared state can be read, whatever follows it.
          try check(table.table, next, &source, "seed \(seed), sealed turn \(turn)")
        }
        transaction.release()
        model = next
      }
      if source.chance(15) {
        for changes in pending { try changes.wait() }
        pending = []
        let snapshot = try store.snapshot()
        try check(
          try #require(snapshot.table("Row")), model, &source, "seed \(seed), after turn \(turn)")
      }
    }
    for changes in pending { try changes.wait() }
    let snapshot = try store.snapshot()
    try check(try #require(snapshot.table("Row")), model, &source, "seed \(seed), at the end")
    #expect(store.environment.commits.isIdle)
  }

  private func change(
    _ table: TableWriter, _ model: inout [Int: Row], _ source: inout ValueSource
  ) throws {
    for _ in 0..<source.int(1...12) {
      let live = model.keys.sorted()
      let place: Position? = source.chance(20) ? nil : source.position(.plain)
      switch source.int(0...9) {
      case 0...4 where live.count < 400, 0...9 where live.isEmpty:
        let name = "n\(source.int(0...20))"
        let key = try table.insert([
          .int(Int64(table.nextKey)), .string(name), place.map(Value.point) ?? .null,
        ])
        model[key] = Row(name: name, place: place)
      case 5...6:
        let key = live[source.int(0...live.count - 1)]
        try table.set(place.map(Value.point) ?? .null, position: 2, at: key)
        model[key]?.place = place
      case 7:
        let key = live[source.int(0...live.count - 1)]
        let name = "n\(source.int(0...20))"
        try table.set(.string(name), position: 1, at: key)
        model[key]?.name = name
      default:
        let key = live[source.int(0...live.count - 1)]
        try table.delete(key)
        model[key] = nil
      }
    }
  }

  private func check(
    _ table: Table, _ model: [Int: Row], _ source: inout ValueSource, _ comment: String
  ) throws {
    #expect(table.liveCount == model.count, "\(comment)")
    let live = (0..<table.endKey).filter(table.isLive)
    #expect(live == model.keys.sorted(), "\(comment)")
    for key in live {
      #expect(table.value(1, at: key) == model[key].map { .string($0.name) }, "\(comment)")
      #expect(
        table.value(2, at: key) == (model[key]?.place.map(Value.point) ?? .null), "\(comment)")
    }
    let id = source.int(0...max(table.endKey, 1))
    #expect(
      table.find(primaryKey: .int(Int64(id))) == (model[id] == nil ? nil : id), "\(comment)")
    let name = "n\(source.int(0...20))"
    var found: Set<Int> = []
    try #require(table.valueIndex(1)).candidates(ValueRange(equal: .string(name))) {
      if table.isLive($0), table.value(1, at: $0) == .string(name) { found.insert($0) }
      return true
    }
    #expect(found == Set(model.filter { $0.value.name == name }.keys), "\(comment)")
    try SpatialAnswers(table, 2).check(&source, regions: 2, comment)
  }
}
