import CairnObjects
import FoundationEssentials

/// A store in a file of its own.
struct CollectionFile {
  let file = URL(fileURLWithPath: "/tmp/cairn-collections-\(UUID().uuidString).cairn")

  func realm() throws -> Realm { try Realm(fileURL: file) }

  /// Another realm that reads what was committed.
  func reopened() throws -> Realm {
    let realm = try realm()
    realm.refresh()
    return realm
  }

  func remove() {
    try? FileManager.default.removeItem(at: file)
    try? FileManager.default.removeItem(atPath: file.path + "-lock")
  }
}
