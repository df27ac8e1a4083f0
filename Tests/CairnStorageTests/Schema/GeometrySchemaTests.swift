import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct GeometrySchemaTests {
  private func column(
    _ name: String, _ type: ValueType, collection: CollectionKind = .none
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, collection: collection, isOptional: collection == .none,
      position: 0)
  }

  private func schema(_ store: Store, _ name: String = "Parcel") throws -> TableSchema {
    try #require(try store.snapshot().schema.table(named: name))
  }

  private func format(_ store: Store) throws -> UInt32 {
    let reading = try LMDBTransaction(reading: store.handle)
    defer { reading.abort() }
    let header = try #require(reading.get(.header))
    return header.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
  }

  @Test func everyGeometryHasItsBoxes() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try Store.open(folder.path + "/store", mode: .create)
    try store.write { transaction in
      _ = try transaction.createTable(
        "Parcel",
        columns: [
          column("area", .polygon), column("id", .int), column("path", .lineString),
          column("all", .geometry), column("ids", .int, collection: .list),
        ])
    }
    let made = try schema(store)
    #expect(
      made.columns.dropFirst(5).map(\.role) == [.bounds(of: 0), .bounds(of: 2), .bounds(of: 3)])
    #expect(
      made.columns.dropFirst(5).allSatisfy { $0.isHidden && $0.isOptional && $0.type == .box })
    for (position, boxes) in [(0, 5), (2, 6), (3, 7)] {
      let geometry = made.columns[position]
      #expect(!geometry.hasSpatialIndex && made.columns[boxes].hasSpatialIndex)
      #expect(made.bounds(for: geometry)?.position == boxes)
      #expect(made.spatialColumn(for: geometry)?.position == boxes)
      #expect(made.point(for: geometry) == nil)
    }
    #expect(
      made.bounds(for: made.columns[4]) == nil && made.spatialColumn(for: made.columns[1]) == nil)
    #expect(made.point(for: made.columns[5]) == nil)
  }

  @Test func onlyStoresWithGeometriesHaveFormatTwo() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.storeOfFormat1()
    try store.write { transaction in
      _ = try transaction.createTable("Parcel", columns: [column("id", .int)])
    }
    #expect(try format(store) == 1)
    let wanted = TableDraft(
      name: "Parcel", columns: [column("id", .int), column("area", .polygon)])
    let refused = try store.beginWrite()
    try refused.alter([wanted], version: 1)
    refused.rollback()
    #expect(try format(store) == 1)
    try store.write { try $0.alter([wanted], version: 1) }
    #expect(try format(store) == 2)
    #expect(try schema(store).columns.map(\.role) == [.property, .property, .bounds(of: 1)])
    try store.write {
      try $0.alter([TableDraft(name: "Parcel", columns: [column("id", .int)])], version: 2)
    }
    #expect(try format(store) == 2 && schema(store).columns.count == 1)
  }

  @Test func aNewerFormatIsRefused() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let path = folder.path + "/store"
    let next = [UInt8(Store.formatVersion + 1), 0, 0, 0]
    do {
      let store = try Store.open(path, mode: .create)
      try store.environment.writer.run { () throws(StoreError) in
        let lmdb = try LMDBTransaction(writing: store.handle)
        try lmdb.put(.header, bytes: Array("Cairn store\n".utf8) + next)
        try lmdb.commit()
      }
    }
    #expect(throws: StoreError.self) { try Store.open(path, mode: .readOnly) }
  }

  @Test func anAlterationKeepsTheBoxes() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try Store.open(folder.path + "/store", mode: .create)
    try store.write { transaction in
      _ = try transaction.createTable("Parcel", columns: [column("area", .polygon)])
    }
    try store.write { transaction in
      try transaction.alter(
        [TableDraft(name: "Parcel", columns: [column("region", .geometry)])], version: 1)
      try transaction.renameProperty(of: "Parcel", from: "area", to: "region")
    }
    let renamed = try schema(store)
    #expect(renamed.columns.map(\.id) == [0, 1])
    #expect(renamed.columns.map(\.role) == [.property, .bounds(of: 0)])
    #expect(renamed.columns.map(\.type) == [.geometry, .box])
    try store.write { transaction in
      try transaction.alter(
        [TableDraft(name: "Parcel", columns: [column("region", .polygon)])], version: 2)
    }
    #expect(try schema(store).columns.map(\.id) == [4, 5])
  }

  @Test func listsOfGeometriesAndBoxesAreRefused() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try Store.open(folder.path + "/store", mode: .create)
    let transaction = try store.beginWrite()
    for (wrong, text) in [
      (column("many", .polygon, collection: .list), "list of polygon"),
      (column("many", .box), "box"),
    ] {
      let error = #expect(throws: StoreError.self) {
        try transaction.createTable("Parcel", columns: [wrong])
      }
      #expect(error?.message == "'Parcel.many' is a \(text), which a class cannot hold")
    }
  }
}
