import Foundation

@testable import CairnStorage

/// A folder that is gone when the test is.
final class TemporaryFolder: Sendable {
  let path: String

  /// Memory where there is a file system of it: most tests commit often, and none is about the disk.
  private static let base =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()

  init() throws {
    path = Self.base + "cairn-storage-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func file(_ name: String = "test.cairn") -> String { path + "/" + name }

  /// What is in the folder.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func store(_ mode: Store.Mode = .create) throws -> Store { try Store.open(file(), mode) }
}

/// The bytes of a file.
func contents(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Makes or overwrites a file.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Checks the pages of a file as a process does before it writes for the first time.
func checkForWriting(_ path: String) throws {
  let file = openFile(path, O_RDONLY)
  defer { close(file) }
  try WriterCheck.run(file)
}

extension Store {
  /// Every value in the store but the journal, by its key: two stores that hold the same are equal.
  func dump() throws -> [String: UInt64] {
    let transaction = try LMDBTransaction(reading: handle)
    defer { transaction.abort() }
    var values: [String: UInt64] = [:]
    try transaction.scan(from: .header) { key, bytes in
      if key.kind != .journal, key.kind != .counters {
        values["\(key.kind) \(key.table) \(key.column) \(key.group) \(key.number)"] =
          Checksum.xxh64(bytes)
      }
      return true
    }
    return values
  }
}
