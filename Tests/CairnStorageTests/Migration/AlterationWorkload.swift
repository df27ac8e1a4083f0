import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Random alterations of a class and writes to it, compared with plain values.
final class AlterationWorkload {
  let folder: TemporaryFolder
  var store: Store
  var model = AlterationModel()
  var source: ValueSource
  private let seed: UInt64
  private var number = 0

  init(seed: UInt64) throws {
    self.seed = seed
    source = ValueSource(seed: seed)
    folder = try TemporaryFolder(inMemory: true)
    store = try folder.store()
    model.properties = [
      .init(name: "id", type: .int, isOptional: false, isIndexed: true),
      .init(name: "at", type: .point, isOptional: true, isIndexed: false),
    ]
  }

  /// Begins with the rows of a bulk load, in the order of their location.
  func load(_ count: Int) throws {
    let batch = Batch(
      [
        BulkColumn(name: "id", type: .int, isOptional: false),
        BulkColumn(name: "at", type: .point, isOptional: true),
      ], rows: count, seed: seed)
    try batch.load(into: store, "Thing", location: 1, indexed: [0])
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Thing"))
    for key in 0..<table.endKey where table.isLive(key) {
      model.rows[key] = ["id": table.value(0, at: key), "at": table.value(1, at: key)]
    }
  }

  func create() throws {
    try store.write { _ = try $0.createTables([model.draft]) }
  }

  /// Writes at random, and rolls every fourth transaction back.
  func write(_ count: Int) throws {
    let transaction = try store.beginWrite()
    let before = model
    let table = try #require(transaction.table("Thing"))
    for _ in 0..<count { try edit(table) }
    if source.chance(25) {
      transaction.rollback()
      model = before
    } else {
      try transaction.commit()
    }
  }

  private func edit(_ table: TableWriter) throws {
    let keys = table.nextKey
    switch source.int(0...9) {
    case 0...5:
      var row: [String: Value] = [:]
      for property in model.properties { row[property.name] = value(property) }
      let columns = table.schema.properties
      model.rows[try table.insert(columns.map { row[$0.name] ?? .null })] = row
    case 6...8:
      let key = source.int(0...max(0, keys - 1))
      guard model.rows[key] != nil else { return }
      let property = model.properties[source.int(0...model.properties.count - 1)]
      let value = value(property)
      let position = try #require(table.schema.column(named: property.name)).position
      try table.set(value, position: position, at: key)
      model.rows[key]?[property.name] = value
    default:
      let key = source.int(0...max(0, keys - 1))
      guard model.rows.removeValue(forKey: key) != nil else { return }
      try table.delete(key)
    }
  }

  private func value(_ property: AlterationModel.Property) -> Value {
    if property.isOptional, source.chance(20) { return .null }
    return source.value(of: property.type, source.chance(50) ? .few : .plain)
  }

  /// Alters the class, and edits it in the same transaction.
  func alter() throws {
    number += 1
    let before = model
    let transaction = try store.beginWrite()
    var renames: [(String, String)] = []
    model = model.altered(&source, number: number)
    let kept = model.properties.indices.filter { place in
      before.properties.contains { $0 == model.properties[place] }
    }
    if let place = kept.first, source.chance(40) {
      renames.append((model.properties[place].name, "r\(number)"))
      model = model.renamed(place, "r\(number)")
    }
    try transaction.alter([model.draft], version: UInt64(number))
    for (old, new) in renames { try transaction.renameProperty(of: "Thing", from: old, to: new) }
    let table = try #require(transaction.table("Thing"))
    try setMissingLocations(table)
    for _ in 0..<source.int(0...20) { try edit(table) }
    check(table.table, "inside the transaction")
    try transaction.finishAlterations()
    if source.chance(15) {
      transaction.rollback()
      model = before
    } else {
      try transaction.commit()
    }
  }

  /// Sets the missing required locations of rows to the model's default value, as a migration has
  /// to.
  private func setMissingLocations(_ table: TableWriter) throws {
    for column in table.schema.properties where column.requiresLocation {
      for key in 0..<table.nextKey where table.table.isLive(key) {
        guard case .point(let point) = table.table.value(column.position, at: key),
          point.latitude.isNaN
        else { continue }
        try table.set(.defaultValue(of: .point), position: column.position, at: key)
      }
    }
  }

  func reopen() throws { store = try folder.store(.readWrite) }

  // MARK: Checks

  func check(_ comment: String) throws {
    let snapshot = try store.snapshot()
    try check(snapshot, model, comment)
    try checkFreed(snapshot, comment)
  }

  func check(_ snapshot: Snapshot, _ model: AlterationModel, _ comment: String) throws {
    let table = try #require(snapshot.table("Thing"))
    check(table, model, comment)
    for (position, column) in table.schema.columns.enumerated() where column.hasSpatialIndex {
      try SpatialAnswers(table, position).check(&source, regions: 4, "seed \(seed), \(comment)")
    }
  }

  private func check(_ table: Table, _ comment: String) { check(table, model, comment) }

  private func check(_ table: Table, _ model: AlterationModel, _ comment: String) {
    let comment = Comment(rawValue: "seed \(seed), alteration \(number), \(comment)")
    let live = Set((0..<table.endKey).filter(table.isLive))
    #expect(live == Set(model.rows.keys), comment)
    #expect(Set(table.schema.properties.map(\.name)) == Set(model.properties.map(\.name)), comment)
    for property in model.properties {
      guard let column = table.schema.column(named: property.name) else { continue }
      #expect(
        column.type == property.type && column.isOptional == property.isOptional
          && column.isIndexed == property.isIndexed, comment)
      let wrong = model.rows.first { key, row in
        guard let value = row[property.name] else { return true }
        return !identical(table.value(column.position, at: key), value)
      }?.key
      let found = wrong.map {
        "\($0): \(table.value(column.position, at: $0)), \(String(describing: model.rows[$0]?[property.name]))"
      }
      #expect(found == nil, "\(comment) \(property)")
      if let index = table.valueIndex(column.position) {
        check(index, property, model, comment)
      }
    }
  }

  private func check(
    _ index: ValueIndex, _ property: AlterationModel.Property, _ model: AlterationModel,
    _ comment: Comment
  ) {
    let some = model.rows.values.prefix(3).compactMap { $0[property.name] }
    for value in Set(some) where IndexKey(value) != nil {
      var found: Set<Int> = []
      index.candidates(ValueRange(equal: value)) { key in
        found.insert(key)
        return true
      }
      let expected = model.rows.filter { $0.value[property.name] == value }.keys
      #expect(found.isSuperset(of: expected), "\(comment) \(property.name) \(value)")
    }
  }

  /// Checks that nothing is left of removed columns, and that everything else agrees.
  private func checkFreed(_ snapshot: Snapshot, _ comment: String) throws {
    let report = try Store.verify(folder.file())
    #expect(report.findings.isEmpty, "seed \(seed), \(comment): \(report.findings)")
    let schema = try #require(snapshot.schema.table(named: "Thing"))
    let columns = Set(schema.columns.map(\.id))
    let kinds: Set<StorageKey.Kind> = [
      .chunk, .zones, .runNodes, .runEntries, .runTombstones, .runKeys,
    ]
    try snapshot.transaction.scan(from: .header) { key, _ in
      if kinds.contains(key.kind) {
        #expect(columns.contains(key.column), "seed \(seed), \(comment): \(key)")
      }
      return true
    }
    #expect(schema.columns.allSatisfy { $0.id < schema.nextColumn })
  }
}
