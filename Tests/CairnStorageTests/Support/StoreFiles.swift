import CairnSystem
import CairnTestSupport
import Foundation

@testable import CairnStorage

extension TemporaryFolder {
  /// Opens the store in the folder.
  func store(_ mode: Store.Mode = .create) throws -> Store { try Store.open(file(), mode: mode) }

  /// Creates a store of format 1, as Cairn did before it had inventories.
  func storeOfFormat1() throws -> Store {
    let store = try store()
    try store.environment.writer.run { () throws(StoreError) in
      let transaction = try LMDBTransaction(writing: store.handle)
      try transaction.put(.header, bytes: StoreHeader.bytes(1))
      try transaction.commit()
    }
    return store
  }
}

/// The bytes of a file.
func contents(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Creates or overwrites a file.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Checks the pages of a file as a process does before its first write.
func checkForWriting(_ path: String) throws {
  let file = openFile(path, flags: O_RDONLY)
  defer { close(file) }
  try WriterCheck.run(file)
}

extension Store {
  /// Every value in the store except the change log, by its key. Two stores with the same content
  /// are equal.
  func dump() throws -> [String: UInt64] {
    let transaction = try LMDBTransaction(reading: handle)
    defer { transaction.abort() }
    var values: [String: UInt64] = [:]
    try transaction.scan(from: .header) { key, bytes in
      if key.kind != .changeLog, key.kind != .counters {
        values["\(key.kind) \(key.table) \(key.column) \(key.group) \(key.number)"] =
          Checksum.xxh64(bytes)
      }
      return true
    }
    return values
  }
}
