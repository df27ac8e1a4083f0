import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Loads into classes that a program declares and the store may lack.
@Suite struct ProgramClassLoadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "at", type: .point, isOptional: true),
  ]

  /// A class with a property that the load does not fill, and the class that it links to.
  private static let classes = [
    TableDraft(
      name: "Row",
      columns: [
        ColumnSchema(id: 0, name: "key", type: .int, isPrimaryKey: true, position: 0),
        ColumnSchema(
          id: 1, name: "other", type: .link, isOptional: true, target: "Other", position: 1),
        ColumnSchema(id: 2, name: "at", type: .point, isOptional: true, position: 2),
      ]),
    TableDraft(
      name: "Other", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)]),
  ]

  private func begin(_ store: Store, rows: Int) throws -> BulkLoad {
    let load = try BulkLoad(
      store: store, table: "Row", columns: Self.columns, location: 1, primaryKey: nil, indexed: [],
      onConflict: .error, classes: Self.classes)
    let batch = Batch(Self.columns, rows: rows, seed: 3)
    for (number, section) in batch.sections(of: 1000).enumerated() {
      try load.add(section, number: number)
    }
    return load
  }

  private func names(_ store: Store) throws -> [String] {
    try store.snapshot().schema.tables.map(\.name)
  }

  @Test func theClassesAreMadeWithTheRows() throws {
    let store = try folder.store()
    let load = try begin(store, rows: 3000)
    #expect(try names(store) == [])
    #expect(try load.finish().inserted == 3000)
    #expect(try names(store) == ["Other", "Row"])
    let row = try #require(try store.snapshot().table("Row"))
    #expect(row.schema.properties.map(\.name) == ["key", "other", "at"] && row.liveCount == 3000)
    #expect(row.schema.primaryKey == 0)
  }

  @Test func aLoadThatFailsMakesNoClass() throws {
    let store = try folder.store()
    let load = try begin(store, rows: 1000)
    let again = Batch(Self.columns, rows: 1000, seed: 3).sections(of: 1000)[0]
    try load.add(again, number: 9)
    #expect(throws: StoreError.self) { try load.finish() }
    #expect(try names(store) == [])
  }

  /// Writes a load, lets another transaction make the classes, and publishes the load.
  ///
  /// - Returns: Whether the load was published. It no longer holds the lock of loads then.
  private func publishLate(_ load: BulkLoad, store: Store) throws -> Bool {
    let writer = try BulkWriter(load)
    let sorted = Mirror(reflecting: load).children.first { $0.label == "runs" }?.value
    let runs = try #require(sorted as? [Int: SortedRun])
    try writer.write(
      RunMerge(
        runs.sorted { $0.key < $1.key }.map(\.value), columns: Self.columns,
        location: load.location, spill: load.spill))
    _ = try store.write { try $0.createTables(Self.classes) }
    let summary = try writer.publish()
    if summary == nil { writer.abandon() }
    return summary != nil
  }

  @Test func aClassMadeBetweenWritingAndPublishing() throws {
    let store = try folder.store()
    let load = try begin(store, rows: 2000)
    #expect(try !publishLate(load, store: store))
    #expect(try store.snapshot().table("Row")?.liveCount == 0)
    #expect(try load.finish().inserted == 2000)
    #expect(try store.snapshot().table("Row")?.liveCount == 2000)
    #expect(try names(store) == ["Other", "Row"])
  }
}
