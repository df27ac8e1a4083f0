import CairnSystem
import Testing

@testable import CairnParquet

@Suite struct PackingTests {
  /// Bytes of several kinds: random ones, text, and runs.
  static func samples() -> [[UInt8]] {
    var random = SeededGenerator(seed: 11)
    var samples: [[UInt8]] = [[], [7], Array("abcabcabcabcabcabcabcabcabc".utf8)]
    for size in [15, 16, 17, 100, 65535, 65536, 65537, 200_000] {
      samples.append((0..<size).map { _ in .random(in: 0...255, using: &random) })
      samples.append((0..<size).map { _ in .random(in: 0...1, using: &random) })
      samples.append([UInt8](repeating: 3, count: size))
      samples.append(Array(CodecFixtures.text(size / 10).prefix(size)))
    }
    return samples
  }

  @Test(arguments: [Codec.uncompressed, .snappy, .gzip, .zstd])
  func codecs(codec: Codec) throws {
    for sample in Self.samples() {
      var packed: [UInt8] = [1, 2]
      try withExactCopy(sample) { try codec.compress($0, into: &packed) }
      #expect(packed.prefix(2) == [1, 2])
      let unpacked = try CodecTests.unpack(codec, Array(packed.dropFirst(2)), size: sample.count)
      #expect(unpacked == sample)
    }
  }

  @Test func snappyShrinksText() throws {
    let text = CodecFixtures.text(120)
    var packed: [UInt8] = []
    try withExactCopy(text) { try Snappy.compress($0, into: &packed) }
    #expect(packed.count <= CodecFixtures.snappy.count * 11 / 10)
  }

  @Test func codecsThatAreNotWritten() {
    for codec in [Codec.lzo, .brotli, .lz4, .lz4Raw] {
      var packed: [UInt8] = []
      #expect(throws: ParquetError.self) {
        try codec.compress(UnsafeRawBufferPointer(start: nil, count: 0), into: &packed)
      }
    }
  }

  @Test(arguments: 0...32)
  func hybrid(bitWidth: Int) throws {
    for seed in 0..<5 {
      let all = HybridTests.runs(bitWidth: bitWidth, seed: UInt64(seed)).values
      for count in [0, 1, 7, 8, 9, 15, 16, 17, 100, all.count] {
        let values = Array(all.prefix(count))
        var packed: [UInt8] = []
        values.withUnsafeBufferPointer {
          HybridEncoder.append($0, bitWidth: bitWidth, to: &packed)
        }
        let decoded = try withExactCopy(packed) {
          try HybridTests.decode($0, bitWidth: bitWidth, parts: [values.count])
        }
        #expect(decoded == values)
        guard bitWidth <= 8 else { continue }
        var levels: [UInt8] = []
        values.map { UInt8($0) }.withUnsafeBufferPointer {
          HybridEncoder.append($0, bitWidth: bitWidth, to: &levels)
        }
        #expect(levels == packed)
      }
    }
  }

  /// Equal values take a few bytes, however many they are.
  @Test func runsAreShort() {
    var packed: [UInt8] = []
    [UInt8](repeating: 1, count: 1_000_000).withUnsafeBufferPointer {
      HybridEncoder.append($0, bitWidth: 1, to: &packed)
    }
    #expect(packed.count == 4)
  }

  @Test func differences() throws {
    func check<Number: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
      _ values: [Number]
    ) throws where Number.Magnitude: BitwiseCopyable {
      var packed: [UInt8] = []
      values.withUnsafeBufferPointer { DeltaBinaryPacked.append($0, to: &packed) }
      let decoded = try withExactCopy(packed) {
        try EncodingTests.delta($0, values.count, Number(0))
      }
      #expect(decoded == values)
    }
    var random = SeededGenerator(seed: 3)
    for count in [0, 1, 2, 32, 33, 34, 128, 129, 130, 257, 1000] {
      for bits in 0...63 {
        try check((0..<count).map { _ in Int64.random(in: .min ... .max, using: &random) >> bits })
      }
      for bits in 0...31 {
        try check((0..<count).map { _ in Int32.random(in: .min ... .max, using: &random) >> bits })
      }
      try check((0..<count).map { $0 % 2 == 0 ? Int64.min : .max })
      try check((0..<count).map { $0 % 2 == 0 ? Int32.min : .max })
    }
  }

  /// The blocks are those that pyarrow writes, but for miniblocks without values.
  @Test func differencesAsPyarrow() {
    var packed: [UInt8] = []
    EncodingFixtures.numbers.withUnsafeBufferPointer { DeltaBinaryPacked.append($0, to: &packed) }
    #expect(packed.count <= EncodingFixtures.delta.count)
  }
}
