import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Imports that widen the class that they extend.
@Suite(.tags(.untrusted)) struct WideningTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  private func add(
    _ text: String, as name: String = "more.csv", _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Imported {
    try Imported([try folder.write(Array(text.utf8), as: name)], into: store, change)
  }

  /// Expects that an import fails with these words and changes nothing.
  private func expectRefusal(
    _ text: String, _ words: String..., as name: String = "more.csv",
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws {
    let before = try Imported.read(store, "Thing")
    let error = try #require(throws: ImportError.self) { try add(text, as: name, change) }
    for word in words { #expect(error.message.contains(word), "\(error)") }
    let after = try Imported.read(store, "Thing")
    #expect(after.0 == before.0 && after.1 == before.1)
  }

  @Test func newPropertiesAreAdded() throws {
    _ = try add("id,lat,lon,n\n1,1,1,1\n") { $0.primaryKey = "id" }
    let wider = try add("extra,lat,id,lon,n,blank,\nx,2,2,2,2,,\ny,3,3,3,3,,\n")
    #expect(wider.columns.map(\.name) == ["id", "location", "n", "extra", "blank"])
    #expect(wider.column("extra") == [.null, .string("x"), .string("y")])
    #expect(wider.summary.widened == ["extra: new, string?", "blank: new, string?"])
    let placed = try add("id,wkt,when\n4,POINT Z (1 2 3),2024-05-01\n") { $0.indexed = ["when"] }
    #expect(placed.column("altitude") == [.null, .null, .null, .double(3)])
    #expect(placed.types["when"] == .date)
    #expect(placed.columns.first { $0.name == "when" }?.isIndexed == true)
    let replaced = try add("id,lat,lon,n,later\n1,9,9,9,true\n5,5,5,5,false\n") {
      $0.onConflict = .replace
    }
    #expect(replaced.summary.replaced == 1)
    #expect(replaced.column("later") == [.bool(true), .null, .null, .null, .bool(false)])
    #expect(replaced.column("extra") == [.null, .string("x"), .string("y"), .null, .null])
    #expect(replaced.column("n") == [.int(9), .int(2), .int(3), .null, .int(5)])
    let same = try add("id,lat,lon\n6,1,1\n")
    #expect(same.summary.widened.isEmpty)
    #expect(try Store.verify(store.path).findings == [])
  }

  @Test(arguments: [
    ("5", ValueType.int, Value.int(5)), ("5.5", .double, .double(5.5)),
    ("true", .bool, .bool(true)),
    ("2001-01-01", .date, .date(0)), ("x", .string, .string("x")),
  ])
  func anAllNullPropertyTakesTheTypeOfItsFirstValues(
    text: String, type: ValueType, value: Value
  ) throws {
    let first = try add("id,lat,lon,n\n1,1,1,\n2,1,1,\n") { $0.primaryKey = "id" }
    #expect(first.types["n"] == .string)
    let more = try add("id,lat,lon,n\n3,1,1,\(text)\n4,1,1,\n")
    #expect(more.types["n"] == type)
    #expect(more.column("n") == [.null, .null, value, .null])
    #expect(more.summary.widened == (type == .string ? [] : ["n: string -> \(type)"]))
    #expect(try Store.verify(store.path).findings == [])
  }

  @Test func aFullTextPropertyRemainsText() throws {
    _ = try add("id,lat,lon,n\n1,1,1,\n2,1,1,\n") {
      $0.primaryKey = "id"
      $0.fullText = ["n"]
    }
    let more = try add("id,lat,lon,n,m\n3,1,1,7,x y\n") { $0.fullText = ["m"] }
    #expect(more.types["n"] == .string)
    #expect(more.column("n") == [.null, .null, .string("7")])
    #expect(more.columns.filter(\.isFullText).map(\.name) == ["n", "m"])
    #expect(try Store.verify(store.path).findings == [])
    _ = try add("id,lat,lon,e\n4,1,1,\n") { $0.fullText = ["e"] }
    try expectRefusal("id,lat,lon,e\n5,1,1,5\n", "its full-text index needs text") {
      $0.types = ["e": .int]
    }
    let kept = try add("id,lat,lon,e\n5,1,1,5\n").columns.filter(\.isFullText)
    #expect(kept.map(\.name) == ["n", "m", "e"])
    try expectRefusal("id,lat,lon,k\n4,1,1,5\n", "a full-text index needs text") {
      $0.fullText = ["k"]
      $0.types = ["k": .int]
    }
  }

  @Test func textRemainsTextOnceItHasAValue() throws {
    _ = try add("id,lat,lon,n\n1,1,1,\n2,1,1,x\n") { $0.primaryKey = "id" }
    let more = try add("id,lat,lon,n\n3,1,1,5\n")
    #expect(more.types["n"] == .string)
    #expect(more.column("n") == [.null, .string("x"), .string("5")])
    try expectRefusal("id,lat,lon,n\n4,1,1,5\n", "already") { $0.types = ["n": .int] }
    // A deleted row's text does not count.
    let transaction = try store.beginWrite()
    let table = try #require(transaction.table("Thing"))
    let keys = (0..<table.table.endKey).filter { key in
      if case .null = table.table.value(2, at: key) { false } else { true }
    }
    for key in keys { try table.delete(key) }
    try transaction.commit()
    let last = try add("id,lat,lon,n\n5,1,1,6\n") { $0.types = ["n": .int] }
    #expect(last.types["n"] == .int)
    #expect(last.column("n") == [.null, .int(6)])
    #expect(try Store.verify(store.path).findings == [])
  }

  @Test func textOfAnEmptyClassRemainsText() throws {
    _ = try add("id,lat,lon,n\n") { $0.primaryKey = "id" }
    let more = try add("id,lat,lon,n\n1,1,1,5\n")
    #expect(more.types["n"] == .string)
  }

  @Test func aWordThatMayMeanNullIsReportedWithTheOption() throws {
    _ = try add("id,lat,lon,n\n1,1,1,5\n") { $0.primaryKey = "id" }
    try expectRefusal("id,lat,lon,n\n2,1,1,7\n3,1,1,NaN\n", "`nulls: NaN` makes it null")
    let more = try add("id,lat,lon,n\n2,1,1,7\n3,1,1,NaN\n") {
      $0.reading.nulls = NullWords(["NaN"])
    }
    #expect(more.column("n") == [.int(5), .int(7), .null])
  }

  @Test func aFailedImportWidensNothing() throws {
    _ = try add("id,lat,lon\n1,1,1\n") { $0.primaryKey = "id" }
    try expectRefusal("id,lat,lon,extra\n1,1,1,x\n", "exists already")
    try expectRefusal("id,lat,lon,extra\n2,1,1,x\n3,99,1,y\n", "more.csv:3")
    try expectRefusal("lat,lon,extra\n1,1,x\n", "no property `id`, the key of the class")
  }

  @Test func integersBecomeDoubles() throws {
    _ = try add("id,lat,lon,n\n1,1,1,9007199254740992\n2,1,1,\n") {
      ($0.primaryKey, $0.indexed) = ("id", ["n"])
    }
    let wide = try add("id,lat,lon,n\n3,1,1,1.5\n")
    #expect(wide.summary.widened == ["n: int -> double"])
    #expect(wide.column("n") == [.double(9_007_199_254_740_992), .null, .double(1.5)])
    #expect(wide.columns.first { $0.name == "n" }?.isIndexed == true)
    let whole = try add("id,lat,lon,n\n4,1,1,7\n")
    #expect(whole.column("n").last == .double(7) && whole.summary.widened.isEmpty)
    try expectRefusal(
      "id,lat,lon,n\n5,1,1,9007199254740993\n", "`n` is of type double",
      "an int that a double cannot hold exactly", "more.csv:2: `n` is `9007199254740993`")
    #expect(try Store.verify(store.path).findings == [])
  }

  @Test func anInexactIntegerPreventsADouble() throws {
    _ = try add("id,lat,lon,n\n1,1,1,9007199254740993\n2,1,1,3\n")
    try expectRefusal(
      "id,lat,lon,n\n3,1,1,1\n4,1,1,2.5\n", "`n` is of type int, but the file has double there",
      "more.csv:3: `n` is `2.5`, which is not a valid int",
      "it would become double, but it holds 9007199254740993, which a double cannot hold exactly",
      "`types: n=text`")
    try expectRefusal(
      "id,lat,lon,n\n3,1,1,1\n",
      "`n` is of type int; it would become double, but it holds 9007199254740993"
    ) { $0.types = ["n": .double] }
    // Deleted rows do not matter.
    try store.write { transaction in
      let table = try #require(transaction.table("Thing"))
      for key in 0..<2 where table.table.value(0, at: key) == .int(1) { try table.delete(key) }
    }
    #expect(try add("id,lat,lon,n\n4,1,1,2.5\n").column("n") == [.double(3), .double(2.5)])
  }

  @Test func incompatibleTypesAreRejected() throws {
    _ = try add("id,lat,lon,b,d,t\n1,1,1,true,2024-05-01,x\n") { $0.primaryKey = "id" }
    try expectRefusal("id,lat,lon,b\n2,1,1,1\n", "`b` is of type bool, but the file has int there")
    try expectRefusal("id,lat,lon,d\n2,1,1,soon\n", "`d` is of type date", "`d` is `soon`")
    try expectRefusal(
      "id,lat,lon,b,d\n2,1,1,1,x\n", "the same is true of `d`")
    try expectRefusal("id,lat,lon\n2.5,1,1\n", "`id` is of type int", "onError: skip")
    let key = try #require(throws: ImportError.self) {
      try add("id,lat,lon\nx,1,1\n") { $0.types = ["id": .text] }
    }
    #expect(key.kind == .usage && key.message.contains("the type of a key cannot change"), "\(key)")
    let skipped = try add("id,lat,lon,b\n2,1,1,1\n3,1,1,false\n") {
      ($0.types, $0.onError) = (["b": .bool], .skip)
    }
    #expect(skipped.column("b") == [.bool(true), .bool(false)])
    // Text takes every value as written.
    #expect(try add("id,lat,lon,t\n4,1,1,007\n").column("t").last == .string("007"))
  }

  @Test func anyTypeBecomesTextOnRequest() throws {
    _ = try add("id,lat,lon,n,d,b,w\n1,1,1,5,1.5,true,2024-05-01\n") { $0.indexed = ["n"] }
    let wide = try add("id,lat,lon,n,d,b,w\n2,1,1,x,y,z,\n") {
      $0.types = ["n": .text, "d": .text, "b": .text, "w": .text]
    }
    #expect(wide.column("n") == [.string("5"), .string("x")])
    #expect(wide.column("d") == [.string("1.5"), .string("y")])
    #expect(wide.column("b") == [.string("true"), .string("z")])
    #expect(wide.column("w").first == .string("2024-05-01"))
    #expect(wide.summary.widened.first == "n: int -> string")
    let error = try #require(throws: ImportError.self) {
      try add("id,lat,lon,n\n3,1,1,4\n") { $0.types = ["n": .int] }
    }
    #expect(error.kind == .usage, "\(error)")
    #expect(try Store.verify(store.path).findings == [])
  }

  /// A class that a program created, with required properties and some that no file can fill.
  @Test func missingColumnsBecomeNullOrEmpty() throws {
    try store.write { transaction in
      let table = try transaction.createTable(
        "Thing",
        columns: [
          ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0),
          ColumnSchema(id: 1, name: "name", type: .string, isIndexed: true, position: 1),
          ColumnSchema(id: 2, name: "tags", type: .string, collection: .list, position: 2),
          ColumnSchema(id: 3, name: "token", type: .uuid, position: 3),
        ])
      for id in 1...3 as ClosedRange<Int64> {
        try table.insert([
          .int(id), .string("n\(id)"), .data([]), .uuid(UUIDBytes(high: 1, low: 2)),
        ])
      }
    }
    try expectRefusal("id,lat,lon,name,token\n4,1,1,x,y\n", "more.csv:2", "is not a valid uuid")
    try expectRefusal("id,lat,lon,name\n4,1,1,x\n5,1,1,\n", "more.csv:3", "`name` is missing")
    let wide = try add("id,lat,lon\n4,1,1\n")
    #expect(
      wide.summary.widened
        == ["name: string -> string?", "token: uuid -> uuid?", "location: new, point?"])
    #expect(wide.column("name") == [.string("n1"), .string("n2"), .string("n3"), .null])
    #expect(wide.column("tags") == Array(repeating: .data([]), count: 4))
    #expect(wide.column("location").first == .null)
    #expect(try Store.verify(store.path).findings == [])
    let one = try folder.write(Array("id,lat,lon,x\n5,1,1,1\n".utf8), as: "one.csv")
    let two = try folder.write(Array("id,lat,lon\n6,1,1\n".utf8), as: "two.csv")
    #expect(
      try Imported([one, two], into: store) { _ in }.column("x").suffix(2) == [.int(1), .null])
  }

  @Test func featuresWidenTheClass() throws {
    func feature(_ id: Int, _ properties: String) -> String {
      #"{"type":"Feature","id":\#(id),"properties":{\#(properties)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        + "\n"
    }
    _ = try add(feature(1, #""n":1"#), as: "a.geojsonl") { $0.primaryKey = "id" }
    let wide = try add(
      feature(2, #""n":2.5,"tags":["x"]"#) + feature(3, #""ok":true"#), as: "b.geojsonl")
    #expect(wide.summary.widened == ["n: int -> double", "tags: new, string?", "ok: new, bool?"])
    #expect(wide.column("n") == [.double(1), .double(2.5), .null])
    #expect(wide.column("ok") == [.null, .null, .bool(true)])
    try expectRefusal(
      feature(4, #""ok":true"#) + feature(5, #""ok":"yes","more":1"#), "`ok` is of type bool",
      "feature 2: `ok` is `yes`, which is not a valid bool", as: "c.geojsonl")
    try expectRefusal(
      feature(6, "").replacing(#""id":6,"#, with: ""), "c.geojsonl:1", "`id` is missing",
      as: "c.geojsonl")
  }

  @Test func aLaterBlockWidensTheClass() throws {
    _ = try add("id,lat,lon,n\n0,1,1,1\n") { $0.primaryKey = "id" }
    var text = "id,lat,lon,n,m\n"
    let (count, last, block) =
      Soak.isOn ? (240_000, 235_000, 1 << 20) : (30_000, 29_400, 1 << 17)
    for id in 1...count { text += "\(id),1,1,\(id == last ? "0.5" : "7"),\n" }
    let wide = try add(text) { $0.blockSize = block }
    #expect(wide.summary.widened == ["n: int -> double", "m: new, string?"])
    #expect(wide.summary.inserted == count)
    #expect(wide.rows.count { $0[2] == .double(7) } == count - 1)
  }

  @Test func aPreviewReportsWideningAndWritesNothing() throws {
    _ = try add("id,lat,lon,n\n1,1,1,1\n")
    let file = try folder.write(Array("id,lat,lon,n,x\n2,1,1,1.5,\n".utf8), as: "more.csv")
    var options = ImportOptions()
    options.className = "Thing"
    let preview = try Importer.preview(files: [file], for: store, options: options)
    #expect(preview.summary.widened == ["n: int -> double", "x: new, string?"])
    #expect(preview.columns.map(\.name) == ["id", "location", "n", "x"])
    #expect(try Imported.read(store, "Thing").0.map(\.name) == ["id", "location", "n"])
  }

  /// A snapshot taken before the import still has the old schema.
  @Test func aSnapshotKeepsTheOldClass() throws {
    _ = try add("id,lat,lon,n\n1,1,1,1\n")
    let snapshot = try store.snapshot()
    _ = try add("id,lat,lon,n,x\n2,1,1,1.5,y\n")
    let table = try #require(snapshot.table("Thing"))
    #expect(table.schema.properties.map(\.name) == ["id", "location", "n"])
    #expect(table.liveCount == 1 && table.value(2, at: 0) == .int(1))
  }
}
