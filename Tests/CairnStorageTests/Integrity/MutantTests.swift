import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Files that were damaged anywhere: `verify` and opening as untrusted say so, or nothing is lost, and the process lives.
@Suite struct MutantTests {
  @Test func damageIsNoticedOrHarmless() async throws {
    let folder = try TemporaryFolder()
    try MixedStore.make(folder, seed: 21)
    await #expect(processExitsWith: .success) {
      [path = folder.file() as String, count = Soak.count(100, long: 2000) as Int] in
      let noticed = try Mutation.run(path, count: count, seed: 77)
      // Much of the file is room that nobody uses yet, but far from all of it.
      precondition(noticed * 4 > count, "only \(noticed) of \(count) were noticed")
    }
    let last = String(decoding: try contents(folder.file("test.cairn-now")), as: UTF8.self)
    #expect(last == "done", "where it ended: \(last)")
  }

  @Test func aFileThatEndsEarly() throws {
    let folder = try TemporaryFolder()
    try MixedStore.make(folder, seed: 22)
    let bytes = try contents(folder.file())
    var random = SplitMix64(seed: 5)
    for _ in 0..<Soak.count(30, long: 1000) {
      let length = Int.random(in: 1..<bytes.count, using: &random)
      try write(Array(bytes[..<length]), to: folder.file("cut"))
      let error = #expect(throws: StoreError.self, "\(length) bytes") {
        try Store.verify(folder.file("cut"))
      }
      #expect(error?.kind == .truncated || error?.kind == .notAStore, "\(length) bytes")
    }
  }
}

/// A random change of a file.
enum Mutation {
  /// Damages copies of a file; stops the process where damage goes unnoticed. Gives how often it was noticed.
  static func run(_ path: String, count: Int, seed: UInt64) throws -> Int {
    let whole = try contents(path)
    let digests = try Store.open(path, .readOnly).rowDigests()
    var random = SplitMix64(seed: seed)
    var noticed = 0
    for turn in 0..<count {
      var bytes = whole
      let what = mutate(&bytes, &random)
      let copy = "\(path)-\(turn)"
      try write(bytes, to: copy)
      try write(Array("seed \(seed), turn \(turn): \(what)".utf8), to: path + "-now")
      defer {
        unlink(copy)
        unlink(copy + "-lock")
      }
      do {
        if try !isHarmless(copy, digests, writes: turn % 8 == 0) { noticed += 1 }
      } catch {
        try write(Array("seed \(seed), turn \(turn): \(what): \(error)".utf8), to: path + "-now")
        throw error
      }
    }
    try write(Array("done".utf8), to: path + "-now")
    return noticed
  }

  /// False where the damage is noticed; throws where it is not, and does harm.
  private static func isHarmless(_ path: String, _ digests: [String: Int], writes: Bool) throws
    -> Bool
  {
    guard let report = try? Store.verify(path), report.isSound else {
      try expect((try? Store.open(path, .readWrite, untrusted: true)) == nil, "was opened")
      return false
    }
    let store = try Store.open(path, .readWrite, untrusted: true)
    try expect(try store.rowDigests() == digests, "has other rows")
    // Whatever is sound can be written to.
    guard writes else { return true }
    try store.write { try _ = $0.table("Place")?.insert([.int(-1), .null, .null, .null]) }
    let after = try Store.verify(path)
    try expect(after.isSound, "was harmed by a write: \(after.findings)")
    return true
  }

  private static func expect(_ condition: Bool, _ what: String) throws {
    if condition { return }
    throw Unnoticed(what: what)
  }

  private struct Unnoticed: Error { let what: String }

  /// Gives what it did.
  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) -> String {
    let size = bytes.count
    func place(_ random: inout SplitMix64) -> Int { Int.random(in: 0..<size, using: &random) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2:
      let at = place(&random)
      bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return "a bit at \(at)"
    case 3...5:
      let at = place(&random) & ~4095 + Int.random(in: 0..<64, using: &random)
      bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return "a bit at \(at), in the head of a page"
    case 6:
      let at =
        Int.random(in: 0..<2, using: &random) * 4096 + Int.random(in: 0..<152, using: &random)
      bytes[at] = UInt8.random(in: 0...255, using: &random)
      return "byte \(at) of the heads"
    case 7:
      let (a, b) = (place(&random) & ~4095, place(&random) & ~4095)
      for offset in 0..<4096 { bytes.swapAt(a + offset, b + offset) }
      return "pages at \(a) and \(b) swapped"
    case 8:
      let at = place(&random)
      let end = min(size, at + Int.random(in: 1...9000, using: &random))
      for index in at..<end { bytes[index] = 0 }
      return "zeros from \(at) to \(end)"
    default:
      let (from, to) = (place(&random), place(&random))
      for offset in 0..<min(700, size - max(from, to)) { bytes[to + offset] = bytes[from + offset] }
      return "bytes from \(from) to \(to)"
    }
  }
}
