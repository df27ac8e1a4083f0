import CairnObjects
import CairnTestSupport
import Foundation

/// A store in a temporary file, which is deleted with this object.
public final class TemporaryStore: Sendable {
  private let folder: TemporaryFolder

  /// The file of the store.
  public var url: URL { URL(fileURLWithPath: path) }

  /// The path of the store.
  public var path: String { folder.file() }

  /// Creates a temporary folder for a store.
  public init() {
    do { folder = try TemporaryFolder() } catch {
      preconditionFailure("cannot create a temporary folder: \(error)")
    }
  }

  /// The stores that remain until the process ends.
  private static let kept = Locked<[TemporaryStore]>([])

  /// Creates a store whose file remains until the process ends, for a realm that nothing else keeps the
  /// file of: what is written after the file is gone is refused.
  public static func untilExit() -> TemporaryStore {
    let store = TemporaryStore()
    kept.withLock { $0.append(store) }
    return store
  }

  /// Opens a realm.
  public func realm() throws -> Realm { try Realm(fileURL: url) }

  /// Opens another realm, which reads the committed state.
  public func reopened() throws -> Realm {
    let realm = try realm()
    realm.refresh()
    return realm
  }
}

/// A realm in a temporary file, which is deleted with this object.
public final class TemporaryRealm {
  /// The realm.
  public let realm: Realm
  private let store = TemporaryStore()

  /// Opens a realm with objects.
  public init(_ objects: Object...) throws {
    realm = try store.realm()
    guard !objects.isEmpty else { return }
    try realm.write { realm.add(objects) }
  }
}

/// An in-memory realm.
public struct TestRealm {
  /// The realm.
  public let realm: Realm

  /// Opens a realm with objects.
  public init(_ objects: Object...) throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "\(UUID())"))
    try realm.write { realm.add(objects) }
  }
}
