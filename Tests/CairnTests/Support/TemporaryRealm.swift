import Cairn
import Foundation

/// A realm of its own for a test, in a file that goes when the test is over.
final class TemporaryRealm {
  let realm: Realm
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    realm = try Realm(fileURL: folder.appendingPathComponent("test.cairn"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
