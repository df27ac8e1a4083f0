import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.threads)) struct TransactionTests {
  private struct Refused: Error {}

  @Test func anErrorRollsBack() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let book = try realm.write { realm.create(Book.self) }
    #expect(throws: Refused.self) {
      try realm.write {
        book.title = "changed"
        realm.create(Book.self)
        #expect(book.title == "changed")
        throw Refused()
      }
    }
    #expect(book.title == "untitled")
    #expect(realm.objects(Book.self).count == 1)
    #expect(!realm.isInWriteTransaction)
  }

  @Test func beginCommitCancel() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    realm.create(Book.self)
    try realm.commitWrite()
    realm.beginWrite()
    realm.create(Book.self)
    #expect(realm.objects(Book.self).count == 2)
    realm.cancelWrite()
    #expect(realm.objects(Book.self).count == 1)
    try realm.write {
      realm.create(Book.self)
      realm.cancelWrite()
    }
    #expect(realm.objects(Book.self).count == 1)
    #expect(try file.realm().objects(Book.self).count == 1)
  }

  /// An object from a cancelled write never refers to the row of a later write.
  @Test func objectsOfACancelledWriteAreInvalidated() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    for round in 0..<3 {
      realm.beginWrite()
      let book = realm.create(Book.self, value: ["title": "cancelled \(round)"])
      realm.cancelWrite()
      #expect(book.isInvalidated)
      let kept = try realm.write { realm.create(Book.self, value: ["title": "kept \(round)"]) }
      #expect(book.isInvalidated)
      #expect(!book.isSameObject(as: kept))
      #expect(realm.objects(Book.self).count == round + 1)
      #expect(realm.objects(Book.self).last?.title == "kept \(round)")
    }
  }

  @Test func aWriteReturnsTheResultOfItsClosure() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let count = try realm.write { realm.objects(Book.self).count }
    #expect(count == 0)
  }

  @Test func programmingErrors() {
    let nested = Misuse.trap("transaction: within another")
    #expect(nested.contains("The Realm is already in a write transaction"))
    let commit = Misuse.trap("transaction: committing none")
    #expect(commit.contains("Can't commit a non-existing write transaction"))
    let cancel = Misuse.trap("transaction: cancelling none")
    #expect(cancel.contains("Can't cancel a non-existing write transaction"))
  }

  @Test func aReadOnlyStoreRejectsWrites() throws {
    let file = TemporaryStore()
    try file.realm().write {}
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: file.url, readOnly: true))
    let error = try #require(throws: Realm.Error.self) { try realm.write {} }
    #expect(error.code == .filePermissionDenied)
    #expect(error.description.contains("was opened for reading only"))
  }
}
