import Foundation

@testable import CairnStorage

/// A folder that is gone when the test is.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "cairn-formats-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file into the folder and returns its path.
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  func store(_ mode: Store.Mode = .create) throws -> Store {
    try Store.open(path + "/test.cairn", mode)
  }
}

/// The shared test data, where it is there.
enum SharedData {
  static let root: String? = {
    let given = ProcessInfo.processInfo.environment["CAIRN_SHARED"]
    let beside = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../../shared").standardizedFileURL.path
    return [given, beside].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  /// Every file below a folder of the shared data; none where it is not there.
  static func files(_ folder: String) -> [String] {
    guard let root, let found = FileManager.default.enumerator(atPath: "\(root)/\(folder)") else {
      return []
    }
    return found.compactMap { $0 as? String }.map { "\(root)/\(folder)/\($0)" }
      .filter { !$0.hasSuffix(".md") && !$0.contains("LICENSE") && isFile($0) }.sorted()
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
