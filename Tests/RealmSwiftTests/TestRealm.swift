import Foundation
import RealmSwift

/// A realm in memory of its own for a test.
struct TestRealm {
  let realm: Realm

  /// - Parameter objects: what it holds.
  init(_ objects: Object...) throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "\(UUID())")
    realm = try Realm(configuration: configuration)
    try realm.write { realm.add(objects) }
  }
}
