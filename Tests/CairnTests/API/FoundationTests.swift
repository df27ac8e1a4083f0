import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

class Sample: Object {
  @Persisted var name = ""
  @Persisted var size = 0
  @Persisted var weight: Double?
  @Persisted var isFresh = false
  @Persisted var place: GeoPoint?
}

/// Foundation's predicates, number objects, nulls and index sets.
@Suite struct PredicateTests {
  let temporary = try? TemporaryRealm()

  private func samples() throws -> Results<Sample> {
    let realm = try #require(temporary).realm
    try realm.write {
      for size in 0..<10 {
        let sample = Sample()
        sample.name = "s\(size)"
        sample.size = size
        sample.weight = size % 3 == 0 ? nil : Double(size) / 2
        sample.isFresh = size % 2 == 0
        sample.place = GeoPoint(latitude: Double(size), longitude: 0)
        realm.add(sample)
      }
    }
    return realm.objects(Sample.self)
  }

  @Test func formats() throws {
    let samples = try samples()
    #expect(samples.filter(NSPredicate(format: "size < 3")).count == 3)
    #expect(samples.filter(NSPredicate(format: "size >= %d AND name != %@", 3, "s4")).count == 6)
    #expect(samples.filter(NSPredicate(format: "%K == %@", "name", "s4")).first?.size == 4)
    #expect(samples.filter(NSPredicate(format: "size IN %@", [1, 2, 30])).count == 2)
    #expect(samples.filter(NSPredicate(format: "weight == %@", NSNull())).count == 4)
    #expect(samples.filter(NSPredicate(format: "size < %@", argumentArray: [2])).count == 2)
    #expect(samples.filter(NSPredicate(format: "size < 2", argumentArray: nil)).count == 2)
  }

  @Test func argumentsInAMutableArray() throws {
    let box = GeoBox(bottomLeft: (1.5, -1), topRight: (4.5, 1))
    let arguments = NSMutableArray()
    arguments.add(box as Any)
    arguments.add(NSNumber(value: 3))
    let found = try samples().filter(
      NSPredicate(format: "place IN %@ AND size >= %@", argumentArray: arguments as? [Any]))
    #expect(found.map(\.size) == [3, 4])
  }

  @Test func compounds() throws {
    let samples = try samples()
    let (small, fresh) = (NSPredicate(format: "size < 5"), NSPredicate(format: "isFresh == YES"))
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [small, fresh])
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [small, fresh])
    let neither = NSCompoundPredicate(notPredicateWithSubpredicate: either)
    #expect(samples.filter(both).map(\.size) == [0, 2, 4])
    #expect(samples.filter(either).map(\.size) == [0, 1, 2, 3, 4, 6, 8])
    #expect(samples.filter(neither).map(\.size) == [5, 7, 9])
    #expect(samples.filter(NSPredicate(value: true)).count == 10)
    #expect(samples.filter(NSPredicate(value: false)).isEmpty)
    #expect(samples.filter(small).filter("size > %@", NSNumber(value: 2.5)).count == 2)
  }

  @Test func placesAndIndexes() throws {
    let samples = try samples()
    #expect(samples.index(matching: NSPredicate(format: "size > 6")) == 7)
    #expect(samples.index(matching: NSPredicate(format: "size > 60")) == nil)
    #expect(samples.index(matching: "name == %@", "s3") == 3)
    #expect(samples.index(matching: { $0.name == "s3" }) == 3)
    #expect(samples.objects(at: IndexSet([1, 3, 9])).map(\.size) == [1, 3, 9])
    #expect(samples.objects(at: IndexSet()).isEmpty)
  }

  @Test func oneObject() throws {
    let sample = try #require(try samples().last)
    #expect(NSPredicate(format: "size == 9").evaluate(with: sample))
    #expect(!NSPredicate(format: "size == 8").evaluate(with: sample))
  }

  /// JSON Booleans remain Booleans and JSON numbers remain numbers.
  @Test func valuesOfJSON() throws {
    let data = Data(#"{"fresh": true, "size": 1, "half": 0.5, "none": null}"#.utf8)
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let samples = try samples()
    #expect(samples.filter("isFresh == %@", json["fresh"]).count == 5)
    #expect(samples.filter("size == %@", json["size"]).count == 1)
    #expect(samples.filter("weight == %@", json["half"]).count == 1)
    #expect(samples.filter("weight == %@", json["none"]).count == 4)
    #expect(
      try Predicate("a == %@ AND b == %@", json["fresh"], json["size"]).description
        == "a == true AND b == 1")
  }

  @Test func mistakes() {
    Misuse.trap("NSPredicate: half a condition")
    Misuse.trap("NSPredicate: a block")
    Misuse.trap("index set: beyond the end")
  }
}

