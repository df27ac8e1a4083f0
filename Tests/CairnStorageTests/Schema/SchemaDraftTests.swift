import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Invalid schemas, which are reported with class and property.
@Suite struct SchemaDraftTests {
  private func column(
    _ name: String, _ type: ValueType, to target: String? = nil, _ kind: CollectionKind = .none
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, collection: kind, isOptional: true, target: target,
      position: 0)
  }

  private func message(_ drafts: [TableDraft]) throws -> String {
    let folder = try TemporaryFolder(inMemory: true)
    let transaction = try folder.store().beginWrite()
    defer { transaction.rollback() }
    let error = #expect(throws: StoreError.self) { try transaction.createTables(drafts) }
    #expect(error?.kind == .schemaMismatch)
    #expect(transaction.schema.tables.isEmpty, "no class is created")
    return error?.message ?? ""
  }

  @Test func targets() throws {
    let embedded = TableDraft(name: "E", columns: [], isEmbedded: true)
    let plain = TableDraft(name: "P", columns: [])
    #expect(
      try message([TableDraft(name: "A", columns: [column("b", .link, to: "B")])])
        == "'A.b' refers to class 'B', which does not exist")
    #expect(
      try message([TableDraft(name: "A", columns: [column("b", .link)])])
        == "'A.b' is of type object but does not name a class")
    #expect(
      try message([embedded, TableDraft(name: "A", columns: [column("e", .link, to: "E")])])
        == "'A.e' links to 'E', whose objects are embedded; make it an embedded object")
    #expect(
      try message([plain, TableDraft(name: "A", columns: [column("p", .embedded, to: "P")])])
        == "'A.p' embeds objects of 'P', which is not an embedded class")
  }

  @Test func inverses() throws {
    let origin = TableDraft(name: "O", columns: [column("a", .link, to: "A"), column("n", .int)])
    func draft(_ origin: String, _ property: String) -> TableDraft {
      TableDraft(
        name: "A", columns: [],
        inverses: [InverseSchema(name: "back", origin: origin, property: property)])
    }
    #expect(
      try message([draft("X", "a")])
        == "'A.back' comes from class 'X', which does not exist")
    #expect(
      try message([origin, draft("O", "x")])
        == "'A.back' comes from 'O.x', which does not exist")
    #expect(
      try message([origin, draft("O", "n")])
        == "'A.back' comes from 'O.n', which does not link to 'A'")
  }

  @Test func names() throws {
    #expect(
      try message([TableDraft(name: "A", columns: []), TableDraft(name: "A", columns: [])])
        == "class 'A' exists already")
    #expect(
      try message([
        TableDraft(
          name: "A", columns: [column("a", .link, to: "A")],
          inverses: [InverseSchema(name: "a", origin: "A", property: "a")])
      ]) == "class 'A' has two properties of the same name")
  }

  @Test func theSchemaIsReadBackFromTheFile() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let drafts = LinkModel.drafts
    _ = try folder.store().write { try $0.createTables(drafts) }
    let schema = try folder.store(.readOnly).snapshot().schema
    for draft in drafts {
      let table = try #require(schema.table(named: draft.name))
      #expect(try TableSchema(id: table.id, decoding: table.encoded()) == table)
      #expect(table.inverses == draft.inverses && table.isEmbedded == draft.isEmbedded)
      #expect(table.properties.map(\.target) == draft.columns.map(\.target))
    }
  }
}

extension TableSchema {
  fileprivate init(id: UInt32, decoding bytes: [UInt8]) throws {
    self = try bytes.withUnsafeBytes { try TableSchema(id: id, decoding: $0) }
  }
}

extension SchemaDraftTests {
  @Test func nothingIsLoadedIntoAnEmbeddedClass() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    _ = try store.write { try $0.createTables(LinkModel.drafts) }
    let error = #expect(throws: StoreError.self) {
      try Batch([BulkColumn(name: "street", type: .string, isOptional: true)], rows: 1, seed: 1)
        .load(into: store, "Address")
    }
    #expect(error?.kind == .schemaMismatch)
  }
}
