import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

/// Checks that the program gzip reads what the compressors write.
@Suite struct GzipCompressorTests {
  /// Texts that compress well and badly, from none to more than a compressor's window.
  private static func inputs(_ random: inout SplitMix64) -> [[UInt8]] {
    let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Array((0..<20_000).map { "place-\($0 % 700),\($0)\n" }.joined().utf8)
    return [[], [7], Array(text[..<1000]), text, noise, Array(repeating: 0, count: 200_000)]
  }

  /// Compresses bytes in chunks of random sizes.
  private func packed(
    _ bytes: [UInt8], _ compressor: GzipCompressor, _ random: inout SplitMix64
  ) throws -> Data {
    var packed = Data()
    var rest = bytes[...]
    while !rest.isEmpty, Bool.random(using: &random) || packed.isEmpty {
      let chunk = rest.prefix(.random(in: 0...100_000, using: &random))
      packed += try compressor.compress(Array(chunk), isLast: false)
      rest = rest.dropFirst(chunk.count)
    }
    return packed + Data(try compressor.compress(Array(rest), isLast: true))
  }

  private func check(
    pieceSize: Int, seed: UInt64, _ engine: () throws -> any GzipEngine
  ) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    for input in Self.inputs(&random) {
      let compressor = GzipCompressor(try engine(), pieceSize: pieceSize)
      let data = try packed(input, compressor, &random)
      #expect(try folder.gunzipped(data) == Data(input), "seed \(seed)")
    }
  }

  @Test(arguments: [1 << 16, 64, 1]) func zlibWritesWhatGzipReads(pieceSize: Int) throws {
    try check(pieceSize: pieceSize, seed: 1) { try #require(ZlibEngine(isFast: true)) }
    try check(pieceSize: pieceSize, seed: 2) { try #require(ZlibEngine(isFast: false)) }
  }

  /// `make setup` installs ISA-L.
  @Test(arguments: [1 << 16, 64, 8]) func igzipWritesWhatGzipReads(pieceSize: Int) throws {
    try check(pieceSize: pieceSize, seed: 3) { try #require(IgzipEngine()) }
  }

  /// `make setup` installs libdeflate.
  @Test(arguments: [false, true]) func packersWriteWhatGzipReads(hasLibrary: Bool) throws {
    var random = SplitMix64(seed: 4)
    let folder = try TemporaryFolder()
    let packer = GzipPacker(hasLibrary ? try #require(DeflateLibrary.shared) : nil)
    for input in Self.inputs(&random) {
      #expect(try folder.gunzipped(Data(packer.pack(input))) == Data(input))
    }
  }

  @Test func compressorsWithoutMemoryFail() {
    #expect(throws: OutputError.self) {
      _ = try GzipCompressor(nil).compress([1], isLast: true)
    }
  }

  @Test func fastCompressionIsNoLargerThanTheFastestLevelOfZlib() throws {
    let text = Array(
      (0..<20_000).map { "{\"id\":\($0),\"name\":\"place-\($0 * 7)\"}\n" }.joined().utf8)
    let fast = try GzipCompressor(isFast: true).compress(text, isLast: true)
    let zlib = try GzipCompressor(ZlibEngine(isFast: true)).compress(text, isLast: true)
    #expect(fast.count < zlib.count * 11 / 10)
  }
}
