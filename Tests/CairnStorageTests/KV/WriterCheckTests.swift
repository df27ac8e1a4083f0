import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// The check before a process writes to a file for the first time.
@Suite struct WriterCheckTests {
  private let folder: TemporaryFolder
  private let whole: [UInt8]

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    do {
      let store = try folder.store()
      let columns = [
        BulkColumn(name: "key", type: .int, isOptional: false),
        BulkColumn(name: "text", type: .string, isOptional: false),
      ]
      try Batch(columns, rows: 9000, seed: 3).load(into: store, location: nil, primaryKey: 0)
      for key in stride(from: 0, to: 9000, by: 450) {
        try store.write { try $0.table("Row")?.delete(key) }
      }
    }
    whole = try contents(folder.file())
  }

  private func damage(_ bytes: [UInt8]) throws {
    try write(bytes, to: folder.file())
    try? FileManager.default.removeItem(atPath: folder.file() + "-lock")
  }

  @Test func aSoundFileIsNeverRejected() throws {
    try checkForWriting(folder.file())
    #expect(try Store.verify(folder.file()).isSound)
  }

  /// Any change to the header of a branch or a leaf is found, and a write is rejected without
  /// changing the file.
  @Test func pageHeadersAreChecked() throws {
    var found = 0
    for page in 2..<whole.count / 4096 where [1, 2].contains(whole[page * 4096 + 10]) {
      guard try Self.isReached(page, in: whole, folder) else { continue }
      for (place, mask) in [(0, UInt8(1)), (10, 4), (12, 0x80), (13, 0x40)] {
        var bytes = whole
        bytes[page * 4096 + place] ^= mask
        try damage(bytes)
        #expect(throws: PageFault.self, "page \(page), byte \(place)") {
          try checkForWriting(folder.file())
        }
        found += 1
      }
    }
    #expect(found >= 8)
    var bytes = whole
    for page in 2..<whole.count / 4096 where [1, 2].contains(whole[page * 4096 + 10]) {
      bytes[page * 4096] ^= 1
    }
    try damage(bytes)
    let error = #expect(throws: StoreError.self) {
      try folder.store(.readWrite).write { try $0.table("Row")?.delete(1) }
    }
    #expect(error?.kind == .damaged)
    #expect(try contents(folder.file()) == bytes)
  }

  /// Whether the check reads a page; damage to other pages does not matter.
  private static func isReached(
    _ page: Int, in whole: [UInt8], _ folder: TemporaryFolder
  ) throws -> Bool {
    var bytes = whole
    for offset in 0..<4096 { bytes[page * 4096 + offset] = 0xFF }
    try write(bytes, to: folder.file())
    do { try checkForWriting(folder.file()) } catch { return true }
    return false
  }

  /// The header of a value's own pages contains the number of pages that LMDB frees.
  @Test func theOwnPagesOfValuesAreCheckedWhenReplaced() throws {
    var refused = 0
    var pages = 0
    for page in 2..<whole.count / 4096 where whole[page * 4096 + 10] == 4 {
      guard whole[page * 4096] == UInt8(page & 255) else { continue }
      pages += 1
      for (place, value) in [(0, UInt8(7)), (15, UInt8(3)), (12, UInt8(0))] {
        var bytes = whole
        bytes[page * 4096 + place] = value
        guard bytes != whole else { continue }
        try damage(bytes)
        do {
          let store = try folder.store(.readWrite)
          try store.write { $0.table("Row")?.deleteAll() }
        } catch let error as StoreError {
          #expect(error.kind == .damaged, "page \(page), byte \(place): \(error)")
          refused += 1
          #expect(Array(try contents(folder.file()).prefix(8192)) == Array(bytes.prefix(8192)))
        }
      }
    }
    #expect(pages > 3 && refused > 3, "\(refused) of \(3 * pages)")
  }
}
