import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Imports into an existing class.
struct ExtendingTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  private func add(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws
    -> Imported
  {
    let path = try folder.write(Array(text.utf8), as: "more.csv")
    return try Imported([path], into: store, change)
  }

  @Test func rowsAreAddedWithTheTypesOfTheClass() throws {
    _ = try add("id,lat,lon,score,note\n1,1,1,1.5,x\n")
    let both = try add("note,score,id,lon,lat\n007,2,2,5,6\n")
    #expect(both.column("score") == [.double(1.5), .double(2)])
    #expect(both.column("note") == [.string("x"), .string("007")])
    let fewer = try add("id,lat,lon\n3,1,1\n")
    #expect(fewer.column("note") == [.string("x"), .string("007"), .null])
  }

  @Test func valuesThatDoNotFitAreRejectedByName() throws {
    _ = try add("id,lat,lon,n\n1,1,1,1\n")
    let rejected = try #require(throws: ImportError.self) { try add("id,lat,lon,n\n2,1,1,x\n") }
    #expect(
      rejected.message.hasPrefix(
        "this cannot be added to the class Thing: `n` is of type int, but the file has string there ("
      ))
    #expect(
      rejected.message.hasSuffix(
        "more.csv:2: `n` is `x`, which is not a valid int); `types: n=int, onError: skip` leaves such rows out, "
          + "`types: n=text` makes all of it text"))
    #expect(rejected.kind == .data)
    #expect { try add("id,lat,lon\n2,1,1\n") { $0.locationName = "at" } } throws: {
      ($0 as? ImportError)?.message.contains("its location is `location`; `locationName: location`")
        == true
    }
    #expect { try add("id,lat,lon\n2,1,1\n") { $0.primaryKey = "id" } } throws: {
      ($0 as? ImportError)?.kind == .usage
    }
    #expect(try Imported.read(store, "Thing").1.count == 1)
  }

  @Test func theConflictPolicyDecidesAboutExistingKeys() throws {
    _ = try add("id,lat,lon,n\n1,1,1,1\n2,2,2,2\n") { $0.primaryKey = "id" }
    #expect { try add("id,lat,lon,n\n2,3,3,9\n") } throws: {
      ($0 as? ImportError)?.storeError?.kind == .duplicateKey
    }
    let skipped = try add("id,lat,lon,n\n2,3,3,9\n3,3,3,3\n") { $0.onConflict = .skip }
    #expect(skipped.summary.conflictsSkipped == 1)
    #expect(skipped.column("n") == [.int(1), .int(2), .int(3)])
    let replaced = try add("id,lat,lon,n\n2,3,3,9\n") { $0.onConflict = .replace }
    #expect(replaced.summary.replaced == 1)
    #expect(replaced.column("n") == [.int(1), .int(9), .int(3)])
  }

  @Test func theKeyIsRequiredAndTheRestOptional() throws {
    let imported = try add("id,lat,lon,n\n1,1,1,1\n") {
      ($0.primaryKey, $0.indexed) = ("id", ["n"])
    }
    let schema = Dictionary(uniqueKeysWithValues: imported.columns.map { ($0.name, $0) })
    #expect(schema["id"]?.isPrimaryKey == true)
    #expect(schema["id"]?.isOptional == false)
    #expect(schema["n"]?.isOptional == true)
    #expect(schema["n"]?.isIndexed == true)
  }
}
