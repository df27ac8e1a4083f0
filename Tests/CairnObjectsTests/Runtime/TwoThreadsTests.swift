import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Two threads, each with its own realm on the same store.
@Suite(.tags(.threads)) struct TwoThreadsTests {
  @Test func bothWriteAndNothingIsLost() async throws {
    let file = TemporaryStore()
    try file.realm().write {}
    let url = file.url
    async let one: Void = onNewThread { try Self.add(0..<150, to: url) }
    async let two: Void = onNewThread { try Self.add(150..<300, to: url) }
    _ = try await (one, two)
    #expect(try file.realm().objects(Shelf.self).map(\.id).sorted() == Array(0..<300))
  }

  private static func add(_ ids: Range<Int>, to url: URL) throws {
    let realm = try Realm(fileURL: url)
    let shelves = realm.objects(Shelf.self)
    for id in ids {
      let before = shelves.count
      try realm.write {
        // The other thread may have written since then; the transaction sees its objects.
        #expect(shelves.count >= before)
        realm.create(Shelf.self, value: ["id": id])
      }
      #expect(realm.object(ofType: Shelf.self, forPrimaryKey: id)?.id == id)
    }
  }

  @Test func aReaderSeesWholeTransactions() async throws {
    let file = TemporaryStore()
    let url = file.url
    let realm = try file.realm()
    try realm.write {
      for id in 0..<10 {
        realm.create(Shelf.self, value: ["id": id, "height": 0.0] as [String: Any])
      }
    }
    async let writing: Void = onNewThread {
      let realm = try Realm(fileURL: url)
      for round in 1...60 {
        try realm.write {
          for shelf in realm.objects(Shelf.self) { shelf.height = Double(round) }
        }
      }
    }
    async let torn: Int = onNewThread {
      let realm = try Realm(fileURL: url)
      let shelves = realm.objects(Shelf.self)
      return (0..<200).filter { _ in
        realm.refresh()
        return Set(shelves.map(\.height)).count != 1
      }.count
    }
    #expect(try await torn == 0)
    try await writing
    realm.refresh()
    #expect(Set(realm.objects(Shelf.self).map(\.height)) == [60])
  }
}
