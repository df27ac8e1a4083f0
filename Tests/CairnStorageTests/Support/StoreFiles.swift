import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnStorage

extension TemporaryFolder {
  /// Opens the store in the folder.
  func store(_ mode: Store.Mode = .create) throws -> Store { try Store.open(file(), mode: mode) }

  /// Creates a store of format 1, as Cairn did before it had inventories.
  func storeOfFormat1() throws -> Store { try store(ofFormat: 1) }

  /// Creates a store of an earlier format.
  func store(ofFormat version: UInt32) throws -> Store {
    let store = try store()
    try store.setFormat(version)
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

  /// Sets the version in the header.
  func setFormat(_ version: UInt32) throws {
    try environment.writer.run { () throws(StoreError) in
      let transaction = try LMDBTransaction(writing: handle)
      try transaction.put(.header, bytes: StoreHeader.bytes(version))
      try transaction.commit()
    }
  }

  /// Changes a stored value as damage would; no bytes remove it.
  func damage(_ key: StorageKey, _ body: (inout [UInt8]) -> Void) throws {
    try environment.writer.run { () throws(StoreError) in
      let lmdb = try LMDBTransaction(writing: handle)
      var bytes = Array(lmdb.get(key) ?? UnsafeRawBufferPointer(start: nil, count: 0))
      body(&bytes)
      if bytes.isEmpty { try lmdb.delete(key) } else { try lmdb.put(key, bytes: bytes) }
      try lmdb.commit()
    }
  }
}

extension TemporaryFolder {
  /// Copies and compacts a store that is not open, and checks the copy and the compacted store.
  func checkCopyAndCompaction(_ check: (Store, String) throws -> Void) throws {
    try Store.open(file(), mode: .readOnly).snapshot().copy(to: file("copy"))
    #expect(try Store.verify(file()).findings == [])
    #expect(try Store.verify(file("copy")).findings == [])
    try check(Store.open(file("copy"), mode: .readOnly), "copied")
    _ = try Store.compact(file())
    #expect(try Store.verify(file()).findings == [])
    try check(Store.open(file(), mode: .readOnly), "compacted")
  }
}