/// Errors as programs that use Foundation catch and show them.
@Suite struct ErrorTests {
  private let missing = URL(fileURLWithPath: "/tmp/cairn-none-\(UUID().uuidString)/test.cairn")

  private func open() throws {
    _ = try Realm(configuration: .init(fileURL: missing, readOnly: true))
  }

  @Test func codesAreCaught() throws {
    var caught = ""
    do { try open() } catch Realm.Error.fileExists {
      caught = "exists"
    } catch Realm.Error.fileNotFound {
      caught = "not found"
    }
    #expect(caught == "not found")
    do { throw CancellationError() } catch Realm.Error.fail { caught = "fail" } catch {
      caught = "other"
    }
    #expect(caught == "other")
  }

  @Test func foundationProperties() throws {
    let error = try #require(throws: Realm.Error.self) { try open() }
    #expect(error.fileURL == missing)
    #expect(error.localizedDescription == error.description)
    #expect((error as any LocalizedError).errorDescription == error.description)
    let bridged = error as any CustomNSError
    #expect(Realm.Error.errorDomain == "io.realm" && bridged.errorCode == 5)
    #expect(bridged.errorUserInfo[NSFilePathErrorKey] as? String == missing.path)
    #expect(bridged.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.description)
  }

  /// The error codes of Realm 10.54, which programs compare.
  @Test func errorCodesMatchRealm() {
    let codes: [Realm.Error.Code] = [
      Realm.Error.fail, Realm.Error.fileAccess, Realm.Error.filePermissionDenied,
      Realm.Error.fileExists, Realm.Error.fileNotFound, Realm.Error.fileFormatUpgradeRequired,
      Realm.Error.incompatibleLockFile, Realm.Error.addressSpaceExhausted,
      Realm.Error.schemaMismatch, Realm.Error.alreadyOpen, Realm.Error.invalidInput,
      Realm.Error.outOfDiskSpace, Realm.Error.incompatibleSession,
      Realm.Error.unsupportedFileFormatVersion, Realm.Error.multipleSyncAgents,
      Realm.Error.subscriptionFailed, Realm.Error.fileOperationFailed,
      Realm.Error.invalidDatabase, Realm.Error.incompatibleHistories,
    ]
    let numbers = [1, 2, 3, 4, 5, 6, 8, 9, 10] + Array(12...21)
    #expect(codes.map(\.rawValue) == numbers)
  }

  @Test func predicatesAndShapes() throws {
    let predicate = try #require(throws: Predicate.Error.self) { try Predicate("a ==") }
    #expect(predicate.localizedDescription == predicate.description)
    #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: [(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)])
    }
  }
}

/// Types with the same names as types in Foundation.
@Suite struct NameTests {
  @Test func predicatesBesideFoundation() throws {
    let predicate = try Predicate(
      "born < %@ AND id == %@", Date(timeIntervalSinceReferenceDate: 0), UUID())
    #expect(predicate.description.hasPrefix("born < 2001-01-01 AND id == uuid("))
  }

  @Test func errorsBesideFoundation() {
    #expect(throws: Predicate.Error.self) { try Predicate("born <") }
  }

  /// An id from a valid literal does not need unwrapping.
  @Test func literalObjectIds() {
    let id = ObjectId("11223344556677889900aabb")
    #expect(id.stringValue == "11223344556677889900aabb")
    let text = "11223344556677889900aabb"
    #expect(ObjectId(text) == id)
  }

  @Test func sortDescriptorsBesideFoundation() {
    let descriptor = SortDescriptor(keyPath: "name", ascending: false)
    #expect(descriptor.reversed() == SortDescriptor(keyPath: "name"))
  }
}
