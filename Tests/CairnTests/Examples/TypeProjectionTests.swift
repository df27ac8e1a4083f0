import Cairn
import CairnModelTestSupport
import Foundation
import Testing

extension URL: FailableCustomPersistable {
  public typealias PersistedType = String
  public init?(persistedValue: String) { self.init(string: persistedValue) }
  public var persistableValue: String { absoluteString }
}

/// A spot, stored as an embedded object.
struct Spot: CustomPersistable, Hashable {
  var x = 0
  var label: String?
  init(x: Int, label: String? = nil) { (self.x, self.label) = (x, label) }
  init(persistedValue: SpotRecord) { self.init(x: persistedValue.x, label: persistedValue.label) }
  var persistableValue: SpotRecord {
    let record = SpotRecord()
    record.x = x
    record.label = label
    return record
  }
}

class SpotRecord: EmbeddedObject {
  @Persisted var x = 0
  @Persisted var label: String?
}

class Society: Object {
  @Persisted var name = ""
  @Persisted var page: URL?
  @Persisted var seat: Spot?

  convenience init(_ name: String, _ page: String, _ seat: Spot?) {
    self.init()
    self.name = name
    self.page = URL(string: page)
    self.seat = seat
  }
}

/// Custom types are queried by their values or by their stored form.
@Suite struct TypeProjectionTests {
  let temporary: TemporaryRealm
  var societies: Results<Society> { temporary.realm.objects(Society.self) }

  init() throws {
    temporary = try TemporaryRealm(
      Society("Old Kennel Club", "https://old.example", Spot(x: 1, label: "a")),
      Society("New Kennel Club", "https://new.example", Spot(x: 1)),
      Society("Lost Kennel Club", "", nil))
  }

  @Test func mappedAndPersistedValues() throws {
    let old = try #require(societies.where { $0.name == "Old Kennel Club" }.first)
    #expect(old.page == URL(string: "https://old.example"))
    let byPage = societies.filter("page == 'https://old.example'").first
    #expect(byPage?.name == "Old Kennel Club")
    let page = URL(string: "https://new.example")
    #expect(societies.where { $0.page == page }.map(\.name) == ["New Kennel Club"])
    #expect(societies.filter("page == %@", page).map(\.name) == ["New Kennel Club"])
    #expect(societies.where { $0.page.persistableValue.contains("old") }.count == 1)
    #expect(societies.where { $0.page == nil }.map(\.name) == ["Lost Kennel Club"])
  }

  @Test func memberwise() {
    #expect(
      societies.where { $0.seat == Spot(x: 1, label: "a") }.map(\.name) == ["Old Kennel Club"])
    #expect(societies.where { $0.seat == Spot(x: 1) }.map(\.name) == ["New Kennel Club"])
    #expect(societies.where { $0.seat != Spot(x: 1) }.count == 2)
    #expect(societies.where { $0.seat == nil }.map(\.name) == ["Lost Kennel Club"])
    #expect(societies.where { $0.seat.in([Spot(x: 1), nil]) }.count == 2)
    #expect(societies.where { $0.seat.persistableValue.x == 1 }.count == 2)
    #expect(societies.filter("seat.label == 'a'").count == 1)
    #expect(throws: Predicate.Error.self) { try Predicate("seat == %@", Spot(x: 1)) }
  }
}
