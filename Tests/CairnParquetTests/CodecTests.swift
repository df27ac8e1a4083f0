import CairnSystem
import Testing

@testable import CairnParquet

@Suite struct CodecTests {
  static let short = CodecFixtures.text(120)

  static func unpack(_ codec: Codec, _ bytes: [UInt8], size: Int) throws -> [UInt8] {
    try withExactCopy(bytes) { try unpack(codec, $0, size: size) }
  }

  static func unpack(
    _ codec: Codec, _ bytes: UnsafeRawBufferPointer, size: Int
  ) throws -> [UInt8] {
    try filled(size, 0xAA) {
      try codec.decompress(bytes, into: UnsafeMutableRawBufferPointer(start: $0, count: size))
    }
  }

  static let fixtures: [(Codec, [UInt8])] = [
    (.uncompressed, short), (.snappy, CodecFixtures.snappy), (.lz4Raw, CodecFixtures.lz4Raw),
    (.lz4, CodecFixtures.lz4Raw), (.lz4, hadoop(CodecFixtures.lz4Raw, size: short.count)),
    (.zstd, CodecFixtures.zstd), (.brotli, CodecFixtures.brotli), (.gzip, CodecFixtures.gzip),
    (.gzip, CodecFixtures.zlib),
  ]

  /// A block in Hadoop's framing.
  static func hadoop(_ block: [UInt8], size: Int) -> [UInt8] {
    big(size) + big(block.count) + block
  }

  static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  @Test(arguments: fixtures.indices)
  func packedByOthers(index: Int) throws {
    let (codec, bytes) = Self.fixtures[index]
    #expect(try Self.unpack(codec, bytes, size: Self.short.count) == Self.short)
    #expect(throws: ParquetError.self) {
      try Self.unpack(codec, bytes, size: Self.short.count - 1)
    }
    #expect(throws: ParquetError.self) {
      try Self.unpack(codec, bytes, size: Self.short.count + 1)
    }
    #expect(throws: ParquetError.self) { try Self.unpack(codec, bytes, size: 0) }
    attack(bytes, seed: UInt64(index)) { _ = try Self.unpack(codec, $0, size: Self.short.count) }
  }

  @Test func frameOfLZ4() throws {
    let text = CodecFixtures.text(20000)
    #expect(try Self.unpack(.lz4, CodecFixtures.lz4Frame, size: text.count) == text)
    let twice =
      CodecFixtures.lz4Frame + [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9]
      + CodecFixtures.lz4Frame
    #expect(try Self.unpack(.lz4, twice, size: 2 * text.count) == text + text)
    attack(CodecFixtures.lz4Frame, seed: 1) { _ = try Self.unpack(.lz4, $0, size: text.count) }
  }

  @Test func severalBlocksOfHadoop() throws {
    let block = CodecFixtures.lz4Raw
    let part = Self.hadoop(block, size: Self.short.count)
    let joined = Self.big(2 * Self.short.count) + part.dropFirst(4) + part.dropFirst(4)
    let expected = Self.short + Self.short
    #expect(try Self.unpack(.lz4, part + part, size: expected.count) == expected)
    #expect(try Self.unpack(.lz4, joined, size: expected.count) == expected)
  }

  @Test func severalMembersOfGzip() throws {
    let twice = CodecFixtures.gzip + CodecFixtures.gzip
    let expected = Self.short + Self.short
    #expect(try Self.unpack(.gzip, twice, size: expected.count) == expected)
    attack(twice, seed: 1) { _ = try Self.unpack(.gzip, $0, size: expected.count) }
  }

  @Test func messages() {
    let short = Self.short.count
    func message(_ codec: Codec, _ bytes: [UInt8], _ size: Int) -> String? {
      do { _ = try Self.unpack(codec, bytes, size: size) } catch {
        return (error as? ParquetError)?.message
      }
      return nil
    }
    #expect(
      message(.snappy, CodecFixtures.snappy, 7)
        == "the page has \(short) bytes when unpacked, and its header says 7")
    #expect(
      message(.lz4Raw, CodecFixtures.lz4Raw, 7)
        == "the page has more than 7 bytes when unpacked, the size in its header")
    #expect(message(.lzo, [1], 7) == "the codec LZO is not supported")
  }

  @Test func emptyPages() throws {
    for codec in Codec.allCases where codec != .lzo {
      #expect(try Self.unpack(codec, [], size: 0) == [])
    }
    for (codec, bytes) in [(Codec.snappy, [UInt8(0)]), (.lz4Raw, [0]), (.lz4, [0])] {
      #expect(try Self.unpack(codec, bytes, size: 0) == [])
    }
  }

  /// The distances and lengths of matches, against copies of single bytes.
  @Test func matches() throws {
    for distance in 1...40 {
      for count in [4, 5, 7, 8, 9, 15, 16, 17, 31, 40, 64] {
        for tail in [0, 1, 7, 8, 15, 16, 40] {
          var expected = (0..<40).map { UInt8($0) }
          for _ in 0..<count { expected.append(expected[expected.count - distance]) }
          let literals = (0..<tail).map { UInt8(100 + $0) }
          var packed: [UInt8] = [UInt8(40 + count + tail), 39 << 2] + (0..<40).map { UInt8($0) }
          packed += [UInt8(count - 1) << 2 | 2, UInt8(distance), 0]
          if tail > 0 { packed += [UInt8(tail - 1) << 2] + literals }
          if 40 + count + tail > 127 { packed.replaceSubrange(0..<1, with: [packed[0] | 0x80, 1]) }
          expected += literals
          #expect(
            try Self.unpack(.snappy, packed, size: expected.count) == expected,
            "\(distance) \(count) \(tail)")
        }
      }
    }
  }
}
