import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Files with random damage: `verify` and opening as untrusted report it or nothing is lost, and
/// the process survives.
@Suite(.tags(.untrusted)) struct MutantTests {
  @Test func damageIsReportedOrHarmless() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    try MixedStore.make(folder, seed: 21)
    await #expect(processExitsWith: .success) {
      [path = folder.file() as String, count = Soak.count(12, long: 1000) as Int] in
      let noticed = try Mutation.run(path, count: count, seed: 77)
      // Much of the file is unused space, but far from all of it.
      precondition(noticed * 4 > count, "only \(noticed) of \(count) were noticed")
    }
    let last = String(decoding: try contents(folder.file("test.cairn-now")), as: UTF8.self)
    #expect(last == "done", "the process ended at: \(last)")
  }

  /// The number of a commit, or the size of a page, may be anything in a damaged file.
  @Test(arguments: [40, 41, 42, 43, 144, 151], [UInt8(0x01), 0x7F, 0x80, 0xFF])
  func contradictingMetaPagesAreReported(offset: Int, flips: UInt8) throws {
    let folder = try TemporaryFolder(inMemory: true)
    try MixedStore.make(folder, seed: 23, rows: 100)
    var bytes = try contents(folder.file())
    // The later of the two, which LMDB trusts.
    let isSecond = bytes[4096 + 144] > bytes[144]
    bytes[(isSecond ? 4096 : 0) + offset] ^= flips
    try write(bytes, to: folder.file("bad"))
    do throws(StoreError) { #expect(try !Store.verify(folder.file("bad")).isSound) } catch {
      #expect(error.kind == .damaged || error.kind == .notAStore)
    }
    for (mode, untrusted) in [(.readOnly, true), (.readOnly, false), (.readWrite, false)]
      as [(Store.Mode, Bool)]
    {
      let error = #expect(throws: StoreError.self) {
        try Store.open(folder.file("bad"), mode: mode, untrusted: untrusted)
      }
      #expect(error?.kind == .damaged || error?.kind == .notAStore, "\(error?.message ?? "")")
    }
    #expect(try contents(folder.file("bad")) == bytes)
  }

  @Test func aTruncatedFileIsReported() throws {
    let folder = try TemporaryFolder(inMemory: true)
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
  /// Damages copies of a file, and ends the process if damage is not reported. Returns how often it
  /// was reported.
  static func run(_ path: String, count: Int, seed: UInt64) throws -> Int {
    let whole = try contents(path)
    let digests = try Store.open(path, mode: .readOnly).rowDigests()
    var random = SplitMix64(seed: seed)
    var noticed = 0
    for turn in 0..<count {
      let mutant = Mutant(of: whole, &random)
      let what = mutant.description
      let copy = "\(path)-\(turn)"
      try write(mutant.bytes, to: copy)
      try write(Array("seed \(seed), turn \(turn): \(what)".utf8), to: path + "-now")
      defer {
        unlink(copy)
        unlink(copy + "-lock")
      }
      do {
        if try !isHarmless(copy, digests, writes: turn % 4 == 0) { noticed += 1 }
      } catch {
        try write(Array("seed \(seed), turn \(turn): \(what): \(error)".utf8), to: path + "-now")
        throw error
      }
    }
    try write(Array("done".utf8), to: path + "-now")
    return noticed
  }

  /// Whether damage that was not reported is harmless; throws if it does harm.
  private static func isHarmless(_ path: String, _ digests: [String: Int], writes: Bool) throws
    -> Bool
  {
    guard let report = try? Store.verify(path), report.isSound else {
      try expect((try? Store.open(path, mode: .readWrite, untrusted: true)) == nil, "was opened")
      return false
    }
    let store = try Store.open(path, mode: .readWrite, untrusted: true)
    try expect(try store.rowDigests() == digests, "has other rows")
    // A store that is reported as sound can be written to.
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
}
